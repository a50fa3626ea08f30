"""What was shown is let go of; `scripts/many_events.py` measures it over thousands of events."""

from __future__ import annotations

import gc
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest
from textual._styles_cache import StylesCache
from textual.widgets._footer import FooterKey

from tests.tui.stage import playing, until
from tutor.ingest.reading.limits import used_memory
from tutor.tui.base import KeyBar
from tutor.tui.frame import let_go_of_memory
from tutor.tui.widgets.question_box import CommandMenu

if TYPE_CHECKING:
    from tests.course import Workspace


async def test_keys_that_are_no_longer_shown_are_let_go_of(indexed: Workspace) -> None:
    async with playing(indexed) as (app, pilot):
        menu, bar = app.chat.query_one(CommandMenu), app.chat.query_one(KeyBar)
        for _time in range(8):
            await pilot.press("slash")
            await until(pilot, lambda: menu.display)
            await pilot.press("backspace")
            await until(pilot, lambda: not menu.display)
        shown = len(bar.query(FooterKey))
        gc.collect()
        # not `isinstance`, which asks odd objects of other libraries for their class
        kept = sum(type(one) is FooterKey for one in gc.get_objects())
        assert kept <= 4 * shown, (kept, shown)


async def test_lines_of_widgets_that_are_gone_are_let_go_of(
    indexed: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tutor.tui.frame.FORGET_EVERY_S", 0.2)

    async with playing(indexed) as (_app, pilot):
        await pilot.press("a")
        await until(pilot, lambda: not StylesCache.get_inner_outer.cache_info().currsize)


@pytest.mark.skipif(sys.platform != "linux", reason="glibc")
def test_what_is_free_is_given_back_to_the_system() -> None:
    pieces = [bytes(2000) for _time in range(40_000)]  # too large for Python's own allocator
    last = pieces.pop()
    held = used_memory()
    del pieces  # all below `last`, so that the C library keeps it
    let_go_of_memory()
    assert last is not None
    assert held - used_memory() > 40 * 2**20


@pytest.mark.skipif(sys.platform != "linux", reason="glibc")
def test_threads_share_two_arenas() -> None:
    """In processes of their own; a thread's arena begins at a multiple of 64 MB."""
    code = """if True:
        import re, sys, threading
        from tutor.tui.frame import share_arenas
        if sys.argv[1:]:
            share_arenas()
        all_at_once = threading.Barrier(9)
        kept = []
        def work():
            all_at_once.wait()
            kept.append(bytearray(5000))
            all_at_once.wait()
        for _time in range(8):
            threading.Thread(target=work).start()
        all_at_once.wait()
        all_at_once.wait()
        begins = re.findall("^([0-9a-f]+)-[0-9a-f]+ rw", open("/proc/self/maps").read(), re.M)
        print(sum(int(begin, 16) % 2**26 == 0 for begin in begins))
    """
    own, shared = (
        int(
            subprocess.run(
                [sys.executable, "-c", code, *told], capture_output=True, check=True
            ).stdout
        )
        for told in ([], ["share"])
    )
    assert shared <= 2 < own  # nearly always 1
