"""Running an evaluation at a terminal: its folder, its progress, its report."""

from __future__ import annotations

import shlex
import time
from collections.abc import Iterable
from contextlib import ExitStack
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from tutor.cli import diagnostics
from tutor.cli.output import table, unbroken, write
from tutor.config import Config
from tutor.courses import index_command
from tutor.embedding.embedder import Embedder
from tutor.errors import ConfigError, NotesError, command
from tutor.evaluation.cases import Request, choose_cases
from tutor.evaluation.judges import Judge, RuleJudge, ollama_judge
from tutor.evaluation.records import Outcome, RunFolder, changed_since, run_record
from tutor.evaluation.runner import run
from tutor.evaluation.settings import Setting, Workshop, parse_settings
from tutor.i18n import _
from tutor.index.store import StoreReader
from tutor.model import Strategy
from tutor.presentation.amounts import duration
from tutor.text.terminal import one_line

if TYPE_CHECKING:
    from tutor.evaluation.report import ReportSection  # with pandas, 0.2 s

_EVALUATIONS = "evaluations"


def documents_of(store: StoreReader) -> dict[str, int]:
    """Pages of each document by its path. Raises `NotesError` where there is no text."""
    if not any(map(store.manifest.chunk_count, Strategy)):
        raise NotesError(
            _("The course has no text: there is nothing to evaluate."),
            _("Put PDFs with text into the notes folder and index them: %(command)s")
            % {"command": index_command(store.store_folder.name)},
        )
    return {source.path: source.pages for source in store.sources.values()}


def new_folder(config: Config, course: str, out: Path | None) -> Path:
    """Where a new run is kept. Raises `ConfigError` when something is there already."""
    if out is None:
        started = datetime.now().astimezone().strftime("%Y%m%d-%H%M%S")
        base = config.stores_path / _EVALUATIONS / f"{started}-{course}"
        others = (base.with_name(f"{base.name}-{number}") for number in range(2, 100))
        return next(path for path in (base, *others) if not path.exists())
    if out.exists() and (not out.is_dir() or any(out.iterdir())):
        raise ConfigError(
            _("%(path)s is not empty.") % {"path": out},
            _("Give another folder, or go on with what is there: --resume %(path)s")
            % {"path": shlex.quote(str(out))},
        )
    return out


def find_run(config: Config, name: str) -> Path:
    """The folder of a run: a path, its name among the evaluations, or `last`."""
    folder = config.stores_path / _EVALUATIONS
    runs = sorted(path.parent for path in folder.glob("*/run.json"))
    if name == "last" and runs:
        return runs[-1]
    return Path(name) if Path(name).is_dir() else folder / name


def request_again(folder: RunFolder, config: Config) -> tuple[Request, Config]:
    """What a run was asked for, and the settings in force with its options."""
    record = folder.record()
    try:
        request = Request(**record["request"])
    except (KeyError, TypeError) as error:
        raise NotesError(
            _("The run in %(path)s was made by another version of tutor.") % {"path": folder.path},
            _("Begin a new one, without --resume."),
        ) from error
    return request, config.varied({**request.options, "course": request.course})


def generated(
    store: StoreReader, embedder: Embedder, request: Request, folder: RunFolder, n: int
) -> Request:
    """Write questions from the notes into the run's folder; the request asks those.

    Raises `NotesError` where the notes give none.
    """
    # Few runs need it.
    from tutor.evaluation.generation import Tally, case_line, generate  # noqa: PLC0415

    tally, found = Tally(), []
    with diagnostics.ProgressLine() as progress:
        for case in generate(store, embedder, n, tally=tally):
            found.append(case)
            progress.show(_("%(n)d of %(total)d questions") % {"n": len(found), "total": n})
    if not found:
        raise NotesError(
            _("No questions could be made from these notes."),
            _("Write some yourself and give their file with --cases."),
        )
    path = folder.write("questions.jsonl", "".join(case_line(case) for case in found))
    labels = {
        "proposed": _("proposed"),
        "repeated": _("asked before"),
        "copied": _("copies of the text"),
        "not_found": _("source not found again"),
        "kept": _("kept"),
    }
    counts = [(label, tally[name]) for name, label in labels.items()]
    diagnostics.line(table([(_("questions"), ""), *counts]))
    told = _("The questions are in %(path)s. Edit them and ask them again with --cases.")
    diagnostics.line(told % {"path": one_line(str(path))})
    return replace(request, source=str(path.absolute()))


def evaluate(
    config: Config,
    store: StoreReader,
    embedder: Embedder,
    request: Request,
    folder: RunFolder,
    *,
    resumed: bool,
) -> list[Setting]:
    """Ask what is left to ask, every outcome kept at once, and give the settings that were asked.

    Raises what any part raises.
    """
    cases, problems = choose_cases(request, documents_of(store))
    settings = [Setting(config.strategy.value, {"strategy": config.strategy.value})]
    if request.compare:
        settings = parse_settings(request.compare)
    judge: Judge | None = None
    if request.answers:
        judge = ollama_judge(config) if request.judge == "ollama" else RuleJudge()
    record = run_record(
        request,
        cases,
        problems,
        settings,
        config=config,
        store=store,
        embedder=embedder,
        judge=judge.name if judge else None,
    )
    done: set[tuple[str, str]] = set()
    if not resumed:
        folder.begin(record)
    elif changed := changed_since(folder.record(), record):
        raise ConfigError(
            _("The run in %(path)s cannot go on: other %(what)s than when it began.")
            % {"path": folder.path, "what": ", ".join(changed)},
            _("Begin a new one, without --resume."),
        )
    else:
        done = {outcome.key for outcome in folder.outcomes() if not outcome.failure}
    for problem in problems:
        diagnostics.warning(problem)
    with ExitStack() as resources, diagnostics.ProgressLine() as progress:
        workshop = Workshop(
            config=config,
            store=store,
            embedder=embedder,
            folder=folder.path / "indexes",
            answers=request.answers,
            resources=resources,
            embedding=lambda left: progress.show(_("%(n)d texts left to embed") % {"n": left}),
        )
        subjects = [workshop.subject(setting) for setting in settings]
        outcomes = run(cases, subjects, store, answers=request.answers, judge=judge, done=done)
        _keep(outcomes, len(cases) * len(subjects) - len(done), folder, progress)
    return settings


def _keep(
    outcomes: Iterable[Outcome], total: int, folder: RunFolder, progress: diagnostics.ProgressLine
) -> None:
    """Write every outcome down as soon as it is there."""
    failed, started = 0, time.monotonic()
    try:
        for number, outcome in enumerate(outcomes, start=1):
            folder.append(outcome)
            failed += bool(outcome.failure or outcome.judge_failure)
            left = (time.monotonic() - started) / number * (total - number)
            progress.show(
                _("%(n)d of %(total)d · %(failed)d failed · about %(left)s left")
                % {"n": number, "total": total, "failed": failed, "left": duration(left)}
            )
    except KeyboardInterrupt:
        progress.clear()
        told = _("What was measured is kept. Go on with: %(command)s")
        diagnostics.line(told % {"command": command("eval --resume", folder.path)})
        raise


def print_report(heading: Iterable[str], sections: Iterable[ReportSection]) -> None:
    """Show a report on standard output."""
    for line in heading:
        write(unbroken(line))
    for section in sections:
        write("\n" + unbroken(section.title))
        if len(section.rows) > 1:
            write(table(section.rows))
        for line in section.lines:
            write(unbroken(line))
