"""A comment on a rating, given or left out."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.tui.stage import staged, until
from tutor.tui.screens.dialogs import CommentModal

if TYPE_CHECKING:
    from tests.course import Workspace


@pytest.mark.parametrize(
    ("keys", "result"),
    [
        ([*" [b]clara ", "enter"], "[b]clara"),
        (["enter"], None),
        ([*"nada", "escape"], None),
    ],
)
async def test_a_comment_is_what_was_typed_or_nothing(
    indexed: Workspace, keys: list[str], result: str | None
) -> None:
    app = staged(indexed)
    results: list[object] = []
    async with app.run_test(size=(80, 24)) as pilot:
        modal = CommentModal(-1)
        app.push_screen(modal, results.append)
        await until(pilot, lambda: modal.query("Input"))
        assert "Bad answer" in str(modal.query_one("#comment").border_title)
        await pilot.press(*("space" if key == " " else key for key in keys))
        await until(pilot, lambda: results)
        await until(pilot, lambda: app.is_ready)
    app.workspace.close()
    assert results == [result]
