"""What a message offers to type does what it says, with several courses and spaces in names."""

from __future__ import annotations

import re
import shlex
import shutil
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tutor.courses import DEFAULT_COURSE, course_command, index_command
from tutor.errors import command

if TYPE_CHECKING:
    from tests.course import Workspace

ALGEBRA, NETS = "Álgebra lineal", "Redes"


@pytest.fixture
def courses(fresh: Workspace) -> Workspace:
    """Two courses, none of which is indexed."""
    _trees, clusters, nets = sorted(fresh.notes.iterdir())
    for name, path in ((ALGEBRA, nets), (NETS, clusters)):
        (fresh.notes / name).mkdir()
        path.rename(fresh.notes / name / path.name)
    for path in fresh.notes.glob("*.pdf"):
        path.unlink()
    return fresh


def offered(said: str) -> tuple[str, ...]:
    """The arguments of the one command that is offered."""
    (found,) = re.findall(r"(?:→|:) tutor ([^\n]*)$", said, re.MULTILINE)
    return tuple(shlex.split(found))


@pytest.mark.parametrize("course", [ALGEBRA, "it's"])
def test_every_command_that_is_offered_runs_on_its_own_course(
    courses: Workspace, course: str
) -> None:
    (courses.notes / ALGEBRA).rename(courses.notes / course)

    def run(*arguments: str, typed: str = "") -> str:
        done = courses.run_here(*arguments, typed=typed)
        assert done.returncode == 0, (arguments, done.stderr)
        return done.stdout + done.stderr

    def follow(*arguments: str, typed: str = "") -> str:
        """Run what a command of the course offers; gives what that says."""
        return run(*offered(courses.run_here("--course", course, *arguments).stderr), typed=typed)

    assert f"Course `{course}` indexed" in follow("stats")
    made = follow("cards", "list")
    assert "new card" in made
    assert "cards left" in run(*offered(made), typed="q\n")
    assert "Question" in follow("cards", "show", "ffff")
    assert "Ask about your notes." in follow("sessions", "show", "ffff", typed="/salir\n")
    assert follow("map", "show", "nada que haya")
    shutil.rmtree(courses.root / "stores" / course)
    updates = re.findall(r"→ tutor (index .*)", courses.run_here("doctor").stdout)
    told = "".join(run(*shlex.split(update)) for update in updates)
    assert all(f"Course `{name}` indexed" in told for name in (course, NETS))


def test_what_a_command_is_given_is_quoted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TUTOR_COMMAND", "./scripts/tutor")
    assert command("eval --resume", Path("a b")) == "./scripts/tutor eval --resume 'a b'"
    assert command("pull", "qwen3:4b") == "./scripts/tutor pull qwen3:4b"
    assert course_command("study", ALGEBRA) == f"./scripts/tutor --course '{ALGEBRA}' study"
    assert course_command("study", DEFAULT_COURSE) == "./scripts/tutor study"
    assert index_command("a b", "--rebuild") == "./scripts/tutor index --rebuild --course 'a b'"


def test_the_strategy_that_is_missing_is_offered_for_its_course(courses: Workspace) -> None:
    courses.run_here("index", "--course", ALGEBRA, "--strategy", "fixed")
    asked = ("--course", ALGEBRA, "search", "--strategy", "semantic", "capas de neuronas")
    refused = courses.run_here(*asked)
    (found,) = re.findall(r"→ tutor (index .*)", refused.stderr)
    assert courses.run_here(*shlex.split(found)).returncode == 0
    assert courses.run_here(*asked).returncode == 0
