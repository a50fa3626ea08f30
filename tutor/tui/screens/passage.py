"""The page behind a sentence: its text with the words set off, and its picture."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from textual import getters
from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.content import Content
from textual.widgets import Static

from tutor.errors import TutorError
from tutor.i18n import _
from tutor.ingest.reading.rendering import PageRequest
from tutor.model import Citation
from tutor.model.marks import pages
from tutor.presentation.amounts import joined
from tutor.tui.base import TutorScreen, failure_text, safe
from tutor.tui.keys import keys_of
from tutor.tui.threads import in_background
from tutor.tui.widgets.page_image import PageImage
from tutor.tui.widgets.page_text import PageText
from tutor.tui.widgets.sources import source_facts
from tutor.tui.workspace.cited_page import CitedDocument, Span, cited_document


class PassageScreen(TutorScreen):
    """The page of `citation`; `siblings` are all citations of the same answer, in its order."""

    BINDINGS = keys_of("passage")
    _text = getters.query_one(PageText)
    _image = getters.query_one(PageImage)

    def __init__(self, citation: Citation, siblings: Sequence[Citation] = ()) -> None:
        super().__init__()
        places: dict[tuple[str, int, int], Citation] = {}
        for known in siblings if citation in siblings else [citation]:
            places.setdefault(_place(known), known)
        self._citations = list(places.values())
        self._at = list(places).index(_place(citation))
        self._document: CitedDocument | None = None
        self._page = citation.first_page
        self._picture_wanted: bool | None = None

    def body(self) -> ComposeResult:
        yield Static(id="warning")
        with Horizontal(id="page"):
            yield PageText()
            yield PageImage(self.workspace.config.reading.memory_mb)

    def on_mount(self) -> None:
        self._text.focus()
        self.set_class(self._image.is_shape, "-shape")
        self._image.zooms = not (self._has_room or self._image.is_shape)
        self._show_picture(self._has_room)
        self._load()

    @property
    def citation(self) -> Citation:
        return self._citations[self._at]

    @property
    def _has_room(self) -> bool:
        return bool(self.app.size.width >= 110)  # `-wide`

    def can(self, action: str) -> bool:
        if action == "zoom":
            return self.has_class("-picture") and not self._image.is_shape
        return action != "citation" or len(self._citations) > 1

    # --- reading ---

    def _load(self) -> None:
        citation = self.citation
        self._document, self._page = None, citation.first_page
        self._show_heading()

        def read() -> CitedDocument | None:
            with self.workspace.using() as opened:
                return cited_document(opened.store, citation)

        def show(document: CitedDocument | None) -> None:
            if document is None:
                self._show_quote_alone(_("This document is no longer in the index."))
            elif document.quote is None:
                self._show_quote_alone(_("This document has changed since; these words are gone."))
            else:
                changed = _("This document has changed since, but these words still stand here.")
                self._warn(changed if document.changed else "")
                self._document = document
                self._page = document.text.page_at(document.quote[0])
                self._show_page()

        def failed(error: TutorError) -> None:
            self._show_quote_alone(failure_text(error))

        in_background(self, read, show, failed=failed, latest="read")

    def _show_quote_alone(self, reason: str) -> None:
        self._warn(reason + "\n" + _("What was quoted then:"))
        quote = self.citation.quote
        self._text.show(quote, (0, len(quote)))
        self._show_heading()
        self._image.forget(_("No picture: the page may be another one by now."), self._page)

    def _show_page(self) -> None:
        document, course = self._document, self.workspace.course
        if document is None or course is None:
            return
        start, end = document.page_span(self._page)
        first, last = document.quote or (0, 0)
        quote: Span | None = max(first, start) - start, min(last, end) - start
        if quote and quote[0] >= quote[1]:  # it stands on another page
            quote = None
        text = document.text.text[start:end].rstrip()
        self._text.show(text or _("This page has no text; its picture may say more (i)."), quote)
        self._show_heading()
        before = document.text.text[start : start + quote[0]] if quote else ""
        path, said = Path(self.citation.source.path), text[slice(*quote)] if quote else ""
        self._image.show(course.notes, PageRequest(path, self._page, said, before))

    # --- heading ---

    def _show_heading(self) -> None:
        source, document, cited = self.citation.source, self._document, len(self._citations)
        counts = [pages(self._page, self._page)]
        if document:
            told = _("page %(page)d of %(pages)d")
            counts = [told % {"page": self._page, "pages": document.pages}]
        if cited > 1:
            counts.append(_("citation %(n)d of %(all)d") % {"n": self._at + 1, "all": cited})
        title, facts = safe(" ".join(source.title.split()), "bold"), source_facts(source)
        if self._has_room:
            title += safe(f" · {joined(*counts)}")
            others = [joined(source.path, facts)]
        else:
            others = [joined(*counts, source.path), facts]
        self.head(Content("\n").join([title, *(safe(line, "$text-muted") for line in others)]))

    def _warn(self, text: str) -> None:
        warning = self.query_one("#warning", Static)
        warning.update(safe(f"! {text}" if text else ""))
        warning.display = bool(text)

    # --- what its reader does ---

    def action_page(self, step: int) -> None:
        """Turn the page; who scrolls past the end of its text does so, too."""
        if self._document and 1 <= self._page + step <= self._document.pages:
            self._page += step
            self._show_page()

    def action_citation(self, step: int) -> None:
        self._at = (self._at + step) % len(self._citations)
        self._load()

    def action_picture(self) -> None:
        """Show or hide the picture: beside the text, or in its place where it can be read there."""
        self._picture_wanted = not self.has_class("-picture")
        self._show_picture(self._picture_wanted)

    def action_zoom(self) -> None:
        """The whole page, or as wide as fits around the quote."""
        self._image.zooms = not self._image.zooms
        self._image.draw()

    def on_resize(self) -> None:
        """Unless its reader has chosen, the picture is there where there is room."""
        wanted = self._picture_wanted
        self._show_picture(self._has_room if wanted is None else wanted)
        self._show_heading()

    def _show_picture(self, wanted: bool) -> None:
        self.set_class(wanted, "-picture")
        self.refresh_bindings()
        self.call_after_refresh(self._image.draw)
        if not wanted:
            self._text.focus()

    def action_open_pdf(self) -> None:
        self.app.open_pdf(self.citation.source.path, self._page)

    def action_copy(self) -> None:
        self.app.copy_to_clipboard(" ".join(self.citation.quote.split()))
        self.notify(_("The quote was copied."))


def _place(citation: Citation) -> tuple[str, int, int]:
    return citation.source.id, *citation.quote_span
