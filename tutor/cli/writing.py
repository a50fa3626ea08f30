"""`tutor cards write`: cards written by the language model, each kept as soon as it is checked."""

from __future__ import annotations

import time
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import click

from tutor.app import make_embedder, read_course
from tutor.cli import diagnostics
from tutor.cli.cards import TOPIC, cards_to_ask, selection
from tutor.cli.filtering import filter_options
from tutor.cli.options import JSON
from tutor.cli.output import wrapped, write, write_json
from tutor.errors import command as typed
from tutor.i18n import _, ngettext
from tutor.index.store import find_manifest
from tutor.presentation.amounts import counted, duration
from tutor.presentation.cards import reason_name
from tutor.study.refreshing import documents

if TYPE_CHECKING:
    from tutor.cli.invocation import Invocation
    from tutor.config import Config
    from tutor.courses import Course
    from tutor.llm import OllamaChat
    from tutor.search.filters import FilterChoice
    from tutor.study.store import Selection, StudyStore
    from tutor.study.writing.course import Written
    from tutor.study.writing.passages import Task
    from tutor.text.language import Language

_LIMIT = 20


@dataclass
class _Tally:
    """How far a run is: of `wanted` cards, `left` more sentences could be asked of another time.

    `known` sentences have a card of the rules and are not asked of.
    """

    model: str
    wanted: int
    left: int
    known: int
    kept: int = 0
    dropped: Counter[str] = field(default_factory=Counter)
    begun: float = field(default_factory=time.monotonic)

    @property
    def asked(self) -> int:
        """How many were decided."""
        return self.kept + self.dropped.total()

    def add(self, written: Written) -> None:
        """Count what became of a card."""
        self.kept += written.card is not None
        if written.reason:
            self.dropped[written.reason] += 1


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
    """Have cards written; what is kept stays, however the run ends."""
    config, course = invocation.course()
    which = selection(course, choice, topic)
    find_manifest(course.store)  # before a model is looked for
    model = _model(config)
    with cards_to_ask(config, course) as store:
        found = _tasks(config, course, which, language)
        known = store.known(course.name)
        new = [task for task in found if not task.known]
        open_ = [t for t in new if t.card_id not in known and t.key(model.name) not in known]
        tally = _Tally(
            model.name,
            min(limit, len(open_)),
            max(0, len(open_) - limit),
            len(found) - len(new),
        )
        try:
            _write(config, course.name, store, open_[:limit], model, tally)
        finally:
            if as_json:
                write_json(_record(course.name, tally))
            else:
                _tell(tally)


def _model(config: Config) -> OllamaChat:
    """The model that writes. Raises `EngineError` where it cannot be asked."""
    from tutor.llm import OllamaChat  # noqa: PLC0415 - with `httpx`, 0.15 s
    from tutor.study.writing.drafts import TEMPERATURE  # noqa: PLC0415 - as above

    model = OllamaChat(config.varied({"ollama.temperature": TEMPERATURE}).ollama)
    if error := model.why_not():
        raise error
    return model


def _tasks(
    config: Config, course: Course, which: Selection, language: Language | None
) -> list[Task]:
    from tutor.study.writing.passages import tasks  # noqa: PLC0415 - with the verifier, for this command

    with read_course(config, course) as reader:
        given = [
            (source, text)
            for source, text in documents(reader)
            if which.sources is None or source.id in which.sources
        ]
        return tasks(given, which.topic, language)


def _write(
    config: Config,
    course: str,
    store: StudyStore,
    given: list[Task],
    model: OllamaChat,
    tally: _Tally,
) -> None:
    from tutor.study.writing.course import write_cards  # noqa: PLC0415 - as above

    embedder, _why = make_embedder(config)
    progress = diagnostics.ProgressLine()
    try:
        for written in write_cards(given, model, embedder):
            store.keep_written(course, written.task.key(model.name), written.card)
            tally.add(written)
            progress.show(_progress(tally))
    finally:
        progress.clear()


def _progress(tally: _Tally) -> str:
    rest = (time.monotonic() - tally.begun) / tally.asked * (tally.wanted - tally.asked)
    return _("%(n)d of %(all)d written · %(kept)d kept · about %(left)s left") % {
        "n": tally.asked,
        "all": tally.wanted,
        "kept": tally.kept,
        "left": duration(rest),
    }


def _tell(tally: _Tally) -> None:
    """What came of the run, and why not more."""
    if not tally.wanted:
        diagnostics.line(_("There is nothing left that this model was not asked about."))
        return
    told = ngettext(
        "%(kept)d card kept of %(n)d written by %(model)s.",
        "%(kept)d cards kept of %(n)d written by %(model)s.",
        tally.kept,
    )
    write(wrapped(told % {"kept": tally.kept, "n": tally.asked, "model": tally.model}))
    for reason, n in tally.dropped.most_common():
        write(f"  {n:>4}  " + reason_name(reason))
    if tally.known:
        told = ngettext(
            "%(n)d sentence was not asked of: a card of the rules says the same.",
            "%(n)d sentences were not asked of: cards of the rules say the same.",
            tally.known,
        )
        write(wrapped(counted(told, tally.known)))
    if tally.left:
        told = ngettext(
            "%(n)d more can be asked for in this choice of the notes.",
            "%(n)d more can be asked for in this choice of the notes.",
            tally.left,
        )
        diagnostics.line(wrapped(counted(told, tally.left)))
    if tally.kept:
        diagnostics.line(_("Review them: %(command)s") % {"command": typed("study")})


def _record(course: str, tally: _Tally) -> dict[str, Any]:
    return {
        "course": course,
        "model": tally.model,
        "written": tally.asked,
        "kept": tally.kept,
        "dropped": dict(tally.dropped),
        "known": tally.known,
        "left": tally.left + tally.wanted - tally.asked,
    }
