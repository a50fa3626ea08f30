"""A question that leans on the conversation -> a question that stands alone."""

# from tutor.followups.detection import needs_rewriting
# from tutor.followups.model import accept, rewriting_messages
# from tutor.followups.rules import rewrite_by_rules

__all__: list[str] = []
