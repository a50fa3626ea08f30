"""What a model is asked to write cards of: sentences, each with the passage that it stands in."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from hashlib import sha256
from itertools import chain

from tutor.ingest.cleaning.paragraphs import ITEM
from tutor.map.lesson import Part
from tutor.map.versions import newest_versions
from tutor.map.wording import (
    is_matter,
    is_readable,
    is_whole,
    key_words,
    one_line,
    stands_alone,
)
from tutor.model import BlockKind, CleanText, Source
from tutor.study.card import CardId, CardKind
from tutor.study.making.choosing import coin
from tutor.study.making.material import Material
from tutor.text.folding import folded
from tutor.text.language import Language
from tutor.text.sentences import split_sentences

_TOLD = (BlockKind.PARAGRAPH, BlockKind.DEFINITION, BlockKind.LIST, BlockKind.FORMULA)
_LONGEST_PASSAGE = 600
"""Characters: some 200 tokens, which a small machine reads in seconds."""
_SHORTEST, _LONGEST = 40, 280
"""Characters of a sentence."""
_FEWEST_WORDS = 4
_MOST_OF_PASSAGE = 3
"""Sentences of a passage that cards are asked of."""
_REASON = re.compile(
    r"\b(?:porque|ya que|puesto que|pues|debido a|por (?:eso|ello|(?:lo )?tanto|lo que)|así que"
    r"|para (?:que|no|evitar)|because|since|due to|so that|therefore|hence)\b",
    re.IGNORECASE,
)
_CONTRAST = re.compile(
    r"\b(?:mientras(?: que)?|en cambio|a diferencia|frente a|en lugar de|whereas|while|unlike"
    r"|instead of|in contrast)\b",
    re.IGNORECASE,
)
_HAS_SUBJECT = re.compile(
    r"(?:el|la|los|las|una?|unos|unas|cada|tod[oa]s?|the|an?|every|each|all)\s"
    r"|(?:si|cuando|if|when) (?:no |not )?(?:el|la|los|las|una?|cada|hay|se|the|an?|all|there)\s"
    r"|(?:con|en|para|al|with|in|for|on)\s|[^.:;,]{2,50}: "
    r"|(?-i:[A-Z][A-Za-z0-9*-]*[A-Z0-9*])[\w*-]*\s",
    re.IGNORECASE,
)
"""How a sentence begins that says what it is about: with a noun, a case, a label or an acronym."""
_LEFT_OUT = re.compile(
    r"\b(?:el|la|los|las) (?:primer|segund|tercer|últim|otr)[oa]s?\s*(?:[,.;:]|\Z)"
    r"|\bthe (?:first|second|third|last|other|latter|former)\s*(?:[,.;:]|\Z)"
    r"|\A(?:Definici|Definiti|Teorem|Theorem|Proposici|Propositi|Lem[am]|Corol)",
    re.IGNORECASE,
)
"""Nouns that stand in the sentence before, and labels of a statement without it."""
_ARTICLE = re.compile(r"\AEl ")
_FIGURE = re.compile(r"(?<![\w.,])(?!(?:1[5-9]|20)\d\d\b)\d+(?:[.,]\d+)*(?! ?%)\b")
"""A number of an example or of a calculation, for all one knows: no year, no share."""
_MATHS = re.compile(r"[=∑∏∫√∂∇≤≥≔∝∈→]")
_MOST_MATHS = 1
_CONDITION = re.compile(r"(?:Si|Cuando|If|When)\s|.*\bconviene\b")
_EXAMPLE = re.compile(r"(?:por )?ejemplo|(?:for )?example|e\.g\.|p\. ?ej\.", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Passage:
    """`material.text.text[start:end]`, blocks under one heading; all that the model sees."""

    material: Material
    topic: str
    start: int
    end: int

    @property
    def text(self) -> str:
        """As it stands in the notes."""
        return self.material.slice(self.start, self.end)


@dataclass(frozen=True, slots=True)
class Task:
    """A card to write: on the sentence at `start:end` of the document, of a kind, in a language."""

    passage: Passage
    start: int
    end: int
    kind: CardKind
    language: Language

    @property
    def sentence(self) -> str:
        """In one line, without the mark of a list."""
        text = self.passage.material.slice(self.start, self.end)
        mark = ITEM.match(text)
        return one_line(text[mark.end() :] if mark else text)

    @property
    def card_id(self) -> CardId:
        """The card's identity, known before it is written: what it is asked of, not its words.

        Another run words a question otherwise; it is the same card all the same.
        """
        return CardId(self._hash("card"))

    def key(self, model: str) -> str:
        """What tells, once it is kept, that this model need not be asked again."""
        return self._hash(model, self.passage.text)

    def _hash(self, *parts: str) -> str:
        own = (self.kind.value, self.language, self.passage.topic, self.sentence)
        return sha256("\x1f".join((*own, *parts)).encode()).hexdigest()[:24]


def tasks(
    documents: Iterable[tuple[Source, CleanText]], topic: str = "", language: Language | None = None
) -> list[Task]:
    """What cards can be written of in these documents, about a topic, in an order that is kept.

    Those of one passage follow each other: a server reads it once for all of them. Passages come
    from all over the documents: a few are a sample of the course. `language` None: that of
    each document.
    """
    given = list(documents)
    current = newest_versions(source for source, _text in given)
    materials = (Material(source, text) for source, text in given if source.id in current)
    found = [
        passage
        for passage in chain.from_iterable(map(passages, materials))
        if _is_about(passage, topic)
    ]
    found.sort(key=lambda passage: _digest(passage.topic + passage.text))
    return [task for passage in found for task in _tasks(passage, language)]


def passages(material: Material) -> list[Passage]:
    """The passages of a document: prose and lists, neighbours under one heading taken together."""
    found: list[Passage] = []
    grows = False
    for part in material.parts:
        start, end = part.blocks[0].lead, part.blocks[-1].end
        if not _is_told(material, part, start, end):
            grows = False
            continue
        last = found[-1] if grows and found[-1].topic == part.topic else None
        if last and last.end <= start and end - last.start <= _LONGEST_PASSAGE:
            found[-1] = Passage(material, part.topic, last.start, end)
        elif end - start <= _LONGEST_PASSAGE:
            found.append(Passage(material, part.topic, start, end))
        grows = bool(found) and found[-1].end == end
    return found


def _is_told(material: Material, part: Part, start: int, end: int) -> bool:
    """Whether a part is text that was read well, and not the names above a document's text."""
    text = material.slice(start, end)
    named = any(author in text for author in material.source.authors)
    return all(block.kind in _TOLD for block in part.blocks) and is_readable(text) and not named


