"""What a reader can ask of an answer: its page, its PDF, a copy, another try, feedback."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tutor.history import cited_places, marked_text
from tutor.i18n import _
from tutor.model import Citation, Route, WebCitation
from tutor.presentation.amounts import pages
from tutor.text.terminal import plain

if TYPE_CHECKING:
    from tutor.tui.base import TutorScreen
    from tutor.tui.widgets.turn import TurnView


def fulfil(screen: TutorScreen, asked: TurnView.Asked) -> None:
    """Do what is asked of a turn."""
    {
        "page": _open_page,
        "pdf": _open_pdf,
        "copy": _copy,
        "again": _ask_other_index,
        "feedback": _give_feedback,
        "whole": _show_whole,
    }[asked.what](screen, asked.turn, asked.value)


def _open_page(screen: TutorScreen, turn: TurnView, _value: int) -> None:
    citation = turn.current_mark.citation if turn.current_mark else None
    if isinstance(citation, Citation):
        cited = [one.citation for one in turn.marks if isinstance(one.citation, Citation)]
        screen.tutor.open_citation(citation, cited)
    elif isinstance(citation, WebCitation):
        screen.tutor.copy_to_clipboard(citation.result.link)
        told = _("%(link)s (copied; tutor opens no web pages)") % {"link": citation.result.link}
        screen.notify(told, markup=False)
    else:
        screen.notify(_("Nothing in the notes supports this sentence."), markup=False)


def _open_pdf(screen: TutorScreen, turn: TurnView, _value: int) -> None:
    citation = turn.current_mark.citation if turn.current_mark else None
    if isinstance(citation, Citation):
        screen.tutor.open_pdf(citation.source.path, citation.first_page)


def _copy(screen: TutorScreen, turn: TurnView, cited: int) -> None:
    screen.tutor.copy_to_clipboard(_cited_text(turn) if cited else plain(turn.text))
    screen.notify(_("Copied with its sources.") if cited else _("Copied."), markup=False)


def _cited_text(turn: TurnView) -> str:
    """The question, the answer with its marks, and what they stand for."""
    if turn.answer is None:
        return plain(turn.text)
    sources = [
        f"[{place.number}] {place.source.title} — {place.source.path}, "
        f"{pages(place.first_page, place.last_page)}"
        for place in cited_places(turn.answer)
    ]
    results = {one.result.rank: one.result for one in turn.answer.web_citations}
    sources += [f"[W{rank}] {one.title} — {one.link}" for rank, one in sorted(results.items())]
    return plain("\n".join([turn.question, "", marked_text(turn.answer), "", *sources]).strip())


def _ask_other_index(screen: TutorScreen, turn: TurnView, _value: int) -> None:
    chat = screen.tutor.chat
    if chat.is_answering:
        chat.notify(_("An answer is being written; Esc stops it."), markup=False)
    elif screen.tutor.is_ready and screen.desk.opened:
        chat.ask(turn.question, Route.SEMANTIC if turn.route is Route.FIXED else Route.FIXED)


def _give_feedback(screen: TutorScreen, turn: TurnView, rating: int) -> None:
    from tutor.tui.screens.comment import CommentModal  # noqa: PLC0415 - after the first paint

    number = turn.turn_id
    if number is None or not turn.is_over:
        return

    def save(comment: str | None) -> None:
        screen.tutor.save_feedback(number, rating, comment or "")
        turn.set_rating(rating)

    if rating:
        screen.app.push_screen(CommentModal(rating), save)
    else:
        save("")


def _show_whole(screen: TutorScreen, turn: TurnView, _value: int) -> None:
    from tutor.tui.screens.whole_text import WholeTextScreen  # noqa: PLC0415 - after first paint

    screen.app.push_screen(WholeTextScreen(turn.question, plain(turn.text.expandtabs(4))))
