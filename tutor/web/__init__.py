"""Question -> results of a web search; the question leaves this machine."""

from tutor.web.results import as_markdown
from tutor.web.serp_api import SerpApi

__all__ = ["SerpApi", "as_markdown"]
