"""The models of a server as a table."""

from __future__ import annotations

from collections.abc import Sequence

from rich.text import Text
from textual.widgets import DataTable

from tutor.i18n import _
from tutor.listening import tagged
from tutor.llm.server import ListedModel
from tutor.presentation.amounts import size
from tutor.text.terminal import one_line
from tutor.tui.keys import keys_of

IN_USE = "●"
_FIGURES_WIDTH = 56
"""Columns that everything but the names takes."""
_NARROWEST_NAME = 16


class ModelTable(DataTable[Text]):
    """The models, one a row; Enter or a click on the current row chooses one."""

    BINDINGS = keys_of("model_table")

    def __init__(self) -> None:
        super().__init__(cursor_type="row", zebra_stripes=True)
        self._rows: Sequence[ListedModel] = ()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:  # noqa: ARG002 - the library's signature
        """Nothing can be chosen where there is nothing."""
        return bool(self._rows) or action != "select_cursor"

    @property
    def current(self) -> ListedModel | None:
        """The model that is pointed at."""
        return self._rows[self.cursor_row] if self._rows else None

    def has(self, name: str) -> bool:
        """Whether the server has this model."""
        return any(_is_same(row.model.name, name) for row in self._rows)

    def show(self, rows: Sequence[ListedModel], in_use: str) -> None:
        """Show these models, pointing at the same one as before, at first at the one in use."""
        pointed = self.current.model.name if self.current else in_use
        self._rows = rows
        self.clear(columns=True)
        self.show_header = bool(rows)
        width = max(_NARROWEST_NAME, self.app.size.width - _FIGURES_WIDTH)
        lines = [_cells(row, in_use, width) for row in rows]
        heads = (_("Model"), _("Size"), _("Params"), _("Quant."), _("Context"), _("Memory"))
        for head, *cells in zip(map(Text, heads), *lines, strict=True):
            # Left to the table, widths are those of the heads until it has time for the cells.
            self.add_column(head, width=max(cell.cell_len for cell in (head, *cells)))
        self.add_rows(lines)
        places = (n for n, row in enumerate(rows) if _is_same(row.model.name, pointed))
        self.move_cursor(row=next(places, 0))


def _is_same(one: str, other: str) -> bool:
    return bool(one and other) and tagged(one).lower() == tagged(other).lower()


def _cells(row: ListedModel, in_use: str, width: int) -> list[Text]:
    mark = IN_USE if _is_same(row.model.name, in_use) else " "
    tokens = row.info.context_tokens
    context = f"{tokens:_}".replace("_", " ") if tokens else ""
    if not row.info.chats:
        context = _("only embeds")
    figures = [
        size(row.model.size) if row.model.size else "",
        row.model.parameters,
        row.model.quantization,
        context,
        size(row.loaded.size) if row.loaded else "-",
    ]
    style = "" if row.info.chats else "italic"
    name = Text(
        f"{mark} {_shortened(one_line(row.model.name), width)}", "bold" if mark == IN_USE else style
    )
    return [name, *(Text(one_line(one), style, justify="right") for one in figures)]


def _shortened(name: str, width: int) -> str:
    """A name without its middle where it is too long: its end tells sizes apart."""
    if len(name) <= width:
        return name
    half = (width - 1) // 2
    return f"{name[: width - 1 - half]}…{name[-half:]}"
