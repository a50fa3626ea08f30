"""Decks, imported into a real Anki collection."""

from __future__ import annotations

import io
import warnings
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from PIL import Image

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    from anki.collection import Collection, ImportAnkiPackageOptions, ImportAnkiPackageRequest

from tests import pdfs
from tests.study_cards import card, course, origin
from tutor.ingest.cleaning.document import clean
from tutor.ingest.reading.document import read_pdf
from tutor.ingest.reading.rendering import PagePicture, PageRequest, draw_page
from tutor.model import source_id
from tutor.study.anki import SIZE, deck_file, formula_pictures
from tutor.study.card import Card, CardKind, Origin

EARLIER, LATER = 1_770_000_000.0, 1_770_000_100.0


@pytest.fixture
def collection(tmp_path: Path) -> Iterator[Collection]:
    opened = Collection(str(tmp_path / "collection.anki2"))
    yield opened
    opened.close()


def import_into(collection: Collection, deck: bytes, folder: Path) -> None:
    path = folder / "deck.apkg"
    path.write_bytes(deck)
    options = ImportAnkiPackageOptions(with_scheduling=False, merge_notetypes=True)
    request = ImportAnkiPackageRequest(package_path=str(path), options=options)
    collection.import_anki_package(request)


def fields(collection: Collection, front: str) -> dict[str, str]:
    (note,) = [
        note
        for id_ in collection.find_notes("")
        if (note := collection.get_note(id_))["Front"].startswith(front)
    ]
    return dict(note.items())


def test_an_export_that_is_imported_again_updates(collection: Collection, tmp_path: Path) -> None:
    cards = course(5)
    import_into(collection, deck_file("ia", cards, EARLIER), tmp_path)
    assert collection.note_count() == collection.card_count() == 5
    (number,) = collection.find_cards('"Front:¿Qué es 0?"')
    collection.sched.set_due_date([number], "7")
    before = collection.get_card(number)
    edited = [replace(cards[0], answer="Otra respuesta"), *cards[1:], card("nueva")]
    import_into(collection, deck_file("ia", edited, LATER), tmp_path)
    assert collection.note_count() == collection.card_count() == 6
    assert fields(collection, "¿Qué es 0?")["Back"] == "Otra respuesta"
    after = collection.get_card(number)
    assert (after.due, after.ivl, after.type) == (before.due, before.ivl, before.type)
    assert after.ivl == 7
    import_into(collection, deck_file("ia", edited, LATER + 1), tmp_path)
    assert collection.note_count() == 6
    assert [deck.name for deck in collection.decks.all_names_and_ids()].count("tutor::ia") == 1
    assert len([m for m in collection.models.all_names() if m.startswith("tutor")]) == 1


def test_a_note_knows_its_place(collection: Collection, tmp_path: Path) -> None:
    made = replace(card("q", "a"), origin=replace(origin(), last_page=4))
    import_into(collection, deck_file("ia", [made], EARLIER), tmp_path)
    note = fields(collection, "q")
    assert note["Source"] == "Búsqueda informada (05_SEMANA_AI_20250901_1.pdf)"
    assert (note["Page"], note["Week"], note["Section"]) == ("3-4", "5", "Heurísticas")
    for tag in ("tutor::definition", "tutor::week::05", "tutor::source::Busqueda-informada"):
        assert collection.find_notes(f"tag:{tag}"), tag


def shown(collection: Collection, folder: Path, made: Card) -> tuple[str, str]:
    import_into(collection, deck_file("ia", [made], EARLIER), folder)
    (number,) = collection.find_cards("")
    anki_card = collection.get_card(number)
    return anki_card.question(), anki_card.answer()


def test_texts_are_no_markup(collection: Collection, tmp_path: Path) -> None:
    bad = '<script>alert(1)</script> [sound:x.mp3] [latex]\\input{/etc/passwd}[/latex] {{Back}} "a"'
    question, answer = shown(collection, tmp_path, card(bad, f"a\n{bad}", CardKind.OWN))
    for text in (question, answer):
        assert "<script" not in text
        assert "[sound:" not in text
        assert "[latex]" not in text
        assert "&lt;script&gt;" in text
    (number,) = collection.find_cards("")
    assert not collection.get_card(number).question_av_tags()
    assert "la respuesta" not in question


