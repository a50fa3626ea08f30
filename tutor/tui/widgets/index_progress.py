"""How far an index is, in bars that make sense without colour, and what was left out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from textual.containers import VerticalScroll
from textual.content import Content
from textual.widgets import Static

from tutor.i18n import _
from tutor.presentation.amounts import decimal, duration
from tutor.text.terminal import one_line
from tutor.tui.base import safe
from tutor.tui.workspace.index_run import IndexRun, Phase, left_text

if TYPE_CHECKING:
    from textual.app import ComposeResult

    from tutor.index.build import Progress
    from tutor.index.build.lines import Completed
    from tutor.index.store import Skipped

_BAR = 20


class IndexProgress(VerticalScroll):
    """A run while it goes on; else what the index of the course pointed at leaves out."""

    def compose(self) -> ComposeResult:
        """The run, and the files left out."""
        yield Static(id="run")
        yield Static(id="left-out")

    def show(self, run: IndexRun | None, skipped: Sequence[Skipped]) -> None:
        """Show a run, if there is one, and the files that are left out."""
        self.query_one("#run", Static).update(run_content(run) if run else Content(""))
        self.query_one("#left-out", Static).update(skipped_content(skipped))


def run_content(run: IndexRun) -> Content:
    """A run in a few lines."""
    lines = [safe(_heading(run), "bold")]
    if run.progress and not run.is_over:
        lines += [safe(line) for line in _progress_lines(run.progress)]
        lines.append(safe(left_text(run)))
    if run.completed and run.phase is Phase.DONE:
        lines += [safe(line) for line in _result_lines(run.completed)]
    if run.failed:
        lines += [safe(run.failed.message), safe(f"→ {run.failed.remedy}")]
    return Content("\n").join(line for line in lines if line.plain)


def skipped_content(skipped: Sequence[Skipped]) -> Content:
    """The files left out, why, and what can be done."""
    if not skipped:
        return Content("")
    lines = [safe(_("Left out: %(n)d") % {"n": len(skipped)}, "bold")]
    for file in skipped:
        lines += [safe(f"! {one_line(file.path)}"), safe(f"  {one_line(file.message)}")]
        if file.remedy:
            lines.append(safe(f"  → {one_line(file.remedy)}"))
    return Content("\n").join([Content(""), *lines])


def _heading(run: IndexRun) -> str:
    return {
        Phase.STARTING: _("%(course)s: the indexer is starting ..."),
        Phase.WAITING: _("%(course)s: another process is indexing; waiting for it ..."),
        Phase.WORKING: _working(run),
        Phase.STOPPING: _("%(course)s: stopping ..."),
        Phase.WRITING: _("%(course)s: writing the index ..."),
        Phase.DONE: _("%(course)s: done"),
        Phase.CANCELLED: _("%(course)s: stopped. What was embedded is kept: i goes on from there."),
        Phase.FAILED: _("%(course)s: not indexed"),
    }[run.phase] % {"course": one_line(run.course)}


def _working(run: IndexRun) -> str:
    if run.has_former:
        return _("%(course)s: indexing. Questions are answered from the former index.")
    if run.by_words:
        return _("%(course)s: indexing. For now it can be asked by words only.")
    return _("%(course)s: indexing. Then it can be asked.")


def _progress_lines(progress: Progress) -> list[str]:
    pages = _("%(n)d pages") % {"n": progress.pages}
    rate = _("%(rate)s per second") % {"rate": decimal(progress.texts_per_s, 1)}
    bars = [
        (_("Files"), progress.files_done, progress.files, pages),
        (_("Passages"), progress.chunks_done, progress.chunks_found, rate),
    ]
    if progress.sentences_found:
        bars.append((_("Sentences"), progress.sentences_done, progress.sentences_found, ""))
    width = max(len(name) for name, *_figures in bars)
    lines = [_bar(name.ljust(width), done, of, more) for name, done, of, more in bars]
    if progress.path:
        lines.append(_("Read: %(path)s") % {"path": one_line(progress.path)})
    return lines


def _bar(name: str, done: int, of: int, more: str) -> str:
    full = round(_BAR * done / of) if of else 0
    text = f"{name} {'█' * full}{'░' * (_BAR - full)} {done}/{of}"
    return f"{text} · {more}" if more else text


def _result_lines(result: Completed) -> list[str]:
    if not result.changed:
        return [_("Nothing has changed.")]
    return [
        _(
            "%(read)d read, %(unchanged)d unchanged, %(removed)d removed; "
            "%(embedded)d texts embedded, %(reused)d known already"
        )
        % {
            "read": result.read,
            "unchanged": result.unchanged,
            "removed": result.removed,
            "embedded": result.embedded,
            "reused": result.reused,
        },
        duration(result.seconds),
    ]
