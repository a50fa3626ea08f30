"""Documents as a question names them: by file name, by title in quotes, `los apuntes de <título>`.

A title is often the name of a subject, so it counts only where it cannot be one: after a word for
a document, in quotes, or when it is long.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from tutor.filters.text import MATERIAL, Found, before, keys_of, words_of
from tutor.types import Filter

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from tutor.filters.text import Word
    from tutor.types import Source, SourceId

    Ids = frozenset[SourceId]

_LONG = 6
"""Words of a title that nobody writes by chance."""
_LEAD = re.compile(r"(?<!\w)(?:en|de|del|segun|in|from|according\s+to|per)\s+\Z")
_NAMED = re.compile(
    r"(?<!\w)(?:(?:en|de|segun|con|in|from|according\s+to|per)\s+)?(?:(?:el|la|los|las|the|un)\s+)?"
    rf"{MATERIAL}\s+(?:(?:titulad[oa]s?|llamad[oa]s?|titled|called|named|de|del|of|on|about|sobre)"
    r"\s+)?[\"“«'‘]?\Z"
)
_PDF_NAMED = re.compile(
    r"(?<!\w)(?:(?:en|de|del|segun|in|from|according\s+to|per)\s+)?(?:(?:el|the)\s+)?"
    r"(?:(?:documento|archivo|pdf|fichero|document|file)\s+)?[\"“«'‘]?\Z"
)
_OPENS = "\"“«'‘"
_CLOSES = "\"”»'’"
_GOES_ON = re.compile(
    r"\s*(?:[^\w\s]|\Z)|\s+(?:sobre|acerca|que|se|cual|como|cuando|donde|quien|por|para|y|hay|no"
    r"|dicen?|explican?|hablan?|aparecen?|mencionan?|en|about|on|what|which|how|when|where|who|why"
    r"|is|are|does|do|and|in|says?)(?!\w)"
)
"""What may follow a title that is complete."""


@dataclass(frozen=True, slots=True)
class Titles:
    """Documents by the word sequences that name them. `short` are titles without their subtitle."""

    files: Mapping[tuple[str, ...], Ids]
    whole: Mapping[tuple[str, ...], Ids]
    short: Mapping[tuple[str, ...], Ids]

    @property
    def longest(self) -> int:
        """Words of the longest name."""
        return max(
            (len(key) for one in (self.files, self.whole, self.short) for key in one), default=0
        )


def titles_of(sources: Iterable[Source]) -> Titles:
    """How the documents can be called."""
    files: dict[tuple[str, ...], set[SourceId]] = {}
    whole: dict[tuple[str, ...], set[SourceId]] = {}
    short: dict[tuple[str, ...], set[SourceId]] = {}
    for source in sources:
        files.setdefault(keys_of(PurePosixPath(source.path).stem), set()).add(source.id)
        whole.setdefault(keys_of(source.title), set()).add(source.id)
        main = re.split(r":|\(| [-–—] ", source.title)[0]
        short.setdefault(keys_of(main), set()).add(source.id)
    return Titles(*(_frozen(names) for names in (files, whole, short)))


def find_documents(question: str, text: str, titles: Titles) -> Iterator[Found]:
    """The documents that a question names; `text` is the question folded."""
    words = words_of(text)
    longest = titles.longest
    place = 0
    while place < len(words):
        found = None
        for length in range(min(longest, len(words) - place), 0, -1):
            found = _named(question, text, words[place : place + length], titles)
            if found:
                yield found
                break
        place += length if found else 1


def _named(question: str, text: str, run: Sequence[Word], titles: Titles) -> Found | None:
    key = tuple(word.key for word in run)
    start, end = run[0].start, run[-1].end
    if ids := titles.files.get(key):
        return _as_file(question, text, start, end, ids)
    whole, short = titles.whole.get(key, frozenset()), titles.short.get(key, frozenset())
    quoted = question[start - 1 : start] in set(_OPENS) and question[end : end + 1] in set(_CLOSES)
    named = whole if quoted and whole else whole | short
    if not named:
        return None
    material = before(_NAMED, text, start)
    if material and (quoted or _GOES_ON.match(text, end)):
        return Found(material.start(), end + quoted, _filter(named))
    lead = before(_LEAD, text, start - quoted)
    if lead and (quoted or (whole and len(run) >= _LONG)):
        return Found(lead.start(), end + quoted, _filter(named))
    return None


def _as_file(question: str, text: str, start: int, end: int, ids: Ids) -> Found | None:
    """A file's name: with `.pdf`, like no word, or after `archivo`."""
    stem = question[start:end]
    extension = re.compile(r"\.pdf(?!\w)").match(text, end)
    lead = before(_PDF_NAMED, text, start)
    said = text[lead.start() : start] if lead else ""
    announced = re.search(r"documento|archivo|pdf|fichero|document|file", said)
    if not (extension or announced or re.search(r"\w*[a-zA-Z]\w*[\d_]|[\d_]+\w*[a-zA-Z]", stem)):
        return None
    end = extension.end() if extension else end
    end += question[end : end + 1] in set(_CLOSES) and bool(said) and said[-1] in _OPENS
    return Found(lead.start() if lead else start, end, _filter(ids))


def _filter(ids: Ids) -> Filter:
    return Filter(documents=tuple(sorted(ids)))


def _frozen(names: Mapping[tuple[str, ...], set[SourceId]]) -> dict[tuple[str, ...], Ids]:
    return {key: frozenset(ids) for key, ids in names.items() if key}
