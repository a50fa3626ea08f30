"""Other names of a term, as the notes write them: "poda (pruning)", "RNA (red neuronal …)"."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import replace

from tutor.map.wording import FOREIGN
from tutor.model import BlockKind
from tutor.study.card import Card, CardKind
from tutor.study.making.material import CardMaterial
from tutor.text.folding import folded
from tutor.text.language import Language
from tutor.text.paragraphs import joined_lines
from tutor.text.stopwords import STOP_WORDS, STOP_WORDS_OF_BOTH

_GLOSS = re.compile(r"([^\s()][^()]{1,120}?)\s\(([^()\d=.;:\"]{2,60})\)")
_WORD = re.compile(r"[^\W\d_][\w*-]*")
_PAUSE = re.compile(r".*[.,;:!?¿¡«»\"→—–]", re.DOTALL)
_ACRONYM = re.compile(r"[A-Z][A-Za-z]{0,4}[A-Z]")
_OPENERS = frozenset(
    "el la los las un una unos unas al y e o u es son llamado llamada the a an and or is".split()
)
"""Words after which a term begins; after others it may go on from before."""
_NO_PROSE = (BlockKind.CODE, BlockKind.TABLE, BlockKind.FIGURE)
_MOST_WORDS = 5
_ASKED = (CardKind.TERM, CardKind.CLOZE, CardKind.ROW)


def with_other_names(cards: Iterable[Card], materials: Iterable[CardMaterial]) -> list[Card]:
    """The cards; those whose answer is a term accept what the notes of the course call it, too.

    No name counts that is the answer of another card, or that the notes give to two terms.
    """
    given = list(cards)
    named: dict[str, dict[str, str]] = defaultdict(dict)
    for material in materials:
        for term, name in _glosses(material):
            named[term].setdefault(folded(name), name)
    owners: dict[str, set[str]] = defaultdict(set)
    answers = {folded(card.answer) for card in given if card.kind in _ASKED}
    for answer in answers:
        for name in named.get(answer, ()):
            owners[name].add(answer)
    return [_named(card, named, owners, answers) for card in given]


def _named(
    card: Card, named: dict[str, dict[str, str]], owners: dict[str, set[str]], answers: set[str]
) -> Card:
    if card.kind not in _ASKED or card.choices:
        return card
    found = named.get(folded(card.answer), {})
    asked = folded(card.question)
    also = [
        name
        for key, name in found.items()
        if len(owners[key]) == 1 and key not in answers and key not in asked
    ]
    return replace(card, also=tuple(also)) if also else card


def _glosses(material: CardMaterial) -> Iterator[tuple[str, str]]:
    """Terms, folded, with another name each."""
    for block in material.text.blocks:
        if block.kind not in _NO_PROSE:
            for found in _GLOSS.finditer(joined_lines(material.slice(block.start, block.end))):
                yield from _pairs(found[1], found[2], material.language)


def _pairs(before: str, within: str, language: Language) -> Iterator[tuple[str, str]]:
    names = [name.strip() for name in within.split(",")]
    if not all(_is_name(name, language) for name in names):
        return
    terms = list(_terms(before, names))
    last = before.rsplit(maxsplit=1)[-1]
    if _ACRONYM.fullmatch(last):
        terms.append(folded(last))
        if len(names) == 1:
            yield folded(names[0]), last
    for name in names:
        yield from ((term, name) for term in terms)
        if _ACRONYM.fullmatch(name) and terms:
            yield folded(name), terms[0]  # the longest


def _is_name(text: str, language: Language) -> bool:
    """Whether what stands in parentheses is another name and no remark."""
    words = text.split()
    remark = set(folded(text).split()) & STOP_WORDS[language]
    is_foreign = text.isascii() and bool(FOREIGN[language].search(text))
    return 0 < len(words) <= _MOST_WORDS and not remark and is_foreign


def _terms(before: str, names: list[str]) -> Iterator[str]:
    """What may be the term that ends before the parentheses: only what certainly begins there.

    A term begins after a pause, or after an article; of an acronym, where its letters begin.
    """
    clause = before[pause.end() :] if (pause := _PAUSE.match(before)) else before
    words = [folded(word) for word in _WORD.findall(clause)][-_MOST_WORDS - 1 :]
    letters = {name.lower() for name in names if _ACRONYM.fullmatch(name)}
    for start in range(len(words)):
        term = words[start:]
        if len(term) > _MOST_WORDS or term[0] in STOP_WORDS_OF_BOTH:
            continue
        initials = "".join(word[0] for word in term if word not in STOP_WORDS_OF_BOTH)
        begins = words[start - 1] in _OPENERS if start else len(words) <= _MOST_WORDS
        if begins or initials in letters:
            yield " ".join(term)
