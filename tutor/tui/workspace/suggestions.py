"""What the first screen offers: questions of the course, its topics, the last conversation."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from tutor.i18n import _
from tutor.presentation.suggestions import Topics, example_questions, topics_by_week

if TYPE_CHECKING:
    from tutor.tui.workspace.workspace import Workspace

_ASKED = 1000
"""Questions asked last, which are not offered again."""


@dataclass(frozen=True, slots=True)
class Offer:
    """What is offered: a question, or the saved conversation `session` to be taken up again."""

    text: str
    session: str = ""


def first_offers(workspace: Workspace, n: int) -> tuple[list[Offer], Topics]:
    """What to begin with: the last conversation, `n` questions; and the topics of the course.

    Reads files. Raises `SessionError`, `StoreError`.
    """
    with workspace.using() as opened:
        before = workspace.sessions.sessions(opened.course.name)
        asked = workspace.questions(_ASKED)
        offers = [Offer(one) for one in example_questions(opened.store, n, asked, len(before))]
        if before and before[0].turns:
            told = _("Go on with: %(title)s") % {"title": before[0].title}
            offers.append(Offer(told, before[0].id))
        return offers, topics_by_week(opened.store)
