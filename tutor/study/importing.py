"""A student's own cards from a CSV file, a text file or a deck of Anki: front and back of each.

Both are files of others: what is read of them is bounded, and nothing in them is run.
"""

from __future__ import annotations

import csv
import html
import io
import re
import sqlite3
import zipfile
import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from tutor.errors import StudyError, reason_of
from tutor.i18n import _
from tutor.study.card import Card, CardId, own_card
from tutor.text.cells import of_cell
from tutor.text.terminal import plain

_MOST_CARDS = 50_000
_LONGEST_FIELD = 20_000
"""Characters of a front or a back."""
_OTHERS = frozenset({".md", ".markdown", ".html", ".htm", ".json"})
"""What is written for readers or programs, as our own exports: its commas part no columns."""
_MOST_CSV = 50_000_000
_MOST_COLLECTION = 500_000_000
"""Bytes of a file, and of a collection once it is unpacked."""
_SQLITE_STEPS = 200_000
"""Instructions of SQLite, in thousands, that reading a collection may take."""
_COLLECTIONS = ("collection.anki21b", "collection.anki21", "collection.anki2")
"""The newest first: beside a new one stands an old one that only asks for a newer Anki."""
_ZSTD = b"\x28\xb5\x2f\xfd"
_FRONTS = frozenset("front question pregunta anverso frente".split())
_BACKS = frozenset("back answer respuesta reverso dorso".split())
_HIDDEN = re.compile(r"\{\{c\d+::((?:(?!\}\}|\{\{|::).)*)(?:::(?:(?!\}\}|\{\{).)*)?\}\}", re.DOTALL)
_SOUND = re.compile(r"\[sound:[^\[\]]*\]")
_BREAK = re.compile(r"<(?:br|/?(?:div|p|li|tr|h\d|hr|ul|ol|table|pre))\b[^<>]*>", re.IGNORECASE)
_TAG = re.compile(r"</?[a-zA-Z!][^<>]*>")
"""None of these looks further than to the next bracket: hostile fields cost no more than others."""

_HEADER_LINE = re.compile(
    r"#(separator|html|tags|columns|deck|notetype|(?:\w+ )?column):(.*)", re.DOTALL
)
_SEPARATORS = {
    "tab": "\t", "comma": ",", "semicolon": ";", "space": " ", "pipe": "|", "colon": ":",
}  # fmt: skip
_NO_FIELDS = ("guid column", "notetype column", "deck column", "tags column")


def read_cards(path: Path, but: Iterable[CardId] = ()) -> tuple[list[Card], int, int]:
    """The cards of a CSV or text file, or of an Anki deck where the name ends in `.apkg` or
    `.colpkg`.

    Left out, and counted, are notes of Anki that are an export of the cards `but`, and what the
    file has twice; then what has no front or no back.
    Raises `StudyError` where there are none to be read.
    """
    try:
        with path.open("rb") as file:
            is_zip = file.read(4) == b"PK\x03\x04"
        is_deck = is_zip or path.suffix.lower() in {".apkg", ".colpkg"}
        pairs, left_out = (_deck_pairs if is_deck else _text_pairs)(path, but)
        read = list(_cards(pairs))
    except FileNotFoundError:
        raise StudyError(
            _("There is no file %(path)s.") % {"path": path},
            _("Check its name, and that you may read it."),
        ) from None
    except OSError as error:
        raise StudyError(
            _("%(path)s cannot be read: %(reason)s.") % {"path": path, "reason": reason_of(error)},
            _("Check its name, and that you may read it."),
        ) from error
    cards = {card.id: card for card in read}
    if not (cards or left_out):
        raise StudyError(
            _("%(path)s holds no cards with a front and a back.") % {"path": path},
            _("A CSV file needs two columns: front and back."),
        )
    return list(cards.values()), left_out + len(read) - len(cards), len(pairs) - len(read)


def _cards(pairs: Iterable[tuple[str, str]]) -> Iterator[Card]:
    for number, pair in enumerate(pairs):
        if number >= _MOST_CARDS:
            raise StudyError(
                _("The file holds more than %(n)d cards.") % {"n": _MOST_CARDS},
                _("Import it in parts."),
            )
        front, back = (plain(text[:_LONGEST_FIELD]).strip() for text in pair)
        if front and back:
            yield own_card(front, back)


