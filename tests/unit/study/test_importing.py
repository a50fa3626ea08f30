"""Cards of others, from files that may be anything."""

from __future__ import annotations

import csv
import sqlite3
import warnings
import zipfile
from collections.abc import Iterator
from contextlib import closing, suppress
from html import escape
from pathlib import Path

import pytest
from genanki import guid_for
from hypothesis import given, settings
from hypothesis import strategies as st

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    from anki.collection import Collection, ExportAnkiPackageOptions

from tests.study_cards import card
from tutor.errors import StudyError
from tutor.study import importing
from tutor.study.anki import deck_file
from tutor.study.card import CardKind, own_card
from tutor.study.exporting import cards_csv
from tutor.study.importing import read_cards
from tutor.study.store import StudyStore
from tutor.text.terminal import plain


def pairs(path: Path) -> list[tuple[str, str]]:
    return [(card.question, card.answer) for card in read_cards(path)[0]]


def written(folder: Path, text: str | bytes, name: str = "cards.csv") -> Path:
    path = folder / name
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return path


@pytest.mark.parametrize(
    "text",
    [
        "front,back\nuno,ein\n",
        "uno,ein\n",
        "\ufeffPregunta;Respuesta\nuno;ein\n",
        "uno\tein\n",
        "nota,Reverso,Anverso\nx,ein,uno\n",
        "#separator:tab\n#html:true\nuno\tein\n",
        "uno,ein\n\nsolo\n,vacío\nuno,ein\n",
        b"uno,ein\n",
        "uno,ein\rsolo\r",
        "uno,ein\r\n",
    ],
)
def test_two_columns_are_cards(tmp_path: Path, text: str | bytes) -> None:
    assert pairs(written(tmp_path, text)) == [("uno", "ein")]


@pytest.fixture(autouse=True)
def _limit() -> Iterator[None]:
    """How long a field may be is known to the whole process: other tests read CSV, too."""
    before = csv.field_size_limit()
    yield
    csv.field_size_limit(before)


def test_what_was_exported_for_readers_is_no_table(tmp_path: Path) -> None:
    path = tmp_path / "cards.md"
    path.write_text("# Tarjetas\n\n¿Qué es, pues, A*?\n\n> Una búsqueda, y óptima.\n")
    with pytest.raises(StudyError, match=r"neither a CSV file nor an Anki deck"):
        read_cards(path)


def test_texts_are_kept_as_they_are_written(tmp_path: Path) -> None:
    text = '"¿a, b\ny c?","\'=1+1"\n'
    assert pairs(written(tmp_path, text)) == [("¿a, b\ny c?", "=1+1")]
    assert pairs(written(tmp_path, "año,sí\n".encode("cp1252"))) == [("año", "sí")]


def test_a_long_text_in_the_first_line_is_read(tmp_path: Path) -> None:
    csv.field_size_limit(131_072)  # as it is in a process that has read nothing
    assert pairs(written(tmp_path, f"uno,{'x' * 140_000}\n"))[0][0] == "uno"


ANKI = "#separator:tab\n#html:true\n"
BESIDE = "#guid column:1\n#notetype column:2\n#deck column:3\n#tags column:6\n"


@pytest.mark.parametrize(
    "text",
    [
        f"{ANKI}{BESIDE}Q&M,\tBasic\tIA\tuno &lt; 1?<br>di\tein<div>x; y</div>\tt1 t2\n",
        f"{ANKI}#tags column:3\nuno &lt; 1?<br>di\t<b>ein</b><div>x; y</div>\tt1\n",
        '#separator:Pipe\n#html:false\n#tags column:1\nt1|"uno < 1?\ndi"|"ein\nx; y"\n',
        '#separator:;\n# un comentario\n#deck:IA\n"uno < 1?\ndi";"ein\nx; y"\n',
        '#separator:comma\n#columns:n,Back,Front\n7,"ein\nx; y","uno < 1?\ndi"\n',
        '#columns:id\ta\tb\n#separator:tab\n#guid column:1\n7\t"uno < 1?\ndi"\t"ein\nx; y"\n',
        "#html:true\n#separator:nada\nuno &lt; 1?<br>di\tein<div>x; y</div>\n",
    ],
)  # fmt: skip
def test_a_text_file_of_anki_is_read_as_its_header_says(tmp_path: Path, text: str) -> None:
    assert pairs(written(tmp_path, text, "notas.txt")) == [("uno < 1?\ndi", "ein\nx; y")]


