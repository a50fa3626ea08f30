"""Conversations are kept as they happen and come back whole."""

from __future__ import annotations

import json
import re
import stat
import threading
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import pytest

from tests.passages import make_hit
from tutor.errors import SessionError
from tutor.files import write_document
from tutor.history import (
    KEPT_DELETED,
    Preference,
    SessionStore,
    TurnState,
    export_path,
)
from tutor.history.rows import decoded, encoded
from tutor.model import (
    Answer,
    Citation,
    Ending,
    Route,
    Strategy,
    Turn,
    Usage,
    WebCitation,
    WebResult,
)
from tutor.presentation.answers import conversation_text

PASSAGE = "La búsqueda A* es completa. Este resto del pasaje nadie lo cita."
QUOTE = "La búsqueda A* es completa."


class Clock:
    """A time that moves a second at each look, and further when told."""

    def __init__(self) -> None:
        self.time = datetime(2026, 3, 1, 12, tzinfo=UTC)

    def __call__(self) -> datetime:
        self.time += timedelta(seconds=1)
        return self.time


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "stores" / "sessions.db"


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def store(path: Path, clock: Clock) -> Iterator[SessionStore]:
    with SessionStore(path, now=clock) as opened:
        yield opened


def cited_answer(text: str = "A* es completa.", ending: Ending = Ending.COMPLETE) -> Answer:
    hit = make_hit(PASSAGE, path="semana/03.pdf", start=100, day=date(2025, 9, 1), version="1")
    return Answer(
        text=text,
        citations=(Citation(0, len(text), hit, 0, len(QUOTE), 3, 4, 0.93),),
        abstained=False,
        route=Route.SEMANTIC,
        model="llama3.2",
        timings={"retrieval": 0.02},
        unsupported=((0, 2),),
        web_citations=(
            WebCitation(0, 3, WebResult(1, "Título", "resumen", "https://a.example/b"), 0.5),
        ),
        ending=ending,
        usage=Usage(prompt_tokens=12, answer_tokens=5, answer_s=0.5),
    )


def cut_to_quotes(answer: Answer) -> Answer:
    """What is kept of `cited_answer`: the passage is no longer than its quote."""
    (citation,) = answer.citations
    hit = citation.hit
    chunk = replace(hit.chunk, text=QUOTE, end=100 + len(QUOTE), first_page=3, last_page=4)
    return replace(answer, citations=(replace(citation, hit=replace(hit, chunk=chunk)),))


def asked(store: SessionStore, session: str, question: str, answer: str) -> int:
    with store.begin_turn(session, question) as writer:
        writer.finish(cited_answer(answer))
    return writer.turn


def test_a_turn_comes_back_with_everything_said_of_it(store: SessionStore) -> None:
    session = store.create("default", "es")
    with store.begin_turn(session.id, "¿y su costo?") as writer:
        writer.routed(Route.SEMANTIC, "strategy")
        writer.rewritten("¿Cuál es el costo de A*?")
        writer.token("A* es ")
        writer.finish(cited_answer())
    (turn,) = store.turns(session.id)
    assert turn == store.turn(writer.turn)
    assert (turn.question, turn.standalone) == ("¿y su costo?", "¿Cuál es el costo de A*?")
    assert (turn.route, turn.rule, turn.strategy) == (
        Route.SEMANTIC,
        "strategy",
        Strategy.SEMANTIC,
    )
    assert (turn.state, turn.text) == (TurnState.COMPLETE, "A* es completa.")
    assert turn.answer == cut_to_quotes(cited_answer())
    (citation,) = turn.answer.citations
    assert citation.quote == QUOTE
    assert citation.quote_span == (100, 100 + len(QUOTE))
    assert (citation.source.path, citation.source.date) == ("semana/03.pdf", date(2025, 9, 1))


def test_a_passage_is_kept_only_as_far_as_it_is_cited(store: SessionStore, path: Path) -> None:
    asked(store, store.create("default", "es").id, "¿?", "Sí.")
    store.close()
    content = path.read_bytes()
    assert QUOTE.encode() in content
    assert b"nadie lo cita" not in content


