"""Conversations saved by earlier versions of the file are all there afterwards."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from datetime import UTC, date, datetime
from pathlib import Path

import pytest

from tutor.errors import SessionError
from tutor.history import Preference, SessionStore, TurnState
from tutor.history.sessions import Feedback
from tutor.model import (
    Answer,
    Chunk,
    ChunkId,
    Citation,
    Ending,
    Hit,
    RetrieverScore,
    Route,
    Source,
    Strategy,
    Usage,
    WebCitation,
    WebResult,
    source_id,
)

DUMP = Path(__file__).resolve().parents[1] / "data" / "sessions_v1.sql"
QUOTE = "La búsqueda A* es completa."


def at(minute: int) -> datetime:
    return datetime(2026, 3, 1, 12, minute, tzinfo=UTC)


def cited(route: Route) -> Answer:
    """The cited answer of the dump; version 1 did not know its source's number of pages."""
    source = Source(
        source_id("semana/03.pdf"), "semana/03.pdf", "Búsqueda", "sha", 0, 1, date(2025, 9, 1), "1",
        ("Ana Núñez", "Luis Gil"),
    )  # fmt: skip
    chunk_id, strategy = ChunkId("35b2d73d4101e45c49515fd2"), Strategy(route.value)
    chunk = Chunk(chunk_id, source.id, strategy, QUOTE, 107, 134, 3, 4, 0)
    retrievers = {"dense": RetrieverScore(2, 0.81), "lexical": RetrieverScore(1, 12.5)}
    hit = Hit(chunk, source, 0.9, 1, retrievers)
    web = WebResult(1, "Título", "resumen", "https://a.example/b", "a.example")
    return Answer(
        "A* es completa. Nadie la supera.",
        (Citation(0, 15, hit, 0, len(QUOTE), 3, 4, 0.93),),
        abstained=False,
        route=route,
        model="llama3.2",
        timings={"search": 0.02, "generate": 1.5},
        unsupported=((16, 32),),
        web_citations=(WebCitation(0, 15, web, 0.5),),
        ending=Ending.LENGTH,
        usage=Usage("length", 12, 5, 0.1, 0.2, 0.5),
    )


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "sessions.db"
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.executescript(DUMP.read_text(encoding="utf-8"))
    return path


def opened(path: Path) -> SessionStore:
    return SessionStore(path, now=lambda: at(59))


def test_sessions_keep_their_names_times_and_order(path: Path) -> None:
    with opened(path) as store:
        listed = store.sessions()
        (deleted,) = store.sessions(deleted=True)
        assert store.undelete(deleted.id).turns == 1
        (revived,) = store.turns(deleted.id)
    assert [(s.id, s.title, s.course, s.language, s.turns) for s in listed] == [
        ("0123456789ab", "What is a key?", "bd", "en", 3),
        ("a1b2c3d4e5f6", "Repaso de Heurísticas", "ia", "es", 4),
    ]
    assert [(s.created, s.updated) for s in listed] == [(at(3), at(24)), (at(2), at(14))]
    assert (deleted.id, deleted.title) == ("ffffffffffff", "Pregunta borrada")
    assert (deleted.created, deleted.deleted) == (at(4), at(19))
    assert revived.text == "Respuesta borrada."


def test_turns_keep_their_answers_sources_and_feedback(path: Path) -> None:
    with opened(path) as store:
        first, second, third, fourth = store.turns("a1b2c3d4e5f6")
        assert store.questions("ia", 9)[0] == first.question
    assert first.answer == cited(Route.SEMANTIC)
    assert (first.id, first.ordinal, first.session) == (1, 1, "a1b2c3d4e5f6")
    assert first.question == "¿Es completa la búsqueda?\nDime"
    assert first.standalone == "¿Es completa la búsqueda A*?"
    assert (first.route, first.rule, first.strategy) == (
        Route.SEMANTIC,
        "strategy",
        Strategy.SEMANTIC,
    )
    assert (first.state, first.created) == (TurnState.COMPLETE, at(5))
    assert first.feedback == Feedback(1, "clara, «útil»", at(7))
    assert (second.route, second.rule, second.abstained) == (Route.FIXED, "slash", True)
    assert second.feedback == Feedback(-1, "", at(10))
    assert (third.state, third.text, third.answer) == (TurnState.STOPPED, "Un árbol [1] es", None)
    assert (fourth.state, fourth.text, fourth.route) == (TurnState.BROKEN, "Media", Route.WEB)