def _is_about(passage: Passage, topic: str) -> bool:
    told = folded(f"{passage.material.source.title} {passage.topic} {passage.text}")
    return all(word in told for word in folded(topic).split())


def _tasks(passage: Passage, language: Language | None) -> list[Task]:
    """The sentences of a passage that say something by themselves, a few of them."""
    found = []
    for first, last in split_sentences(passage.text):
        start, end = passage.start + first, passage.start + last
        spoken = language or passage.material.language
        task = Task(passage, start, end, CardKind.QUESTION, spoken)
        if _is_fit(task.sentence):
            found.append(replace(task, kind=_kind(task.sentence)))
    found.sort(key=lambda task: _digest(task.sentence))
    return found[:_MOST_OF_PASSAGE]


def _is_fit(sentence: str) -> bool:
    return (
        _SHORTEST <= len(sentence) <= _LONGEST
        and len(key_words(sentence)) >= _FEWEST_WORDS
        and sentence[0].isalnum()
        and not sentence.endswith(("?", ":"))
        and not _EXAMPLE.match(sentence)
        and not _FIGURE.search(sentence)
        and len(_MATHS.findall(sentence)) <= _MOST_MATHS
        and is_whole(sentence)
        and is_readable(sentence)
        and _HAS_SUBJECT.match(sentence) is not None
        and not _LEFT_OUT.search(sentence)
        and stands_alone(_ARTICLE.sub("Un ", sentence))  # no "él" without its accent
        and is_matter(sentence)
    )


def _kind(sentence: str) -> CardKind:
    """What a sentence can be asked for."""
    if gives_reason(sentence):
        return CardKind.WHY
    if _CONTRAST.search(sentence):
        return CardKind.COMPARE
    if _CONDITION.match(sentence):
        return CardKind.APPLY
    return CardKind.CHOICE if coin(sentence) else CardKind.QUESTION


def gives_reason(sentence: str) -> bool:
    """Whether a sentence says why."""
    return _REASON.search(sentence) is not None


def _digest(text: str) -> str:
    return sha256(text.encode()).hexdigest()
