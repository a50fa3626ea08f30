"""`tutor bench`: how long answers take on this machine, over this course."""

from __future__ import annotations

import time
from collections.abc import Callable
from enum import StrEnum
from pathlib import Path
from typing import Any

import click

from tutor.cli import diagnostics
from tutor.cli.evaluating import print_report
from tutor.cli.invocation import Invocation
from tutor.cli.options import K
from tutor.cli.output import write_json
from tutor.cli.session import opened
from tutor.config import Config
from tutor.errors import NotesError, TutorError
from tutor.evaluation.cases import evenly, load_cases, sample_questions
from tutor.evaluation.latency import BenchPlan, Mode, Timings, measure
from tutor.evaluation.statistics import require_extra
from tutor.i18n import _
from tutor.model import Strategy
from tutor.presentation.amounts import duration


def _listed(known: type[StrEnum]) -> Callable[[click.Context, click.Parameter, str], Any]:
    """An option's callback: names of `known` separated by commas, each taken once."""

    def parsed(ctx: click.Context, param: click.Parameter, value: str) -> tuple[StrEnum, ...]:
        names = dict.fromkeys(name.strip() for name in value.split(","))
        try:
            return tuple(map(known, names))
        except ValueError:
            expected = ", ".join(known)
            raise click.BadParameter(
                _("It must be one of: %(expected)s.") % {"expected": expected}, ctx, param
            ) from None

    return parsed


def _count(name: str, default: int, text: str) -> Callable[[Any], Any]:
    """An option that counts something."""
    return click.option(
        f"--{name}", type=click.IntRange(0, 10_000), default=default, show_default=True, help=text
    )


@click.command(
    name="bench",
    help=_(
        "Measure how long questions take on this machine, stage by stage, beside the bare "
        "embedder and a plain langchain-chroma search."
    ),
)
@click.option(
    "--cases",
    type=click.Path(path_type=Path),
    help=_("Questions to ask, as JSON lines; else the sample course's."),
)
@_count("questions", 24, _("Number of questions."))
@_count("repetitions", 5, _("How often each is asked."))
@_count("answers", 6, _("Questions that are answered to the end."))
@click.option(
    "--strategies", default=",".join(Strategy), callback=_listed(Strategy), show_default=True
)
@K
@click.option("--modes", default=",".join(Mode), callback=_listed(Mode), show_default=True)
@click.option("--json", "printed_as_json", is_flag=True, help=_("Print the figures as JSON."))
@click.pass_obj
def command(
    invocation: Invocation,
    /,
    *,
    cases: Path | None,
    questions: int,
    printed_as_json: bool,
    modes: tuple[Mode, ...],
    strategies: tuple[Strategy, ...],
    k: int | None,
    **counts: Any,
) -> None:
    require_extra()
    config = invocation.config(k=k)
    with opened(config) as (_store, embedder):  # indexes at need, before anything is timed
        pass
    plan = BenchPlan(
        questions=_questions(cases, questions),
        strategies=strategies,
        modes=modes,
        **counts,
    )
    timings = _measured(config, plan)
    if not timings.measurements:
        why = "; ".join(reason for _what, reason in timings.failures)
        raise TutorError(_("Nothing could be measured: %(why)s") % {"why": why or "-"})
    from tutor.evaluation import latency_report  # noqa: PLC0415 - pandas, 0.2 s

    summary = latency_report.summarise(timings.measurements)
    if printed_as_json:
        settings = latency_report.configuration(config, plan, embedder)
        write_json(latency_report.as_json(summary, timings, settings))
    else:
        print_report([], latency_report.sections(summary))
    for what, why in timings.failures:
        diagnostics.warning(_("Not measured: %(what)s. %(why)s") % {"what": what, "why": why})


def _questions(path: Path | None, count: int) -> tuple[str, ...]:
    """So many, evenly spaced over the file, so that every kind and language is among them."""
    if path is None:
        cases = sample_questions()
    else:
        cases, problems = load_cases(path)
        for problem in problems:
            diagnostics.warning(problem)
    if not cases or not count:
        raise NotesError(
            _("There are no questions to ask."),
            _("Give a file of JSON lines (--cases), or a greater number (--questions)."),
        )
    return tuple(case.question for case in evenly(cases, count))


def _measured(config: Config, plan: BenchPlan) -> Timings:
    started = time.monotonic()
    with diagnostics.ProgressLine() as line:

        def progress(part: str, done: int, of: int) -> None:
            passed = duration(time.monotonic() - started)
            told = _("%(part)s: %(done)d of %(of)d · %(passed)s")
            line.show(told % {"part": part, "done": done, "of": of, "passed": passed})

        return measure(config, plan, progress)
