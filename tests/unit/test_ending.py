"""Ctrl-C at a bad moment waits until that is over."""

from __future__ import annotations

import signal
import threading
import time

import pytest

from tutor.ending import imports_uninterrupted, interrupts_held


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


def test_an_interrupt_of_an_import_waits_until_that_is_over() -> None:
    done: list[str] = []
    press = "signal.raise_signal(signal.SIGINT); done.append('whole')"
    names = {"signal": signal, "done": done}

    @imports_uninterrupted()
    def work() -> None:
        exec(compile(press, "<frozen importlib._bootstrap>", "exec"), names)
        time.sleep(10)
        done.append("never told")

    with pytest.raises(KeyboardInterrupt):
        work()
    assert done == ["whole"]
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_other_code_is_interrupted_at_once_while_imports_are_not() -> None:
    with pytest.raises(KeyboardInterrupt), imports_uninterrupted():
        signal.raise_signal(signal.SIGINT)


def test_a_thread_may_do_what_would_spare_its_imports() -> None:
    done: list[str] = []

    def work() -> None:
        with imports_uninterrupted():
            done.append("whole")

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert done == ["whole"]