def test_a_sentence_is_saved_when_it_ends(store: SessionStore) -> None:
    session = store.create("default", "es").id
    with store.begin_turn(session, "¿Qué?") as writer:
        for piece in ("Una", " frase", ".", " Otra", " a medias"):
            writer.token(piece)
        (turn,) = store.turns(session)
        assert turn.state is TurnState.WRITING
        assert turn.text.startswith("Una frase.")
        assert store.history(session) == []
        writer.abandon(Ending.STOPPED)
    (turn,) = store.turns(session)
    assert (turn.state, turn.text) == (TurnState.STOPPED, "Una frase. Otra a medias")


def test_a_writer_that_is_left_without_an_end_is_broken(store: SessionStore) -> None:
    session = store.create("default", "es").id
    with suppress(ZeroDivisionError), store.begin_turn(session, "¿Qué?") as writer:
        writer.token("Media")
        raise ZeroDivisionError
    (turn,) = store.turns(session)
    assert (turn.state, turn.text, turn.answer) == (TurnState.BROKEN, "Media", None)


def test_the_prompt_is_reminded_of_what_was_said_without_marks(store: SessionStore) -> None:
    session = store.create("default", "es").id
    asked(store, session, "uno", "Primera.")
    ended = [
        ("dos", Ending.STOPPED, "Segunda [1], v[1]. Y [W2]"),
        ("tres", Ending.BROKEN, "Tercera"),
    ]
    for question, ending, text in [*ended, ("cuatro", Ending.STOPPED, "")]:
        with store.begin_turn(session, question) as writer:
            writer.token(text)
            writer.abandon(ending)
    assert store.history(session) == [
        Turn("uno", "uno", "Primera.", written=8),
        Turn("dos", "dos", "Segunda, v[1]. Y"),
    ]


@pytest.mark.parametrize(
    ("ending", "state"),
    [
        (Ending.COMPLETE, TurnState.COMPLETE),
        (Ending.LENGTH, TurnState.COMPLETE),
        (Ending.STOPPED, TurnState.STOPPED),
        (Ending.BROKEN, TurnState.BROKEN),
    ],
)
def test_a_turn_ends_as_its_answer_did(
    store: SessionStore, ending: Ending, state: TurnState
) -> None:
    session = store.create("default", "es").id
    store.begin_turn(session, "¿?").finish(cited_answer(ending=ending))
    (turn,) = store.turns(session)
    assert turn.state is state
    assert turn.answer is not None
    assert turn.answer.ending is ending


def test_the_title_is_the_first_question_until_it_is_renamed(store: SessionStore) -> None:
    session = store.create("default", "es").id
    asked(store, session, "¿Qué es\nuna red " + "muy " * 30 + "profunda?", "Eso.")
    asked(store, session, "otra", "Eso.")
    first = store.get(session).title
    assert first.startswith("¿Qué es una red muy")
    assert first.endswith("muy…")
    assert len(first) <= 61
    assert store.rename(session, " Redes\n\x1b ").title == "Redes"
    asked(store, session, "otra más", "Eso.")
    assert store.get(session).title == "Redes"
    assert store.rename(session, "").title == first


def test_the_title_is_the_first_question_that_was_answered(store: SessionStore) -> None:
    session = store.create("default", "es").id

    def ask(question: str, answer: Answer) -> str:
        store.begin_turn(session, question).finish(answer)
        return store.get(session).title

    greeting = replace(cited_answer("¡Hola!"), citations=(), web_citations=())
    assert ask("hola", greeting) == "hola"
    assert ask("¿Quién ganó?", replace(cited_answer(), abstained=True)) == "hola"
    assert ask("¿Qué es un grafo?", cited_answer()) == "¿Qué es un grafo?"
    assert ask("¿Y un árbol?", cited_answer()) == "¿Qué es un grafo?"
    store.delete_turn(3)
    assert store.get(session).title == "¿Y un árbol?"
    store.undelete_turn(session)
    assert store.get(session).title == "¿Qué es un grafo?"
    store.rename(session, "Repaso")
    assert ask("¿Y una lista?", cited_answer()) == "Repaso"
    with store.writing() as connection:
        connection.execute("UPDATE turns SET record = '{' WHERE id = 3")
    assert store.rename(session, "").title == "¿Y un árbol?"


