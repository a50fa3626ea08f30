"""What measures, stages and kinds are called in a report."""

from __future__ import annotations

from tutor.evaluation.measures import READ_CHARS, SNIPPET_READ
from tutor.i18n import _


def label(name: str) -> str:
    """A measure, a stage or a kind in the reader's language; a strange name stays as it is."""
    if name == SNIPPET_READ:
        return _("passage within %(n)d characters") % {"n": READ_CHARS}
    level, _underscore, rest = name.partition("_")
    levels = {"snippet": _("passage"), "page": _("page")}
    if level in levels and rest:
        return f"{levels[level]} {_RANKED.get(rest, rest)}"
    return _names().get(name, name)


_RANKED = {
    "hit@1": "hit@1",
    "hit@3": "hit@3",
    "hit@k": "hit@k",
    "recall@k": "recall@k",
    "mrr@10": "MRR@10",
    "ndcg@k": "nDCG@k",
}


def _names() -> dict[str, str]:
    return {
        "acceptable": _("acceptable (rubric 4-5)"),
        "rubric": _("rubric, 1-5"),
        "correctness": _("correctness"),
        "faithfulness": _("faithfulness"),
        "answer_relevance": _("answer relevance"),
        "context_precision": _("context precision"),
        "context_recall": _("context recall"),
        "citation_precision": _("citation precision"),
        "citation_recall": _("citation recall"),
        "place_cited": _("right page cited"),
        "refusal_precision": _("refusal precision"),
        "refusal_recall": _("refusal recall"),
        "false_refusal": _("false refusals"),
        "retrieval_s": _("whole retrieval"),
        "total_s": _("whole answer"),
        "rewrite": _("rewriting"),
        "embed_query": _("embedding the question"),
        "search": _("search"),
        "lexical": _("words"),
        "rerank": _("ranking"),
        "judge": _("coverage"),
        "prompt": _("building the prompt"),
        "answer": _("answering"),
        "check": _("checking"),
        "formulas": _("formulas"),
        "techniques": _("techniques"),
        "concepts": _("concepts"),
        "fact": _("facts"),
        "comparison": _("comparisons"),
        "list": _("lists"),
        "follow-up": _("follow-ups"),
        "new-topic": _("new topics"),
        "unanswerable": _("unanswerable"),
        "es": _("Spanish"),
        "en": _("English"),
    }
