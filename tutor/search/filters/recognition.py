"""Finds the filter that a question names, and takes its words out of the question."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from tutor.model import Filter, Source
from tutor.search.filters.phrases import (
    MATERIAL,
    author_names,
    document_names,
    find_authors,
    find_documents,
    find_titled,
    keys_of,
    title_words,
)
from tutor.search.filters.times import find_days, find_weeks
from tutor.text.folding import fold
from tutor.text.words import STOP_WORDS_OF_BOTH

if TYPE_CHECKING:
    from tutor.search.filters.phrases import DocumentNames, Names, Phrase, TitleWords

LONGEST_QUESTION = 2000
"""Characters in which a filter is looked for: a longer text is no question that names one."""
_LEANING = frozenset(
    "y e o u pero entonces and or but so then what how about que hay de pasa con tambien also"
    " ahora now".split()
)
"""Words that say only that an earlier question goes on."""
_TOPICS = frozenset(
    "tema temas contenido contenidos temario indice topics contents outline syllabus".split()
)
_ABOUT = _TOPICS | frozenset(
    "vimos visto vio ver ve ven dimos hicimos dijo dice dicen hablo habla hablan hablamos explico"
    " explicar explicaron trata tratan toca tocan cubre cubren estudiamos aprendimos resumen resume"
    " resumeme resumir principal principales entra examen diferencia diferencias compara comparar"
    " dame puedes podes porfa favor see saw seen cover covered learn learned discussed taught"
    " summary summarize summarise main compare difference give list lista todo todos toda todas all"
    " entire whole general va esquema guion resumi resumime repaso repasar ideas idea puntos punto"
    " clave claves importante importantes importa esencial central contiene contienen incluye"
    " incluyen abarca abarcan aborda abordan desarrolla presenta estudiar saber aprender aprendi"
    " overview key point points essential important contains contain includes include presents"
    " study about topic necesito quiero hazme haceme haz ponme poneme breve corto short brief"
    " write make".split()
)
"""Words that ask for no subject: `¿qué vimos …?`, `resume …`."""
_EMPTY = STOP_WORDS_OF_BOTH | _LEANING | _ABOUT
_COURSE = frozenset("curso materia asignatura course subject".split())
_SYMBOL = re.compile(r"\w[*+#^]+")
"""`A*` is no preposition."""
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

    `asks` says whether the rest asks about something: that is what is searched for.
    `has_only_filter` says that it only points at an earlier question, as `¿y en la semana 6?` does.
    `whole` says that a question without a filter asks what the course is about: `temas del curso`.
    """

    filter: Filter
    phrases: tuple[str, ...]
    rest: str
    asks: bool
    has_only_filter: bool
    whole: bool = False

    @property
    def is_overview(self) -> bool:
        """Whether it asks what documents are about, not for anything in them."""
        return self.whole or not self.asks


class _Known(NamedTuple):
    """What the documents of a course are called by."""

    weeks: list[int]
    days: list[date]
    authors: Names
    documents: DocumentNames
    titles: list[TitleWords]


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
        phrases = _apart(self._phrases(text)) if len(text) <= LONGEST_QUESTION else []
        if not phrases:
            whole = _asks_for_the_course(set(keys_of(text[:LONGEST_QUESTION])))
            return Recognised(Filter(), (), question, asks=True, has_only_filter=False, whole=whole)
        rest = _without(text, phrases)
        keys = set(keys_of(_SYMBOL.sub("symbol", rest)))
        return Recognised(
            _joined([phrase.filter for phrase in phrases]),
            tuple(text[phrase.start : phrase.end].strip() for phrase in phrases),
            rest,
            asks=bool(subject_words(rest)),
            has_only_filter=keys <= _LEANING,
        )

    @cached_property
    def _known(self) -> _Known:
        sources = self._sources
        return _Known(
            sorted({source.week for source in sources if source.week is not None}),
            sorted({source.date for source in sources if source.date is not None}),
            author_names({author for source in sources for author in source.authors}),
            document_names(sources),
            title_words(sources),
        )

    def _phrases(self, question: str) -> Iterator[Phrase]:
        text = fold(question)
        known = self._known
        yield from find_documents(question, text, known.documents)
        yield from find_authors(text, known.authors)
        yield from find_days(text, known.days)
        yield from find_weeks(text, known.weeks)
        yield from find_titled(text, known.titles)


def subject_words(question: str) -> set[str]:
    """The words of a question that ask for something, folded."""
    keys = keys_of(_SYMBOL.sub("symbol", question[:LONGEST_QUESTION]))
    return {key for key in keys if key not in _EMPTY | _COURSE and not MATERIAL.fullmatch(key)}


def _asks_for_the_course(keys: set[str]) -> bool:
    """Whether a question of these words, which names no document, asks what the notes are about."""
    course = {key for key in keys if key in _COURSE or MATERIAL.fullmatch(key)}
    topics = _TOPICS | {"programa"} if course else _TOPICS  # "¿cómo se programa?" is a verb
    if not keys - course - topics <= _EMPTY:
        return False
    return bool(keys & topics or (course and keys & _ABOUT))


def _apart(phrases: Iterable[Phrase]) -> list[Phrase]:
    """In the order of the question; of two that overlap the one that was looked for first."""
    kept: list[Phrase] = []
    for phrase in phrases:
        if not any(phrase.start < other.end and other.start < phrase.end for other in kept):
            kept.append(phrase)
    return sorted(kept, key=lambda phrase: phrase.start)


def _joined(filters: Sequence[Filter]) -> Filter:
    return Filter(
        weeks=tuple(sorted({week for one in filters for week in one.weeks})),
        dates=tuple(sorted({days for one in filters for days in one.dates})),
        authors=tuple(sorted({author for one in filters for author in one.authors})),
        documents=tuple(sorted({document for one in filters for document in one.documents})),
    )


def _without(question: str, phrases: Sequence[Phrase]) -> str:
    """The question without these phrases, and without the punctuation that they leave."""
    pieces, end = [], 0
    for phrase in phrases:
        pieces.append(question[end : phrase.start])
        end = phrase.end
    text = " ".join([*pieces, question[end:]])
    for pattern, new in _DANGLING:
        text = pattern.sub(new, text)
    text = text.strip(" ,;:")
    return text if re.search(r"\w", text) else ""