def test_an_unfinished_turn_and_a_damaged_record_keep_their_text(path: Path) -> None:
    with opened(path) as store:
        plain, unfinished, damaged = store.turns("0123456789ab")
    assert plain.answer is not None
    assert plain.answer.text == plain.text == "A key is unique."
    assert unfinished.state is TurnState.BROKEN
    assert unfinished.text == "Primera frase. Segunda frase.\n"
    assert (damaged.text, damaged.answer) == ("Queda el texto.", None)


def test_comparisons_keep_both_answers_and_the_choice(path: Path) -> None:
    with opened(path) as store:
        (chosen,), (open_,) = (store.comparisons(id_) for id_ in ("a1b2", "0123"))
    assert chosen.left == cited(Route.FIXED)
    assert (chosen.question, chosen.right.text) == ("¿Cuál?", "Otra.")
    assert (chosen.choice, chosen.created) == (Preference.RIGHT, at(15))
    assert (open_.left.text, open_.right.text, open_.choice) == ("Una.", "Dos.", None)


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("BUSQUEDA supera", ["a1b2c3d4e5f6"]),
        ("heuris", ["a1b2c3d4e5f6"]),
        ("segunda frase", ["0123456789ab"]),
        ("borrada", []),
    ],
)
def test_everything_is_found(path: Path, words: str, expected: list[str]) -> None:
    with opened(path) as store:
        assert [session.id for session in store.sessions(search=words)] == expected


def test_the_tables_are_those_of_a_new_file(path: Path, tmp_path: Path) -> None:
    new = tmp_path / "new" / "sessions.db"
    for each in (path, new):
        opened(each).close()
    assert _layout(path) == _layout(new)


def test_a_file_of_version_2_knows_deleted_turns_afterwards(path: Path) -> None:
    with opened(path) as store:
        before = store.turns("a1b2c3d4e5f6")
    layout = _layout(path)
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("ALTER TABLE turns DROP COLUMN deleted_at")
        connection.execute("PRAGMA user_version = 2")
    with opened(path) as store:
        assert store.turns("a1b2c3d4e5f6") == before
        store.delete_turn(before[1].id)
        assert [turn.id for turn in store.turns("a1b2c3d4e5f6")] == [1, 3, 4]
        assert [one.id for one in store.sessions(search="heuris")] == ["a1b2c3d4e5f6"]
    assert _layout(path) == layout


def test_an_upgrade_that_fails_changes_nothing(path: Path) -> None:
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("CREATE TABLE turns_index (in_the_way)")
    before = _dump(path)
    with pytest.raises(SessionError):
        opened(path)
    assert _dump(path) == before


def test_later_turns_get_numbers_that_were_never_used(path: Path) -> None:
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("DELETE FROM turns WHERE id = 8")
    with opened(path) as store:
        assert store.begin_turn("a1b2", "¿Y?").turn == 9


def _layout(path: Path) -> dict[str, list[tuple[object, ...]]]:
    """Columns of tables, and what else there is."""
    with closing(sqlite3.connect(path)) as connection:
        others = connection.execute(
            "SELECT type, name, tbl_name, CASE type WHEN 'trigger' THEN sql END"
            " FROM sqlite_master ORDER BY name"
        ).fetchall()
        tables = {name: connection.execute(f"PRAGMA table_info({name})").fetchall()
                  for kind, name, _table, _sql in others if kind == "table"}  # fmt: skip
    return {"": others, **tables}


def _dump(path: Path) -> list[str]:
    with closing(sqlite3.connect(path)) as connection:
        return [*connection.iterdump(), str(connection.execute("PRAGMA user_version").fetchone())]
