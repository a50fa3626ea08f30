"""The text of a page with a quote set off."""

from __future__ import annotations

from textual.app import ComposeResult
from textual.containers import VerticalScroll
from textual.content import Content
from textual.geometry import Region
from textual.widgets import Static

from tutor.tui.base import safe
from tutor.tui.keys import keys_of
from tutor.tui.workspace.cited_page import Span

_QUOTED = "bold $foreground on $warning 35%"


class PageText(VerticalScroll, can_focus=True, inherit_bindings=False):
    """A text to be read, with a bar beside the paragraphs that its quote stands in."""

    BINDINGS = keys_of("page_text")

    quote: Span | None = None
    """What is set off, as offsets."""
    _text = ""
    _lead = Content("")

    def compose(self) -> ComposeResult:
        for part in ("before", "quoted", "after"):
            yield Static(classes=part)

    def show(self, text: str, quote: Span | None) -> None:
        """Show a text from its beginning, or its quote."""
        self._text = text
        self.point_at(quote)
        if quote is None:
            self.scroll_home(animate=False)

    def point_at(self, span: Span | None) -> None:
        """Set off these words of the text, and bring them into view."""
        text, self.quote = self._text, span
        start, end = span or (len(text), len(text))
        first = text.rfind("\n", 0, start) + 1 if span else len(text) + 1
        last = text.find("\n", end)
        last = last if last >= 0 else len(text)
        self._lead = safe(text[first:start])
        quoted = self._lead + safe(text[start:end], _QUOTED) + safe(text[end:last])
        parts = {
            "before": safe(text[: first - 1]) if first else None,
            "quoted": quoted if span else None,
            "after": safe(text[last + 1 :]) if last < len(text) else None,
        }
        for part, said in parts.items():
            shown = self.query_one(f".{part}", Static)
            shown.display = said is not None
            shown.update(said or "")
        self.call_after_refresh(self._bring_into_view)

    def _bring_into_view(self) -> None:
        quoted = self.query_one(".quoted", Static)
        if self.quote:
            above = max(1, self._lead.get_height({}, quoted.content_size.width)) - 1
            region = quoted.virtual_region
            rows = min(region.height - above, self.size.height)
            place = Region(0, region.y + above, 1, max(1, rows))
            self.scroll_to_region(place, animate=False, center=True, force=True, immediate=True)

    def on_resize(self) -> None:
        """What is set off stays in view."""
        self.call_after_refresh(self._bring_into_view)

    async def action_screenful(self, step: int) -> None:
        """Scroll by what fits; at the end, go to the next page where the screen has one."""
        at_end = (
            self.scroll_offset.y >= self.max_scroll_y if step > 0 else self.scroll_offset.y <= 0
        )
        if at_end:
            await self.run_action(f"screen.page({step})")
        else:
            self.scroll_relative(y=step * max(1, self.size.height - 2), animate=False)
