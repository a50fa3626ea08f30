"""`tutor eval`."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from tutor.app import find_course
from tutor.cli.evaluating import (
    evaluate,
    find_run,
    generated,
    new_folder,
    print_report,
    request_again,
)
from tutor.cli.invocation import Invocation
from tutor.cli.options import ENGINE, STRATEGY, K
from tutor.cli.output import write, write_json
from tutor.cli.session import opened
from tutor.config import Config, config_file
from tutor.errors import ExitCode
from tutor.evaluation.cases import ALL, SAMPLE, SPLITS, Request
from tutor.evaluation.records import RunFolder
from tutor.evaluation.settings import CANDIDATES, Setting, write_settings
from tutor.evaluation.statistics import require_extra
from tutor.i18n import _
from tutor.text.terminal import one_line

if TYPE_CHECKING:
    from tutor.evaluation.comparison import Results  # with SciPy


@click.command(
    name="eval",
    help=_(
        "Measure, on questions whose answers are known, what is found and answered.\n\n"
        "Without --cases the sample questions are asked, if this is the sample course. "
        "Every run is kept with its outcomes and its report in a folder of its own."
    ),
)
@click.option(
    "--cases",
    type=click.Path(dir_okay=False, path_type=Path),
    help=_("Questions as JSON lines."),
    metavar=_("FILE"),
)
@click.option(
    "--split",
    type=click.Choice(SPLITS),
    help=_("Which part of the cases; settings are chosen on `dev` and reported on `test`."),
)
@click.option("--kind", metavar=_("NAME"), help=_("Only questions of this kind."))
@click.option(
    "--limit",
    type=click.IntRange(min=1),
    metavar=_("N"),
    help=_("At most so many questions, from all over the cases."),
)
@click.option(
    "--compare",
    metavar=_("SETTINGS"),
    help=_("Settings to compare, as fixed,semantic or k=2,k=4 or semantic,semantic+chunk=400."),
)
@click.option(
    "--answers", is_flag=True, help=_("Answer the questions, too, and judge the answers.")
)
@click.option(
    "--judge",
    type=click.Choice(["rules", "ollama"]),
    default="rules",
    help=_("Who judges answers: rules that compute, or a model on Ollama."),
)
@STRATEGY
@K
@ENGINE
@click.option(
    "--generate",
    type=click.IntRange(min=1),
    metavar=_("N"),
    help=_("Write so many questions from the course's own notes, and ask those."),
)
@click.option("--resume", metavar=_("RUN"), help=_("Go on with a run that was stopped."))
@click.option("--suggest", is_flag=True, help=_("Name the best settings for this course."))
@click.option(
    "--write",
    "write_file",
    is_flag=True,
    help=_("With --suggest: put them into the settings file."),
)
@click.option(
    "--out",
    type=click.Path(file_okay=False, path_type=Path),
    metavar=_("FOLDER"),
    help=_("Folder for the run; otherwise one among the stores."),
)
@click.option("--json", "as_json", is_flag=True, help=_("Print the report as JSON."))
@click.pass_obj
def command(invocation: Invocation, /, **given: Any) -> ExitCode:
    _check_options(given)
    require_extra()
    options = {name: given[name] for name in ("strategy", "k", "engine") if given[name] is not None}
    config = invocation.config(**options)
    if given["resume"]:
        folder = RunFolder(find_run(config, given["resume"]))
        request, config = request_again(folder, config)
    else:
        course = find_course(config).name
        request = _request(course, options, given)
        folder = RunFolder(new_folder(config, course, given["out"]))
    with opened(config) as (store, embedder):
        if given["generate"]:
            request = generated(store, embedder, request, folder, given["generate"])
        resumed = bool(given["resume"])
        settings = evaluate(config, store, embedder, request, folder, resumed=resumed)
    return _report(config, request, folder, settings, given)


def _check_options(given: dict[str, Any]) -> None:
    """Options that contradict each other are a mistake of typing. Raises `click.UsageError`."""
    fixed_by_run = ("cases", "split", "kind", "limit", "compare", "generate", "out")
    if given["resume"]:
        for name in (*fixed_by_run, "answers", "strategy", "k", "engine"):
            if given[name]:
                raise click.UsageError(
                    _("A run goes on as it began: --%(name)s is no option with --resume.")
                    % {"name": name}
                )
    if given["write_file"] and not given["suggest"]:
        raise click.UsageError(_("--write needs --suggest."))
    if given["generate"] and given["cases"]:
        raise click.UsageError(_("Give either --cases or --generate."))


def _request(course: str, options: dict[str, Any], given: dict[str, Any]) -> Request:
    """Settings are chosen on the development part, everything else is told on the test part."""
    own = bool(given["cases"] or given["generate"])
    split = given["split"] or (ALL if own else "dev" if given["suggest"] else "test")
    compare = given["compare"] or (CANDIDATES if given["suggest"] else None)
    return Request(
        course=course,
        source=str(given["cases"].absolute()) if given["cases"] else SAMPLE,
        split=split,
        kind=given["kind"],
        limit=given["limit"],
        compare=compare,
        answers=given["answers"],
        judge=given["judge"] if given["answers"] else None,
        options=options,
    )


def _report(
    config: Config,
    request: Request,
    folder: RunFolder,
    settings: Sequence[Setting],
    given: dict[str, Any],
) -> ExitCode:
    # With pandas and SciPy, after the measuring.
    from tutor.evaluation import report  # noqa: PLC0415
    from tutor.evaluation.comparison import Results  # noqa: PLC0415

    results = Results(folder.outcomes(), [setting.name for setting in settings])
    record = folder.record()
    heading = report.headline(record, results)
    suggestion, last = None, []
    if given["suggest"]:
        suggestion, lines = _suggested(config, settings, results, write_file=given["write_file"])
        last.append(report.ReportSection(_("Suggestion"), (), lines))
    full = [*report.sections(record, results, full=True), *last]
    title = _("Evaluation of %(course)s") % {"course": request.course}
    folder.write("report.md", report.markdown(title, heading, full))
    shown = {**report.as_json(record, results), "suggestion": suggestion}
    folder.write("report.json", json.dumps(shown, ensure_ascii=False, indent=1))
    if given["as_json"]:
        write_json({**shown, "folder": str(folder.path)})
    else:
        print_report(heading, [*report.sections(record, results, full=False), *last])
        told = _("Everything is in %(path)s") % {"path": one_line(str(folder.path))}
        write("\n" + told)
    return ExitCode.PARTIAL if report.is_partial(record, results) else ExitCode.OK


def _suggested(
    config: Config, settings: Sequence[Setting], results: Results, *, write_file: bool
) -> tuple[dict[str, Any] | None, list[str]]:
    """The setting to use and why, as a record and as words; written to the file if wanted."""
    from tutor.evaluation.metrics import HEADLINE  # noqa: PLC0415 - as in `_report`
    from tutor.evaluation.report import label  # noqa: PLC0415 - as in `_report`

    by_name = {setting.name: setting for setting in settings}
    configurable = (setting for setting in settings if setting.is_configurable)
    in_force = (one.name for one in configurable if config.varied(one.changes) == config)
    present = next(in_force, None)
    suggestion = results.suggest(present)
    if suggestion is None:
        return None, [_("No question tells: none names its passage.")]
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
        written = dict(write_settings(path, chosen, config))
        changes = ", ".join(f"{name} = {value}" for name, value in written.items())
        lines.append(_("Written to %(path)s: %(changes)s") % {"path": path, "changes": changes})
    else:
        lines.append(_("To put it into the settings file, add --write."))
    return {**asdict(suggestion), "present": present, "written": written}, lines
