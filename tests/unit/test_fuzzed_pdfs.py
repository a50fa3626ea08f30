"""Mutated PDFs, odd files and odd names end in a document or a reason, never in a traceback.

A small part of what `scripts/fuzz_pdfs.py` reads.
"""

from __future__ import annotations

import sys
from pathlib import Path
from random import Random

import pytest

from scripts.fuzz_pdfs import odd_files, odd_names, read_all, seeds, write_mutated
from tests import pdfs
from tutor.config import ReadingConfig

SETTINGS = ReadingConfig(ocr="off", workers=1, timeout_s=20, memory_mb=1024)

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="names of any bytes")


def test_what_is_read_ends_in_a_document_or_a_reason(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)  # a socket's address is short
    folder = tmp_path / "notes"
    write_mutated(folder, seeds(tmp_path), Random(1), 150)
    odd_names(folder / "names")
    odd_files(folder / "files")
    outcome = read_all(folder, SETTINGS)
    readable = [reason for path, reason in outcome.paths.items() if path.startswith("names/")]
    assert set(readable) == {"read"}
    assert len(readable) == sum(1 for _name in (folder / "names").iterdir())
    assert outcome.reasons["read"] > len(readable) + 20
    assert outcome.paths["files/zero.pdf"] == "unreadable"  # it has no end
    assert outcome.paths["files/nowhere.pdf"] == "unreadable"
    assert outcome.reasons.total() == len(outcome.paths)


def test_pages_on_which_nothing_is_seen_are_not_called_scanned(tmp_path: Path) -> None:
    folder = tmp_path / "notes"
    folder.mkdir()
    pdfs.scanned(folder / "scanned.pdf")
    pdfs.blank(folder / "blank.pdf")
    sound = pdfs.text_pages(folder / "damaged.pdf", [["La entropía"]]).read_bytes()
    (folder / "damaged.pdf").write_bytes(sound.replace(b" Tj", b" xx").replace(b"BT", b"xx"))
    (folder / "characters.pdf").write_bytes(sound.replace(b"/ToUnicode", b"/ToNothing"))
    assert read_all(folder, SETTINGS).paths == {
        "scanned.pdf": "no_text",
        "blank.pdf": "blank",
        "characters.pdf": "no_meaning",
        "damaged.pdf": "blank",
    }
