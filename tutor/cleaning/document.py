"""Pages as read -> the reading form of the document."""

from __future__ import annotations

import re
import unicodedata
from typing import TYPE_CHECKING

from tutor.cleaning.accents import repaired_accents
from tutor.cleaning.characters import readable, with_slide_bullets, without_orphan_marks
from tutor.cleaning.folding import folded, runs_on, usual_width
from tutor.cleaning.furniture import without_furniture
from tutor.cleaning.hyphenation import Vocabulary, joined, joined_words
from tutor.types import CleanText

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tutor.types import Document

CLEANING_VERSION = 1
"""Raised whenever `clean` gives another text for the same pages."""

_PAGE_BREAK = "\n\f\n"
_BROKEN_WORD = re.compile(r"([^\W_]{1,40}(?:-[^\W_]{1,40}){0,3})-\Z")
_FIRST_WORD = re.compile(r"[^\W_]{1,40}(?:-[^\W_]{1,40}){0,3}")


def clean(document: Document) -> CleanText:
    """The reading form: what the pages say, in NFC, without the traces of the page and the font.

    Pages are set apart by an empty line, or joined where a sentence or a word plainly goes on.
    """
    if not document.pages:
        return CleanText(document.source_id, "", ())
    whole = _PAGE_BREAK.join(readable(page.text) for page in document.pages)
    whole = with_slide_bullets(whole)
    whole = unicodedata.normalize("NFC", without_orphan_marks(repaired_accents(whole)))
    pages = without_furniture(whole.split(_PAGE_BREAK))
    vocabulary = Vocabulary("\n\n".join(pages))
    width = usual_width([line for page in pages for line in page.split("\n")])
    folded_pages = [folded(joined_words(page, vocabulary), width) for page in pages]
    text, starts = _joined_pages(folded_pages, vocabulary)
    return CleanText(document.source_id, text, starts)


def _joined_pages(pages: Sequence[str], vocabulary: Vocabulary) -> tuple[str, tuple[int, ...]]:
    parts: list[str] = []
    starts: list[int] = []
    length, last = 0, ""
    for page in pages:
        if page:
            before, separator = _seam(last, page, vocabulary) if last else (0, "")
            if before:
                parts[-1] = parts[-1][:-before]
            parts.append(separator)
            length += len(separator) - before
        starts.append(length)
        if page:
            parts.append(page)
            length += len(page)
            last = page
    return "".join(parts), _without_text_later(starts, pages)


def _seam(last: str, page: str, vocabulary: Vocabulary) -> tuple[int, str]:
    """How many characters the page before loses at its end, and what stands between the two."""
    line, following = last[-400:].rpartition("\n")[2], page[:400].partition("\n")[0]
    broken, first = _BROKEN_WORD.search(line), _FIRST_WORD.match(following)
    if broken and first and first[0].islower() and runs_on(line[:-1], following):
        whole = joined(broken[1], first[0], vocabulary)
        return (0, "") if whole.startswith(broken[0]) else (1, "")
    return (0, " ") if runs_on(line, following) else (0, "\n\n")


def _without_text_later(starts: Sequence[int], pages: Sequence[str]) -> tuple[int, ...]:
    """A page without text starts where the next one with text does."""
    moved = list(starts)
    for index in range(len(moved) - 2, -1, -1):
        if not pages[index]:
            moved[index] = moved[index + 1]
    return tuple(moved)