def test_what_was_compared_gives_a_title_and_counts_as_used(path: Path, clock: Clock) -> None:
    with SessionStore(path, now=clock) as store:
        compared = store.create("ia", "es").id
        for question in ("¿Uno?", "¿Dos?"):
            clock.time += timedelta(minutes=1)
            asked(store, store.create("ia", "es").id, question, "Sí.")
        clock.time += timedelta(minutes=1)
        store.add_comparison(compared, "¿Qué es una pila?", cited_answer(), cited_answer())
        titles = [session.title for session in store.sessions()]
        assert titles == ["¿Qué es una pila?", "¿Dos?", "¿Uno?"]
        assert store.get(compared).updated == clock.time


def test_sessions_come_newest_first_with_their_turns(store: SessionStore) -> None:
    old, new = store.create("ia", "es").id, store.create("bd", "es").id
    assert [s.id for s in store.sessions()] == [new, old]
    asked(store, old, "¿?", "Sí.")
    assert [(s.id, s.turns) for s in store.sessions()] == [(old, 1), (new, 0)]
    assert [s.id for s in store.sessions(course="bd")] == [new]


def test_search_knows_no_accents_and_wants_all_words_in_one_turn(store: SessionStore) -> None:
    session, other = store.create("ia", "es").id, store.create("ia", "es").id
    asked(store, session, "¿Qué es la Búsqueda?", "Un ÁRBOL se recorre.")
    asked(store, session, "¿Y el montículo?", "Un montón.")
    store.rename(other, "Repaso de Heurísticas")

    def found(words: str) -> list[str]:
        return [s.id for s in store.sessions(search=words)]

    assert found("busqueda arbol") == [session]
    assert found("BÚSQ recorre") == [session]
    assert found("busqueda monton") == []
    assert found("heuristica") == found("repaso heu") == [other]
    assert found("%") == found("_") == []
    assert found("busqueda %") == found("¿qué árbol?") == [session]
    for query in ('"', "busq NEAR(", "question : busqueda", "busqueda OR nada", "-", "NOT", "a*b^"):
        assert found(query) == [], query
    assert found("  ") == [session, other]


def test_an_id_may_be_shortened_while_it_is_the_only_one(store: SessionStore) -> None:
    sessions = [store.create("ia", "es").id for _ in range(17)]  # two begin with the same digit
    assert store.get(f" {sessions[0].upper()} ").id == sessions[0]
    shared = next(s[0] for s in sessions if sum(t[0] == s[0] for t in sessions) > 1)
    with pytest.raises(SessionError, match="Several"):
        store.get(shared)
    for nonsense in ("", "zz", "%", "0" * 40, "\ud800"):
        with pytest.raises(SessionError) as caught:
            store.get(nonsense)
        assert "tutor sessions" in caught.value.remedy


def test_the_conversation_used_last_comes_first_though_the_clock_was_set_back(
    path: Path, clock: Clock
) -> None:
    with SessionStore(path, now=clock) as store:
        for question in ("¿Antes?", "¿Después?"):
            session = store.create("ia", "es")
            store.begin_turn(session.id, question).abandon(Ending.STOPPED)
            clock.time -= timedelta(days=400)
        assert [one.title for one in store.sessions()] == ["¿Después?", "¿Antes?"]


def test_deleting_can_be_undone_for_a_while(path: Path, clock: Clock) -> None:
    with SessionStore(path, now=clock) as store:
        session = store.create("ia", "es").id
        asked(store, session, "¿?", "Sí.")
        assert store.delete(session).deleted is not None
        assert store.sessions() == []
        assert [s.id for s in store.sessions(deleted=True)] == [session]
        with pytest.raises(SessionError):
            store.begin_turn(session, "¿?")
        assert store.undelete(session).turns == 1
        store.delete(session)
    clock.time += KEPT_DELETED - timedelta(minutes=1)
    with SessionStore(path, now=clock) as store:
        assert len(store.sessions(deleted=True)) == 1
    clock.time += timedelta(minutes=2)
    ask_on_days(path, clock, 3)
    with SessionStore(path, now=clock) as store:
        assert store.sessions(deleted=True) == []


