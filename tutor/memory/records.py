"""Answer <-> versioned JSON. Of the retrieved passages only the cited quotes are kept."""

from __future__ import annotations

import math
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING, Any

from pydantic import TypeAdapter, ValidationError

from tutor.errors import SessionError
from tutor.i18n import _
from tutor.memory.saved import SavedAnswer, SavedCitation, SavedLeg, SavedSource
from tutor.memory.texts import storable
from tutor.types import WebResult

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tutor.types import Answer, Citation, Source, WebCitation

RECORD_VERSION = 1
"""Raised when a record can no longer be read by an older program; new fields alone do not."""


def answer_record(answer: Answer) -> dict[str, Any]:
    """An answer as JSON can say it, for `restored_answer`.

    Characters that cannot be stored become U+FFFD, figures that are not finite become 0.
    """
    return saved_record(saved_answer(answer))


def saved_record(answer: SavedAnswer) -> dict[str, Any]:
    """The record of an answer that was saved before."""
    record: dict[str, Any] = _answers().dump_python(answer, mode="json")
    return {"version": RECORD_VERSION, **record}


def restored_answer(record: Mapping[str, Any]) -> SavedAnswer:
    """The answer that was saved. Fields that are not known are passed over.

    Raises `SessionError` when the record is a newer program's or makes no sense.
    """
    version = record.get("version")
    if isinstance(version, int) and version > RECORD_VERSION:
        raise SessionError(
            _("This answer was saved by a newer version of tutor."), _("Bring tutor up to date.")
        )
    try:
        answer = _answers().validate_python(dict(record))
    except ValidationError as error:
        where = ".".join(str(part) for part in error.errors(include_url=False)[0]["loc"])
        raise _damaged(where) from None
    spans = [(citation.start, citation.end) for citation in answer.citations]
    spans += [(citation.start, citation.end) for citation in answer.web_citations]
    for start, end in (*spans, *answer.unsupported):
        if not 0 <= start <= end <= len(answer.text):
            raise _damaged(f"{start}-{end}")
    return answer


def saved_answer(answer: Answer) -> SavedAnswer:
    """What `restored_answer` will give for this answer's record."""
    return SavedAnswer(
        text=storable(answer.text),
        citations=tuple(saved_citation(citation) for citation in answer.citations),
        abstained=answer.abstained,
        route=answer.route,
        model=storable(answer.model),
        timings={storable(name): _finite(s) for name, s in answer.timings.items()},
        unsupported=answer.unsupported,
        web_citations=tuple(_web_citation(citation) for citation in answer.web_citations),
        ending=answer.ending,
        usage=replace(
            answer.usage,
            reason=storable(answer.usage.reason),
            load_s=_finite(answer.usage.load_s),
            prompt_s=_finite(answer.usage.prompt_s),
            answer_s=_finite(answer.usage.answer_s),
        )
        if answer.usage
        else None,
    )


def saved_citation(citation: Citation) -> SavedCitation:
    """A citation as it would come back."""
    hit = citation.hit
    return SavedCitation(
        start=citation.start,
        end=citation.end,
        quote=storable(citation.quote),
        first_page=citation.first_page,
        last_page=citation.last_page,
        support=_finite(citation.support),
        source=_source(hit.source),
        chunk_id=storable(hit.chunk.id),
        quote_start=hit.chunk.start + citation.quote_start,
        quote_end=hit.chunk.start + citation.quote_end,
        rank=hit.rank,
        score=_finite(hit.score),
        legs={
            storable(name): SavedLeg(leg.rank, _finite(leg.score)) for name, leg in hit.legs.items()
        },
    )


def _source(source: Source) -> SavedSource:
    return SavedSource(
        id=storable(source.id),
        path=storable(source.path),
        title=storable(source.title),
        sha256=source.sha256,
        week=source.week,
        date=source.date,
        version=storable(source.version) if source.version is not None else None,
        authors=tuple(storable(author) for author in source.authors),
    )


def _web_citation(citation: WebCitation) -> WebCitation:
    result = citation.result
    return replace(
        citation,
        support=_finite(citation.support),
        result=WebResult(
            rank=result.rank,
            title=storable(result.title),
            snippet=storable(result.snippet),
            link=storable(result.link),
            source=storable(result.source),
        ),
    )


def _finite(number: float) -> float:
    """A plain float: scores come as numpy's, and JSON has no NaN."""
    value = float(number)
    return value if math.isfinite(value) else 0.0


@cache
def _answers() -> TypeAdapter[SavedAnswer]:
    # Made at the first use: building the schema takes some milliseconds.
    return TypeAdapter(SavedAnswer)


def _damaged(where: str) -> SessionError:
    return SessionError(
        _("The record of a saved answer makes no sense (%(where)s).") % {"where": where},
        _("Its text is kept; ask the question again for its sources."),
    )
