"""Finds the filter that a question names, and takes its words out of the question."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from tutor.filters.days import find_days
from tutor.filters.people import find_authors, names_of
from tutor.filters.text import MATERIAL, folded, words_of
from tutor.filters.titles import find_documents, titles_of
from tutor.filters.weeks import find_weeks
from tutor.types import Filter

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence
    from datetime import date

    from tutor.filters.people import Names
    from tutor.filters.text import Found
    from tutor.filters.titles import Titles
    from tutor.types import Source

LONGEST_QUESTION = 2000
"""Characters in which a filter is looked for: a longer text is no question that names one."""
_LEANING = frozenset(
    "y e o u pero entonces pues and or but so then what how about que tal hay de pasa con"
    " tambien also ahora now".split()
)
"""Words that say only that an earlier question goes on."""
_EMPTY = _LEANING | frozenset(
    "el la los las lo un una unos unas the a an de del al en in of on from to is are was were"
    " do does did we you i it this that these se nos me te le les hizo hace hacer cual cuales"
    " como cuando donde which when where who es son fue era trata trato tratan tratamos va iba"
    " vimos vio ve ver visto vemos dimos dio dijo dice dicen hablo hablamos habla hablan"
    " explico explica explicaron estudiamos estudio aprendimos ensena enseno tema temas"
    " contenido contenidos resume resumen resumeme resumir resumelo explicame cuentame dime"
    " dame lista muestrame principal principales saw see seen learn learned covered cover"
    " covers discussed discuss taught talk talked topic topics summary summarize summarise"
    " give tell show list me us main compara comparar diferencia diferencias entre compare"
    " between difference todo toda all sobre con acerca contiene incluye aparece por favor"
    " please puedes podrias can could explain explains describe toca tocan tocamos".split()
)
"""Words that ask for no subject: `¿qué vimos …?`, `resume …`."""
_SYMBOL = re.compile(r"\w[*+#^]+")
"""`A*` is no preposition."""
_MATERIAL_WORD = re.compile(MATERIAL)
_DANGLING = (
    (re.compile(r"\(\s*\)|\[\s*\]|«\s*»"), ""),
    (re.compile(r"\s+"), " "),
    (re.compile(r"\s+([,;:.?!)\]])"), r"\1"),
    (re.compile(r"([¿¡(\[])[\s,;:]+"), r"\1"),
    (re.compile(r"([,;:])(?:\s*[,;:])+"), r"\1"),
    (re.compile(r"[,;:]\s*([?!.)\]])"), r"\1"),
)


@dataclass(frozen=True, slots=True)
class Recognised:
    """The `filter` of a question, the `phrases` that name it, and the `rest` of the question.

    `asks` says whether the rest asks about something: that is what is searched for. `leans` says
    that it only points at an earlier question, as `¿y en la semana 6?` does.
    """

    filter: Filter
    phrases: tuple[str, ...]
    rest: str
    asks: bool
    leans: bool


class Recogniser:
    """Finds the filters that questions name, of the documents of a course.

    Deterministic, and rather silent than wrong: only authors and documents that the course has
    count, days only beside its classes or when there are notes of them, and weeks unless they are
    weeks of something else. A week that the course does not have is recognised: nothing is found
    then, and that is the answer.

    Names are looked up in tables that the first question makes: 1 ms for 30 documents.
    """

    def __init__(self, sources: Collection[Source]) -> None:
        self._sources = sources

    def recognise(self, question: str) -> Recognised:
        """The filter that a question in Spanish or English names."""
        text = unicodedata.normalize("NFC", question)
        found = _apart(self._found(text)) if len(text) <= LONGEST_QUESTION else []
        if not found:
            return Recognised(Filter(), (), question, asks=True, leans=False)
        rest = _without(text, found)
        keys = {word.key for word in words_of(folded(_SYMBOL.sub("symbol", rest)))}
        return Recognised(
            _joined([one.filter for one in found]),
            tuple(text[one.start : one.end].strip() for one in found),
            rest,
            asks=any(key not in _EMPTY and not _MATERIAL_WORD.fullmatch(key) for key in keys),
            leans=keys <= _LEANING,
        )

    @cached_property
    def _titles(self) -> Titles:
        return titles_of(self._sources)

    @cached_property
    def _names(self) -> Names:
        return names_of({author for source in self._sources for author in source.authors})

    @cached_property
    def _weeks(self) -> list[int]:
        return sorted({one.week for one in self._sources if one.week is not None})

    @cached_property
    def _days(self) -> list[date]:
        return sorted({one.date for one in self._sources if one.date is not None})

    def _found(self, question: str) -> Iterator[Found]:
        text = folded(question)
        yield from find_documents(question, text, self._titles)
        yield from find_authors(question, text, self._names)
        yield from find_weeks(text, self._weeks)
        yield from find_days(text, self._days)


def _apart(found: Iterator[Found]) -> list[Found]:
    """In the order of the question; of two that overlap the one that was looked for first."""
    kept: list[Found] = []
    for one in found:
        if not any(one.start < other.end and other.start < one.end for other in kept):
            kept.append(one)
    return sorted(kept, key=lambda one: one.start)


def _joined(filters: Sequence[Filter]) -> Filter:
    return Filter(
        weeks=tuple(sorted({week for one in filters for week in one.weeks})),
        dates=tuple(sorted({days for one in filters for days in one.dates})),
        authors=tuple(sorted({author for one in filters for author in one.authors})),
        documents=tuple(sorted({document for one in filters for document in one.documents})),
    )


def _without(question: str, found: Sequence[Found]) -> str:
    """The question without these spans, and without the punctuation that they leave."""
    pieces, end = [], 0
    for one in found:
        pieces.append(question[end : one.start])
        end = one.end
    text = " ".join([*pieces, question[end:]])
    for pattern, new in _DANGLING:
        text = pattern.sub(new, text)
    text = text.strip(" ,;:")
    return text if re.search(r"\w", text) else ""