def ask_on_days(path: Path, clock: Clock, days: int) -> None:
    """Use the file on so many days more."""
    for _day in range(days):
        clock.time += timedelta(days=1)
        with SessionStore(path, now=clock) as store:
            asked(store, store.create("ia", "es").id, "¿Y hoy?", "También.")


@pytest.mark.parametrize("days", [1, 2])
def test_a_clock_that_is_ahead_for_a_while_removes_nothing(
    path: Path, clock: Clock, days: int
) -> None:
    with SessionStore(path, now=clock) as store:
        session, other = store.create("ia", "es").id, store.create("ia", "es").id
        asked(store, session, "¿?", "Sí.")
        turn = asked(store, other, "¿Qué?", "Eso.")
        store.delete(session)
        store.delete_turn(turn)
    right = clock.time
    clock.time += timedelta(days=3650)
    ask_on_days(path, clock, days)
    for _time in range(3):
        with SessionStore(path, now=clock) as store:
            assert [one.id for one in store.sessions(deleted=True)] == [session]
    clock.time = right
    with SessionStore(path, now=clock) as store:
        assert store.undelete(session).turns == 1
        assert store.undelete_turn(other).id == turn


def test_what_is_deleted_while_the_clock_is_behind_waits_as_long(path: Path, clock: Clock) -> None:
    ask_on_days(path, clock, 9)
    right = clock.time
    clock.time = datetime(2001, 1, 1, tzinfo=UTC)
    with SessionStore(path, now=clock) as store:
        session, other = store.create("ia", "es").id, store.create("ia", "es").id
        turns = [asked(store, other, text, "Sí.") for text in ("¿Uno?", "¿Dos?")]
        store.delete(session)
        for turn in reversed(turns):
            store.delete_turn(turn)
    clock.time = right + timedelta(days=1)
    ask_on_days(path, clock, 9)
    with SessionStore(path, now=clock) as store:
        assert [one.id for one in store.sessions(deleted=True)] == [session]
        assert [store.undelete_turn(other).id for _time in turns] == turns


def test_a_deleted_turn_is_nowhere_until_it_is_brought_back(store: SessionStore) -> None:
    session = store.create("ia", "es").id
    first = asked(store, session, "¿Qué es una pila?", "Una lista.")
    asked(store, session, "¿Y una cola?", "Otra lista.")
    store.give_feedback(first, 1)
    store.delete_turn(first)
    assert [turn.question for turn in store.turns(session)] == ["¿Y una cola?"]
    assert [turn.question for turn in store.history(session)] == ["¿Y una cola?"]
    assert store.questions("ia", 9) == ["¿Y una cola?"]
    assert store.sessions(search="pila") == []
    assert "pila" not in store.export_markdown(session)
    assert store.feedback() == ([], [])
    assert (store.get(session).turns, store.get(session).title) == (1, "¿Y una cola?")
    assert store.rename(session, "").title == "¿Y una cola?"
    for gone in (lambda: store.turn(first), lambda: store.delete_turn(first)):
        with pytest.raises(SessionError):
            gone()
    later = asked(store, session, "¿Y un árbol?", "Un grafo.")

    assert store.undelete_turn(session).id == first
    assert [turn.id for turn in store.turns(session)] == [first, first + 1, later]
    assert store.get(session).title == "¿Qué es una pila?"
    assert store.turn(first).feedback is not None
    assert [s.id for s in store.sessions(search="pila")] == [session]
    with pytest.raises(SessionError, match="No deleted question"):
        store.undelete_turn(session)


def test_turns_are_brought_back_one_after_another_and_titles_given_stay(
    store: SessionStore,
) -> None:
    session, other = store.create("ia", "es").id, store.create("ia", "es").id
    first, second = (asked(store, session, text, "Sí.") for text in ("¿Uno?", "¿Dos?"))
    elsewhere = asked(store, other, "¿Tres?", "Sí.")
    store.delete_turn(second)
    store.delete_turn(first)
    store.delete_turn(elsewhere)
    assert (store.get(session).title, store.get(other).title) == ("", "")
    assert [store.undelete_turn(session).id for _time in range(2)] == [first, second]
    assert store.get(session).title == "¿Uno?"
    store.rename(session, "Repaso")
    store.delete_turn(first)
    assert store.get(session).title == "Repaso"


