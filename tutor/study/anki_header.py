"""The lines above the notes of a text file that Anki wrote: how its columns are to be read."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

_LINE = re.compile(r"#(separator|html|tags|columns|deck|notetype|(?:\w+ )?column):(.*)", re.DOTALL)
_SEPARATORS = {
    "tab": "\t", "comma": ",", "semicolon": ";", "space": " ", "pipe": "|", "colon": ":",
}  # fmt: skip
_NO_FIELDS = ("guid column", "notetype column", "deck column", "tags column")


@dataclass(frozen=True, slots=True)
class AnkiHeader:
    """What the header says; where it says nothing, `separator` and `names` are empty.

    Columns count from 0. `others` hold what is no field of a note, `guid` among them.
    """

    lines: int = 0
    separator: str = ""
    is_html: bool = False
    others: frozenset[int] = frozenset()
    guid: int | None = None
    names: str = ""

    def fields(self, row: list[str]) -> list[str]:
        """A row's fields of the note, without what Anki keeps beside them."""
        return [cell for n, cell in enumerate(row) if n not in self.others]

    def guid_of(self, row: list[str]) -> str:
        """The note's identity; empty where the file has none."""
        return row[self.guid] if self.guid is not None and self.guid < len(row) else ""


def anki_header(lines: Iterable[str]) -> AnkiHeader:
    """The header of a file: its first lines, if they are one. Further `#` lines are comments."""
    told: dict[str, str] = {}
    n = 0
    for line in lines:
        found = _LINE.match(line)
        if not (found or (n and line.startswith("#"))):
            break
        n += 1
        if found:
            told.setdefault(found[1], found[2].strip("\r\n"))
    places = {key: _place(told.get(key, "")) for key in _NO_FIELDS}
    return AnkiHeader(
        lines=n,
        separator=_separator(told.get("separator", "")),
        is_html=told.get("html", "").strip().lower() == "true",
        others=frozenset(place for place in places.values() if place is not None),
        guid=places["guid column"],
        names=told.get("columns", ""),
    )


def _place(number: str) -> int | None:
    """The place of a column by its number, which counts from 1."""
    said = number.strip()
    return int(said) - 1 if re.fullmatch(r"[1-9][0-9]{0,3}", said) else None


def _separator(said: str) -> str:
    """The sign that a name or the sign itself says; empty where nothing can be parted by it."""
    sign = _SEPARATORS.get(said.strip().lower(), said)
    return sign if len(sign) == 1 and sign not in '"\r\n' else ""
