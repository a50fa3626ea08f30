"""Ctrl-C at a bad moment waits until that is over."""

from __future__ import annotations

import signal
import threading

import pytest

from tutor.ending import interrupts_held


def test_an_interrupt_comes_when_what_must_not_be_torn_is_done() -> None:
    done: list[str] = []

    def work() -> None:
        with interrupts_held():
            signal.raise_signal(signal.SIGINT)
            done.append("whole")

    with pytest.raises(KeyboardInterrupt):
        work()
    assert done == ["whole"]
    with pytest.raises(KeyboardInterrupt):
        signal.raise_signal(signal.SIGINT)


def test_nothing_happens_where_nobody_interrupts_and_in_other_threads() -> None:
    done: list[str] = []

    def work() -> None:
        with interrupts_held():
            done.append("whole")

    work()
    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert done == ["whole", "whole"]