def test_a_deleted_turn_is_removed_for_good_after_a_while(path: Path, clock: Clock) -> None:
    with SessionStore(path, now=clock) as store:
        session = store.create("ia", "es").id
        turn = asked(store, session, "secretísimo", "inconfesable")
        asked(store, session, "corriente", "normal")
        store.delete_turn(turn)
    clock.time += KEPT_DELETED - timedelta(minutes=1)
    with SessionStore(path, now=clock) as store:
        assert store.undelete_turn(session).id == turn
        store.delete_turn(turn)
    clock.time += KEPT_DELETED
    ask_on_days(path, clock, 3)
    with SessionStore(path, now=clock) as store:
        assert len(store.turns(session)) == 1
        with pytest.raises(SessionError):
            store.undelete_turn(session)
    content = b"".join(file.read_bytes() for file in path.parent.iterdir())
    assert b"secret" not in content
    assert b"corriente" in content


def test_what_is_purged_leaves_no_trace_in_the_files(path: Path, store: SessionStore) -> None:
    session, kept = store.create("ia", "es").id, store.create("ia", "es").id
    turn = asked(store, session, "secretísimo", "inconfesable")
    store.give_feedback(turn, 1, "vergonzoso")
    store.add_comparison(session, "secretísimo", cited_answer("impropio"), cited_answer())
    asked(store, kept, "corriente", "normal")
    store.purge(session)
    content = b"".join(file.read_bytes() for file in path.parent.iterdir())
    for word in ("secret", "inconfesable", "vergonzoso", "impropio"):
        assert word.encode() not in content
    assert b"corriente" in content
    with pytest.raises(SessionError):
        store.get(session)
    with pytest.raises(SessionError):
        store.turn(turn)


def test_a_session_purged_while_its_answer_is_written_says_so(store: SessionStore) -> None:
    session = store.create("ia", "es").id
    writer = store.begin_turn(session, "¿?")
    store.purge(session)
    with pytest.raises(SessionError, match="removed"):
        writer.token("Una frase. ")
    with pytest.raises(SessionError, match="removed"):
        writer.finish(cited_answer())


def test_feedback_is_replaced_and_withdrawn(store: SessionStore) -> None:
    session = store.create("ia", "es").id
    turn = asked(store, session, "¿?", "Sí.")
    store.give_feedback(turn, 1)
    store.give_feedback(turn, -1, "confusa")
    (saved,) = store.turns(session)
    assert saved.feedback is not None
    assert (saved.feedback.rating, saved.feedback.comment) == (-1, "confusa")
    store.withdraw_feedback(turn)
    assert store.turn(turn).feedback is None
    for turn_id, rating in ((turn, 0), (turn + 99, 1)):
        with pytest.raises(SessionError):
            store.give_feedback(turn_id, rating)


def test_comparisons_keep_both_answers_and_the_choice(store: SessionStore) -> None:
    session = store.create("ia", "es").id
    left, right = cited_answer("Una."), cited_answer("Dos.")
    number = store.add_comparison(session, "¿?", left, right)
    (comparison,) = store.comparisons(session)
    assert (comparison.left, comparison.right) == (
        cut_to_quotes(left),
        cut_to_quotes(right),
    )
    assert comparison.choice is None
    store.choose(number, Preference.RIGHT)
    assert store.comparisons(session)[0].choice is Preference.RIGHT
    with pytest.raises(SessionError):
        store.choose(number + 1, Preference.LEFT)


def test_the_latest_questions_of_a_course_come_once_each(store: SessionStore) -> None:
    first, second = store.create("ia", "es").id, store.create("ia", "es").id
    for session, question in (
        (first, "uno"),
        (first, "dos"),
        (second, "tres\ncuatro"),
        (second, "uno"),
        (store.create("bd", "es").id, "ajena"),
    ):
        asked(store, session, question, "Sí.")
    assert store.questions("ia", 10) == ["dos", "tres\ncuatro", "uno"]
    assert store.questions("ia", 2) == ["tres\ncuatro", "uno"]
    assert store.questions("ia", 0) == store.questions("otra", 5) == []
    store.delete(second)
    assert store.questions("ia", 10) == ["uno", "dos"]


