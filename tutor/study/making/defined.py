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
from tutor.study.making.headings import above, named_topic, opening, titles_over
from tutor.study.making.labels import is_facet, is_generic
from tutor.study.making.material import CardMaterial
from tutor.text.folding import folded
from tutor.text.paragraphs import IN_BRACKETS, joined_lines
from tutor.text.sentences import split_sentences

_EXAMPLE = re.compile(
    r"(?:por ejemplo|p\. ?ej|ej(?:emplos?)?[.:]|for example|e\.g\.)", re.IGNORECASE
)
_NO_CLASS = re.compile(
    r"(?:una?|el|la|los|las|a|an|the)\s(?:que|de|m[aá]s|mayor|menor|mejor|peor|primer[oa]?|[uú]nic[oa]"
    r"|claro|buen[oa]?|gran|excelente|aspecto|pilar|ejemplo|caso|[uú]ltim[oa]|siguientes?|aspect|key"
    r"|good|great|better|worse|example|one)\b"
    r"|(?:una?|unos|unas|one) (?:de|of)\b"
    r"|(?:\S+\s){1,3}(?:f[aá]cil(?:es)?|clave|fundamental(?:es)?|importantes?|adecuad[oa]s?"
    r"|poderos[oa]s?|fascinantes?)\b",
    re.IGNORECASE,
)
"""How a sentence goes on that praises, and names no class of things that something is one of."""
_NO_TERM = re.compile(r"\b(?:ejemplos?|un[oa] de|es|son|examples?|one of|is|are)\b", re.IGNORECASE)
_VALUE = re.compile(
    r"(?:(?:de|desde|hasta|entre|unos?|unas|from|up to|about|between) )?[<>≤≥±~≈]? ?\d",
    re.IGNORECASE,
)
"""How a note begins that tells how much or how long, not what something is."""
_LABELLED = re.compile(
    r"(?:[^\W\d_][^\s.,;:()]*(?:\s\([^()]*\))?|.*[·;|]\s[^\W\d_][^.,;:]{1,40}):\s"
)
"""A note that begins with a label of its own, or goes on with that of another term."""
_ARROW = re.compile(r"-+>|[→⇒]")
_EQUALS = re.compile(r"[^\W\d_]{3,} = [^\W\d_]{3,}")
_SHORT = 12
"""Words; what is shorter and has an arrow is a note to oneself."""
_GLOSS = re.compile(r"(?<![_^])\s*(?<![_^])\([^()]*\)")
"""A translation in parentheses, not an index: "C_(F)"."""
_SAYS = re.compile(
    r"(?:(?P<article>El|La|Los|Las|Una?|Unos|Unas)\s)?(?P<term>[^\W\d_][^,.;:()«»\"=?¿]{1,50}?)"
    r"\s(?P<verb>es|son|se define como)\s(?P<said>(?:una?|el|la|los|las|unos|unas)\s.+)",
    re.DOTALL,
)
_VERB = re.compile(r"\s(?:es|son|se\sdefine\scomo)\s")


@dataclass(frozen=True, slots=True)
class Defined:
    """A definition and the document that it is in: what a course's terms are chosen from.

    `term` has no translation in parentheses, `said` does not name the term, and `topic` is the
    nearest heading that names what is told. Only an `is_name` can be asked for. What is `listed`
    stands before a colon in an item of a list.
    """

    material: CardMaterial
    definition: Definition
    term: str
    said: str
    topic: str
    is_name: bool
    listed: bool


def defined_in(material: CardMaterial, recurring: AbstractSet[str] = frozenset()) -> list[Defined]:
    """What a document defines; a label that is `recurring` in a course is no name."""
    given = definitions(material)
    known = {folded(_GLOSS.sub("", found.term)) for found in given if _is_told(found)}
    central = _central_definitions(material, known)
    given = sorted((*given, *central), key=lambda one: one.start)
    found = (_defined(material, one, recurring) for one in given if _is_told(one))
    return [defined for defined in found if defined is not None]


def _defined(
    material: CardMaterial, found: Definition, recurring: AbstractSet[str]
) -> Defined | None:
    """A definition as it is asked; None for one of what nobody knows."""
    term = _GLOSS.sub("", found.term)
    is_label = found.form is Cue.LABEL
    block = _block(material, found)
    item = above(material, block, found.start)
    over = named_topic(material, found.topic, found.start)
    topic = _within(over, item)
    is_facet_of = is_label and (
        is_facet(term)
        or folded(term) in recurring
        or (item != "" and not stems(term) & stems(f"{item} {over}"))
    )
    if is_facet_of and not topic:
        return None
    listed = is_label and block.kind is BlockKind.LIST
    if listed and not item and (line := opening(material, block)):
        topic = f"{topic} › {line}" if topic else line
    return Defined(material, found, term, masked(found.said, term), topic, not is_facet_of, listed)


def _is_told(found: Definition) -> bool:
    """Whether it tells what the term is: no example, no praise, no note to oneself."""
    if found.form is Cue.FORMAL:
        return True
    said = found.said
    if found.form is Cue.SAYS and (_NO_CLASS.match(said) or _NO_TERM.search(found.named)):
        return False
    bare = IN_BRACKETS.sub("", said)
    arrow = "=" not in bare and _ARROW.search(bare) is not None
    if found.form is Cue.LABEL and (_VALUE.match(said) or _LABELLED.match(said)):
        return False
    in_note_form = len(bare.split()) < _SHORT and (arrow or _EQUALS.search(bare) is not None)
    return not (_EXAMPLE.match(said) or in_note_form)


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
        found = _SAYS.match(joined_lines(body[first:last]))
        if found and _is_clear(found):
            title = _naming(found, [part.topic, *titles_over(material, block.start)])
            if title is not None:
                place = block.start + first, block.start + last
                yield of_sentence(found, place, block.start, title)


def _is_clear(found: re.Match[str]) -> bool:
    """Whether a sentence is whole, and clear by itself, as is what it says."""
    said = found["said"]
    alone = stands_alone(found[0]) and stands_alone(said)
    return alone and is_whole(said) and is_readable(found[0])


def _naming(found: re.Match[str], titles: Sequence[str]) -> str | None:
    """The nearest heading that has all words of a term, which any subject does not have."""
    words = set(key_words(found["term"]))
    if not words or is_generic(found["term"]):
        return None
    return next((title for title in titles if words.issubset(key_words(title))), None)
