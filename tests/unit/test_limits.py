"""A process that reads PDFs keeps to its limits, and says which one it went beyond."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests import pdfs
from tests.course import REPO
from tutor.errors import UnreadablePdf
from tutor.ingest.reading.drawing_process import PageRenderer
from tutor.ingest.reading.limits import LimitExit
from tutor.ingest.reading.rendering import PageRequest

posix = pytest.mark.skipif(sys.platform == "win32", reason="limits as POSIX has them")


def _process(work: str, memory_mb: int = 300, timeout_s: float = 30) -> subprocess.Popen[str]:
    """Python that does the work within the limits and then prints `done`."""
    code = (
        "import os, re, resource, signal, subprocess, sys, time\n"
        "from tutor.ingest.reading.limits import limited\n"
        f"with limited({memory_mb}, {timeout_s}):\n    {work}\nprint('done')"
    )
    return subprocess.Popen(
        [sys.executable, "-c", code],
        env={**os.environ, "PYTHONPATH": str(REPO)},
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )


def _outcome(process: subprocess.Popen[str]) -> tuple[int, str]:
    output, _errors = process.communicate(timeout=120)
    return process.returncode, output


@pytest.mark.parametrize(
    ("work", "code"),
    [
        ("kept = [bytes(1 << 20) * 8 for _ in iter(int, 1)]", LimitExit.MEMORY),
        ("[0 for n in iter(int, 1) if n]", LimitExit.TIME),
        (
            "[0 for n in iter(int, 1) if subprocess.run([sys.executable, '-c', '']) == n]",
            LimitExit.TIME,
        ),
        ("time.sleep(60)", LimitExit.STALLED),
    ],
    ids=["memory", "computing", "computing of other programs", "waiting"],
)
def test_what_goes_beyond_a_limit_ends_with_its_code(work: str, code: LimitExit) -> None:
    limit = 1.0 if code != LimitExit.MEMORY else 60
    found, output = _outcome(_process(work, timeout_s=limit))
    assert not output
    assert found == code


@posix
def test_what_lets_no_other_thread_run_is_ended_by_the_system() -> None:
    found, _output = _outcome(_process("re.match('(a|aa)+$', 'a' * 60 + 'b')", timeout_s=0.5))
    assert found == -signal.SIGXCPU


@posix
def test_one_enormous_demand_is_refused() -> None:
    process = _process("bytes(64 << 30)")
    found, output = _outcome(process)
    assert (found, output) == (1, "")  # a MemoryError, before anything was taken


@posix
def test_a_machine_that_sleeps_costs_no_time() -> None:
    """A stopped process is to its clocks what a process on a sleeping machine is."""
    process = _process("time.sleep(3)", timeout_s=6)
    time.sleep(1.5)
    process.send_signal(signal.SIGSTOP)
    time.sleep(6)
    process.send_signal(signal.SIGCONT)
    assert _outcome(process) == (0, "done\n")


@posix
def test_within_the_limits_nothing_is_noticed_and_afterwards_all_is_as_before() -> None:
    limits = "[resource.getrlimit(k) for k in (resource.RLIMIT_AS, resource.RLIMIT_CPU)]"
    work = f"pass\nbefore = {limits}\nwith limited(200, 9):\n    bytes(1 << 27)\n"
    work += f"    assert {limits} != before\nassert {limits} == before"
    assert _outcome(_process(work)) == (0, "done\n")


def test_a_page_that_takes_too_much_memory_costs_its_picture_only(tmp_path: Path) -> None:
    bomb = pdfs.nested_forms(tmp_path / "bomba.pdf")
    sound = pdfs.one_column(tmp_path / "a.pdf")
    renderer = PageRenderer(timeout_s=60, memory_mb=128)
    try:
        with pytest.raises(UnreadablePdf, match="more than 128 MB") as caught:
            renderer.draw(PageRequest(bomb, 1), 100, 100)
        assert "reading.memory_mb" in caught.value.remedy
        assert renderer.draw(PageRequest(sound, 1), 100, 100).height == 100
    finally:
        renderer.close()