def test_feedback_is_gathered_over_conversations(store: SessionStore) -> None:
    ia, bd, gone = (store.create(course, "es").id for course in ("ia", "bd", "ia"))
    turns = [asked(store, session, "¿?", "Sí.") for session in (bd, ia, gone)]
    asked(store, ia, "sin valorar", "Sí.")
    for turn in turns:
        store.give_feedback(turn, 1)
    for session in (ia, bd, gone):
        store.add_comparison(session, "¿?", cited_answer("Una."), cited_answer("Dos."))
    store.delete(gone)
    rated, compared = store.feedback()
    assert [turn.id for turn in rated] == turns[:2]
    assert [comparison.session for comparison in compared] == [ia, bd]
    rated, compared = store.feedback("ia")
    assert [turn.id for turn in rated] == [turns[1]]
    assert [comparison.session for comparison in compared] == [ia]


def test_a_mark_behind_a_table_stands_below_it(store: SessionStore) -> None:
    table = "| a | b |\n| --- | --- |\n| 1 | 2 |"
    session = store.create("ia", "es").id
    store.begin_turn(session, "¿?").finish(cited_answer(table))
    exported = store.export_markdown(session)
    assert "> | 1 | 2 |\n>\n> [1]" in exported


@pytest.mark.parametrize(("text", "times"), [("Sí, lo es.", 1), (QUOTE.replace(" ", "\n", 1), 0)])
def test_an_export_says_no_quote_twice(store: SessionStore, text: str, times: int) -> None:
    session = store.create("ia", "es").id
    store.begin_turn(session, "¿?").finish(cited_answer(text))
    assert store.export_markdown(session).count("“") == times


def test_a_mark_behind_code_leaves_the_fence_closed(store: SessionStore) -> None:
    code = "Así:\n\n```\nx = 2**3\n```"
    text = f"{code}\n\nDespués, **nada**.\n\n| a | b |\n| --- | --- |\n| 1 | 2 |"
    answer = cited_answer(text)
    answer = replace(
        answer,
        citations=(replace(answer.citations[0], end=len(code)),),
        unsupported=(),
        web_citations=(),
    )
    session = store.create("ia", "es").id
    with store.begin_turn(session, "¿Cómo?") as writer:
        writer.finish(answer)
    assert "```\n>\n> [1]\n>\n> Después" in re.sub("(>\n)+", ">\n", store.export_markdown(session))
    said = conversation_text(store, session)
    assert "Así:\n\nx = 2**3\n\n[1]\n\nDespués, nada.\n\na · b\n1 · 2\n" in said


def test_an_export_gets_a_name_that_nothing_has(store: SessionStore, tmp_path: Path) -> None:
    session = store.rename(store.create("ia", "es").id, "../¿Qué es «A*»? \x1b")
    path = export_path(tmp_path, session)
    assert path == tmp_path / f"que-es-a-{session.id}.md"
    write_document(path, "uno")
    with pytest.raises(FileExistsError):
        write_document(path, "dos")
    other = export_path(tmp_path, session)
    assert other == tmp_path / f"que-es-a-{session.id}-2.md"
    write_document(path, "tres", replace=True)
    assert path.read_text() == "tres"
    assert [*tmp_path.glob("*.partial")] == []
    assert export_path(tmp_path, store.create("ia", "es")).suffix == ".md"


def test_an_answer_survives_json_and_newer_fields() -> None:
    record = json.loads(encoded(cited_answer()))
    assert decoded(json.dumps({**record, "mood": "good"})) == cut_to_quotes(cited_answer())


