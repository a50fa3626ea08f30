"""The doctor's checks on a screen."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.tui.stage import playing, until
from tutor.doctor import CheckResult, Severity
from tutor.tui.screens.health import HealthScreen, check_content

if TYPE_CHECKING:
    from tests.course import Workspace


def text(screen: HealthScreen, selector: str) -> str:
    return str(screen.query_one(selector).render())


async def test_checks_come_in_and_can_be_run_again_and_copied(indexed: Workspace) -> None:
    async with playing(indexed, size=(80, 24)) as (app, pilot):
        screen = HealthScreen()
        app.push_screen(screen)
        await until(pilot, lambda: screen.query("#results"))
        await until(pilot, lambda: "fine" in text(screen, "#heading"))
        shown = text(screen, "#results")
        assert "✓ fine  python" in shown
        assert "✓ fine  store your notes" in shown
        assert "It is in use now." in shown
        assert "MB" not in shown  # it was loaded before
        assert "! warning  ollama" in shown
        assert "→ " in shown
        assert "warning" in text(screen, "#heading")
        assert "checking" not in shown

        # An index whose manifest is damaged in the meantime is seen by the next run.
        (indexed.store / "manifest.json").write_text("{")
        await pilot.press("r")
        await until(pilot, lambda: "✗ 1 to mend" in text(screen, "#heading"))
        assert "✗ to mend  store your notes" in text(screen, "#results")
        await pilot.press("c")
        await until(pilot, lambda: "✗ to mend  store your notes\n" in app.clipboard)
        await until(pilot, lambda: "✓ fine  python\ntutor" in app.clipboard)
        await pilot.press("escape")
        await until(pilot, lambda: app.screen is not screen)


def test_what_a_check_says_is_only_text() -> None:
    result = CheckResult("disk", Severity.FAIL, "[red]\x1b[31mfull[/]", "[b]free[/b] it")
    assert check_content(result).plain == "✗ to mend  disk\n[red][31mfull[/]\n→ [b]free[/b] it"
