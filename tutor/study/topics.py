"""Which cards are about a topic, by where it stands: above them and as their term, or within; and
which documents make none.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from enum import IntEnum
from pathlib import PurePosixPath

from tutor.map.model import newest_versions
from tutor.model import Source, SourceId
from tutor.study.card import Card, CardKind, Origin
from tutor.study.saved import SavedCard
from tutor.study.siblings import spread
from tutor.text.folding import folded
from tutor.text.terms import content_words

USUAL = 10
"""Cards about a topic, where no number is said."""
_NO_WORDS = re.compile(r"[\W\d_]+")
_WHICH_TERM = (CardKind.TERM, CardKind.CHOICE)


@dataclass(frozen=True, slots=True)
class Selection:
    """Which cards: of these documents (None: of all, and the student's own), about this topic.

    `numbers` are those of the cards that it chooses, where they have been looked for.
    """

    sources: frozenset[SourceId] | None = None
    topic: str = ""
    numbers: tuple[int, ...] | None = None


class FoundIn(IntEnum):
    """Where a topic stands, the first one best."""

    TITLE_AND_HEADING = 0
    TITLE = 1
    """That of the document, or its file's name, half of which it is at least."""
    HEADING = 2
    """Or the card's own term."""
    LONG_TITLE = 3
    QUESTION = 4
    ANSWER = 5


def about(cards: Iterable[SavedCard], topic: str, wanted: int = USUAL) -> list[SavedCard]:
    """The cards about a topic, those above which it stands first, else in their order.

    Those that only have it in their question come in where the first stand on fewer facts than
    `wanted`, and so do those that have it in the answer.
    """
    if not topic.strip():
        return list(cards)
    found = [
        (place, saved) for saved in cards if (place := found_in(topic, saved.card)) is not None
    ]
    found.sort(key=lambda pair: pair[0])
    for last in (FoundIn.LONG_TITLE, FoundIn.QUESTION):
        chosen = [saved for place, saved in found if place <= last]
        if chosen and len(spread(chosen)[0]) >= wanted:
            return chosen
    return [saved for _place, saved in found]


def found_in(topic: str, card: Card) -> FoundIn | None:
    """The best place in which all words of a topic stand; None where they do not."""
    section, names = (card.origin.section, _names(card.origin)) if card.origin else ("", ())
    asks_term = card.kind in _WHICH_TERM and not card.subject
    above = f"{section} · {card.answer if asks_term else card.subject}"
    is_above = _stands(topic, above)
    if called_so := [name for name in names if _stands(topic, name)]:
        least = min(len(content_words(name)) for name in called_so)
        if is_above or 2 * len(content_words(topic)) >= least:
            return FoundIn.TITLE_AND_HEADING if is_above else FoundIn.TITLE
    if is_above:
        return FoundIn.HEADING
    texts = [*names, above]
    for place, text in (
        (FoundIn.LONG_TITLE, ""),
        (FoundIn.QUESTION, card.question),
        (FoundIn.ANSWER, card.answer),
    ):
        texts.append(text)
        if _stands(topic, *texts):
            return place
    return None


def _stands(topic: str, *texts: str) -> bool:
    """Whether texts have all words of a topic, in some form; letters where it has no words."""
    wanted = content_words(topic)
    if not wanted:
        told = folded(" · ".join(texts))
        return all(word in told for word in folded(topic).split())
    return wanted <= frozenset().union(*map(content_words, texts))


def called(topic: str, sources: Iterable[Source]) -> list[Source]:
    """The documents whose title and file name have all words of a topic; without one, all."""
    return [source for source in sources if _stands(topic, *_names(source))]


def _names(document: Source | Origin) -> tuple[str, str]:
    """What a document is called: its title, and its file's name, in words, without numbers."""
    name = _NO_WORDS.sub(" ", PurePosixPath(document.path).stem)
    return document.title, name


def without_cards(sources: Iterable[Source], cards: Iterable[SavedCard]) -> list[Source]:
    """The documents that no card stands on, of versions the newest."""
    given = list(sources)
    newest = newest_versions(given)
    known = {saved.made.origin.source_id for saved in cards if saved.made.origin}
    return [source for source in given if source.id in newest and source.id not in known]
