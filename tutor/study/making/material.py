"""A document as cards are made of it: what there is to learn, how it is asked, where it stands."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

from tutor.map.lesson import Lesson
from tutor.map.model import newest_versions
from tutor.map.wording import key_words, topic
from tutor.model import CleanText, Source
from tutor.study.card import Card, CardKind, Origin, card_id
from tutor.text.language import Language

_TWINS = re.compile(
    r"\b([^\W\d_])(\w{1,3})\1[_^]\{?\2"
    r"|(?<![\w=])(\w[^\s=+/(]{0,20}[=+/(]\S{0,20}?[\w)])\3(?![\w=(])"
)
"""A formula and the same as TeX has it, which is what some pages print of it: "X0X_0", "k=2k=2"."""
_TWIN = re.compile(r"(?<!\d)(?<!\d )\b([^\W\d_ivxIVX])\1\b|\b\w[_^](?:\{|\w\b)|\\[a-z]{2,}")
"""What such a page has of a letter, and of TeX: "kk", "2^8"."""
_AROUND = re.compile(r" ?([=<>≤≥+/()−-]) ?")
BLANK = "____"
"""What stands for the words that a card leaves out."""


@dataclass(frozen=True, slots=True)
class Frames:
    """The questions of a language, in Spanish unless said otherwise: contents of the cards; `{}`
    fields are words of the notes.
    """

    what_is: str = "¿Qué {verb} {term}?"
    definition: str = "¿Cómo se define «{term}»?"
    labelled: str = "Explica «{term}»."
    which_term: str = "¿A qué término corresponde esta descripción? {said}"
    when_is: str = "¿Cuándo {term} {verb} {said}?"
    cloze: str = "Completa: {said}"
    formula: str = "Completa con la fórmula: {said}"
    items: str = "Completa la lista de {n} puntos: {said}"
    points: str = "¿Cuáles son los {n} puntos de «{term}»?"
    row: str = "{key} ({label}) · {column}: {cell}"
    key: str = "{cell}. ¿{label}?"
    is_true: str = "¿Verdadero o falso? {said}"
    means: str = "«{term}»: {said}"
    match_terms: str = "Relaciona cada término con lo que se dice de él."
    match_column: str = "Relaciona cada término con su «{column}»."
    match_columns: str = "Relaciona cada «{label}» con su «{column}»."
    code: str = "Falta una línea ({blank}) en este código de «{term}». ¿Cuál?\n\n{said}"
    true: str = "Verdadero"
    false: str = "Falso"

    @property
    def sides(self) -> tuple[str, str]:
        """What can be said of a statement."""
        return self.true, self.false


FRAMES: dict[Language, Frames] = {
    "es": Frames(),
    "en": Frames(
        what_is="What {verb} {term}?",
        definition="How is “{term}” defined?",
        labelled="Explain “{term}”.",
        which_term="Which term is described here? {said}",
        when_is="When {verb} {term} {said}?",
        cloze="Complete: {said}",
        formula="Complete with the formula: {said}",
        items="Complete the list of {n} points: {said}",
        points="Which are the {n} points of “{term}”?",
        key="{cell}. {label}?",
        is_true="True or false? {said}",
        means="“{term}”: {said}",
        match_terms="Match each term with what is said of it.",
        match_column="Match each term with its “{column}”.",
        match_columns="Match each “{label}” with its “{column}”.",
        code="A line ({blank}) is missing in this code of “{term}”. Which?\n\n{said}",
        true="True",
        false="False",
    ),
}


class CardMaterial(Lesson):
    """A document, read for cards."""

    @property
    def frames(self) -> Frames:
        """The questions of its language."""
        return FRAMES[self.language]

    @cached_property
    def _has_twins(self) -> bool:
        return _TWINS.search(_AROUND.sub(r"\1", self.text.text)) is not None

    def is_twofold(self, card: Card) -> bool:
        """Whether a card has a formula that its page prints twice, as TeX and without it."""
        text = _AROUND.sub(r"\1", "\n".join((card.question, card.answer, *card.choices)))
        is_marked = _TWIN.search(text) or _TWINS.search(text)
        return self._has_twins and card.kind is not CardKind.CODE and is_marked is not None

    def origin(self, start: int, end: int) -> Origin:
        """The place of `text[start:end]`."""
        pages = self.text.page_at(start), self.text.page_at(end - 1)
        section, text = self.section_title(start), self.slice(start, end)
        return Origin.of(self.source, section, pages, (start, end), text)

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
        asked = headed(question, topic(section), subject)
        return Card(
            id=card_id(kind, asked, answer),
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


def newest_materials(documents: Iterable[tuple[Source, CleanText]]) -> list[CardMaterial]:
    """The documents of a course, in their order; of versions of a lesson's notes the newest."""
    given = list(documents)
    newest = newest_versions(source for source, _text in given)
    return [CardMaterial(source, text) for source, text in given if source.id in newest]


def headed(question: str, section: str, subject: str) -> str:
    """A question under the name of its topic, unless its subject says that already."""
    told = set(key_words(subject))
    return question if set(key_words(section)) <= told else f"[{section}] {question}"
