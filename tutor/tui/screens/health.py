"""The doctor's checks, shown as they finish."""

from __future__ import annotations

from collections.abc import Generator, Sequence

from textual.app import ComposeResult
from textual.containers import VerticalScroll
from textual.content import Content
from textual.widgets import Static

from tutor.app import make_embedder
from tutor.doctor import CheckResult, Severity, run_checks
from tutor.i18n import _, ngettext
from tutor.ingest.chunking import CHUNKING_VERSION
from tutor.tui.base import TutorScreen, course_name, follow, safe
from tutor.tui.keys import N_, keys_of

_MARKS = {Severity.PASS: "✓", Severity.WARN: "!", Severity.FAIL: "✗"}
_COLOURS = {Severity.PASS: "success", Severity.WARN: "warning", Severity.FAIL: "error"}
_KINDS = frozenset(
    [N_("packages"), N_("notes"), N_("web"), N_("disk"), N_("authors"), N_("embedder"), N_("store")]
)
"""Names of checks that are words."""


class HealthScreen(TutorScreen):
    """What tutor stands on, checked one after the other."""

    BINDINGS = keys_of("health")
    _results: Sequence[CheckResult] = ()
    _is_complete = False

    def body(self) -> ComposeResult:
        with VerticalScroll(id="checks"):
            yield Static(id="results")

    def on_mount(self) -> None:
        self.query_one("#checks").focus()
        self.action_check()

    def action_check(self) -> None:
        self._results, self._is_complete = (), False
        self._show()
        follow(self, self._checks, self._take, self._end, group="health", exclusive=True)

    def _checks(self) -> Generator[CheckResult, None, None]:
        config, opened = self.workspace.config, self.workspace.opened
        in_use = opened.embedder if opened else None  # a model need not be loaded twice
        yield from run_checks(config, lambda: make_embedder(config), CHUNKING_VERSION, in_use)

    def _take(self, result: CheckResult) -> None:
        self._results = [*self._results, result]
        self._show()

    def _end(self, _error: object) -> None:
        self._is_complete = True
        self._show()

    def _show(self) -> None:
        parts = [check_content(result) for result in self._results]
        if not self._is_complete:
            parts.append(safe("… " + _("checking"), "$text-muted"))
        self.query_one("#results", Static).update(Content("\n\n").join(parts))
        self.head(*self._summary())

    def _summary(self) -> list[str]:
        if not self._is_complete:
            return [_("Checking what tutor needs ...")]
        counts = {one: sum(r.severity is one for r in self._results) for one in Severity}
        fine, n, m = counts[Severity.PASS], counts[Severity.WARN], counts[Severity.FAIL]
        return [
            ngettext("%(n)d check is fine", "%(n)d checks are fine", fine) % {"n": fine},
            ngettext("! %(n)d warning", "! %(n)d warnings", n) % {"n": n} if n else "",
            ngettext("✗ %(n)d to mend", "✗ %(n)d to mend", m) % {"n": m} if m else "",
        ]

    def action_copy(self) -> None:
        parts = [check_content(result).plain for result in self._results]
        self.app.copy_to_clipboard("\n\n".join(parts))
        self.notify(_("The report is copied."))


def check_content(result: CheckResult) -> Content:
    """A result: how bad it is by mark and word, what was found, and what to do."""
    words = {Severity.PASS: _("fine"), Severity.WARN: _("warning"), Severity.FAIL: _("to mend")}
    style = f"bold $text-{_COLOURS[result.severity]}"
    head = Content.styled(f"{_MARKS[result.severity]} {words[result.severity]}", style)
    kind, *rest = result.name.split(" ", 1)  # `store default`: of that course
    name = " ".join([_(kind) if kind in _KINDS else kind, *map(course_name, rest)])
    lines = [head + Content("  ") + safe(name, "bold"), safe(result.message)]
    if result.remedy:
        lines.append(safe(f"→ {result.remedy}"))
    return Content("\n").join(lines)
