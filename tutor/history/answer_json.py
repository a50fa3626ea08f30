"""An `Answer` as JSON and back. Of each cited passage only the quote is kept."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import fields, is_dataclass, replace
from datetime import date
from functools import cache
from typing import Any

from pydantic import TypeAdapter, ValidationError

from tutor.errors import SessionError
from tutor.history.texts import storable
from tutor.i18n import _
from tutor.model import Answer, Citation


def encoded(answer: Answer) -> str:
    """JSON for `decoded`.

    Characters that cannot be stored become U+FFFD, figures that are not finite become 0.
    """
    cited, near = (tuple(map(_cut_to_quote, of)) for of in (answer.citations, answer.nearest))
    kept = replace(answer, citations=cited, nearest=near)
    return json.dumps(_plain(kept), ensure_ascii=False, allow_nan=False)


def decoded(text: str) -> Answer:
    """The answer that was encoded; fields that are not known are ignored.

    Raises `SessionError` when it makes no sense.
    """
    try:
        answer = _answers().validate_json(text)
    except ValidationError as error:
        where = ".".join(str(part) for part in error.errors(include_url=False)[0]["loc"])
        raise _damaged(where) from None
    cited = answer.citations + answer.nearest
    in_answer = [*answer.unsupported, *(c.best for c in cited)]
    in_answer += [(c.start, c.end) for c in cited]
    in_answer += [(c.start, c.end) for c in answer.web_citations]
    spans = [(start, end, len(answer.text)) for start, end in in_answer]
    spans += [(c.quote_start, c.quote_end, len(c.hit.chunk.text)) for c in cited]
    for start, end, length in spans:
        if not 0 <= start <= end <= length:
            raise _damaged(f"{start}-{end}")
    return answer


def _cut_to_quote(citation: Citation) -> Citation:
    """The same citation of a passage that consists of its quote; the passage keeps its id."""
    start, end = citation.quote_span
    passage = replace(
        citation.hit.chunk,
        text=citation.quote,
        start=start,
        end=end,
        first_page=citation.first_page,
        last_page=citation.last_page,
    )
    hit = replace(citation.hit, chunk=passage)
    return replace(citation, hit=hit, quote_start=0, quote_end=len(citation.quote))


def _plain(value: Any) -> Any:
    """A noun as JSON values, the fields of a dataclass by their names."""
    if is_dataclass(value):
        return {field.name: _plain(getattr(value, field.name)) for field in fields(value)}
    if isinstance(value, str | date):
        return storable(str(value))
    if isinstance(value, tuple | list):
        return [_plain(each) for each in value]
    if isinstance(value, Mapping):
        return {storable(key): _plain(each) for key, each in value.items()}
    if value is None or isinstance(value, int):
        return value
    return float(value) if math.isfinite(value) else 0.0  # scores come as numpy's


@cache
def _answers() -> TypeAdapter[Answer]:
    # Made at the first use: building the schema takes some milliseconds.
    return TypeAdapter(Answer)


def _damaged(where: str) -> SessionError:
    return SessionError(
        _("The record of a saved answer makes no sense (%(where)s).") % {"where": where},
        _("Its text is kept; ask the question again for its sources."),
    )
