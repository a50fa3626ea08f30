"""Cards as CSV for spreadsheets and as Markdown to read or print."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from tutor.i18n import _
from tutor.model.marks import pages
from tutor.study.card import Card, CardKind
from tutor.study.saved import SavedCard
from tutor.text.cells import csv_text
from tutor.text.markdown import escaped, escaped_lines


def card_record(saved: SavedCard) -> dict[str, Any]:
    """Everything about a card, for JSON and CSV."""
    card, origin, schedule = saved.card, saved.card.origin, saved.schedule
    return {
        "id": card.id,
        "kind": card.kind.value,
        "front": card.question,
        "back": card.answer,
        "choices": list(card.choices),
        "items": list(card.items),
        "subject": card.subject,
        "title": origin.title if origin else None,
        "file": origin.path if origin else None,
        "first_page": origin.first_page if origin else None,
        "last_page": origin.last_page if origin else None,
        "week": origin.week if origin else None,
        "section": origin.section if origin else None,
        "due": schedule.due.isoformat() if schedule else None,
        "lapses": schedule.lapses if schedule else 0,
        "suspended": saved.suspended,
        "leech": saved.leech,
        "stale": saved.has_changed,
        "edited": saved.is_edited,
        "model": card.model or None,
    }


def cards_csv(cards: Sequence[SavedCard]) -> str:
    """The cards with a heading, at least one; no cell is taken for a formula by a spreadsheet."""
    records = list(map(card_record, cards))
    return csv_text(list(records[0]), records)


def cards_markdown(course: str, cards: Sequence[SavedCard]) -> str:
    """Questions with their answers and places, as CommonMark."""
    parts = ["# " + _("Cards: %(course)s") % {"course": escaped(course)}]
    heading = None
    for saved in cards:
        origin = saved.card.origin
        title = origin.title if origin else _("My own cards")
        if title != heading:
            parts.append(f"## {escaped(title)}")
            heading = title
        parts += _entry(saved.card)
    return "\n\n".join(parts) + "\n"


def _entry(card: Card) -> Iterable[str]:
    yield (
        f"**{escaped_lines(card.question)}**"
        if "\n" not in card.question
        else escaped_lines(card.question)
    )
    if card.kind is CardKind.MATCH:
        yield "\n".join(f"{n}. {escaped(item)}" for n, item in enumerate(card.items, 1))
        yield "\n".join(f"- {escaped(choice)}" for choice in card.choices)
    elif card.choices:
        yield "\n".join(f"{n}. {escaped(choice)}" for n, choice in enumerate(card.choices, 1))
    answer = escaped_lines(card.answer)
    if origin := card.origin:
        place = f"{escaped(origin.path)}, {pages(origin.first_page, origin.last_page)}"
        answer += f"\\\n*{place}*"
    yield "\n".join(f"> {line}".rstrip() for line in answer.split("\n"))
