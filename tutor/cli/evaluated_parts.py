"""Parts of `tutor eval` that few runs need: written questions, a suggestion."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import asdict, replace
from typing import Any

from tutor.cli import diagnostics
from tutor.cli.output import table
from tutor.config import Config, config_file
from tutor.embedding.embedder import Embedder
from tutor.errors import NotesError
from tutor.evaluation.cases import Request
from tutor.evaluation.comparison import Results
from tutor.evaluation.generation import RULES, Tally, case_line, generate
from tutor.evaluation.metrics import HEADLINE
from tutor.evaluation.records import RunFolder
from tutor.evaluation.report import ReportSection, label
from tutor.evaluation.settings import Setting, write_settings
from tutor.i18n import _
from tutor.index.store import StoreReader
from tutor.text.terminal import one_line

QUESTIONS_FILE = "questions.jsonl"


def generated(
    store: StoreReader, embedder: Embedder, request: Request, folder: RunFolder, n: int
) -> Request:
    """Write questions from the notes into the run's folder; the request asks those.

    Raises `NotesError` where the notes give none.
    """
    tally, progress = Tally(), diagnostics.ProgressLine()
    found = []
    for case in generate(store, embedder, n, tally=tally):
        found.append(case)
        progress.show(_("%(n)d of %(total)d questions") % {"n": len(found), "total": n})
    progress.clear()
    if not found:
        raise NotesError(
            _("No questions could be made from these notes."),
            _("Write some yourself and give their file with --cases."),
        )
    path = folder.write(QUESTIONS_FILE, "".join(case_line(case, RULES) for case in found))
    labels = {
        "proposed": _("proposed"),
        "repeated": _("asked before"),
        "copied": _("copies of the text"),
        "not_found": _("source not found again"),
        "kept": _("kept"),
    }
    counts = [[label, str(tally[name])] for name, label in labels.items()]
    diagnostics.line(table([[_("questions"), ""], *counts]))
    diagnostics.line(
        _("The questions are in %(path)s. Edit them and ask them again with --cases.")
        % {"path": one_line(str(path))}
    )
    return replace(request, source=str(path.absolute()))


def suggested(
    config: Config, settings: Sequence[Setting], results: Results, *, write_file: bool
) -> tuple[dict[str, Any] | None, ReportSection]:
    """The setting to use and why, as a record and as words; written to the file if wanted."""
    by_name = {setting.name: setting for setting in settings}
    present = next((s.name for s in settings if _in_force(s, config)), None)
    suggestion = results.suggest(present)
    title = _("Suggestion")
    if suggestion is None:
        return None, ReportSection(title, (), [_("No question tells: none names its passage.")])
    chosen = by_name[suggestion.chosen]
    lines = [
        _("Use %(name)s: %(measure)s %(average)s, n = %(n)d.")
        % {
            "name": suggestion.chosen,
            "measure": label(HEADLINE),
            "average": f"{suggestion.average:.3f}",
            "n": suggestion.average.n,
        },
        _(
            "Rule: the highest %(measure)s; among settings whose difference from it is not "
            "shown, the one in force, or else the fastest. Ties: %(ties)s."
        )
        % {"measure": label(HEADLINE), "ties": ", ".join(suggestion.ties)},
    ]
    written: dict[str, object] = {}
    if suggestion.chosen == present:
        lines.append(_("These are the settings in force; nothing has to be changed."))
    elif write_file:
        path = config_file(config.root, os.environ)
        written = dict(write_settings(path, chosen, chosen.config(config)))
        changes = ", ".join(f"{name} = {value}" for name, value in written.items())
        lines.append(_("Written to %(path)s: %(changes)s") % {"path": path, "changes": changes})
    else:
        lines.append(_("To put it into the settings file, add --write."))
    record = {**asdict(suggestion), "present": present, "written": written}
    return record, ReportSection(title, (), lines)


def _in_force(setting: Setting, config: Config) -> bool:
    return setting.is_configurable and setting.config(config) == config