RECORD = """
{"text": "A* es completa.", "citations": [{"start": 0, "end": 15, "hit": {"chunk": {"id": "a02d",
"source_id": "484c", "strategy": "semantic", "text": "La búsqueda A* es completa.", "start": 100,
"end": 127, "first_page": 3, "last_page": 4, "ordinal": 0, "section": ""}, "source": {"id": "484c",
"path": "semana/03.pdf", "title": "Apuntes", "sha256": "sha", "pages": 9, "week": 1,
"date": "2025-09-01", "version": "1", "authors": ["Ana"]}, "score": 0.9, "rank": 1,
"retrievers": {"dense": {"rank": 2, "score": 0.8}}}, "quote_start": 0, "quote_end": 27,
"first_page": 3, "last_page": 4, "support": 0.93, "best": [0, 15]}], "abstained": false,
"route": "semantic", "model": "llama3.2", "timings": {"retrieval": 0.02}, "unsupported": [[0, 2]],
"web_citations": [{"start": 0, "end": 3, "result": {"rank": 1, "title": "Título",
"snippet": "resumen", "link": "https://a.example/b", "source": ""}, "support": 0.5}],
"ending": "complete", "usage": {"reason": "stop", "prompt_tokens": 12, "answer_tokens": 5,
"load_s": 0.0, "prompt_s": 0.0, "answer_s": 0.5}, "written": 0, "nearest": []}
"""
"""An answer as it stands in present files."""


def test_records_of_present_files_stay_readable_and_keep_their_form() -> None:
    record = json.loads(RECORD)
    assert json.loads(encoded(decoded(RECORD))) == record
    del record["nearest"]  # as older ones are
    assert decoded(json.dumps(record)) == decoded(RECORD)


@pytest.mark.parametrize(
    "change",
    [
        {"text": None},
        {"route": "carrier pigeon"},
        {"unsupported": [[0, 10_000]]},
        {"unsupported": [[5, 2]]},
        {"citations": [{"start": 0}]},
        {"citations": [{**json.loads(encoded(cited_answer()))["citations"][0], "best": [9, 3]}]},
    ],
)
def test_an_answer_that_makes_no_sense_is_refused(change: dict[str, object]) -> None:
    with pytest.raises(SessionError) as caught:
        decoded(json.dumps({**json.loads(encoded(cited_answer())), **change}))
    assert caught.value.remedy


def test_only_the_owner_reads_the_file_and_its_side_files(store: SessionStore, path: Path) -> None:
    store.begin_turn(store.create("ia", "es").id, "¿?")
    files = list(path.parent.iterdir())
    assert len(files) >= 2
    assert {stat.S_IMODE(file.stat().st_mode) for file in files} == {0o600}


def test_a_file_that_others_could_read_is_closed_to_them(path: Path) -> None:
    SessionStore(path).close()
    path.chmod(0o644)
    SessionStore(path).close()
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_threads_share_a_store(store: SessionStore) -> None:
    session = store.create("ia", "es").id
    failures: list[BaseException] = []

    def ask_often(name: str) -> None:
        try:
            for number in range(20):
                asked(store, session, f"{name} {number}", "Sí.")
        except BaseException as error:  # noqa: BLE001 - reported below
            failures.append(error)

    threads = [threading.Thread(target=ask_often, args=(name,)) for name in "abc"]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []
    turns = store.turns(session)
    assert [turn.ordinal for turn in turns] == list(range(1, 61))
    assert sorted(turn.question for turn in turns) == sorted(
        f"{name} {number}" for name in "abc" for number in range(20)
    )


def test_a_clock_that_jumps_loses_no_turn_and_their_order_stays(tmp_path: Path) -> None:
    days = iter([0, -4000, 9000, -30, 0, 500, -500, 1, -1, 2] * 20)

    def jumping() -> datetime:
        return datetime(2026, 3, 1, tzinfo=UTC) + timedelta(days=next(days))

    with SessionStore(tmp_path / "sessions.db", now=jumping) as store:
        session = store.create("default", "es")
        for number in range(6):
            with store.begin_turn(session.id, f"Pregunta {number}") as writer:
                writer.token(f"Respuesta {number}.")
                writer.abandon(Ending.STOPPED)
    with SessionStore(tmp_path / "sessions.db", now=jumping) as store:
        turns = store.turns(session.id)
    assert [turn.question for turn in turns] == [f"Pregunta {n}" for n in range(6)]
    assert [turn.text for turn in turns] == [f"Respuesta {n}." for n in range(6)]
