"""A question that leans on the conversation -> a question that stands alone."""

from tutor.followups.detection import needs_rewriting
from tutor.followups.rules import rewrite_by_rules

__all__ = ["needs_rewriting", "rewrite_by_rules"]
