"""The course in force, asked as the product asks, and the cases that come with the program.

It is the course in the current folder, or that of TUTOR_ROOT and TUTOR_STORES_DIR.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tutor.answer import Agent
from tutor.app import find_course, make_agent, make_embedder, open_course
from tutor.config import Config, find_root, load_config

ROOT = Path(__file__).resolve().parent.parent
DATA = ROOT / "tutor" / "evaluation" / "data"


def in_force(**changes: object) -> Config:
    """The configuration, as the environment says, with some settings changed."""
    return load_config(find_root(Path.cwd(), os.environ), os.environ, changes)


@contextmanager
def course_agent(config: Config | None = None) -> Iterator[Agent]:
    """An agent over the course's index; it answers with quotes unless `config` says otherwise."""
    config = config or in_force(engine="extractive")
    embedder, _why = make_embedder(config)
    with open_course(config, find_course(config), embedder) as store:
        yield make_agent(config, store, embedder)


def records(path: Path | str) -> list[Any]:
    """The lines of a file of JSON; a name alone is one of the cases that come with the program."""
    lines = (DATA / path).read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines if line.strip()]
