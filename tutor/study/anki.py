"""Cards as an Anki deck (`.apkg`), made by genanki, with pictures of their formulas.

A note's id comes from its card, the deck's from the course: Anki updates what it has, keeps its
schedule, and never holds a card twice. The text of a formula on lines of its own is its parts in a
row; where fractions, indices and matrices were, its part of the page tells more.
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
from collections.abc import Callable, Iterable, Mapping
from contextlib import closing
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from PIL import Image

from tutor.ingest.reading.rendering import PagePicture
from tutor.study.card import Card, CardId, CardKind, Origin
from tutor.text.folding import unaccented
from tutor.text.paragraphs import is_formula
from tutor.text.terminal import one_line, plain

if TYPE_CHECKING:
    import genanki

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

SIZE = (1200, 1700)
"""Pixels into which a page is drawn."""
_MARGIN = 14
_TALLEST = 900


@dataclass(frozen=True, slots=True)
class Picture:
    """A PNG under a name that follows from its place, so that it stays when it is made anew."""

    name: str
    content: bytes


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
    deck_id = 1 << 40 | int.from_bytes(sha256(f"tutor {course}".encode()).digest()[:4])
    deck = genanki.Deck(deck_id, "tutor::" + one_line(course).replace("::", ":"))
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

    place, tags = [""] * 4, ["tutor", f"tutor::{card.kind.value}"]
    if origin := card.origin:
        first, last = origin.first_page, origin.last_page
        place = [
            _escaped(f"{one_line(origin.title)} ({one_line(origin.path)})"),
            str(first) if first == last else f"{first}-{last}",
            "" if origin.week is None else str(origin.week),
            _escaped(one_line(origin.section)),
        ]
        word = re.sub(r"[^\w.+-]+", "-", unaccented(origin.title)).strip("-")[:60]
        tags.append(f"tutor::source::{word or '-'}")
        if origin.week is not None:
            tags.append(f"tutor::week::{origin.week:02}")
    back = _marked_up(card.answer, code=card.kind is CardKind.CODE)
    if picture:
        back += f'<br><img src="{picture.name}">'
    fields = [_front(card), back, *place]
    return genanki.Note(model, fields, guid=genanki.guid_for(card.id), tags=tags)


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


# --- pictures ---


def formula_pictures(
    cards: Iterable[Card], draw: Callable[[Origin], PagePicture | None]
) -> dict[CardId, Picture]:
    """A picture for each card that stands on a formula; none where its words are not found.

    `draw` draws the page of a place into `SIZE`, with the boxes of its words.
    """

    @cache
    def picture_of(origin: Origin) -> Picture | None:
        key = "\x1f".join((origin.path, str(origin.first_page), origin.text))
        return _cut_out(draw(origin), f"tutor-{sha256(key.encode()).hexdigest()[:20]}.png")

    found = {
        card.id: picture_of(card.origin)
        for card in cards
        if card.origin
        and card.kind is not CardKind.CODE
        and card.origin.first_page == card.origin.last_page
        and any(map(is_formula, card.origin.text.split("\n")))
    }
    return {card: picture for card, picture in found.items() if picture}


def _cut_out(page: PagePicture | None, name: str) -> Picture | None:
    """What is around the words, over the width of the page's text."""
    if page is None or not page.boxes:
        return None
    left, top, right, bottom = (
        edge(sides)
        for edge, sides in zip((min, min, max, max), zip(*page.boxes, strict=True), strict=True)
    )
    if bottom - top > _TALLEST:
        return None
    image = Image.frombytes("RGB", (page.width, page.height), page.pixels)
    cut = image.crop((
        max(0, left - _MARGIN),
        max(0, top - _MARGIN),
        min(page.width, right + _MARGIN),
        min(page.height, bottom + 2 * _MARGIN),  # limits of integrals hang lower
    ))  # fmt: skip
    content = io.BytesIO()
    cut.convert("L").quantize(16).save(content, "PNG", optimize=True)
    return Picture(name, content.getvalue())
