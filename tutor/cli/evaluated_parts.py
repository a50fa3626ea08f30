"""Parts of `tutor eval` that few runs need: single stages, written questions, a suggestion."""

from __future__ import annotations

import os
from contextlib import closing
from dataclasses import asdict, replace
from functools import partial
from typing import TYPE_CHECKING, Any

from tutor.answering import answer
from tutor.assembly import make_agent
from tutor.chunking import detect_language, split_sentences
from tutor.cli import diagnostics
from tutor.cli.output import table, write, write_json
from tutor.config import config_file
from tutor.errors import NotesError
from tutor.evaluation.cases import sample_followups, sample_questions
from tutor.evaluation.labels import label
from tutor.evaluation.measures import HEADLINE
from tutor.evaluation.rankings import by_product
from tutor.evaluation.report import Section, shown
from tutor.evaluation.selection import is_sample_course
from tutor.evaluation.suggestion import suggest, write_settings
from tutor.events import Judged
from tutor.i18n import _
from tutor.presentation.plain import plain
from tutor.timing import Stopwatch

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tutor.answering import Agent
    from tutor.cli.evaluating import Bench
    from tutor.config import Config
    from tutor.evaluation.comparison import Comparison
    from tutor.evaluation.judging import Judge
    from tutor.evaluation.outcomes import RunFolder
    from tutor.evaluation.provenance import Request
    from tutor.evaluation.settings import Setting
    from tutor.types import Coverage, Hit

QUESTIONS_FILE = "questions.jsonl"


def print_task(task: str, bench: Bench, judge: str, *, as_json: bool) -> None:
    """Measure one stage by itself, or that judge, on the data that come with the program."""
    rows = _judge_rows(bench.judge_called(judge)) if task == "judge" else _task_rows(task, bench)
    if as_json:
        names, *values = rows
        write_json([dict(zip(names, row, strict=True)) for row in values])
    else:
        write(table(rows))


def _judge_rows(judge: Judge) -> Sequence[Sequence[str]]:
    """How far the judge agrees with a person, on answers that it was and was not fitted to."""
    from tutor.evaluation import validation  # noqa: PLC0415 - the task's own

    found = []
    for split in ("dev", "test"):
        done = validation.validate(judge, validation.judged_answers(split), group=split)
        found += [done, *(validation.by_kind(done) if split == "test" else [])]
    return validation.agreement_rows(found)


def _task_rows(task: str, bench: Bench) -> Sequence[Sequence[str]]:
    if task == "grounding":
        from tutor.evaluation import grounding  # noqa: PLC0415 - the task's own

        pairs = grounding.support_pairs()
        return grounding.rows(
            grounding.evaluate(pairs, bench.embedder, split_sentences, detect_language)
        )
    if not is_sample_course(bench.documents):
        raise NotesError(
            _("This task is measured on the sample course only: its cases are about that."),
            _("Choose the sample course with --course, or measure yours without --task."),
        )
    quoting = bench.config.varied({"engine": "extractive"})
    agent = make_agent(quoting, bench.store, bench.embedder)
    if task == "followups":
        from tutor.evaluation import followups  # noqa: PLC0415 - the task's own

        ask = partial(_ask, agent=agent)
        return followups.rows(followups.evaluate(sample_followups(), ask, k=agent.k))
    from tutor.evaluation import refusals  # noqa: PLC0415 - the task's own

    return refusals.rows(refusals.evaluate(sample_questions(), partial(_covers, agent=agent)))


def _ask(question: str, *, agent: Agent) -> list[Hit]:
    return by_product(question, agent, agent.k, Stopwatch())


def _covers(question: str, *, agent: Agent) -> Coverage:
    """What the product decides before it generates anything."""
    with closing(answer(question, agent)) as events:
        for event in events:
            if isinstance(event, Judged):
                return event.coverage
    raise NotesError(
        _("The index cannot tell what it does not cover."), _("Bring it up to date: tutor index")
    )


def generated(bench: Bench, request: Request, folder: RunFolder, n: int) -> Request:
    """Write questions from the notes into the run's folder; the request asks those.

    Raises `NotesError` where the notes give none.
    """
    from tutor.evaluation.generated_cases import Tally, case_lines, tally_rows  # noqa: PLC0415
    from tutor.evaluation.generation import generate  # noqa: PLC0415 - only with --generate

    agent = make_agent(bench.config, bench.store, bench.embedder)
    tally, progress = Tally(), diagnostics.ProgressLine()
    found = []
    for case in generate(
        bench.store,
        bench.embedder,
        split_sentences,
        detect_language,
        n,
        model=agent.model,
        tally=tally,
    ):
        found.append(case)
        progress.show(_("%(n)d of %(total)d questions") % {"n": len(found), "total": n})
    progress.clear()
    if not found:
        raise NotesError(
            _("No questions could be made from these notes."),
            _("Write some yourself and give their file with --cases."),
        )
    path = folder.write(QUESTIONS_FILE, "".join(case_lines(found)))
    diagnostics.line(table(tally_rows(tally)))
    diagnostics.line(
        _("The questions are in %(path)s. Edit them and ask them again with --cases.")
        % {"path": path}
    )
    return replace(request, source=str(path.absolute()))


def suggested(
    config: Config, settings: Sequence[Setting], comparison: Comparison, *, write_file: bool
) -> tuple[dict[str, Any] | None, Section]:
    """The setting to use and why, as a record and as words; written to the file if wanted."""
    by_name = {setting.name: setting for setting in settings}
    present = next((s.name for s in settings if _in_force(s, config)), None)
    suggestion = suggest(comparison, present)
    title = _("Suggestion")
    if suggestion is None:
        return None, Section(title, (), [_("No question tells: none names its passage.")])
    chosen = by_name[suggestion.chosen]
    lines = [
        _("Use %(name)s: %(measure)s %(average)s, n = %(n)d.")
        % {
            "name": suggestion.chosen,
            "measure": label(HEADLINE),
            "average": shown(suggestion.average),
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
    return record, Section(title, (), [plain(line) for line in lines])


def _in_force(setting: Setting, config: Config) -> bool:
    return setting.is_configurable and setting.config(config) == config
