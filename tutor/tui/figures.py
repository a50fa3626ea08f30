"""An answer's figures, in words."""

from __future__ import annotations

from tutor.i18n import _
from tutor.model import Answer, Route, Strategy
from tutor.presentation.amounts import decimal

_RETRIEVAL = ("embed_query", "search", "lexical", "rerank")


def figures_text(answer: Answer | None, first_token_s: float | None = None) -> list[str]:
    """Time to the first word, speed of writing and time of retrieval, as far as they are known."""
    figures = []
    if first_token_s is not None:
        figures.append(_("first word after %(s)s s") % {"s": decimal(first_token_s, 1)})
    if answer is None:
        return figures
    usage = answer.usage
    if usage and usage.answer_s > 0:
        figures.append(_("%(rate).0f tokens/s") % {"rate": usage.answer_tokens / usage.answer_s})
    found = [answer.timings[stage] for stage in _RETRIEVAL if stage in answer.timings]
    if found:
        figures.append(_("retrieval %(ms).0f ms") % {"ms": 1000 * sum(found)})
    return figures


def index_name(index: Strategy | Route) -> str:
    """What an index is called, wherever it is named."""
    return _("fixed windows") if index.value == "fixed" else _("whole sentences")
