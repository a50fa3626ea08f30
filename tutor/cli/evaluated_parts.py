"""Parts of `tutor eval` that few runs need: single stages, written questions, a suggestion."""

from __future__ import annotations

import os
from collections.abc import Sequence
from contextlib import closing
from dataclasses import asdict, replace
from functools import partial
from typing import Any

from tutor.answer import Agent, answer
from tutor.answer.finding import depth
from tutor.app import make_agent
from tutor.cli import diagnostics
from tutor.cli.evaluating import Bench
from tutor.cli.output import table, write, write_json
from tutor.config import Config, config_file
from tutor.errors import NotesError
from tutor.evaluation import tasks
from tutor.evaluation.cases import (
    Request,
    conversation_cases,
    is_sample_course,
    sample_questions,
)
from tutor.evaluation.comparison import Results
from tutor.evaluation.generation import RULES, Tally, case_line, generate
from tutor.evaluation.metrics import HEADLINE
from tutor.evaluation.records import RunFolder
from tutor.evaluation.report import Section, label
from tutor.evaluation.settings import Setting, write_settings
from tutor.events import Filtered, Judged
from tutor.i18n import _
from tutor.model import Answerability
from tutor.search.retrieval import Found, retrieve_in_context
from tutor.text.terminal import one_line
from tutor.timing import Stopwatch

QUESTIONS_FILE = "questions.jsonl"


def print_task(task: str, bench: Bench, judge: str, *, as_json: bool) -> None:
    """Measure one stage by itself, or that judge, on the data that come with the program."""
    names, *values = _task_rows(task, bench, judge)
    if as_json:
        write_json([dict(zip(names, row, strict=True)) for row in values])
    else:
        write(table([names, *values]))


def _task_rows(task: str, bench: Bench, judge: str) -> Sequence[Sequence[str]]:
    if task == "judge":
        asked = bench.judge_called(judge)
        return tasks.agreement_rows(tasks.judged(asked, tasks.judged_answers()), asked.name)
    if task == "grounding":
        return tasks.support_rows(tasks.verified(tasks.support_pairs(), bench.embedder))
    if task == "followups":
        return _followup_rows(bench)
    if not is_sample_course(bench.documents):
        raise NotesError(
            _("This task is measured on the sample course only: its cases are about that."),
            _("Choose the sample course with --course, or measure yours without --task."),
        )
    quoting = bench.config.varied({"engine": "extractive"})
    agent = make_agent(quoting, bench.store, bench.embedder)
    answerable = partial(_answerability, agent=agent)
    return tasks.refusal_rows(tasks.refused(sample_questions(), answerable))


def _followup_rows(bench: Bench) -> Sequence[Sequence[str]]:
    cases = conversation_cases(bench.documents)
    if not cases:
        raise NotesError(
            _("There are no follow-ups for this course: those that come along are about others."),
            _("Choose the sample course with --course."),
        )
    agent = make_agent(bench.config.varied({"engine": "extractive"}), bench.store, bench.embedder)
    ask = partial(_ask, agent=agent)
    return tasks.context_rows(tasks.asked_in_context(cases, ask, agent.k))


def _ask(question: str, earlier: str, *, agent: Agent) -> Found:
    """As a conversation is searched: as many passages as answers are quoted from."""
    return retrieve_in_context(
        question,
        earlier,
        agent.store,
        agent.embedder,
        strategy=agent.strategy,
        k=depth(agent.k),
        stopwatch=Stopwatch(),
        hybrid=agent.hybrid,
    )


def _answerability(question: str, *, agent: Agent) -> Answerability:
    """What the product decides before it generates anything."""
    with closing(answer(question, agent)) as events:
        for event in events:
            if isinstance(event, Judged):
                return event.answerability
            if isinstance(event, Filtered) and not event.documents:  # nothing is left to judge
                return Answerability(answerable=False, evidence=0.0, threshold=0.0)
    raise NotesError(
        _("The index cannot tell what it does not cover."), _("Bring it up to date: tutor index")
    )


def generated(bench: Bench, request: Request, folder: RunFolder, n: int) -> Request:
    """Write questions from the notes into the run's folder; the request asks those.

    Raises `NotesError` where the notes give none.
    """
    agent = make_agent(bench.config, bench.store, bench.embedder)
    tally, progress = Tally(), diagnostics.ProgressLine()
    found = []
    for case in generate(bench.store, bench.embedder, n, model=agent.model, tally=tally):
        found.append(case)
        progress.show(_("%(n)d of %(total)d questions") % {"n": len(found), "total": n})
    progress.clear()
    if not found:
        raise NotesError(
            _("No questions could be made from these notes."),
            _("Write some yourself and give their file with --cases."),
        )
    author = agent.model.name if agent.model else RULES
    path = folder.write(QUESTIONS_FILE, "".join(case_line(case, author) for case in found))
    diagnostics.line(table(tally.rows()))
    diagnostics.line(
        _("The questions are in %(path)s. Edit them and ask them again with --cases.")
        % {"path": one_line(str(path))}
    )
    return replace(request, source=str(path.absolute()))


def suggested(
    config: Config, settings: Sequence[Setting], results: Results, *, write_file: bool
) -> tuple[dict[str, Any] | None, Section]:
    """The setting to use and why, as a record and as words; written to the file if wanted."""
    by_name = {setting.name: setting for setting in settings}
    present = next((s.name for s in settings if _in_force(s, config)), None)
    suggestion = results.suggest(present)
    title = _("Suggestion")
    if suggestion is None:
        return None, Section(title, (), [_("No question tells: none names its passage.")])
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
    return record, Section(title, (), lines)


def _in_force(setting: Setting, config: Config) -> bool:
    return setting.is_configurable and setting.config(config) == config
