"""Cards as the notes would make them, and a clock that a test sets."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

from tutor.model import SourceId
from tutor.study.card import Card, CardKind, Origin, card_id

BEGIN = datetime(2026, 3, 2, 12, tzinfo=UTC)


class Clock:
    """A time that stands still until it is told to go on."""

    def __init__(self) -> None:
        self.now = BEGIN

    def __call__(self) -> datetime:
        return self.now

    def forward(self, **amount: float) -> None:
        self.now += timedelta(**amount)


def origin(source: str = "s1", start: int = 0, week: int | None = 5, page: int = 3) -> Origin:
    return Origin(
        source_id=SourceId(source),
        path="05_SEMANA_AI_20250901_1.pdf",
        title="Búsqueda informada",
        section="Heurísticas",
        first_page=page,
        last_page=page,
        start=start,
        end=start + 40,
        text="Una heurística es admisible si nunca sobreestima.",
        week=week,
    )


def card(
    question: str,
    answer: str = "la respuesta",
    kind: CardKind = CardKind.DEFINITION,
    place: Origin | None = None,
    **parts: tuple[str, ...],
) -> Card:
    own = kind is CardKind.OWN
    made = Card(
        card_id(kind, question, answer), kind, question, answer, None if own else place or origin()
    )
    return replace(made, **parts)  # pyrefly: ignore[bad-argument-type]


def course(n: int) -> list[Card]:
    """So many cards, each on a block of its own."""
    return [card(f"¿Qué es {k}?", f"Es {k}.", place=origin(start=100 * k)) for k in range(n)]
