"""Everything that is known of an answer, for JSON."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict
from typing import Any

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
from tutor.model import Answer, Citation, Hit, Source, WebCitation
from tutor.model.marks import Labels
from tutor.presentation.answers import event_line


def answer_record(  # noqa: C901 - one for each kind of event
    question: str, events: Iterable[Event]
) -> dict[str, Any]:
    """The whole record of an answer, from its events."""
    record: dict[str, Any] = {"question": question, "filter": None, "routing": [], "notices": []}
    for event in events:
        match event:
            case Routed():
                record["routing"].append(asdict(event))
            case Notice():
                record["notices"].append(event.text)
            case Reasoning():
                record["reasoning"] = record.get("reasoning", "") + event.text
            case Filtered():
                record["filter"] = filter_record(event)
            case Rewritten():
                record["rewritten"] = {"question": event.standalone, "by": event.by}
            case Retrieved():
                record["passages"] = list(map(passage_record, event.hits))
            case Judged():
                record["answerability"] = asdict(event.answerability)
            case WebFound():
                record["web"] = asdict(event)
            case LeftOut():
                record["left_out"] = asdict(event)
            case Finished():
                record["notices"] += filter(None, [event_line(event)])
                record |= finished_record(event.answer)
    return record


def filter_record(event: Filtered) -> dict[str, Any]:
    """Which documents were asked, why, and how many they are."""
    return {
        **asdict(event.filter),
        "words": event.words,
        "recognised": event.recognised,
        "matching_documents": event.documents,
    }


def finished_record(answer: Answer) -> dict[str, Any]:
    """A finished answer with its sources."""
    labels = Labels()
    return {
        "answer": answer.text,
        "abstained": answer.abstained,
        "ending": answer.ending,
        "route": answer.route,
        "model": answer.model,
        "citations": [
            {
                **_sentence_record(answer, one, labels),
                "quote": one.quote,
                "first_page": one.first_page,
                "last_page": one.last_page,
                "chunk_id": one.hit.chunk.id,
                "support": one.support,
                **source_record(one.source),
            }
            for one in answer.citations
        ],
        "web_citations": [
            {
                **_sentence_record(answer, one, labels),
                "support": one.support,
                **asdict(one.result),
            }
            for one in answer.web_citations
        ],
        "unsupported": [answer.text[start:end] for start, end in answer.unsupported],
        "seconds": dict(answer.timings),
        "usage": asdict(answer.usage) if answer.usage else None,
    }


def _sentence_record(
    answer: Answer, citation: Citation | WebCitation, labels: Labels
) -> dict[str, str]:
    sentence = answer.text[citation.start : citation.end]
    return {"label": labels.of(citation).strip("[]"), "sentence": sentence}


def passage_record(hit: Hit) -> dict[str, Any]:
    """A passage that was found."""
    chunk = hit.chunk
    return {
        "rank": hit.rank,
        "score": hit.score,
        "retrievers": {name: asdict(score) for name, score in hit.retrievers.items()},
        "chunk_id": chunk.id,
        "first_page": chunk.first_page,
        "last_page": chunk.last_page,
        "text": chunk.text,
        **source_record(hit.source),
    }


def source_record(source: Source) -> dict[str, Any]:
    """What is known of a document."""
    return {
        "file": source.path,
        "title": source.title,
        "week": source.week,
        "date": source.date,
        "version": source.version,
        "authors": source.authors,
    }
