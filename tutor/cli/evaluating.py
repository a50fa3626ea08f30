"""Running an evaluation at a terminal: its folder, its progress, its report."""

from __future__ import annotations

import shutil
import sys
import time
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tutor.chunking import detect_language, split_sentences
from tutor.cli import diagnostics
from tutor.cli.output import table, write
from tutor.errors import ConfigError, NotesError, command
from tutor.evaluation.comparison import Comparison
from tutor.evaluation.judging import RuleJudge
from tutor.evaluation.provenance import Request, changed_since, run_record
from tutor.evaluation.runner import Plan, run
from tutor.evaluation.selection import choose_cases
from tutor.evaluation.settings import Setting, parse_settings
from tutor.evaluation.variants import Workshop
from tutor.i18n import _
from tutor.presentation.amounts import duration
from tutor.presentation.plain import plain
from tutor.types import Strategy

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from tutor.config import Config
    from tutor.evaluation.cases import Case, Problem
    from tutor.evaluation.judging import Judge
    from tutor.evaluation.outcomes import RunFolder
    from tutor.evaluation.report import Section
    from tutor.ports import Embedder
    from tutor.store import StoreReader

EVALUATIONS = "evaluations"
LAST = "last"


@dataclass(frozen=True, slots=True)
class Bench:
    """An open course that is evaluated, and the settings in force."""

    config: Config
    store: StoreReader
    embedder: Embedder

    @property
    def documents(self) -> dict[str, int]:
        """Pages of each document by its path. Raises `NotesError` where there is no text."""
        if not any(map(self.store.manifest.chunk_count, Strategy)):
            raise NotesError(
                _("The course has no text: there is nothing to evaluate."),
                _("Put PDFs with text into the notes folder and index them: %(command)s")
                % {"command": command("index")},
            )
        return {source.path: source.pages for source in self.store.sources.values()}

    def judge(self, request: Request) -> Judge | None:
        """The judge that a request asks for; None where no answers are judged."""
        return self.judge_called(request.judge or "rules") if request.answers else None

    def judge_called(self, name: str) -> Judge:
        """`rules`, or `ollama`. Raises `EngineError` where there is no model."""
        if name == "ollama":
            from tutor.evaluation.model_judge import ModelJudge  # noqa: PLC0415 - with `httpx`
            from tutor.llm import OllamaChat  # noqa: PLC0415

            model = OllamaChat(self.config.varied({"ollama.temperature": 0}).ollama)
            error = model.why_not()
            if error is not None:
                raise error
            return ModelJudge(model, detect_language)
        return RuleJudge(self.embedder, split_sentences, detect_language)


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


def evaluate(bench: Bench, request: Request, folder: RunFolder, *, resumed: bool) -> Comparison:
    """Ask what is left to ask, every outcome kept at once. Raises what any part raises."""
    cases, problems = choose_cases(request, bench.documents)
    settings = settings_of(request, bench.config)
    judge = bench.judge(request)
    record = run_record(
        request,
        cases,
        problems,
        settings,
        config=bench.config,
        store=bench.store,
        embedder=bench.embedder,
        judge=judge.name if judge else None,
    )
    done: set[tuple[str, str]] = set()
    if resumed:
        _check_unchanged(folder, record)
        done = {outcome.key for outcome in folder.outcomes() if not outcome.failure}
    else:
        folder.begin(record)
    _say_problems(problems)
    workshop = _workshop(bench, request, folder)
    subjects = workshop.subjects(settings)
    _ask(cases, subjects, bench, Plan(request.answers, judge), folder, done)
    return Comparison(folder.outcomes(), [setting.name for setting in settings])


def _workshop(bench: Bench, request: Request, folder: RunFolder) -> Workshop:
    progress = diagnostics.ProgressLine()
    return Workshop(
        config=bench.config,
        store=bench.store,
        embedder=bench.embedder,
        vectors=folder.path / "vectors",
        answers=request.answers,
        embedding=lambda left: progress.show(_("%(n)d texts left to embed") % {"n": left}),
    )


def _ask(
    cases: Sequence[Case],
    subjects: Sequence[Any],
    bench: Bench,
    plan: Plan,
    folder: RunFolder,
    done: set[tuple[str, str]],
) -> None:
    progress = diagnostics.ProgressLine()
    total = len(cases) * len(subjects) - len(done)
    failed = 0
    started = time.monotonic()
    try:
        for number, outcome in enumerate(run(cases, subjects, bench.store, plan, done), start=1):
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


def _say_problems(problems: Sequence[Problem]) -> None:
    for problem in problems:
        diagnostics.warning(plain(str(problem)))


def print_report(heading: Iterable[str], sections: Iterable[Section]) -> None:
    """Show a report on standard output."""
    for line in heading:
        write(plain(line))
    for section in sections:
        write()
        write(plain(section.title))
        if len(section.rows) > 1:
            write(_fitted([[plain(cell) for cell in row] for row in section.rows]))
        for line in section.lines:
            write(plain(line))


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
        request = Request.of(record)
    except (KeyError, TypeError) as error:
        raise NotesError(
            _("The run in %(path)s was made by another version of tutor.") % {"path": folder.path},
            _("Begin a new one, without --resume."),
        ) from error
    return request, config.varied({**request.options, "course": request.course})
