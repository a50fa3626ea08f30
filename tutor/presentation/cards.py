"""A card put into words: its question with what can be chosen, its answer with its place, and what
has changed where it stands.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Sequence
from datetime import datetime
from difflib import SequenceMatcher
from itertools import groupby, zip_longest
from operator import itemgetter
from typing import TypeAlias

from tutor.i18n import _, plural
from tutor.model.marks import pages
from tutor.study.card import Card, CardKind, Origin
from tutor.study.choices import choices_typed
from tutor.study.exams import Exam, ExamSitting
from tutor.study.saved import SavedCard, Stale
from tutor.study.schedule import Grade
from tutor.study.sitting import Sitting
from tutor.study.store import Review
from tutor.study.typed import Compared, TypedVerdict, matches
from tutor.text.terminal import one_line

_MINUTE, _HOUR, _DAY = 60, 3600, 86400
Marked: TypeAlias = list[tuple[str, bool]]
"""Pieces of a text, and whether each has changed."""
_TOKEN = re.compile(r"\s+|\d+(?:[.,]\d+)*|\w+|[^\w\s]")
_MOST_MISSING = 12
"""Words that an answer lacks and that are told."""
_LONGEST = 4000
"""Characters that are compared; comparing takes the square of them."""


def question_text(card: Card) -> str:
    """The question; choices are numbered, of pairs the second halves have letters."""
    is_match = card.kind is CardKind.MATCH
    numbered, lettered = (card.items, card.choices) if is_match else (card.choices, ())
    lines = [card.question, *(f"  {number}) {one}" for number, one in enumerate(numbered, 1))]
    lines += [f"  {chr(96 + place)}) {one}" for place, one in enumerate(lettered, 1)]
    return "\n".join(lines)


def answer_text(card: Card) -> str:
    """The answer; for pairs with their numbers and letters before it, for a statement that is true
    or false with the sentence of the notes below it.
    """
    if card.kind is CardKind.MATCH and card.choices:
        pairs = " ".join(f"{number}{letter}" for number, letter in matches(card).items())
        return f"{pairs}\n{card.answer}"
    if card.kind is CardKind.TRUE_FALSE and card.origin:
        return f"{card.answer}\n«{one_line(card.origin.text)}»"
    return card.answer


def unfit_text(card: Card) -> str:
    """What is to be typed where something else was."""
    if card.kind is CardKind.MATCH:
        return _("That names no pairs: type them as 1b 2a 3c.")
    told = _("That is none of the choices: type a number from 1 to %(n)d.")
    return told % {"n": len(card.choices)}


def typed_text(card: Card, typed: str) -> str:
    """What was typed as an answer, or the choice that it stands for."""
    typed = one_line(typed)
    chosen = [] if card.kind is CardKind.MATCH else choices_typed(typed, card)
    if len(chosen) != 1:
        return typed or _("(none)")
    return f"{card.choices.index(chosen[0]) + 1}) {chosen[0]}"


def place_text(card: Card) -> str:
    """Where the answer stands, and which model wrote the card; empty for a card of one's own."""
    place = origin_text(card.origin) if card.origin else ""
    if not card.model:
        return place
    return one_line(f"{place} · " + _("written by %(model)s") % {"model": card.model})


def origin_text(origin: Origin) -> str:
    """A place of the notes: document, file, page, section."""
    place = f"{origin.title} — {origin.path}, {pages(origin.first_page, origin.last_page)}"
    return one_line(f"{place} · {origin.section}" if origin.section else place)


def cautions(saved: SavedCard) -> list[str]:
    """What its reader should know before answering a card."""
    told = []
    if saved.stale is Stale.CHANGED:
        told.append(_("The notes have changed: they no longer say this in these words."))
    if saved.leech:
        told.append(_("This card was forgotten often: rewrite it, or set it aside."))
    return told


def remarks(saved: SavedCard) -> list[str]:
    """Everything that sets a card apart: its cautions, and what the student has done to it."""
    told = cautions(saved)
    if saved.is_edited:
        told.append(_("You have rewritten this card."))
    if saved.suspended:
        told.append(_("This card is set aside."))
    if saved.deleted:
        told.append(_("This card is deleted."))
    return told


