"""Questions made of a course's own headings and definitions; no model is needed for them."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from itertools import chain, zip_longest
from typing import TYPE_CHECKING, TypeAlias, TypeVar

from tutor.i18n import _
from tutor.model import BlockKind, Citation, CleanText, Section, Source
from tutor.study.making.labels import is_generic
from tutor.text.folding import folded
from tutor.text.paragraphs import unnumbered

if TYPE_CHECKING:
    from tutor.index.store import StoreReader

T = TypeVar("T")
_DEFINED = re.compile(r"Defini(?:ción|tion)\s*\(([^()]{3,60})\)")
_LINE_OF_CONTENTS = re.compile(r"\.{3}|(?:\. ){2}|… ?\d")
_SHORTEST, _LONGEST = 5, 60
"""Characters of a heading that makes a question."""
_LEAST_SAID = 100
"""Characters under a heading that can answer its question."""
_BOOK = 30
"""Pages of a document whose first one is a title page."""
_OF_THE_COURSE = re.compile(
    r"\w+ ?\d+\w?|(?:fecha|normas|acerca de este|about this) .*"
    r"|.*\b(?:del curso|de (?:la|esta) (?:asignatura|materia)|of the course)"
)
"""Headings, folded, of what is to be done when, and not of what is taught: "Práctica 3"."""
_COMMON = frozenset(
    "agenda resumen summary ejercicios exercises glosario glossary introduccion introduction"
    " ejemplo example conclusiones conclusions referencias references bibliografia bibliography"
    " indice index contenido contenidos contents parte part capitulo chapter en para preguntas"
    " questions repaso review tareas homework lecturas readings definiciones definitions"
    " recursos resources".split()
)
"""First words, folded, of headings that say nothing of a document."""


Topics: TypeAlias = list[tuple[int, list[str]]]
"""The titles of the documents of each week."""


def example_questions(
    store: StoreReader, n: int, asked: Collection[str] = (), turn: int = 0
) -> list[str]:
    """Up to `n` questions, spread over the documents of the course, none of them `asked` before.

    Each `turn` begins with other documents, and elsewhere in them. Reads files.
    """
    documents = list({source.title: source for source in _in_order(store)}.values())
    chosen = _from(documents, turn)[:: max(1, len(documents) // n)][:n]
    of_each = [
        _from([question for _at, question, _about in _questions(store.text(source.id))], turn)
        for source in chosen
    ]
    in_turn = chain.from_iterable(zip_longest(*of_each))
    return [one for one in dict.fromkeys(filter(None, in_turn)) if one not in asked][:n]


def _from(items: list[T], turn: int) -> list[T]:
    """All of them, beginning with another one at each turn."""
    at = turn % max(1, len(items))
    return items[at:] + items[:at]


def next_questions(store: StoreReader, cited: Citation, asked: Iterable[str], n: int) -> list[str]:
    """Up to `n` questions of what stands next to a cited place, neither `asked` nor quoted there.

    Reads a file.
    """
    if cited.source.id not in store.sources:
        return []
    (at, end), known = cited.quote_span, [folded(question) for question in asked]
    found = sorted(_questions(store.text(cited.source.id)), key=lambda one: (one[0] < at, one[0]))
    new = (
        question
        for start, question, about in found
        if not at <= start < end and not any(folded(about) in one for one in known)
    )
    return list(dict.fromkeys(new))[:n]


def topics_by_week(store: StoreReader) -> Topics:
    """The titles of the documents of each week, in order."""
    weeks: dict[int, dict[str, None]] = {}
    for source in _in_order(store):
        if source.week is not None:
            weeks.setdefault(source.week, {})[source.title] = None
    return [(week, list(titles)) for week, titles in sorted(weeks.items())]


def _in_order(store: StoreReader) -> list[Source]:
    return sorted(store.sources.values(), key=lambda source: source.path)


def _questions(text: CleanText) -> Iterator[tuple[int, str, str]]:
    """Offset, question, and what it is about: definitions first, then headings, in order."""
    for block in text.blocks:
        if block.kind is BlockKind.DEFINITION:
            match = _DEFINED.match(" ".join(text.text[block.start : block.end].split()))
            if match:
                term = match[1].split(",")[0]
                yield block.start, _("What is meant by “%(term)s”?") % {"term": term}, term
    for section in text.sections[1:]:
        title = unnumbered(section.title).rstrip(" .:;")
        if _LINE_OF_CONTENTS.search(section.title) or not _teaches(text, section):
            continue
        is_common = folded(title).strip("¿?").partition(" ")[0] in _COMMON or is_generic(title)
        if title.startswith("¿") and title.endswith("?") and not is_common:
            yield section.start, title, title
        elif _SHORTEST <= len(title) <= _LONGEST and not is_common:
            # "What do the notes say about" would have the map tell an outline, without its text.
            asked = _("Explain “%(heading)s”.") % {"heading": title}
            yield section.start, asked, title


def _teaches(text: CleanText, section: Section) -> bool:
    """Whether enough stands under a heading to be asked for.

    A name, a date and a label in a figure are headings by their size; nothing stands under them.
    """
    pages = text.page_starts
    if len(pages) > _BOOK and section.start < pages[1]:
        return False
    if section.end - section.start - len(section.title) < _LEAST_SAID:
        return False
    return not _OF_THE_COURSE.fullmatch(folded(section.title).rstrip(" .:;"))
