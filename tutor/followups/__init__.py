"""A question that leans on the conversation -> a question that stands alone."""

from tutor.followups.detection import needs_rewriting
from tutor.followups.model import accept, rewriting_messages
from tutor.followups.rules import rewrite_by_rules

__all__ = ["accept", "needs_rewriting", "rewrite_by_rules", "rewriting_messages"]