def test_formulas_in_tex_are_shown_by_mathjax(collection: Collection, tmp_path: Path) -> None:
    made = card("¿$x_1 < y$?", "$$\\frac{a}{b}$$ cuesta $5 y $6", CardKind.OWN)
    question, answer = shown(collection, tmp_path, made)
    assert "\\(x_1 &lt; y\\)" in question
    assert "\\[\\frac{a}{b}\\] cuesta $5 y $6" in answer


def test_choices_and_pairs_are_listed(collection: Collection, tmp_path: Path) -> None:
    made = card("q", "uno → ein", CardKind.MATCH, items=("uno",), choices=("ein", "zwei"))
    question, _answer = shown(collection, tmp_path, made)
    assert '<ol type="1"><li>uno</li></ol><ol type="a"><li>ein</li><li>zwei</li></ol>' in question


def test_code_keeps_its_lines(collection: Collection, tmp_path: Path) -> None:
    made = card("for x in y:\n    ____", "    print(x)", CardKind.CODE)
    question, answer = shown(collection, tmp_path, made)
    assert "<pre>for x in y:\n    ____</pre>" in question
    assert "<pre>    print(x)</pre>" in answer


def test_courses_have_decks_of_their_own(collection: Collection, tmp_path: Path) -> None:
    import_into(collection, deck_file("ia", course(2), EARLIER), tmp_path)
    import_into(collection, deck_file("a::b", [card("otra")], EARLIER), tmp_path)
    names = {deck.name for deck in collection.decks.all_names_and_ids()}
    assert {"tutor::ia", "tutor::a:b"} <= names


def test_nothing_is_left_in_the_folder_of_temporary_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    deck_file("ia", course(2))
    assert list(tmp_path.iterdir()) == []


def formula_card(folder: Path) -> tuple[Card, Path]:
    """A card on a formula of a real page."""
    path = pdfs.formulas(folder / "formulas.pdf")
    text = clean(read_pdf(path, source_id(path.name))).text
    start = text.index("σ(z)")
    line = text[start : text.index("\n", start)]
    made = card("¿Qué es σ(z)?", line, CardKind.CLOZE)
    assert made.origin
    place = replace(made.origin, path=path.name, first_page=1, last_page=1, text=line)
    return replace(made, origin=place), path


def test_a_formula_comes_as_the_page_shows_it_and_once(
    collection: Collection, tmp_path: Path
) -> None:
    made, path = formula_card(tmp_path)
    same_place = replace(made, id=card("otra").id, question="¿Otra?")
    plain = card("sin fórmula")

    def draw(origin: Origin) -> PagePicture:
        return draw_page(PageRequest(path, origin.first_page, origin.text), *SIZE)

    cards = [made, same_place, plain]
    pictures = formula_pictures(cards, draw)
    assert {*pictures} == {made.id, same_place.id}
    (name,) = {picture.name for picture in pictures.values()}
    image = Image.open(io.BytesIO(pictures[made.id].content))
    assert image.width < SIZE[0]
    assert 20 < image.height < 250
    assert (image.convert("L").point(lambda level: 255 * (level < 128))).getbbox()

    for at in (EARLIER, LATER):
        import_into(collection, deck_file("ia", cards, at, pictures), tmp_path)
    assert collection.note_count() == 3
    assert f'<img src="{name}">' in fields(collection, "¿Qué es σ(z)?")["Back"]
    assert "<img" not in fields(collection, "sin fórmula")["Back"]
    assert [entry.name for entry in Path(collection.media.dir()).iterdir()] == [name]
    assert formula_pictures([made], draw)[made.id] == pictures[made.id]


def test_what_cannot_be_drawn_or_found_has_no_picture(tmp_path: Path) -> None:
    made, path = formula_card(tmp_path)
    assert formula_pictures([made], lambda _origin: None) == {}
    assert (
        formula_pictures([made], lambda _o: draw_page(PageRequest(path, 1, "ζ(q) = 77"), *SIZE))
        == {}
    )
