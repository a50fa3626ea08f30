"""Question -> results of a web search; the question leaves this machine."""

from tutor.websearch.markdown import as_markdown
from tutor.websearch.serp_api import SerpApi

__all__ = ["SerpApi", "as_markdown"]
