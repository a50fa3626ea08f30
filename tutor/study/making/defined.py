"""What the notes define, as cards ask it: under which heading, and whether it can be asked for."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass

from tutor.map.definitions import Cue, Definition, definitions, of_sentence
from tutor.map.lesson import LessonPart
from tutor.map.wording import is_readable, is_whole, key_words, stands_alone
from tutor.model import Block, BlockKind
from tutor.study.making.choosing import masked, stems
from tutor.study.making.headings import above, named_topic, titles_over
from tutor.study.making.labels import is_facet, is_generic
from tutor.study.making.material import CardMaterial
from tutor.study.making.saying import defines
from tutor.text.folding import folded
from tutor.text.paragraphs import joined_lines
from tutor.text.sentences import split_sentences

_GLOSS = re.compile(r"(?<![_^])\s*(?<![_^])\([^()]*\)")
"""A translation in parentheses, not an index: "C_(F)"."""
_ALSO_CALLED = r"(?:,\s(?:tambi[eé]n\s)?(?:conocid|llamad|denominad)[oa]s?\s[^,.;:]{3,60},)?"
_CLASS_OF_MANY = (
    r"(?!\w+(?:[aiu]d[oa]|iv[oa]|[aei]ble|os[oa]|nte|al|ar|ic[oa]|apac|gual)e?s\b|partes\b|ejemplos\b"
    r"|miles\b|propi[oa]s\b|aspectos\b|elementos\b)"
    r"[a-záéíóúñü]{4,}s\s(?:[a-záéíóúñü]{4,}s\s)?(?:de|que|para|utilizad[oa]s|usad[oa]s|formad[oa]s)\s"
)
"""A noun without an article: "son patrones de búsqueda"; no adjective, which names no class."""
_SAYS = re.compile(
    r"(?:(?P<article>El|La|Los|Las|Una?|Unos|Unas)\s)?(?P<term>[^\W\d_][^,.;:()«»\"=?¿]{1,50}?)"
    rf"{_ALSO_CALLED}\s(?P<verb>es|son|se define como)\s"
    rf"(?P<said>(?:(?:una?|el|la|los|las|unos|unas)\s|(?<=\sson\s){_CLASS_OF_MANY}).+)",
    re.DOTALL,
)
_PLURAL = re.compile(r"(?<=[aeiou])s\Z|(?<=[lnrdzj])es\Z")
_VERB = re.compile(r"\s(?:es|son|se\sdefine\scomo)\s")
_NO_NAME = re.compile(r"\s(?:that|which|who|que)\s|\b(?:both|amb[oa]s)\Z", re.IGNORECASE)
"""What a label has that is a clause, or of the two labels over it."""
_MASCULINE = re.compile(r"El\b", re.IGNORECASE)
"""Before a noun it is taken for "él"."""
_MOST_WORDS = 5
_FEWEST_SAID = 4
_SHORTEST, _LONGEST = 30, 420


@dataclass(frozen=True, slots=True)
class Defined:
    """A definition and the document that it is in: what a course's terms are chosen from.

    `term` has no translation in parentheses, `said` does not name the term, and `topic` is the
    nearest heading that names what is told. Only an `is_name` can be asked for.
    """

    material: CardMaterial
    definition: Definition
    term: str
    said: str
    topic: str
    is_name: bool


def defined_in(material: CardMaterial, recurring: AbstractSet[str] = frozenset()) -> list[Defined]:
    """What a document defines; a label that is `recurring` in a course is no name."""
    given = definitions(material)
    known = {folded(_GLOSS.sub("", found.term)) for found in given if _is_told(found)}
    central = _central_definitions(material, known)
    given = sorted((*given, *central), key=lambda one: one.start)
    found = (_defined(material, definition, recurring) for definition in given)
    return [defined for defined in found if defined is not None]


def _defined(
    material: CardMaterial, found: Definition, recurring: AbstractSet[str]
) -> Defined | None:
    """A definition as it is asked; None for what defines nothing, or of what nobody knows."""
    if not _is_told(found):
        return None
    term = _GLOSS.sub("", found.term)
    is_label = found.form is Cue.LABEL
    item = above(material, _block(material, found), found.start)
    over = named_topic(material, found.topic, found.start)
    topic = _within(over, item.title) if item else over
    is_facet_of = is_label and (
        is_facet(term)
        or folded(term) in recurring
        or (item is not None and item.told and not stems(term) & stems(f"{item.title} {over}"))
    )
    is_nobodys = not topic or (item is not None and not item.title)
    if is_nobodys if is_facet_of else is_label and _NO_NAME.search(term):
        return None
    return Defined(material, found, term, masked(found.said, term), topic, not is_facet_of)


def _is_told(found: Definition) -> bool:
    return defines(_GLOSS.sub("", found.term), found.said, found.form, found.named)


def _within(topic: str, line: str) -> str:
    """The topic of what stands below a line, with the one above where the line is a word."""
    if is_generic(line):
        return topic
    return f"{topic} › {line}" if topic and len(key_words(line)) == 1 else line


def _block(material: CardMaterial, found: Definition) -> Block:
    return next(
        block for part in material.parts for block in part.blocks if block.start == found.block
    )


# --- what a sentence says that a heading's own matter is: "El enlace químico es la unión …" ---


def _central_definitions(material: CardMaterial, known: AbstractSet[str]) -> Iterator[Definition]:
    """Sentences in Spanish on what the headings over them name; of no term, folded, that is known.

    A term is defined once, where it is first said what it is.
    """
    seen = set(known)
    for part in material.parts if material.language == "es" else ():
        for block in part.blocks:
            if block.kind is not BlockKind.PARAGRAPH:
                continue
            for found in _of_paragraph(material, part, block):
                if _is_told(found) and folded(found.term) not in seen:
                    seen.add(folded(found.term))
                    yield found


def _of_paragraph(material: CardMaterial, part: LessonPart, block: Block) -> Iterator[Definition]:
    body = material.slice(block.start, block.end)
    if _VERB.search(body) is None:  # split_sentences is dear
        return
    for first, last in split_sentences(body, material.language):
        found = _SAYS.match(_until_pause(joined_lines(body[first:last])))
        if found is None or not _tells_what(found):
            continue
        title = _naming(found, [part.topic, *titles_over(material, block.start)])
        if title is not None:
            place = block.start + first, block.start + last
            yield of_sentence(found, place, block.start, title)


def _until_pause(sentence: str) -> str:
    """A sentence that the end of a page cut off: up to its first semicolon, if it has one."""
    before, pause, _rest = sentence.partition(";")
    return f"{before}." if pause and not is_whole(sentence) else sentence


def _naming(found: re.Match[str], titles: Sequence[str]) -> str | None:
    """The nearest heading that has all words of a term, which any subject does not have; of one
    with an article in singular or plural.
    """
    bare = _singular if found["article"] else key_words
    words = set(bare(found["term"]))
    if not words or len(words) > _MOST_WORDS or is_generic(found["term"]):
        return None
    return next((title for title in titles if words.issubset(bare(title))), None)


def _singular(text: str) -> list[str]:
    """Its words with a meaning, without the endings of the plural."""
    return [_PLURAL.sub("", word) for word in key_words(text)]


def _tells_what(found: re.Match[str]) -> bool:
    """Whether the rest of a sentence is a whole definition that is clear by itself."""
    said = found["said"]
    return (
        len(key_words(said)) >= _FEWEST_SAID
        and _SHORTEST <= len(said) <= _LONGEST
        and all(stands_alone(_MASCULINE.sub("Un", text, count=1)) for text in (found[0], said))
        and is_whole(said)
        and is_readable(found[0])
    )