# --- text ---


def _text_pairs(path: Path, but: Iterable[CardId]) -> tuple[list[tuple[str, str]], int]:
    """The fronts and backs of a CSV file, or of a text file of Anki, read as its header says."""
    csv.field_size_limit(_MOST_CSV)
    lines = _text_of(path).splitlines(keepends=True)
    header = _anki_header(lines)
    lines = lines[header.lines :]
    sign = header.separator or _delimiter(lines)
    text = io.StringIO("".join(lines), newline=None)  # lines may end as on any system
    rows = [row for row in csv.reader(text, delimiter=sign) if any(row)]
    if header.names:
        rows = [*csv.reader([header.names], delimiter=sign), *rows]
    fields = list(map(header.fields, rows))
    is_named = bool(header.names) or not header.lines  # Anki writes no names among the notes
    front, back, first = _columns(fields) if is_named else (0, 1, 0)
    first = max(first, bool(header.names))
    sides = [(_cell(row, front), _cell(row, back)) for row in fields[first:]]
    if not header.lines:
        return [(of_cell(one), of_cell(other)) for one, other in sides], 0
    guids = map(header.guid_of, rows[first:])
    notes = [(guid, *pair) for guid, pair in zip(guids, sides, strict=True)]
    return _shown(notes, but, _text if header.is_html else plain)


def _text_of(path: Path) -> str:
    with path.open("rb") as file:
        content = file.read(_MOST_CSV + 1)
    if len(content) > _MOST_CSV:
        raise _too_large(path)
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = content.decode("cp1252", "replace")
    if "\0" in text or path.suffix.lower() in _OTHERS:
        raise StudyError(
            _("%(path)s is neither a CSV file nor an Anki deck.") % {"path": path},
            _("Export it from there as text (UTF-8), separated by commas or tabs."),
        )
    return text


def _cell(row: list[str], n: int) -> str:
    return row[n] if n < len(row) else ""


def _delimiter(lines: list[str]) -> str:
    """What parts the columns: what names them in the first line, else of tab, semicolon and comma
    the first that the first lines have.
    """
    head = [line for line in lines[:50] if line.strip()]
    for sign in ("\t", ";", ","):
        if _columns(list(csv.reader(head[:1], delimiter=sign)))[2]:
            return sign
    for sign in ("\t", ";"):
        if head and sum(sign in line for line in head) >= 0.8 * len(head):
            return sign
    return ","


def _columns(rows: list[list[str]]) -> tuple[int, int, int]:
    """The columns of front and back, and the row with which the cards begin."""
    names = [name.strip().casefold() for name in rows[0]] if rows else []
    fronts = [n for n, name in enumerate(names) if name in _FRONTS]
    backs = [n for n, name in enumerate(names) if name in _BACKS]
    return (fronts[0], backs[0], 1) if fronts and backs else (0, 1, 0)


