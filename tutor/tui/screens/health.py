"""The doctor's checks, shown as they finish."""

from __future__ import annotations

from collections.abc import Generator

from textual.app import ComposeResult
from textual.containers import VerticalScroll
from textual.content import Content
from textual.widgets import Static

from tutor.doctor import CheckResult, Severity, run_checks
from tutor.i18n import _, plural
from tutor.tui.base import TutorScreen, course_name, safe
from tutor.tui.keys import N_, keys_of
from tutor.tui.threads import follow

_LOOKS = {
    Severity.PASS: ("✓", N_("fine"), "bold $text-success"),
    Severity.WARN: ("!", N_("warning"), "bold $text-warning"),
    Severity.FAIL: ("✗", N_("to mend"), "bold $text-error"),
}
"""How bad it is by mark, word and colour."""
_KINDS = frozenset(
    [N_("packages"), N_("notes"), N_("web"), N_("disk"), N_("authors"), N_("embedder"), N_("store")]
)
"""Names of checks that are words."""


class HealthScreen(TutorScreen):
    """What tutor stands on, checked one after the other."""

    BINDINGS = keys_of("health")
    DOES = N_("Health")

    _results: tuple[CheckResult, ...] = ()

    def body(self) -> ComposeResult:
        with VerticalScroll(id="checks"):
            yield Static(id="results")

    def on_mount(self) -> None:
        self.query_one("#checks").focus()
        self.action_check()

    def action_check(self) -> None:
        def checks() -> Generator[CheckResult, None, None]:
            config, opened = self.workspace.config, self.workspace.opened
            in_use = opened.embedder if opened else None  # a model need not be loaded twice
            yield from run_checks(config, in_use)

        self._results = ()
        self._show(is_complete=False)
        follow(
            self, checks, self._take, lambda _error: self._show(is_complete=True), latest="health"
        )

    def _take(self, result: CheckResult) -> None:
        self._results = (*self._results, result)
        self._show(is_complete=False)

    def _show(self, *, is_complete: bool) -> None:
        parts = [check_content(result) for result in self._results]
        if is_complete:
            fine, n, m = (sum(r.severity is one for r in self._results) for one in _LOOKS)
            self.head(
                plural("%(n)d check is fine", "%(n)d checks are fine", fine),
                plural("! %(n)d warning", "! %(n)d warnings", n) if n else "",
                plural("✗ %(n)d to mend", "✗ %(n)d to mend", m) if m else "",
            )
        else:
            parts.append(safe("… " + _("checking"), "$text-muted"))
            self.head(_("Checking what tutor needs ..."))
        self.query_one("#results", Static).update(Content("\n\n").join(parts))

    def action_copy(self) -> None:
        parts = [check_content(result).plain for result in self._results]
        self.app.copy_to_clipboard("\n\n".join(parts))
        self.notify(_("The report is copied."))


def check_content(result: CheckResult) -> Content:
    """A result: how bad it is, what was found, and what to do."""
    mark, word, style = _LOOKS[result.severity]
    kind, *rest = result.name.split(" ", 1)  # `store default`: of that course
    name = " ".join([_(kind) if kind in _KINDS else kind, *map(course_name, rest)])
    head = [Content.styled(f"{mark} {_(word)}", style), safe(name, "bold")]
    lines = [Content("  ").join(head), safe(result.message)]
    if result.remedy:
        lines.append(safe(f"→ {result.remedy}"))
    return Content("\n").join(lines)
