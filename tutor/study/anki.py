"""Cards as an Anki deck (`.apkg`), made by genanki.

A note's id comes from its card, the deck's from the course: Anki updates what it has, keeps its
schedule, and never holds a card twice.
"""

from __future__ import annotations

import html
import io
import itertools
import json
import re
import sqlite3
import time
import zipfile
from collections.abc import Iterable, Mapping
from contextlib import closing
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from tutor.study.card import Card, CardId, CardKind
from tutor.text.folding import unaccented
from tutor.text.terminal import one_line, plain

if TYPE_CHECKING:
    import genanki

    from tutor.study.pictures import Picture

_MODEL_ID = 1_763_846_401
_FIELDS = ("Front", "Back", "Source", "Page", "Week", "Section")
_FRONT = '<div class="front">{{Front}}</div>'
_BACK = """{{FrontSide}}<hr id="answer"><div class="back">{{Back}}</div>
{{#Source}}<p class="place">{{Source}}{{#Page}}, p. {{Page}}{{/Page}}{{#Section}} · {{Section}}\
{{/Section}}</p>{{/Source}}"""
_STYLE = """.card { font-family: sans-serif; font-size: 20px; text-align: left; max-width: 40em;
  margin: 1em auto; } pre { font-size: 0.85em; } .place { color: #777; font-size: 0.75em; }"""
_DISPLAYED = re.compile(r"\$\$(.+?)\$\$", re.DOTALL)
_INLINE = re.compile(r"(?<![\\$])\$([^$\n]{0,200}[\\^_{][^$\n]{0,200})\$")
"""TeX between dollar signs; amounts of money are none."""


def deck_file(
    course: str,
    cards: Iterable[Card],
    timestamp: float | None = None,
    pictures: Mapping[CardId, Picture] | None = None,
) -> bytes:
    """A deck as the bytes of an `.apkg`; `timestamp` (seconds) dates its notes, else now.

    `pictures` stand under the answers of their cards. Anki takes a note over that is newer than
    its own.
    """
    import genanki  # noqa: PLC0415 - YAML and asyncio, 0.16 s

    model = genanki.Model(
        _MODEL_ID,
        "tutor",
        fields=[{"name": name} for name in _FIELDS],
        templates=[{"name": "tutor", "qfmt": _FRONT, "afmt": _BACK}],
        css=_STYLE,
    )
    # A deck within a deck is written with `::`.
    deck = genanki.Deck(_deck_id(course), "tutor::" + one_line(course).replace("::", ":"))
    pictures = pictures or {}
    for card in cards:
        deck.add_note(_note(card, model, pictures.get(card.id)))
    deck.add_model(model)
    media = {picture.name: picture.content for picture in pictures.values()}
    return _packed(genanki.Package(deck), time.time() if timestamp is None else timestamp, media)


def _packed(package: genanki.Package, timestamp: float, media: Mapping[str, bytes]) -> bytes:
    # Its own way of writing a file leaves its database behind in the folder of temporary files.
    packed = io.BytesIO()
    with TemporaryDirectory() as folder:
        path = Path(folder) / "collection.anki2"
        with closing(sqlite3.connect(path)) as connection:
            numbers = itertools.count(int(timestamp * 1000))
            package.write_to_db(connection.cursor(), timestamp, numbers)
            connection.commit()
        with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.write(path, "collection.anki2")
            archive.writestr("media", json.dumps(dict(enumerate(media))))
            for number, content in enumerate(media.values()):
                archive.writestr(str(number), content)
    return packed.getvalue()


def _note(card: Card, model: genanki.Model, picture: Picture | None) -> genanki.Note:
    import genanki  # noqa: PLC0415 - as above

    origin = card.origin
    fields = [
        _front(card),
        _marked_up(card.answer, code=card.kind is CardKind.CODE)
        + (f'<br><img src="{picture.name}">' if picture else ""),
        _escaped(f"{one_line(origin.title)} ({one_line(origin.path)})") if origin else "",
        _pages(card),
        str(origin.week) if origin and origin.week is not None else "",
        _escaped(one_line(origin.section)) if origin else "",
    ]
    return genanki.Note(model, fields, guid=genanki.guid_for(card.id), tags=_tags(card))


def _pages(card: Card) -> str:
    origin = card.origin
    if origin is None:
        return ""
    first, last = origin.first_page, origin.last_page
    return str(first) if first == last else f"{first}-{last}"


def _front(card: Card) -> str:
    text = _marked_up(card.question, code=card.kind is CardKind.CODE)
    if card.kind is CardKind.MATCH:
        text += _listed(card.items, "1") + _listed(card.choices, "a")
    elif card.choices:
        text += _listed(card.choices, "1")
    return text


def _listed(entries: Iterable[str], kind: str) -> str:
    rows = "".join(f"<li>{_marked_up(entry)}</li>" for entry in entries)
    return f'<ol type="{kind}">{rows}</ol>'


def _marked_up(text: str, *, code: bool = False) -> str:
    """A text as HTML in which nothing but formulas is more than text."""
    escaped = _escaped(plain(text))
    if code:
        return f"<pre>{escaped}</pre>"
    escaped = _DISPLAYED.sub(r"\\[\1\\]", escaped)
    escaped = _INLINE.sub(r"\\(\1\\)", escaped)
    return escaped.replace("\n", "<br>")


def _escaped(text: str) -> str:
    # Anki would play `[sound:…]`, run `[latex]` and take `{{…}}` for a field.
    text = re.sub(r"\[(?=sound:|/?latex\]|/?\$)", "&#91;", html.escape(text))
    return text.replace("{{", "&#123;&#123;").replace("\x1f", " ")


def _tags(card: Card) -> list[str]:
    tags = ["tutor", f"tutor::{card.kind.value}"]
    if card.origin:
        tags.append(f"tutor::source::{_word(card.origin.title)}")
        if card.origin.week is not None:
            tags.append(f"tutor::week::{card.origin.week:02}")
    return tags


def _word(text: str) -> str:
    return re.sub(r"[^\w.+-]+", "-", unaccented(text)).strip("-")[:60] or "-"


def _deck_id(course: str) -> int:
    return 1 << 40 | int.from_bytes(sha256(f"tutor {course}".encode()).digest()[:4])