def left_text(sitting: Sitting) -> str:
    """How many cards wait, whether they are fewer than wanted, how many come back in minutes."""
    told = plural("%(n)d card left", "%(n)d cards left", sitting.left)
    if sitting.lacks:
        told += " " + _("(the notes give no more)")
    if back := sitting.coming_back:
        told += " · " + plural("%(n)d comes back", "%(n)d come back", back)
    return told


def early(sitting: Sitting) -> list[str]:
    """That the card at hand comes before its time; empty where it does not."""
    return [_("Nothing else is left: this card comes early.")] if sitting.is_early else []


def verdict_text(compared: Compared) -> str:
    """How a typed answer did; what one that is partly right lacked."""
    said = {
        TypedVerdict.RIGHT: _("Right."),
        TypedVerdict.PARTLY: _("Partly right."),
        TypedVerdict.WRONG: _("Not right."),
        TypedVerdict.OPEN: _("In words of your own: judge by the answer whether they say it."),
    }[compared.verdict]
    if compared.verdict is not TypedVerdict.PARTLY or not compared.missing:
        return said
    words = [
        *compared.missing[:_MOST_MISSING],
        *(["…"] if compared.missing[_MOST_MISSING:] else []),
    ]
    return said + " " + _("Missing: %(what)s") % {"what": one_line(", ".join(words))}


def reviewed_text(grades: Sequence[Grade]) -> str:
    """How many cards were reviewed and remembered; empty where none was."""
    if not grades:
        return ""
    reviewed = plural("%(n)d card reviewed", "%(n)d cards reviewed", len(grades))
    right = sum(grade is not Grade.AGAIN for grade in grades)
    told = _("%(reviewed)s, %(right)d of them remembered.")
    return told % {"reviewed": reviewed, "right": right}


def used_up_text(sitting: Sitting, more: Callable[[int], str]) -> str:
    """That today's new cards have been begun, and how to have more of them, as `more` tells of so
    many; empty where they have not.
    """
    if not (used := sitting.used_up):
        return ""
    begun, a_day = used
    told = plural(
        "Today's new card has been begun.", "Today's %(n)d new cards have been begun.", begun
    )
    return f"{told} {more(begun + a_day)}"


def graded_text(review: Review, now: datetime) -> str:
    """When a card comes again that was graded, and whether it does so too often."""
    told = _("Again in %(time)s.") % {"time": interval(now, review.schedule.due)}
    leech = _("This card was forgotten often: rewrite it, or set it aside.")
    return f"{told} {leech}" if review.is_new_leech else told


def next_text(due: datetime | None, now: datetime) -> str:
    """When the next card is due; empty where none is."""
    return _("The next card is due in %(time)s.") % {"time": interval(now, due)} if due else ""


def exam_standing(sitting: ExamSitting) -> str:
    """How far an exam is, the time that is left, and the document where all are of one."""
    told = f"{min(sitting.at + 1, len(sitting.questions))}/{len(sitting.questions)}"
    if sitting.wanted and len(sitting.questions) < sitting.wanted:
        told += " " + _("(the notes give no more)")
    if sitting.left_s is not None:
        told += " · " + _time_left(sitting.left_s)
    documents = {
        saved.card.origin.title if saved.card.origin else "" for saved in sitting.questions
    }
    title = documents.pop() if len(documents) == 1 else ""
    return f"{told} · {one_line(title)}" if title else told


def _time_left(left_s: float) -> str:
    """The minutes that are left, and in the last one the seconds."""
    if left_s > _MINUTE:
        minutes = math.ceil(left_s / _MINUTE)
        return plural("%(n)d min left", "%(n)d min left", minutes)
    return plural("%(n)d s left", "%(n)d s left", max(0, math.ceil(left_s)))


def over_text(sitting: ExamSitting) -> str:
    """That the time of an exam is over, and what was typed too late; empty where it is not."""
    if not sitting.is_late:
        return ""
    told = _("The time is over.")
    if not sitting.too_late:
        return told
    late = _("This came too late and does not count: %(answer)s")
    return f"{told} {late % {'answer': one_line(sitting.too_late)}}"


