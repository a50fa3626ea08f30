"""Being told to end: SIGTERM, SIGHUP of a terminal that was closed, Ctrl-C at a bad moment, and a
thread whose result nobody wants any more.
"""

from __future__ import annotations

import _thread
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future, wait
from contextlib import contextmanager
from contextvars import ContextVar
from types import FrameType
from typing import TypeVar

BY_SIGNAL = 128
"""With the signal's number the exit code of a process that it ended."""
T = TypeVar("T")

_TICK_S = 0.25
_MOMENT_S = 0.02
_IMPORT_SYSTEM = "<frozen importlib"
_LOCKING_MODULES = ("threading", "concurrent.futures._base")
_LOCKING = frozenset(
    {
        "Condition.__enter__",
        "Condition.__exit__",
        "Condition._release_save",
        "Condition._acquire_restore",
        "_AcquireFutures.__enter__",
        "_AcquireFutures.__exit__",
    }
)
"""Functions of Python's threads and futures: one that is torn keeps a lock, or gives up one that
its caller gives up once more."""
_WAITING = "Condition.wait"
_is_unwanted: ContextVar[Callable[[], bool]] = ContextVar("is_unwanted", default=lambda: False)
_HAS_MASK = hasattr(signal, "pthread_sigmask")  # not on Windows
_ENDING = (signal.SIGTERM,) if sys.platform == "win32" else (signal.SIGTERM, signal.SIGHUP)


@contextmanager
def told_to_end(leave: Callable[[int], None]) -> Iterator[None]:
    """Have these signals call `leave` with the exit code that follows, in the main thread.

    A second one ends the process at once. What was ignored before, as under `nohup`, stays so.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def hear(number: int, _frame: FrameType | None) -> None:
        signal.signal(number, signal.SIG_DFL)
        leave(BY_SIGNAL + number)

    heard = [number for number in _ENDING if signal.getsignal(number) is not signal.SIG_IGN]
    former = {number: signal.signal(number, hear) for number in heard}
    try:
        yield
    finally:
        for number, handler in former.items():
            signal.signal(number, handler)


@contextmanager
def interrupts_held() -> Iterator[None]:
    """Hold Ctrl-C back until what must not be torn is done; then it interrupts.

    Processes that are started meanwhile inherit the mask and never see one: stopping them is the
    parent's affair. Modules that are imported while a thread imports others would stay locked for
    good if the interrupt fell into the import.
    """
    pressed = threading.Event()
    in_main = threading.current_thread() is threading.main_thread()
    handler = signal.signal(signal.SIGINT, lambda *_details: pressed.set()) if in_main else None
    mask = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT}) if _HAS_MASK else set()
    try:
        yield
    finally:
        if _HAS_MASK:
            signal.pthread_sigmask(signal.SIG_SETMASK, mask)
        if in_main:
            signal.signal(signal.SIGINT, handler)
    if pressed.is_set():
        raise KeyboardInterrupt


@contextmanager
def locks_uninterrupted() -> Iterator[None]:
    """Let Ctrl-C wait while Python is looking for a module, or takes or gives back a lock.

    An interrupt in a callback of the import system is lost, and leaves its lock held; one between
    the taking of a lock and the block that gives it back leaves that one held. Threads that need
    it later hang for good, and with them who joins them.
    """
    in_main = threading.current_thread() is threading.main_thread()
    if not in_main or signal.getsignal(signal.SIGINT) is not signal.default_int_handler:
        yield
        return

    def hear(_number: int, frame: FrameType | None) -> None:
        if frame is None or not _handles_a_lock(frame):
            raise KeyboardInterrupt
        again = threading.Timer(_MOMENT_S, _interrupt, [threading.get_ident()])
        again.daemon = True
        again.start()

    former = signal.signal(signal.SIGINT, hear)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, former)


def _handles_a_lock(frame: FrameType) -> bool:
    """Whether an interrupt of this function would leave a lock in a wrong state."""
    code = frame.f_code
    if code.co_filename.startswith(_IMPORT_SYSTEM):
        return True
    if frame.f_globals.get("__name__") not in _LOCKING_MODULES:
        return False
    if code.co_qualname == _WAITING:  # having given up the lock, it takes it again come what may
        return "saved_state" not in frame.f_locals
    return code.co_qualname in _LOCKING


def _interrupt(main: int) -> None:
    """Press Ctrl-C for this main thread, which may be waiting for something."""
    if _HAS_MASK:
        signal.pthread_kill(main, signal.SIGINT)
    else:
        _thread.interrupt_main()


class GivenUp(GeneratorExit):
    """Nobody wants the result any more: generators end as if they were closed."""


@contextmanager
def given_up_when(is_unwanted: Callable[[], bool]) -> Iterator[None]:
    """Have this thread give up what it waits for in `waited_for` once nobody wants it."""
    former = _is_unwanted.set(is_unwanted)
    try:
        yield
    finally:
        _is_unwanted.reset(former)


def waited_for(work: Callable[[], T]) -> T:
    """The result of `work`, which may hang: a thread does it that ends with the program.

    Raises what `work` raises, and `GivenUp`.
    """
    future: Future[T] = Future()

    def run() -> None:
        try:
            future.set_result(work())
        except BaseException as error:  # noqa: BLE001 - raised in the thread that waits
            future.set_exception(error)

    threading.Thread(target=run, name="waited-for", daemon=True).start()
    while not wait([future], _TICK_S).done:
        if _is_unwanted.get()():
            raise GivenUp
    return future.result()
