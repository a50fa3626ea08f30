"""Questions about the course as queries that a language model writes, told by what they give.

The model sees the map's tables and some thirty pairs of a question and its query (`queries.toml`),
always the same, so that a server that keeps what it has read reads only the question. What it
writes is somebody else's query: it runs only if it reads, for so long, for so many rows.
"""

from __future__ import annotations

import re
import time
import tomllib
from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from tutor.answer.outline import line_of
from tutor.answer.quoting import Quote, compose
from tutor.errors import MapQueryError
from tutor.events import Token, Waiting
from tutor.index.store import StoreReader
from tutor.map.course_map import CourseMap
from tutor.map.cypher import QueryTable
from tutor.map.model import Place
from tutor.model import Citation, Message
from tutor.text.folding import fold
from tutor.text.terminal import one_line

if TYPE_CHECKING:
    from tutor.llm.chat_model import ChatModel

MOST_ROWS = 40
_MOST_TOKENS = 140
_LONGEST_S = 300.0
"""Seconds for one query to be written; a small model on two busy cores takes 15."""
_LONGEST_ERROR = 200
_ASKS = re.compile(
    r"\b(?:que|cual(?:es)?|cuant[oa]s?|quien(?:es)?|cuando|donde|what|which|who|whose|when|where"
    r"|how many|how much)\b"
)
_FENCE = re.compile(r"\A```\w*\s+|\s*```\Z")
_PAGE = re.compile(r"(?:\A|[._])page\Z", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Queried:
    """A query, and the table that it gave."""

    cypher: str
    table: QueryTable


def asks(question: str) -> bool:
    """Whether a question asks for facts, by an interrogative, and does not only name a topic."""
    return _ASKS.search(fold(question)) is not None


def queried(
    question: str, model: ChatModel, run: Callable[[str], QueryTable]
) -> Generator[Waiting, None, Queried | None]:
    """What a query of the model's gives; None where none can be run, or it gives nothing.

    A query that cannot be run is shown to the model once more, with what is wrong.
    Raises `EngineError`.
    """
    said = _said()
    messages = [Message("system", said["schema"].strip())]
    for asked, cypher in said["pairs"]:
        messages += [Message("user", asked), Message("assistant", cypher)]
    messages.append(Message("user", question))
    for last in (False, True):
        cypher = yield from _written(messages, model)
        try:
            table = run(cypher)
        except MapQueryError as error:
            told = said["repair"].format(error=error.message[:_LONGEST_ERROR])
            messages += [Message("assistant", cypher), Message("user", told)]
            if last:
                return None
        else:
            return Queried(cypher, table) if table.rows else None
    return None


def _written(messages: Sequence[Message], model: ChatModel) -> Generator[Waiting, None, str]:
    text, until = "", time.monotonic() + _LONGEST_S
    stream = model.stream(messages, max_tokens=_MOST_TOKENS)
    try:
        for event in stream:
            if isinstance(event, Waiting):
                yield event
            text += event.text if isinstance(event, Token) else ""
            if time.monotonic() > until:
                break
    finally:
        stream.close()
    return _FENCE.sub("", text.strip())


@cache
def _said() -> dict[str, Any]:
    return tomllib.loads((files("tutor.answer.ways") / "queries.toml").read_text(encoding="utf-8"))


def rows_told(found: Queried, course: CourseMap, store: StoreReader) -> list[Quote | str]:
    """The rows as items of a list, those that name a document or a concept with its place."""
    return [
        _row_told(found.table.columns, row, course, store) for row in found.table.rows[:MOST_ROWS]
    ]


def table_of(lines: Sequence[Quote | str]) -> tuple[str, tuple[Citation, ...]]:
    """The text of such lines, and what those with a place cite."""
    text, citations = "", list[Citation]()
    for line in lines:
        text += "\n" if text else ""
        if isinstance(line, str):
            text += line
            continue
        said, cited = compose([line])
        citations += [one.moved(len(text)) for one in cited]
        text += said
    return text, tuple(citations)


def _row_told(
    columns: Sequence[str], row: Sequence[Any], course: CourseMap, store: StoreReader
) -> Quote | str:
    told = one_line(" · ".join(str(value) for value in row if value not in (None, "")))
    place = _place(columns, row, course, store)
    if place is None:
        return f"- {told}"
    span = (place.start, max(place.start + 1, place.end))
    source = store.sources[place.document]
    return line_of(source, store.text(place.document), span, told, 0)


def _place(
    columns: Sequence[str], row: Sequence[Any], course: CourseMap, store: StoreReader
) -> Place | None:
    """The page that a row names of a document, or the beginning of that; else a concept's place."""
    for node in sorted(course.documents.values(), key=lambda node: node.superseded):
        if node.title in row or node.id in row or node.path in row:
            text = store.text(node.id)
            pages = [
                value
                for name, value in zip(columns, row, strict=True)
                if _PAGE.search(name) and isinstance(value, int)
            ]
            page = pages[0] if pages and 0 < pages[0] <= len(text.page_starts) else 1
            start = text.page_starts[page - 1]
            block = text.block_at(start) or next(iter(text.blocks_in(start, len(text.text))), None)
            return Place(node.id, page, start, block.end if block else start + 1)
    named = (course.concept(value) for value in row if isinstance(value, str) and value)
    return next((concept.place for concept in named if concept), None)
