"""The app in a real terminal that is closed, or told to end, while an answer is being written."""

from __future__ import annotations

import os
import re
import select
import signal
import subprocess
import sys
import time
from contextlib import suppress
from typing import TYPE_CHECKING

import pytest
from filelock import FileLock

from tests.course import COMMAND
from tests.ollama_double import ollama_double
from tests.slow import also_slow
from tutor.history import SessionStore, TurnState

if sys.platform != "win32":
    import fcntl
    import termios

if TYPE_CHECKING:
    from tests.course import Workspace

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="terminals")
QUESTION = "¿Qué es una red neuronal?"
_STYLES = re.compile(r"\x1b\[[0-9;]*[mH]")
_LONGEST_WAIT_S = 60.0


@pytest.mark.parametrize("number", [signal.SIGHUP, *also_slow(signal.SIGTERM)])
def test_an_answer_is_saved_and_the_terminal_given_back(
    indexed: Workspace, number: signal.Signals
) -> None:
    with ollama_double() as server:
        process, terminal = _started(
            indexed, TUTOR_OLLAMA_HOST=server.host, TUTOR_OLLAMA_MODEL="endless"
        )
        try:
            _read_until(terminal, "f1")
            os.write(terminal, QUESTION.encode())
            _read_until(terminal, "Aprende", pressing=b"\r")  # it is not taken while it opens
            if number == signal.SIGTERM:
                process.send_signal(number)
                _read_until(terminal, "\x1b[?1049l")
                with suppress(OSError):
                    _read_until(terminal, "\0")  # to the end
            os.close(terminal)
            # A terminal that is gone may also be told by its refusal to be written to: by us, or
            # by Python, which then ends with 120.
            others = {1, 120} if number == signal.SIGHUP else set[int]()
            assert process.wait(20) in {128 + number, *others}
        finally:
            process.kill()  # or the server waits for it
            process.wait()
    with SessionStore(indexed.root / "stores" / "sessions.db") as store:
        (turn,) = store.turns(store.sessions()[0].id)
    assert (turn.question, turn.state) == (QUESTION, TurnState.STOPPED)
    assert turn.answer
    assert turn.answer.citations


def test_a_terminal_that_is_gone_ends_the_app_without_any_signal(indexed: Workspace) -> None:
    with ollama_double() as server:
        process, terminal = _started(
            indexed,
            ignoring=signal.SIGHUP,
            TUTOR_OLLAMA_HOST=server.host,
            TUTOR_OLLAMA_MODEL="endless",
        )
        try:
            _read_until(terminal, "f1")
            os.write(terminal, QUESTION.encode())
            _read_until(terminal, "Aprende", pressing=b"\r")
            os.close(terminal)
            assert process.wait(20) in {1, 120, 128 + signal.SIGHUP}
        finally:
            process.kill()
            process.wait()


@pytest.mark.parametrize("asked", ["on its screen", *also_slow("in a question")])
def test_leaving_does_not_wait_for_a_map_that_another_process_makes(
    mapped: Workspace, asked: str
) -> None:
    for path in mapped.store.glob("map-*"):
        path.unlink()
    with FileLock(mapped.store / "map.lock"):
        process, terminal = _started(mapped)
        try:
            _read_until(terminal, "f1")
            if asked == "on its screen":
                _read_until(terminal, "Opening the map", pressing=b"\x1b[21~")
            else:
                os.write(terminal, "¿Qué semanas hablan de la entropía?".encode())
                _read_until(terminal, "Stop", pressing=b"\r")
            process.send_signal(signal.SIGTERM)
            with suppress(OSError):
                _read_until(terminal, "\0")
            assert process.wait(20) == 128 + signal.SIGTERM
        finally:
            process.kill()
            process.wait()
            os.close(terminal)


def _started(
    workspace: Workspace, *, ignoring: signal.Signals | None = None, **settings: str
) -> tuple[subprocess.Popen[bytes], int]:
    """The app in a terminal of its own, and the other end of that."""

    def begin() -> None:
        fcntl.ioctl(0, termios.TIOCSCTTY, 0)
        if ignoring is not None:
            signal.signal(ignoring, signal.SIG_IGN)

    terminal, follower = os.openpty()
    termios.tcsetwinsize(follower, (30, 100))
    process = subprocess.Popen(
        COMMAND,
        env=workspace.environment(TERM="xterm", **settings),
        cwd=workspace.root,
        stdin=follower,
        stdout=follower,
        stderr=follower,
        start_new_session=True,
        preexec_fn=begin,  # noqa: PLW1509 - no lock
    )
    os.close(follower)
    return process, terminal


def _read_until(terminal: int, text: str, *, pressing: bytes = b"") -> None:
    """Read until that is shown, pressing a key now and then.

    Raises `OSError` where the other side is closed.
    """
    seen, begun, pressed = "", time.monotonic(), 0.0
    while text not in seen:
        now = time.monotonic()
        assert now < begun + _LONGEST_WAIT_S, seen[-2000:]
        if pressing and now > pressed + 1:
            os.write(terminal, pressing)
            pressed = now
        if select.select([terminal], [], [], 0.2)[0]:
            seen += _STYLES.sub("", os.read(terminal, 65536).decode(errors="replace"))