def test_what_is_no_header_is_a_card(tmp_path: Path) -> None:
    text = "#include,incluye un archivo\n#html:true,dice que hay HTML\n<b>,negrita\n"
    assert len(pairs(written(tmp_path, text))) == 3
    text = f"{ANKI}La {{{{c1::poda}}}} corta\t\n'=1\t#tags column:2\n"
    assert pairs(written(tmp_path, text)) == [("La […] corta", "poda"), ("'=1", "#tags column:2")]


@pytest.mark.parametrize("html", [True, False])
def test_a_text_file_that_anki_wrote_is_read(tmp_path: Path, html: bool) -> None:
    path = tmp_path / "notas.txt"
    collection = Collection(str(tmp_path / "collection.anki2"))
    given = (("uno\ttab", "#ein"), ("«dos» < 2", "zwei"), ("#tres", 'di "drei"'))
    for front, back in given:
        note = collection.new_note(collection.models.by_name("Basic"))  # pyrefly: ignore[bad-argument-type]
        note.fields, note.tags = [escape(front), escape(back)], ["una", "otra"]
        collection.add_note(note, collection.decks.id("Default"))  # pyrefly: ignore[bad-argument-type]
    every = dict.fromkeys(("with_tags", "with_deck", "with_notetype", "with_guid"), True)
    collection.export_note_csv(out_path=str(path), limit=None, with_html=html, **every)
    collection.close()
    assert [(front.replace("\t", " "), back) for front, back in pairs(path)] == [
        (front.replace("\t", " "), back) for front, back in given
    ]


def test_what_went_to_anki_and_comes_back_as_text_is_an_export(tmp_path: Path) -> None:
    own = card("front", "back", CardKind.OWN)
    path = written(tmp_path, f"{ANKI}{BESIDE}{guid_for(own.id)}\tBasic\tIA\tfront\tback\tt\n")
    assert read_cards(path, but=[own.id]) == ([], 1, 0)


def test_controls_never_reach_a_card(tmp_path: Path) -> None:
    assert pairs(written(tmp_path, "\x1b[31muno,e\u202ein\n")) == [("[31muno", "ein")]


def test_what_was_exported_is_read_again(tmp_path: Path) -> None:
    with StudyStore(tmp_path / "study.db") as store:
        store.add("ia", [card("=1+1", "-2, dos", CardKind.OWN), card("b\nc", "d", CardKind.OWN)])
        text = cards_csv(store.cards("ia"))
    assert "'=1+1" in text
    assert pairs(written(tmp_path, text)) == [("=1+1", "-2, dos"), ("b\nc", "d")]


def exported(folder: Path, *cards: tuple[str, str]) -> Path:
    """A CSV file that was written here, of a student's own cards."""
    with StudyStore(folder / "study.db") as store:
        store.add("ia", [own_card(front, back) for front, back in cards])
        return written(folder, cards_csv(store.cards("ia")))


def test_an_apostrophe_within_a_formula_stays(tmp_path: Path) -> None:
    given = [("¿Solución de y'=2x?", "f'+g' = (f+g)'"), ("'=1", "''-1"), ("'hola'", "'")]
    assert pairs(exported(tmp_path, *given)) == given


def test_what_names_the_columns_parts_them(tmp_path: Path) -> None:
    given = [(f"a; b{n}", f"c; d\te{n}") for n in range(60)]
    assert pairs(exported(tmp_path, *given)) == given


@settings(max_examples=50)
@given(st.lists(st.tuples(*[st.text("'=+-@\t;,\"\na x", max_size=9)] * 2), max_size=5))
def test_what_is_exported_as_csv_comes_back(
    tmp_path_factory: pytest.TempPathFactory, texts: list[tuple[str, str]]
) -> None:
    given = {(plain(one).strip(), plain(other).strip()): None for one, other in texts}
    wanted = [texts for texts in given if all(texts)]
    if wanted:
        assert pairs(exported(tmp_path_factory.mktemp("back"), *wanted)) == wanted


