"""A document as cards are made of it: what there is to learn, and where each card stands."""

from __future__ import annotations

from tutor.map.lesson import Lesson
from tutor.map.wording import key_words
from tutor.study.card import Card, CardKind, Origin, card_id
from tutor.study.making.frames import FRAMES, Frames, formerly


class CardMaterial(Lesson):
    """A document, read for cards."""

    @property
    def frames(self) -> Frames:
        """The questions of its language."""
        return FRAMES[self.language]

    def origin(self, start: int, end: int) -> Origin:
        """The place of `text[start:end]`."""
        return Origin(
            source_id=self.source.id,
            path=self.source.path,
            title=self.source.title,
            section=self.section_title(start),
            first_page=self.text.page_at(start),
            last_page=self.text.page_at(end - 1),
            start=start,
            end=end,
            text=self.slice(start, end),
            week=self.source.week,
            date=self.source.date,
        )

    def card(
        self,
        kind: CardKind,
        question: str,
        answer: str,
        place: tuple[int, int],
        about: tuple[str, str],
        *,
        choices: tuple[str, ...] = (),
        items: tuple[str, ...] = (),
        ordered: bool = False,
    ) -> Card:
        """A card of this document. `about` is the topic, and the subject within it."""
        section, subject = about
        asked = headed(question, section, subject)
        return Card(
            id=card_id(kind, formerly(asked), answer),
            kind=kind,
            question=asked,
            answer=answer,
            origin=self.origin(*place),
            subject=subject,
            choices=choices,
            items=items,
            ordered=ordered,
            language=self.language,
        )


def headed(question: str, section: str, subject: str) -> str:
    """A question under the name of its topic, unless its subject says that already."""
    told = set(key_words(subject))
    return question if set(key_words(section)) <= told else f"[{section}] {question}"
