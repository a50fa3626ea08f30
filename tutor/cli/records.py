"""Everything that is known of an answer, for JSON."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict
from typing import Any

from tutor.cli.output import source_record
from tutor.events import (
    Event,
    Filtered,
    Finished,
    Judged,
    LeftOut,
    Notice,
    Reasoning,
    Retrieved,
    Rewritten,
    Routed,
    WebFound,
)
from tutor.model import Answer, Citation, Hit, WebCitation
from tutor.model.marks import Labels
from tutor.presentation.event_texts import event_line


def answer_record(question: str, events: Iterable[Event]) -> dict[str, Any]:
    """The whole record of an answer, from its events."""
    record: dict[str, Any] = {"question": question, "filter": None, "routing": [], "notices": []}
    for event in events:
        _add(record, event)
    return record


def _add(record: dict[str, Any], event: Event) -> None:
    if isinstance(event, Routed):
        record["routing"].append({"route": event.route.value, "rule": event.rule})
    elif isinstance(event, Notice):
        record["notices"].append(event.text)
    elif isinstance(event, Filtered):
        record["filter"] = filter_record(event)
    elif isinstance(event, Reasoning):
        record["reasoning"] = record.get("reasoning", "") + event.text
    elif isinstance(event, Finished):
        record["notices"] += filter(None, [event_line(event)])
        record |= finished_record(event.answer)
    else:
        record |= _step_record(event)


def _step_record(event: Event) -> dict[str, Any]:
    """What a step on the way adds to the record; nothing for what is only shown."""
    match event:
        case Rewritten(standalone=standalone, by=by):
            return {"rewritten": {"question": standalone, "by": by}}
        case Retrieved(hits=hits):
            return {"passages": [passage_record(hit) for hit in hits]}
        case Judged(answerability=answerability):
            return {"answerability": asdict(answerability)}
        case WebFound(query=query, results=results):
            return {"web": {"query": query, "results": [asdict(one) for one in results]}}
        case LeftOut():
            return {"left_out": asdict(event)}
        case _:
            return {}


def filter_record(event: Filtered) -> dict[str, Any]:
    """Which documents were asked, why, and how many they are."""
    chosen = event.filter
    return {
        "weeks": list(chosen.weeks),
        "dates": [[first.isoformat(), last.isoformat()] for first, last in chosen.dates],
        "authors": list(chosen.authors),
        "documents": list(chosen.documents),
        "words": event.words,
        "recognised": list(event.recognised),
        "matching_documents": event.documents,
    }


def finished_record(answer: Answer) -> dict[str, Any]:
    """A finished answer with its sources."""
    labels = Labels()
    return {
        "answer": answer.text,
        "abstained": answer.abstained,
        "ending": answer.ending.value,
        "route": answer.route.value,
        "model": answer.model,
        "citations": [_citation(answer, citation, labels) for citation in answer.citations],
        "web_citations": [_web_citation(answer, citation) for citation in answer.web_citations],
        "unsupported": [answer.text[start:end] for start, end in answer.unsupported],
        "seconds": dict(answer.timings),
        "usage": asdict(answer.usage) if answer.usage else None,
    }


def _citation(answer: Answer, citation: Citation, labels: Labels) -> dict[str, Any]:
    return {
        "label": labels.of(citation).strip("[]"),
        "sentence": answer.text[citation.start : citation.end],
        "quote": citation.quote,
        "first_page": citation.first_page,
        "last_page": citation.last_page,
        "chunk_id": citation.hit.chunk.id,
        "support": citation.support,
        **source_record(citation.hit.source),
    }


def _web_citation(answer: Answer, citation: WebCitation) -> dict[str, Any]:
    return {
        "label": f"W{citation.result.rank}",
        "sentence": answer.text[citation.start : citation.end],
        "support": citation.support,
        **asdict(citation.result),
    }


def passage_record(hit: Hit) -> dict[str, Any]:
    """A passage that was found."""
    chunk = hit.chunk
    return {
        "rank": hit.rank,
        "score": hit.score,
        "retrievers": {
            name: {"rank": retriever.rank, "score": retriever.score}
            for name, retriever in hit.retrievers.items()
        },
        "chunk_id": chunk.id,
        "first_page": chunk.first_page,
        "last_page": chunk.last_page,
        "text": chunk.text,
        **source_record(hit.source),
    }
