"""Text from pdfminer.six, page by page, in the order of its own layout analysis."""

from __future__ import annotations

import logging
import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from pdfminer.converter import PDFPageAggregator
from pdfminer.layout import LAParams, LTContainer, LTTextBox
from pdfminer.pdfdocument import PDFDocument
from pdfminer.pdfexceptions import PDFException
from pdfminer.pdfinterp import PDFPageInterpreter, PDFResourceManager
from pdfminer.pdfpage import PDFPage
from pdfminer.pdfparser import PDFParser
from pdfminer.pdftypes import resolve1
from pdfminer.psexceptions import PSException

if TYPE_CHECKING:
    from pdfminer.layout import LTItem

FAULTS = (
    PDFException,
    PSException,
    ValueError,
    KeyError,
    IndexError,
    TypeError,
    AttributeError,
    AssertionError,
    RecursionError,
    ArithmeticError,
    OSError,
)
"""What pdfminer lets escape from pages that break the standard."""

_LAYOUT = LAParams(all_texts=True)
"""The defaults, and text inside figures too: some programs put whole pages into one."""

_UNMAPPED = re.compile(r"\(cid:\d+\)")
"""What pdfminer writes for a glyph whose font does not say which character it is."""


def texts_of(path: Path) -> Iterator[str]:
    """Yield each page's text; a page that pdfminer cannot read is empty.

    Lines end in a newline and text boxes in a blank line. Glyphs without a character are left out.
    """
    logging.getLogger("pdfminer").setLevel(logging.CRITICAL)
    device = PDFPageAggregator(resources := PDFResourceManager(), laparams=_LAYOUT)
    interpreter = PDFPageInterpreter(resources, device)
    with path.open("rb") as stream:
        for page in PDFPage.get_pages(stream, check_extractable=False):
            try:
                interpreter.process_page(page)
                boxes = [box.get_text().strip() for box in _boxes(device.get_result())]
            except FAULTS:
                boxes = []
            yield _UNMAPPED.sub("", "\n\n".join(box for box in boxes if box))


def declared_pages(path: Path) -> int | None:
    """How many pages the root of the page tree claims; None if it claims nothing."""
    logging.getLogger("pdfminer").setLevel(logging.CRITICAL)
    with path.open("rb") as stream:
        tree = resolve1(PDFDocument(PDFParser(stream)).catalog.get("Pages"))
        count = resolve1(tree.get("Count")) if isinstance(tree, dict) else None
    return count if isinstance(count, int) else None


def _boxes(item: LTItem) -> Iterator[LTTextBox]:
    """Yield text boxes, those inside figures included."""
    if isinstance(item, LTTextBox):
        yield item
    elif isinstance(item, LTContainer):
        for child in item:
            yield from _boxes(child)
