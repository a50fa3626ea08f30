"""What is said of a run of the indexer."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tutor.i18n import set_language
from tutor.index.build import Progress
from tutor.index.store import Skipped
from tutor.presentation.amounts import indexing_text
from tutor.tui.screens.courses import run_content, skipped_content
from tutor.tui.workspace.index_run import IndexRun, Phase

PROGRESS = Progress("a.pdf", 1, 4, 12, 30, 60, 7.5, 40.0, 5, 10)


@pytest.mark.parametrize("language", ["es", "en"])
def test_bars_stand_below_each_other(language: str) -> None:
    set_language(language)
    run = IndexRun("redes", phase=Phase.WORKING, progress=PROGRESS)
    bars = [line for line in run_content(run).plain.splitlines() if "█" in line]
    assert len(bars) == 3
    assert len({line.index("█") for line in bars}) == 1


def test_files_that_were_all_read_before_an_interruption_are_not_counted() -> None:
    set_language("es")
    progress = Progress("", 0, 0, 0, 30, 60, 7.5, 40.0)
    assert "30/60 pasajes" in indexing_text(progress)
    run = IndexRun("redes", phase=Phase.WORKING, progress=progress)
    for told in (indexing_text(progress), run_content(run).plain):
        assert "archivos" not in told.lower()
        assert "0/0" not in told


def test_a_file_that_takes_long_is_named_with_how_long_it_is_waited_for() -> None:
    set_language("en")

    def told(awaited_s: float) -> str:
        progress = replace(PROGRESS, awaited_s=awaited_s)
        return run_content(IndexRun("redes", phase=Phase.WORKING, progress=progress)).plain

    assert "Read: a.pdf" in told(0)
    assert "Reading a.pdf" in told(1)
    assert "Waiting for a.pdf for 1 min 20 s" in told(80)


def test_numbers_are_those_of_the_language() -> None:
    run = IndexRun("redes", phase=Phase.WORKING, progress=PROGRESS)
    set_language("es")
    assert "7,5 por segundo" in run_content(run).plain
    set_language("en")
    assert "7.5 per second" in run_content(run).plain


def test_a_first_index_has_no_former_one_that_answers() -> None:
    set_language("en")
    first = run_content(IndexRun("redes", phase=Phase.WORKING)).plain
    again = run_content(IndexRun("redes", has_former=True, phase=Phase.WORKING)).plain
    assert "former index" in again
    assert "former index" not in first
    early = run_content(IndexRun("redes", by_words=True, phase=Phase.WORKING)).plain
    assert "by words only" in early
    assert "by words only" not in first + again


def test_a_run_that_is_being_stopped_says_so() -> None:
    set_language("en")
    run = IndexRun("redes", phase=Phase.STOPPING, progress=PROGRESS)
    assert "Stopping ..." in run_content(run).plain
    assert run.activity == "Stopping ..."
    assert not run.is_over


def test_why_a_file_is_left_out_is_told_as_it_was_written() -> None:
    scanned = "Ninguna de sus páginas tiene capa de texto: está escaneado o dibujado."
    files = [Skipped("a.pdf", "", "scanned", scanned), Skipped("b.pdf", "", "x", "Roto [x]")]
    told = skipped_content(files).plain
    assert scanned in told
    assert "Roto [x]" in told


def test_passages_are_counted_once_there_are_some() -> None:
    set_language("en")
    begun = replace(PROGRESS, chunks_done=0, chunks_found=0, sentences_found=0, seconds_left=None)
    assert IndexRun("redes", phase=Phase.WORKING, progress=begun).activity == "Indexing ..."
