"""Running an evaluation at a terminal: its folder, its progress, its report."""

from __future__ import annotations

import shutil
import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tutor.cli import diagnostics
from tutor.cli.output import table, unbroken, write
from tutor.config import Config
from tutor.embedding.embedder import Embedder
from tutor.errors import ConfigError, NotesError, command
from tutor.evaluation.cases import Request, choose_cases
from tutor.evaluation.judges import Judge, RuleJudge
from tutor.evaluation.records import Outcome, RunFolder, changed_since, run_record
from tutor.evaluation.runner import run
from tutor.evaluation.settings import Setting, Workshop, parse_settings
from tutor.i18n import _
from tutor.index.store import StoreReader
from tutor.model import Strategy
from tutor.presentation.amounts import duration

if TYPE_CHECKING:
    from tutor.evaluation.report import ReportSection  # with pandas, 0.2 s

EVALUATIONS = "evaluations"
LAST = "last"


def documents_of(store: StoreReader) -> dict[str, int]:
    """Pages of each document by its path. Raises `NotesError` where there is no text."""
    if not any(map(store.manifest.chunk_count, Strategy)):
        raise NotesError(
            _("The course has no text: there is nothing to evaluate."),
            _("Put PDFs with text into the notes folder and index them: %(command)s")
            % {"command": command("index")},
        )
    return {source.path: source.pages for source in store.sources.values()}


def judge_of(request: Request, config: Config) -> Judge | None:
    """The judge that a request asks for; None where no answers are judged.

    Raises `EngineError` where it would be a model and there is none.
    """
    if not request.answers:
        return None
    if request.judge != "ollama":
        return RuleJudge()
    from tutor.evaluation.model_judge import ollama_judge  # noqa: PLC0415 - only then

    return ollama_judge(config)


def settings_of(request: Request, config: Config) -> list[Setting]:
    """The settings that a request compares, or those in force under the strategy's name."""
    if request.compare:
        return parse_settings(request.compare)
    return [Setting(config.strategy.value, {"strategy": config.strategy.value})]


def new_folder(config: Config, course: str, out: Path | None) -> Path:
    """Where a new run is kept. Raises `ConfigError` when something is there already."""
    if out is not None:
        if out.exists() and (not out.is_dir() or any(out.iterdir())):
            raise ConfigError(
                _("%(path)s is not empty.") % {"path": out},
                _("Give another folder, or go on with what is there: --resume %(path)s")
                % {"path": out},
            )
        return out
    started = datetime.now().astimezone().strftime("%Y%m%d-%H%M%S")
    base = config.stores_path / EVALUATIONS / f"{started}-{course}"
    for number in range(1, 100):
        path = base if number == 1 else base.with_name(f"{base.name}-{number}")
        if not path.exists():
            break
    return path


def find_run(config: Config, name: str) -> Path:
    """The folder of a run: a path, its name among the evaluations, or `last`."""
    folder = config.stores_path / EVALUATIONS
    if name == LAST:
        runs = sorted(path.parent for path in folder.glob("*/run.json"))
        if runs:
            return runs[-1]
    return Path(name) if Path(name).is_dir() else folder / name


def evaluate(
    config: Config,
    store: StoreReader,
    embedder: Embedder,
    request: Request,
    folder: RunFolder,
    *,
    resumed: bool,
) -> list[Setting]:
    """The settings that were asked.

    Ask what is left to ask, every outcome kept at once. Raises what any part raises.
    """
    cases, problems = choose_cases(request, documents_of(store))
    settings, judge = settings_of(request, config), judge_of(request, config)
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
    if resumed:
        _check_unchanged(folder, record)
        done = {outcome.key for outcome in folder.outcomes() if not outcome.failure}
    else:
        folder.begin(record)
    for problem in problems:
        diagnostics.warning(problem)
    progress = diagnostics.ProgressLine()
    with ExitStack() as resources:
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
        _keep(outcomes, len(cases) * len(subjects) - len(done), folder)
    return settings


def _keep(outcomes: Iterator[Outcome], total: int, folder: RunFolder) -> None:
    """Write every outcome down as soon as it is there."""
    progress = diagnostics.ProgressLine()
    failed = 0
    started = time.monotonic()
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
        diagnostics.line(
            _("What was measured is kept. Go on with: %(command)s")
            % {"command": command(f"eval --resume {folder.path}")}
        )
        raise
    progress.clear()


def _check_unchanged(folder: RunFolder, record: dict[str, Any]) -> None:
    changed = changed_since(folder.record(), record)
    if changed:
        raise ConfigError(
            _("The run in %(path)s cannot go on: other %(what)s than when it began.")
            % {"path": folder.path, "what": ", ".join(changed)},
            _("Begin a new one, without --resume."),
        )


def print_report(heading: Iterable[str], sections: Iterable[ReportSection]) -> None:
    """Show a report on standard output."""
    for line in heading:
        write(unbroken(line))
    for section in sections:
        write()
        write(unbroken(section.title))
        if len(section.rows) > 1:
            write(_fitted([list(map(unbroken, row)) for row in section.rows]))
        for line in section.lines:
            write(unbroken(line))


def _fitted(rows: Sequence[Sequence[str]]) -> str:
    """A table; on a terminal that is too narrow for it each row becomes a short list."""
    whole = table(rows)
    if not sys.stdout.isatty() or _width(whole) <= shutil.get_terminal_size().columns:
        return whole
    first, *rest = rows
    return "\n".join(
        "\n".join((row[0], *(f"  {n}: {c}" for n, c in zip(first[1:], row[1:], strict=True))))
        for row in rest
    )


def _width(text: str) -> int:
    return max(map(len, text.splitlines()))


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