def test_a_deck_of_ours_is_read(tmp_path: Path) -> None:
    deck = deck_file("ia", [card("a < b & c\nd", "e", CardKind.OWN)])
    assert pairs(written(tmp_path, deck, "deck.apkg")) == [("a < b & c\nd", "e")]
    assert pairs(written(tmp_path, deck, "deck.zip")) == [("a < b & c\nd", "e")]


def test_code_keeps_its_lines(tmp_path: Path) -> None:
    deck = deck_file("ia", [card("for x in y:\n    pass", "if z:\n    pass", CardKind.CODE)])
    assert pairs(written(tmp_path, deck, "deck.apkg")) == [
        ("for x in y:\n    pass", "if z:\n    pass")
    ]


def test_an_export_is_known_by_its_cards_however_it_is_shown(tmp_path: Path) -> None:
    choice = card("q", "b", CardKind.CHOICE, choices=("a", "b"))
    other = card("otra")
    path = written(tmp_path, deck_file("ia", [choice, other]), "deck.apkg")
    cards, left_out, _incomplete = read_cards(path, but=[choice.id])
    assert ([read.question for read in cards], left_out) == (["otra"], 1)
    assert read_cards(path, but=[choice.id, other.id]) == ([], 2, 0)


@pytest.mark.parametrize("legacy", [True, False])
def test_a_deck_that_anki_wrote_is_read(tmp_path: Path, legacy: bool) -> None:
    path = tmp_path / "deck.apkg"
    collection = Collection(str(tmp_path / "collection.anki2"))
    for notetype, fields in (
        ("Basic", ("<b>uno</b>&nbsp;&amp;<br>dos", "<div>ein</div><div>zwei[sound:a.mp3]</div>")),
        ("Cloze", ("La {{c1::poda}} corta {{c2::ramas::qué}}.", "")),
    ):
        model = collection.models.by_name(notetype)
        assert model is not None
        note = collection.new_note(model)
        note.fields = list(fields)[: len(note.fields)]
        collection.add_note(note, collection.decks.id("Default"))  # pyrefly: ignore[bad-argument-type]
    options = ExportAnkiPackageOptions(legacy=legacy, with_scheduling=True)
    collection.export_anki_package(out_path=str(path), options=options, limit=None)
    collection.close()
    with zipfile.ZipFile(path) as archive:
        assert ("collection.anki21b" in archive.namelist()) is not legacy
    assert pairs(path) == [
        ("uno &\ndos", "ein\nzwei"),
        ("La […] corta […].", "poda\nramas"),
    ]


HOSTILE = (
    "{{c1::" * 3000,
    "{{c1::a::" * 3000,
    "[sound:" * 9000,
    "<" * 60_000,
    "<![x" * 9000,
    "<!--" * 9000,
    "<div " * 9000,
    "&" * 60_000,
)


@pytest.mark.parametrize("field", HOSTILE, ids=range(len(HOSTILE)))
def test_hostile_fields_are_read_like_others(tmp_path: Path, field: str) -> None:
    """Expressions that look back and forth would take hours of fifty such notes."""
    database = tmp_path / "hostile.db"
    with closing(sqlite3.connect(database)) as connection, connection:
        connection.execute("CREATE TABLE notes (id INTEGER, flds TEXT, guid TEXT)")
        connection.executemany(
            "INSERT INTO notes VALUES (?, ?, 0)", [(n, f"{n}{field}\x1fb") for n in range(50)]
        )
    assert len(read_cards(deck_of(tmp_path / "deck.apkg", database))[0]) == 50
    assert deck_file("ia", [card("$_" * 9000, "$$" * 9000, CardKind.OWN)])


@given(st.binary(max_size=300))
def test_any_file_is_read_or_refused(
    tmp_path_factory: pytest.TempPathFactory, content: bytes
) -> None:
    folder = tmp_path_factory.mktemp("any")
    for name in ("cards.csv", "deck.apkg"):
        with suppress(StudyError):
            assert read_cards(written(folder, content, name))


