"""`tutor cards write`: cards written by the language model, each kept as soon as it is checked."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import click

from tutor.app import make_embedder, read_course
from tutor.cli import diagnostics
from tutor.cli.cards import cards_to_ask, selection
from tutor.cli.invocation import Invocation
from tutor.cli.options import JSON, TOPIC, filter_options
from tutor.cli.output import wrapped, write, write_json
from tutor.courses import course_command
from tutor.embedding.embedder import Embedder
from tutor.i18n import _, ngettext, plural
from tutor.index.store import find_manifest
from tutor.presentation.amounts import duration
from tutor.presentation.cards import reason_name
from tutor.search.filters import FilterChoice
from tutor.study.refreshing import documents
from tutor.study.store import StudyStore
from tutor.text.language import Language

if TYPE_CHECKING:
    from tutor.llm import OllamaChat
    from tutor.study.writing.tasks import Task

_LIMIT = 20


@dataclass
class _Run:
    """What came of a run: of `wanted` cards, `left` more sentences could be asked of another time.

    `known` sentences have a card of the rules and are not asked of.
    """

    course: str
    model: str
    wanted: int
    left: int
    known: int
    kept: int = 0
    dropped: Counter[str] = field(default_factory=Counter)

    @property
    def asked(self) -> int:
        """How many were decided."""
        return self.kept + self.dropped.total()


@click.command(
    name="write",
    help=_("Let the language model write cards; each is checked against its page first."),
)
@filter_options
@TOPIC
@click.option(
    "--limit",
    type=click.IntRange(1, 100_000),
    default=_LIMIT,
    show_default=True,
    help=_("How many cards to ask the model for; not all pass the check."),
)
@click.option(
    "--language",
    type=click.Choice(["es", "en"]),
    help=_("Only notes in this language, which is that of their cards."),
)
@JSON
@click.pass_obj
def write_command(
    invocation: Invocation,
    topic: str,
    limit: int,
    language: Language | None,
    as_json: bool,
    choice: FilterChoice,
) -> None:
    # With `httpx` and the verifier, for this command only.
    from tutor.llm import OllamaChat  # noqa: PLC0415
    from tutor.study.writing.tasks import tasks  # noqa: PLC0415
    from tutor.study.writing.wording import TEMPERATURE  # noqa: PLC0415

    config, course = invocation.course()
    which = selection(course, choice, topic)
    find_manifest(course.store)  # before a model is looked for
    model = OllamaChat(config.varied({"ollama.temperature": TEMPERATURE}).ollama)
    if error := model.why_not():
        raise error
    with cards_to_ask(config, course) as store:
        with read_course(config, course) as reader:
            given = [
                (source, text)
                for source, text in documents(reader)
                if which.sources is None or source.id in which.sources
            ]
            found = tasks(given, which.topic, language)
        done = store.known(course.name)
        new = [task for task in found if not task.known]
        todo = [t for t in new if t.card_id not in done and t.key(model.name) not in done]
        wanted = min(limit, len(todo))
        run = _Run(course.name, model.name, wanted, len(todo) - wanted, len(found) - len(new))
        embedder, _why = make_embedder(config, course)
        try:
            _write(run, todo[:wanted], store, model, embedder)
        finally:
            if as_json:
                write_json(_record(run))
            else:
                _tell(run)


def _write(
    run: _Run, given: Sequence[Task], store: StudyStore, model: OllamaChat, embedder: Embedder
) -> None:
    """Have the cards written, each kept at once."""
    from tutor.study.writing.wording import write_cards  # noqa: PLC0415 - as above

    begun = time.monotonic()
    with diagnostics.ProgressLine() as progress:
        for written in write_cards(given, model, embedder):
            store.keep_written(run.course, written.task.key(model.name), written.card)
            run.kept += written.card is not None
            if written.reason:
                run.dropped[written.reason] += 1
            rest = (time.monotonic() - begun) / run.asked * (run.wanted - run.asked)
            told = _("%(n)d of %(all)d written · %(kept)d kept · about %(left)s left")
            values = {"n": run.asked, "all": run.wanted, "kept": run.kept, "left": duration(rest)}
            progress.show(told % values)


def _tell(run: _Run) -> None:
    """What came of the run, and why not more."""
    if not run.wanted:
        diagnostics.line(_("There is nothing left that this model was not asked about."))
        return
    told = ngettext(
        "%(kept)d card kept of %(n)d written by %(model)s.",
        "%(kept)d cards kept of %(n)d written by %(model)s.",
        run.kept,
    )
    write(wrapped(told % {"kept": run.kept, "n": run.asked, "model": run.model}))
    for reason, n in run.dropped.most_common():
        write(f"  {n:>4}  " + reason_name(reason))
    if run.known:
        told = plural(
            "%(n)d sentence was not asked of: a card of the rules says the same.",
            "%(n)d sentences were not asked of: cards of the rules say the same.",
            run.known,
        )
        write(wrapped(told))
    if run.left:
        told = plural(
            "%(n)d more can be asked for in this choice of the notes.",
            "%(n)d more can be asked for in this choice of the notes.",
            run.left,
        )
        diagnostics.line(wrapped(told))
    if run.kept:
        review = course_command("study", run.course)
        diagnostics.line(_("Review them: %(command)s") % {"command": review})


def _record(run: _Run) -> dict[str, object]:
    return {
        "course": run.course,
        "model": run.model,
        "written": run.asked,
        "kept": run.kept,
        "dropped": dict(run.dropped),
        "known": run.known,
        "left": run.left + run.wanted - run.asked,
    }
