"""The page behind a sentence: its text with the words set off, and its picture."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.content import Content
from textual.widgets import Static

from tutor.errors import TutorError
from tutor.i18n import _
from tutor.model import Citation
from tutor.presentation.amounts import pages
from tutor.tui.base import KeyBar, PdfWanted, TutorScreen, failure_text, in_background, safe
from tutor.tui.keys import keys_of
from tutor.tui.widgets.page_image import PageImage
from tutor.tui.widgets.page_text import PageText
from tutor.tui.widgets.sources import source_facts
from tutor.tui.workspace.cited_page import cited_document

if TYPE_CHECKING:
    from tutor.tui.workspace.cited_page import CitedDocument, Span


class PassageScreen(TutorScreen):
    """The page of `citation`; `siblings` are all citations of the same answer, in its order."""

    CSS_PATH = ["../styles/page_text.tcss", "../styles/passage.tcss"]  # noqa: RUF012 - as the library has it
    BINDINGS = keys_of("passage")

    def __init__(self, citation: Citation, siblings: Sequence[Citation] = ()) -> None:
        super().__init__()
        self._citations = _different([*siblings] if citation in siblings else [citation])
        self._at = [_place(known) for known in self._citations].index(_place(citation))
        self._document: CitedDocument | None = None
        self._page = citation.first_page
        self._passage: int | None = None
        self._picture_wanted: bool | None = None

    def compose(self) -> ComposeResult:
        """Heading, warning, text beside picture."""
        yield Static(id="heading")
        yield Static(id="warning")
        with Horizontal(id="page"):
            yield PageText()
            yield PageImage(self.workspace.config.reading.memory_mb)
        yield KeyBar()

    def on_mount(self) -> None:
        """Read the document."""
        self.query_one(PageText).focus()
        self._show_picture(self._has_room)
        self._load()

    @property
    def citation(self) -> Citation:
        """What is looked at."""
        return self._citations[self._at]

    @property
    def page(self) -> int:
        """The page that is shown, counted from 1."""
        return self._page

    @property
    def _has_room(self) -> bool:
        return bool(self.app.size.width >= 110)  # `-wide`

    @property
    def _text(self) -> PageText:
        return self.query_one(PageText)

    @property
    def _image(self) -> PageImage:
        return self.query_one(PageImage)

    def check_action(
        self,
        action: str,
        parameters: tuple[object, ...],  # noqa: ARG002
    ) -> bool | None:
        """Keys that would do nothing are not shown."""
        return action != "citation" or len(self._citations) > 1

    # --- reading ---

    def _load(self) -> None:
        self._document, self._page = None, self.citation.first_page
        self._show_heading()
        citation = self.citation
        in_background(
            self,
            lambda: self._read(citation),
            self._show_document,
            failed=self._show_failure,
            group="read",
            exclusive=True,
        )

    def _read(self, citation: Citation) -> CitedDocument | None:
        with self.workspace.using() as opened:
            return cited_document(opened.store, opened.agent.strategy, citation)

    def _show_document(self, document: CitedDocument | None) -> None:
        """Show the page of the quote, or why there is none to show."""
        if document is None:
            self._show_quote_alone(_("This document is no longer in the index."))
        elif document.quote is None:
            self._show_quote_alone(_("This document has changed since; these words are gone."))
        else:
            changed = _("This document has changed since, but these words still stand here.")
            self._warn(changed if document.changed else "")
            self._document, self._passage = document, document.passage
            self._page = document.text.page_at(document.quote[0])
            self._show_page(document.quote)

    def _show_failure(self, error: TutorError) -> None:
        """Show what is known without the document."""
        self._show_quote_alone(failure_text(error) or _("There is no index to read from."))

    def _show_quote_alone(self, reason: str) -> None:
        self._warn(reason + "\n" + _("What was quoted then:"))
        quote = self.citation.quote
        self._text.show(quote, None, (0, len(quote)))
        self._show_heading()
        self._image.forget(_("No picture: the page may be another one by now."), self._page)

    def _show_page(self, sight: Span | None = None) -> None:
        document = self._document
        if document is None:
            return
        start, end = document.page_span(self._page)
        passage = document.passages[self._passage] if self._passage is not None else None
        quote = _within(document.quote, start, end)
        text = document.text.text[start:end].rstrip()
        self._text.show(
            text or _("This page has no text; its picture may say more (i)."),
            _within((passage.start, passage.end), start, end) if passage else None,
            quote,
            _within(sight, start, end),
        )
        self._show_heading()
        before = document.text.text[start : start + quote[0]] if quote else ""
        self._image.show(self._notes, self._page, text[slice(*quote)] if quote else "", before)

    @property
    def _notes(self) -> tuple[Path, str] | None:
        course = self.workspace.course
        return (course.notes, self.citation.source.path) if course else None

    # --- heading ---

    def _show_heading(self) -> None:
        source = self.citation.source
        title, counts = " ".join(source.title.split()), self._counts()
        facts = source_facts(source)
        if self._has_room:
            lines = [("", *counts), (source.path, *facts)]
        else:
            lines = [(), (*counts, source.path), tuple(facts)]
        first, *others = (safe(" · ".join(line)) for line in lines)
        heading = [safe(title, "bold") + first, *(line.stylize("$text-muted") for line in others)]
        self.query_one("#heading", Static).update(Content("\n").join(heading))

    def _counts(self) -> list[str]:
        where = {"page": self._page, "pages": self._document.pages if self._document else 0}
        counts = [
            _("page %(page)d of %(pages)d") % where
            if self._document
            else pages(self._page, self._page)
        ]
        if self._document and self._passage is not None:
            counts.append(
                _("passage %(n)d of %(all)d")
                % {"n": self._passage + 1, "all": len(self._document.passages)}
            )
        if len(self._citations) > 1:
            counts.append(
                _("citation %(n)d of %(all)d") % {"n": self._at + 1, "all": len(self._citations)}
            )
        return counts

    def _warn(self, text: str) -> None:
        warning = self.query_one("#warning", Static)
        warning.update(safe(f"! {text}" if text else ""))
        warning.set_class(bool(text), "-said")

    # --- what its reader does ---

    def action_page(self, step: int) -> None:
        """Turn the page."""
        if self._document and 1 <= self._page + step <= self._document.pages:
            self._page += step
            self._show_page(self._document.quote)

    def on_page_text_past_end(self, message: PageText.PastEnd) -> None:
        """Who scrolls past the end reads on."""
        self.action_page(message.step)

    def action_citation(self, step: int) -> None:
        """Go to the next cited place of the answer, or the one before."""
        if len(self._citations) > 1:
            self._at = (self._at + step) % len(self._citations)
            self._load()

    def action_passage(self, step: int) -> None:
        """Go to the neighbouring passage, on whichever page it begins."""
        document = self._document
        if document is None or self._passage is None:
            return
        if 0 <= self._passage + step < len(document.passages):
            self._passage += step
            passage = document.passages[self._passage]
            self._page = document.text.page_at(passage.start)
            self._show_page((passage.start, passage.end))

    def action_picture(self) -> None:
        """Show or hide the picture; where there is no room for both, in place of the text."""
        self._picture_wanted = not self.has_class("-picture")
        self._show_picture(self._picture_wanted)

    def action_zoom(self) -> None:
        """The whole page, or as wide as fits around the quote."""
        self._image.zooms = not self._image.zooms
        self._show_picture(True)

    def on_resize(self) -> None:
        """Unless its reader has chosen, the picture is there where there is room."""
        wanted = self._picture_wanted
        self._show_picture(self._has_room if wanted is None else wanted)
        self._show_heading()

    def _show_picture(self, wanted: bool) -> None:
        self.set_class(wanted, "-picture")
        self.call_after_refresh(self._image.draw)
        if not wanted:
            self._text.focus()

    def action_open_pdf(self) -> None:
        """Open the page in the system's viewer."""
        if notes := self._notes:
            self.post_message(PdfWanted(notes[1], self._page))

    def action_copy(self) -> None:
        """Copy the words that are quoted."""
        self.app.copy_to_clipboard(" ".join(self.citation.quote.split()))
        self.notify(_("The quote was copied."), markup=False)


def _place(citation: Citation) -> tuple[str, int, int]:
    return citation.source.id, *citation.quote_span


def _different(citations: Sequence[Citation]) -> list[Citation]:
    known: dict[tuple[str, int, int], Citation] = {}
    for citation in citations:
        known.setdefault(_place(citation), citation)
    return list(known.values())


def _within(span: Span | None, start: int, end: int) -> Span | None:
    """The part of a span that lies in a page, as offsets of the page; None if there is none."""
    if span is None:
        return None
    first, last = max(span[0], start) - start, min(span[1], end) - start
    return (first, last) if first < last else None
