"""What a sentence says that a heading's own matter is: "El enlace químico es la unión …"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet

from tutor.map.definitions import Cue, Definition
from tutor.map.lesson import LessonPart
from tutor.map.wording import capitalised, is_readable, is_whole, key_words, stands_alone
from tutor.model import Block, BlockKind
from tutor.study.making.headings import titles_over
from tutor.study.making.labels import is_generic
from tutor.study.making.material import CardMaterial
from tutor.text.folding import folded
from tutor.text.paragraphs import joined_lines
from tutor.text.sentences import split_sentences

_SAYS = re.compile(
    r"(?:(?P<article>El|La|Los|Las|Una?|Unos|Unas)\s)?(?P<term>[^\W\d_][^,.;:()«»\"=?¿]{1,50}?)"
    r"\s(?P<verb>es|son|se define como)\s(?P<said>(?:una?|el|la|los|las|unos|unas)\s.+)",
    re.DOTALL,
)
_VERB = re.compile(r"\s(?:es|son|se\sdefine\scomo)\s")
_MASCULINE = re.compile(r"El\b", re.IGNORECASE)
"""Before a noun it is taken for "él"."""
_MOST_WORDS = 5
_FEWEST_SAID = 4
_SHORTEST, _LONGEST = 30, 420


def central_definitions(material: CardMaterial, known: AbstractSet[str]) -> Iterator[Definition]:
    """Sentences in Spanish on what the headings over them name; of no term, folded, that is known.

    A term is defined once, where it is first said what it is.
    """
    seen = set(known)
    for part in material.parts if material.language == "es" else ():
        for block in part.blocks:
            if block.kind is not BlockKind.PARAGRAPH:
                continue
            for found in _of_block(material, part, block):
                if folded(found.term) not in seen:
                    seen.add(folded(found.term))
                    yield found


def _of_block(material: CardMaterial, part: LessonPart, block: Block) -> Iterator[Definition]:
    body = material.slice(block.start, block.end)
    if _VERB.search(body) is None:  # split_sentences is dear
        return
    for first, last in split_sentences(body, material.language):
        found = _SAYS.match(joined_lines(body[first:last]))
        if found is None or not _tells(found):
            continue
        title = _naming(found["term"], [part.topic, *titles_over(material, block.start)])
        if title is None:
            continue
        article = f"{found['article'].lower()} " if found["article"] else ""
        yield Definition(
            found["term"][0].upper() + found["term"][1:],
            capitalised(found["said"]),
            block.start + first,
            block.start + last,
            block.start,
            title,
            Cue.SAYS,
            named=f"{article}{found['term']}",
            plural=found["verb"] == "son",
        )


def _naming(term: str, titles: Sequence[str]) -> str | None:
    """The nearest heading that has all words of a term, which any subject does not have."""
    words = set(key_words(term))
    if not words or len(words) > _MOST_WORDS or is_generic(term):
        return None
    return next((title for title in titles if words.issubset(key_words(title))), None)


def _tells(found: re.Match[str]) -> bool:
    """Whether the rest of a sentence is a whole definition that is clear by itself."""
    said = found["said"]
    return (
        len(key_words(said)) >= _FEWEST_SAID
        and _SHORTEST <= len(said) <= _LONGEST
        and all(stands_alone(_MASCULINE.sub("Un", text, count=1)) for text in (found[0], said))
        and is_whole(said)
        and is_readable(found[0])
    )
