"""Ctrl-C at a bad moment waits until that is over."""

from __future__ import annotations

import _thread
import signal
import sys
import threading
import time
from collections import defaultdict
from collections.abc import Callable
from concurrent.futures import Future, wait
from contextlib import suppress
from functools import partial
from itertools import count

import pytest

from tutor.ending import interrupts_held, locks_uninterrupted


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

    @locks_uninterrupted()
    def work() -> None:
        exec(compile(press, "<frozen importlib._bootstrap>", "exec"), names)
        time.sleep(10)
        done.append("never told")

    started = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        work()
    assert done == ["whole"]
    assert time.monotonic() - started < 5
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_other_code_is_interrupted_at_once_while_imports_are_not() -> None:
    with pytest.raises(KeyboardInterrupt), locks_uninterrupted():
        signal.raise_signal(signal.SIGINT)


def test_a_thread_may_do_what_would_spare_its_imports() -> None:
    done: list[str] = []

    def work() -> None:
        with locks_uninterrupted():
            done.append("whole")

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert done == ["whole"]


def _interrupted(work: Callable[[], None], place: int) -> bool:
    """Do it with Ctrl-C at that one of the moments at which Python looks for signals, if there are
    so many; whether there are.

    They come where a function begins, and where one that is written in C has ended.
    """
    press = defaultdict(_thread.interrupt_main)  # to look up what it lacks is no such moment
    left = place

    def count_down(_frame: object, event: str, _argument: object) -> None:
        nonlocal left
        left -= event in {"call", "c_return"}
        if left == 0:
            sys.setprofile(None)
            press[place]

    try:
        with locks_uninterrupted():
            sys.setprofile(count_down)
            try:
                work()
            finally:
                sys.setprofile(None)
            if left <= 0:
                time.sleep(10)
    except KeyboardInterrupt:
        return True
    assert left > 0
    return False


def _interrupted_wait(place: int) -> bool:
    """Wait for what does not come, interrupted there, and then let other threads bring it."""
    event, future = threading.Event(), Future[None]()

    def work() -> None:
        event.wait(0.001)
        wait([future], 0.001)
        with suppress(TimeoutError):
            future.result(0.001)

    interrupted = _interrupted(work, place)
    for bring in (event.set, partial(future.set_result, None)):
        thread = threading.Thread(target=bring, daemon=True)
        thread.start()
        thread.join(5)
        assert not thread.is_alive(), f"it waits for a lock that was kept at place {place}"
    return interrupted


def test_an_interrupted_wait_keeps_no_lock_that_other_threads_need() -> None:
    places = next(place for place in count(1) if not _interrupted_wait(place))
    assert places > 50
