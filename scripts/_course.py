"""The course in force, asked as the product asks, and the cases that come with the program.

It is the course in the current folder, or that of TUTOR_ROOT and TUTOR_STORES_DIR.
"""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from tutor.answer import Agent, answer
from tutor.app import find_course, make_agent, make_embedder, open_course
from tutor.config import Config, EmbedderConfig, OllamaConfig, find_root, load_config
from tutor.embedding import choose_embedder
from tutor.embedding.embedder import CachingEmbedder
from tutor.evaluation.statistics import interval
from tutor.events import Finished, Judged, Retrieved, Routed
from tutor.model import Answer, Answerability, Hit, Route, Strategy

ROOT = Path(__file__).resolve().parent.parent
DATA = ROOT / "tutor" / "evaluation" / "data"


def in_force(**changes: object) -> Config:
    """The configuration, as the environment says, with some settings changed."""
    return load_config(find_root(Path.cwd(), os.environ), os.environ, changes)


def copied_course(folder: Path) -> Path:
    """Copy the notes and the indexes of the course in force there; returns the folder."""
    config = in_force()
    shutil.copytree(config.notes_path, folder / "notes")
    shutil.copytree(config.stores_path, folder / "stores")
    return folder


def bundled(precision: str = "auto") -> CachingEmbedder:
    """The bundled embedder, whatever the settings say."""
    settings = EmbedderConfig.model_validate({"kind": "bundled", "precision": precision})
    return CachingEmbedder(choose_embedder(settings, OllamaConfig())[0])


@contextmanager
def course_agent(config: Config | None = None) -> Iterator[Agent]:
    """An agent over the course's index; it answers with quotes unless `config` says otherwise."""
    config = config or in_force(engine="extractive")
    embedder, _why = make_embedder(config)
    with open_course(config, find_course(config), embedder) as store:
        yield make_agent(config, store, embedder)


class Asked(NamedTuple):
    """What came of a question: `verdict` is None where nothing was judged."""

    answer: Answer
    route: Route
    hits: Sequence[Hit] = ()
    verdict: Answerability | None = None


def ask(question: str, agent: Agent, strategy: Strategy | None = None) -> Asked:
    """Ask as the product does; with `strategy` that index, whatever words the question has."""
    events = list(answer(question, agent, forced=Route(strategy.value) if strategy else None))
    return Asked(
        next(event.answer for event in events if isinstance(event, Finished)),
        [event.route for event in events if isinstance(event, Routed)][-1],
        [hit for event in events if isinstance(event, Retrieved) for hit in event.hits],
        next((event.answerability for event in events if isinstance(event, Judged)), None),
    )


def share(values: Iterable[float]) -> str:
    """An average with its 95 % interval."""
    return format(interval([float(value) for value in values], seed=1), ".3f")


def records(path: Path | str) -> list[Any]:
    """The lines of a file of JSON; a name alone is one of the cases that come with the program."""
    lines = (DATA / path).read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines if line.strip()]