def score_text(exam: Exam) -> str:
    """How many answers were right, with the interval, and how many questions had none."""
    low, high = exam.interval
    told = _(
        "Score: %(right)d of %(all)d right: %(share).0f %%; with this number of questions, between "
        "%(low).0f and %(high).0f %%."
    )
    lines = [
        told
        % {
            "right": exam.right,
            "all": len(exam.questions),
            "share": 100 * exam.right / len(exam.questions),
            "low": 100 * low,
            "high": 100 * high,
        }
    ]
    if missed := len(exam.questions) - len(exam.verdicts):
        lines.append(plural("%(n)d was not answered.", "%(n)d were not answered.", missed))
    return "\n".join(lines)


def weak_text(origin: Origin, n: int) -> str:
    """A section to read again, of which `n` questions were not known."""
    where = f"{origin.title} · {origin.section}" if origin.section else origin.title
    return one_line(f"{n} × {where}, {pages(origin.first_page, origin.first_page)}")


def kind_name(kind: CardKind) -> str:
    """What a card asks for, in a word or two."""
    return {
        CardKind.DEFINITION: _("definition"),
        CardKind.TERM: _("term"),
        CardKind.CLOZE: _("gap"),
        CardKind.LIST: _("list"),
        CardKind.ROW: _("table"),
        CardKind.TRUE_FALSE: _("true or false"),
        CardKind.CHOICE: _("choice"),
        CardKind.MATCH: _("pairs"),
        CardKind.CODE: _("code"),
        CardKind.QUESTION: _("question"),
        CardKind.WHY: _("why"),
        CardKind.OWN: _("own card"),
    }[kind]


def reason_name(reason: str) -> str:
    """Why a card that a model wrote was dropped."""
    return {
        "orders": _("not sent: the notes there seem to give orders to the model"),
        "unusable": _("a reply that is no question"),
        "other_words": _("a question in other words than the sentence's"),
        "given_away": _("the question gives the answer away"),
    }[reason]


def interval(now: datetime, due: datetime) -> str:
    """How long it is until a card is due, roughly."""
    seconds = max(0, round((due - now).total_seconds()))
    if seconds < _HOUR:
        return _("%(n)d min") % {"n": max(1, round(seconds / _MINUTE))}
    if seconds < _DAY:
        return _("%(n)d h") % {"n": round(seconds / _HOUR)}
    days = round(seconds / _DAY)
    return plural("%(n)d day", "%(n)d days", days)


# --- what has changed ---


def compared(old: str, new: str) -> tuple[Marked, Marked]:
    """The pieces of both texts; white space between two changed words has changed with them.

    Where there is no new text, nothing is marked.
    """
    if not new:
        return [(old, False)], []
    one, other = _TOKEN.findall(old[:_LONGEST]), _TOKEN.findall(new[:_LONGEST])
    steps = SequenceMatcher(None, one, other, autojunk=False).get_opcodes()
    before: Marked = []
    after: Marked = []
    for place, (what, a, b, c, d) in enumerate(steps):
        within = 0 < place < len(steps) - 1 and not "".join(one[a:b]).strip()
        changed = what != "equal" or within
        before += [(token, changed) for token in one[a:b]]
        after += [(token, changed) for token in other[c:d]]
    return _joined(before), _joined(after)


def _joined(pieces: Marked) -> Marked:
    return [
        ("".join(text for text, _changed in same), changed)
        for changed, same in groupby(pieces, itemgetter(1))
    ]


def in_plain_text(pieces: Marked, signs: str) -> str:
    """A text in which what has changed stands between two `signs`, as in `[-old-]`, `{+new+}`.

    They are around the words, and not around the spaces beside them.
    """
    opening, closing = signs[: len(signs) // 2], signs[len(signs) // 2 :]
    return "".join(
        re.sub(r"\S(?:.*\S)?", lambda words: opening + words[0] + closing, text, flags=re.DOTALL)
        if changed
        else text
        for text, changed in pieces
    )


def side_by_side(left: list[str], right: list[str], width: int) -> Iterator[str]:
    """Lines beside each other, the left ones `width` wide."""
    for one, other in zip_longest(left, right, fillvalue=""):
        yield f"{one:<{width}} │ {other}".rstrip()