@dataclass(frozen=True, slots=True)
class _AnkiHeader:
    """How the columns of a text file that Anki wrote are to be read; where its header says
    nothing, `separator` and `names` are empty.

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


def _anki_header(lines: Iterable[str]) -> _AnkiHeader:
    """The header of a file: its first lines, if they are one. Further `#` lines are comments."""
    told: dict[str, str] = {}
    n = 0
    for line in lines:
        found = _HEADER_LINE.match(line)
        if not (found or (n and line.startswith("#"))):
            break
        n += 1
        if found:
            told.setdefault(found[1], found[2].strip("\r\n"))
    places = {key: _place(told.get(key, "")) for key in _NO_FIELDS}
    return _AnkiHeader(
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


# --- Anki ---


def _deck_pairs(path: Path, but: Iterable[CardId]) -> tuple[list[tuple[str, str]], int]:
    try:
        with TemporaryDirectory() as folder:
            collection = Path(folder) / "collection.sqlite"
            _unpack(path, collection)
            notes = list(_notes(collection))
    except (
        zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError, sqlite3.Error,
    ) as error:  # fmt: skip
        raise StudyError(
            _("%(path)s is no Anki deck that can be read.") % {"path": path},
            _("Export it from Anki once more as .apkg, or as text separated by tabs."),
        ) from error
    return _shown(notes, but, _text)


def _shown(
    notes: Sequence[tuple[str, str, str]], but: Iterable[CardId], shown: Callable[[str], str]
) -> tuple[list[tuple[str, str]], int]:
    """The fronts and backs of notes that are no export of `but`, and how many are."""
    from genanki import guid_for  # noqa: PLC0415 - YAML and asyncio, 0.16 s, for notes of Anki only

    exported = {guid_for(card) for card in but}
    pairs = [_sides(front, back, shown) for guid, front, back in notes if guid not in exported]
    return pairs, len(notes) - len(pairs)


def _too_large(path: Path) -> StudyError:
    return StudyError(_("%(path)s is too large.") % {"path": path}, _("Import it in parts."))


def _unpack(path: Path, target: Path) -> None:
    """Write the newest collection of a deck, whatever size its zip file claims."""
    with zipfile.ZipFile(path) as archive, target.open("wb") as output:
        names = set(archive.namelist())
        name = next((name for name in _COLLECTIONS if name in names), None)
        if name is None:
            raise zipfile.BadZipFile
        with archive.open(name) as packed:
            is_zstd = packed.read(4) == _ZSTD
        written = 0
        with archive.open(name) as packed:
            plain_pieces = iter(lambda: packed.read(1 << 20), b"")
            for piece in _unzstd(packed) if is_zstd else plain_pieces:
                written += len(piece)
                if written > _MOST_COLLECTION:
                    raise _too_large(path)
                output.write(piece)


def _unzstd(packed: io.BufferedIOBase | object) -> Iterator[bytes]:
    import pyarrow as pa  # noqa: PLC0415 - 0.15 s, for decks of newer Ankis only

    try:
        with pa.CompressedInputStream(pa.PythonFile(packed, "r"), "zstd") as stream:
            while piece := stream.read(1 << 20):
                yield piece
    except (pa.ArrowException, OSError) as error:
        raise zipfile.BadZipFile from error


def _notes(path: Path) -> Iterator[tuple[str, str, str]]:
    """Each note's identity and its first two fields, as HTML."""
    address = f"{path.absolute().as_uri()}?mode=ro&immutable=1"
    with closing(sqlite3.connect(address, uri=True)) as connection:
        steps = iter(range(_SQLITE_STEPS))
        connection.set_progress_handler(lambda: next(steps, None) is None, 1000)
        connection.execute("PRAGMA trusted_schema = OFF")
        connection.execute("PRAGMA cell_size_check = ON")
        connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, _MOST_CSV)
        table = connection.execute(
            "SELECT count(*) FROM sqlite_master WHERE name = 'notes' AND type = 'table'"
            " AND sql NOT LIKE '%VIRTUAL%'"
        ).fetchone()[0]
        if not table:
            raise sqlite3.DatabaseError
        connection.text_factory = lambda content: content.decode("utf-8", "replace")
        for guid, fields in connection.execute(
            "SELECT guid, flds FROM notes ORDER BY id LIMIT ?", (_MOST_CARDS + 1,)
        ):
            front, _one, rest = str(fields).partition("\x1f")
            yield str(guid), front, rest.partition("\x1f")[0]


def _sides(front: str, back: str, shown: Callable[[str], str]) -> tuple[str, str]:
    """Front and back as they are `shown`; of a cloze, what it hides becomes the back."""
    hidden = [shown(found) for found in _HIDDEN.findall(front[: 2 * _LONGEST_FIELD])]
    if hidden:
        return shown(_HIDDEN.sub("[…]", front[: 2 * _LONGEST_FIELD])), "\n".join(hidden)
    return shown(front), shown(back)


def _text(markup: str) -> str:
    """HTML as the text that it shows, with the line breaks that it is shown with."""
    shown = _SOUND.sub("", markup[: 5 * _LONGEST_FIELD])
    as_written = "<pre" in shown.lower()
    if not as_written:
        shown = shown.replace("\n", " ")
    text = html.unescape(_TAG.sub("", _BREAK.sub("\n", shown)))
    lines = (line if as_written else " ".join(line.split()) for line in text.split("\n"))
    return "\n".join(line.rstrip() for line in lines if line.strip())
