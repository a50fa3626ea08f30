"""Cards of what the notes call something, and when: "Un grafo se dice conexo si …"."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass

from tutor.map.lesson import TOLD, items_of
from tutor.map.wording import capitalised, closed, is_readable, is_whole, key_words, stands_alone
from tutor.model import Block, BlockKind
from tutor.study.card import Card, CardKind
from tutor.study.making.headings import named_topic
from tutor.study.making.material import CardMaterial
from tutor.text.paragraphs import joined_lines
from tutor.text.sentences import split_sentences

_CALLS = re.compile(r"se (?:dice|llama|denomina|considera)n?(?: que (?:es|son))?|(?:is|are) called")
_WHEN = {
    language: re.compile(
        rf"(?P<subject>(?:{articles})\s(?!de\s|of\s)"
        r"(?:[^.:;,()]|\((?:o|or) [^()]*\)){2,60}?),?"
        rf"\s(?P<verb>{_CALLS.pattern}|{verbs})"
        r"\s(?P<called>[^.:;,<>=]{3,50}?),?"
        rf"\s(?P<when>(?:{ifs})\s.+)",
        re.DOTALL,
    )
    for language, articles, verbs, ifs in (
        ("es", "Una?|Dos|Tres", "es|son", "si|cuando|siempre que"),
        ("en", "An?|Two|Three", "is|are", "if|when"),
    )
}
_MAY_SAY = re.compile(
    r"\b(?:Una?|Dos|Tres|An?|Two|Three)\s[^.]{8,}?\s(?:si|cuando|siempre que|if|when)\s"
)
"""What a block has that says so; sentences are dear to split."""
_ANOTHER = re.compile(r"\b(?:si|cuando|siempre que|en otro caso|if|when|otherwise)\b")


@dataclass(frozen=True, slots=True)
class _Condition:
    """When something is called so, and where that is said."""

    found: re.Match[str]
    topic: str
    place: tuple[int, int]

    @property
    def calls(self) -> bool:
        """Whether it says what something is called, and not only what holds of it."""
        return _CALLS.match(self.found["verb"]) is not None


def condition_cards(material: CardMaterial) -> Iterator[Card]:
    """The cards of the conditions on which a document calls something so.

    Of two conditions of one thing that it gives neither is asked, unless one says what the thing
    is called, and the other only what holds of it.
    """
    same: dict[tuple[str, ...], list[_Condition]] = defaultdict(list)
    for one in _conditions(material):
        words = key_words(one.found["subject"]), key_words(one.found["called"])
        same[*words[0], "", *words[1]].append(one)
    for group in same.values():
        calling = [one for one in group if one.calls]
        asked = group if len(group) == 1 else calling
        if len(asked) == 1:
            yield _card(material, asked[0])


def _card(material: CardMaterial, one: _Condition) -> Card:
    subject, verb = one.found["subject"], one.found["verb"].removesuffix(" called")
    question = material.frames.when_is.format(
        term=subject[0].lower() + subject[1:], verb=verb, said=one.found["called"]
    )
    about = one.topic, f"{subject} {one.found['called']}"
    answer = capitalised(closed(one.found["when"]))
    return material.card(CardKind.DEFINITION, question, answer, one.place, about)


def _conditions(material: CardMaterial) -> Iterator[_Condition]:
    for part in material.parts:
        for block in part.blocks:
            for sentence, place in _sentences(material, block):
                found = _WHEN[material.language].match(sentence)
                if found is not None and _defines(found):
                    yield _Condition(found, named_topic(material, part.topic, place[0]), place)


def _sentences(material: CardMaterial, block: Block) -> Iterator[tuple[str, tuple[int, int]]]:
    """The sentences of a paragraph, and the first ones of a list's items, unless a period within
    ("hamilt.") cut one off.
    """
    body = material.slice(block.start, block.end)
    if block.kind is BlockKind.LIST:
        for item in items_of(material.text, block):
            if _WHEN[material.language].match(item.text):
                first, last = next(iter(split_sentences(item.text, material.language)))
                if not item.text[last:].lstrip()[:1].islower():
                    yield closed(item.text[first:last]), (item.start, item.end)
    elif block.kind in TOLD and _MAY_SAY.search(body):
        for first, last in split_sentences(body, material.language):
            if not body[last:].lstrip()[:1].islower():
                yield joined_lines(body[first:last]), (block.start + first, block.start + last)


def _defines(found: re.Match[str]) -> bool:
    """Whether a sentence gives one condition, on which something has a name of its own."""
    return (
        not _ANOTHER.search(found["when"].partition(" ")[2])
        and bool(key_words(found["called"]))
        and all(is_whole(f"{found[part]}.") for part in ("subject", "called"))
        and stands_alone(found[0])
        and is_whole(found[0])
        and is_readable(found[0])
    )