@settings(max_examples=30)
@given(st.text(max_size=200), st.text(max_size=200))
def test_a_card_that_is_exported_comes_back(
    tmp_path_factory: pytest.TempPathFactory, front: str, back: str
) -> None:
    shown = [" ".join(plain(text).split()) for text in (front, back)]
    if not all(shown) or any(text[0] in "=+-@'" for text in shown):
        return
    deck = deck_file("ia", [card(shown[0], shown[1], CardKind.OWN)])
    if "$" not in front + back and "{{" not in front:
        path = written(tmp_path_factory.mktemp("back"), deck, "deck.apkg")
        assert pairs(path) == [(shown[0], shown[1])]


def deck_of(path: Path, database: Path) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.write(database, "collection.anki2")
    return path


def with_tables(folder: Path, *statements: str) -> Path:
    database = folder / "hostile.db"
    with closing(sqlite3.connect(database)) as connection, connection:
        for statement in statements:
            connection.execute(statement)
    return deck_of(folder / "deck.apkg", database)


ENDLESS = (
    "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n)"
    " SELECT x, x AS flds, x AS id FROM n"
)


@pytest.mark.parametrize(
    "statements",
    [
        (f"CREATE VIEW notes AS {ENDLESS}",),
        ("CREATE VIRTUAL TABLE notes USING fts5(flds, id)",),
        ("CREATE TABLE notes (other)",),
        ("CREATE TABLE cards (flds)",),
    ],
)
def test_a_collection_without_notes_is_no_deck(tmp_path: Path, statements: tuple[str, ...]) -> None:
    with pytest.raises(StudyError, match="no Anki deck") as caught:
        read_cards(with_tables(tmp_path, *statements))
    assert caught.value.remedy


def test_a_collection_that_takes_forever_is_given_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(importing, "_SQLITE_STEPS", 3)
    deck = with_tables(
        tmp_path,
        "CREATE TABLE notes (id INTEGER, flds TEXT, guid TEXT)",
        "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n LIMIT 9999)"
        " INSERT INTO notes SELECT -x, 'a' || char(31) || x, x FROM n",
    )
    with pytest.raises(StudyError, match="no Anki deck"):
        read_cards(deck)


def test_a_bomb_is_not_unpacked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importing, "_MOST_COLLECTION", 3_000_000)
    path = tmp_path / "deck.apkg"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("collection.anki2", bytes(40_000_000))
    assert path.stat().st_size < 100_000
    with pytest.raises(StudyError, match="too large"):
        read_cards(path)


def test_files_that_are_no_deck_are_told(tmp_path: Path) -> None:
    cut = deck_file("ia", [card("a")])[:-200]
    zstd = tmp_path / "zstd.apkg"
    with zipfile.ZipFile(zstd, "w") as archive:
        archive.writestr("collection.anki21b", b"\x28\xb5\x2f\xfd" + b"noise" * 100)
    empty = tmp_path / "empty.apkg"
    with zipfile.ZipFile(empty, "w") as archive:
        archive.writestr("../../collection.anki2", b"")
    for path in (
        written(tmp_path, "hola", "text.apkg"),
        written(tmp_path, cut, "cut.apkg"),
        written(tmp_path, b"", "nothing.apkg"),
        zstd,
        empty,
    ):
        with pytest.raises(StudyError, match="no Anki deck"):
            read_cards(path)


def test_a_csv_file_without_cards_is_told(tmp_path: Path) -> None:
    for text in ("", "uno\ndos\n", "front,back\n", ",\n"):
        with pytest.raises(StudyError, match="holds no cards"):
            read_cards(written(tmp_path, text))
    with pytest.raises(StudyError, match="neither a CSV file"):
        read_cards(written(tmp_path, b"a,b\0c\n"))
    with pytest.raises(StudyError, match="There is no file"):
        read_cards(tmp_path / "absent.csv")
    with pytest.raises(StudyError, match="cannot be read"):
        read_cards(tmp_path)


def test_too_many_cards_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importing, "_MOST_CARDS", 10)
    with pytest.raises(StudyError, match="more than 10 cards"):
        read_cards(written(tmp_path, "".join(f"{n},x\n" for n in range(11))))
    monkeypatch.setattr(importing, "_MOST_CSV", 10)
    with pytest.raises(StudyError, match="too large"):
        read_cards(written(tmp_path, "uno,ein\ndos,zwei\n"))
