"""Cards in the terminal, as a student makes, reviews, exports and imports them."""

from __future__ import annotations

import json
import signal
import sqlite3
import subprocess
import sys
from contextlib import closing
from dataclasses import replace
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

import pytest

from tests.study_cards import card, origin
from tutor.study.card import CardKind
from tutor.study.store import StudyStore

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tests.course import Workspace
    from tutor.model import CleanText, Source
    from tutor.study.card import Card

OWN = "front,back\n¿Qué es A*?,Una búsqueda informada\nCapital de Francia,París\nTres,Cuatro\n"


def _of_documents(documents: Iterable[tuple[Source, CleanText]]) -> list[Card]:
    """A card for each document, on its first block, in the place of those that it would make."""
    made = []
    for source, text in documents:
        block = text.blocks[0]
        place = origin(source.id, block.start, source.week, text.page_at(block.start))
        made.append(card(f"¿De qué trata {source.title}?", source.title, place=place))
    return made


@pytest.fixture
def noted(indexed: Workspace, monkeypatch: pytest.MonkeyPatch) -> Workspace:
    """An indexed course whose notes make three cards."""
    monkeypatch.setattr("tutor.study.refreshing.course_cards", _of_documents)
    assert indexed.run_here("cards", "make").returncode == 0
    return indexed


@pytest.fixture
def own(indexed: Workspace) -> Workspace:
    """A course with three cards of the student's own."""
    (indexed.root / "own.csv").write_text(OWN, encoding="utf-8")
    assert indexed.run_here("cards", "import", "own.csv").returncode == 0
    return indexed


def test_cards_are_made_listed_and_shown_with_their_pages(noted: Workspace) -> None:
    again = noted.json_here("cards", "make")
    assert (again["added"], again["kept"], again["stale"]) == (0, 3, 0)
    listed = noted.json_here("cards", "list")
    assert [record["week"] for record in listed] == [7, 8, 9]
    chosen = noted.json_here("cards", "list", "--week", "8", "--topic", "agrupamiento")
    assert [record["back"] for record in chosen] == ["Agrupamiento"]
    shown = noted.run_here("cards", "show", chosen[0]["id"][:12])
    assert "Agrupamiento" in shown.stdout
    assert "p. 1" in shown.stdout
    assert noted.json_here("cards", "show", chosen[0]["id"])["quote"]


def test_notes_that_changed_leave_their_cards_marked(
    noted: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    noted.run_here("study", typed="\n3\n")
    monkeypatch.setattr(
        "tutor.study.refreshing.course_cards", lambda documents: _of_documents(documents)[1:]
    )
    made = noted.run_here("cards", "make")
    assert "1 card stood on what the notes no longer say" in made.stdout
    (stale,) = noted.json_here("cards", "list", "--state", "stale")
    assert stale["due"]
    shown = noted.run_here("cards", "show", stale["id"])
    assert "The notes have changed" in shown.stdout
    assert "It stood on" in shown.stdout


def test_a_review_by_typing_grading_and_taking_back(own: Workspace) -> None:
    typed = "búsqueda\n2\nParís\n\n\nu\n\n4\n\n1\n"
    done = own.run_here("study", typed=typed)
    assert done.returncode == 0, done.stderr
    assert "Partly right. Missing: informada" in done.stdout
    assert "Right." in done.stdout
    assert "Taken back." in done.stderr
    assert "3 cards reviewed, 2 of them remembered." in done.stdout
    stats = own.json_here("cards", "stats")
    assert (stats["reviews"], stats["remembered"], stats["reviews_today"]) == (3, 2, 3)


def test_cards_are_set_aside_deleted_rewritten_and_brought_back(own: Workspace) -> None:
    done = own.run_here("study", typed="s\nd\ne\nTres más uno\n\n\n?\nx\n3\nq\n")
    assert done.returncode == 0, done.stderr
    assert "Cuatro" in done.stdout
    assert "opens the page" in done.stderr
    counts = own.json_here("cards", "stats")
    assert (counts["cards"], counts["suspended"], counts["edited"]) == (2, 1, 1)
    for state in ("suspended", "deleted"):
        (record,) = own.json_here("cards", "list", "--state", state)
        assert own.run_here("cards", "restore", record["id"]).returncode == 0
    counts = own.json_here("cards", "stats")
    assert (counts["cards"], counts["suspended"]) == (3, 0)


def test_the_end_of_the_input_ends_the_review(own: Workspace) -> None:
    for typed in ("", "\n", "\n3", "e\n", "q\n"):
        done = own.run_here("study", typed=typed)
        assert done.returncode == 0, done.stderr


def test_a_page_of_the_notes_is_opened_or_told(noted: Workspace, own: Workspace) -> None:
    done = noted.run_here("study", typed="o\nq\n", DISPLAY="", WAYLAND_DISPLAY="")
    assert done.returncode == 0
    assert "is no longer there" in done.stderr  # the cards of the test name another file
    mine = own.run_here("study", "--topic", "Francia", typed="o\n")
    assert "stands on no page" in mine.stderr


def test_new_cards_are_limited(own: Workspace) -> None:
    done = own.run_here("study", "--new", "1", typed="\n4\n\n4\n")
    assert "1 card reviewed" in done.stdout
    assert "The next card is due in" in done.stdout
    assert "Nothing is due now." in own.run_here("study", "--new", "1").stdout
    assert own.run_here("study", TUTOR_STUDY_NEW_PER_DAY="0").stdout.startswith("Nothing is due")


def test_ctrl_c_ends_a_review_and_a_kill_loses_nothing(own: Workspace) -> None:
    for number, send in enumerate((signal.SIGINT, signal.SIGKILL), 1):
        process = own.start("study", typing=True, PYTHONUNBUFFERED="1")
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write("\n4\n")
        process.stdin.flush()
        while not process.stdout.readline().startswith("Again in"):
            pass
        process.stdout.readline()
        process.stdout.readline()  # the next card is asked
        process.send_signal(send)
        rest, _errors = process.communicate()
        assert ("1 card reviewed" in rest) == (send is signal.SIGINT)
        assert process.returncode == (0 if send is signal.SIGINT else -signal.SIGKILL)
        assert own.json_here("cards", "stats")["reviews"] == number


def test_what_was_exported_is_not_imported_twice(own: Workspace) -> None:
    for name in ("cards.csv", "cards.apkg"):
        done = own.run_here("cards", "export", name)
        assert done.returncode == 0, done.stderr
        assert own.json_here("cards", "import", name) == {
            "course": "default",
            "read": 3,
            "added": 0,
        }
    (own.root / "twice.csv").write_text(f"{OWN}uno,eins\nuno,eins\n", encoding="utf-8")
    told = own.run_here("cards", "import", "twice.csv").stdout
    assert "1 card added (5 read; the others are here already" in told
    assert own.run_here("cards", "export", "cards.md", "--topic", "francia").returncode == 0
    assert "París" in (own.root / "cards.md").read_text(encoding="utf-8")


def test_what_is_no_card_in_a_file_is_told(indexed: Workspace) -> None:
    (indexed.root / "one.csv").write_text("front,back\nuno,ein\nsolo\n", encoding="utf-8")
    told = indexed.run_here("cards", "import", "one.csv").stdout
    left_out = "1 without a front or a back was left out."
    assert told == f"1 card added (1 read).\n{left_out}\n"
    missing = indexed.run_here("cards", "import", "none.csv")
    assert "There is no file none.csv." in missing.stderr


def test_a_deck_without_a_place_is_not_begun(noted: Workspace) -> None:
    done = noted.run_here("cards", "export", "none/x.apkg", "--topic", "ausente")
    assert "The folder none does not exist." in done.stderr
    assert "Drawing" not in done.stderr


def test_cards_of_the_notes_that_were_exported_are_not_imported_as_own(noted: Workspace) -> None:
    noted.run_here("cards", "export", "cards.apkg")
    again = noted.json_here("cards", "import", "cards.apkg")
    assert (again["read"], again["added"]) == (3, 0)
    assert noted.json_here("cards", "stats")["own"] == 0


def test_a_file_is_not_written_over_by_mistake(own: Workspace) -> None:
    path = own.root / "cards.csv"
    path.write_text("mine")
    refused = own.run_here("cards", "export", "cards.csv")
    assert (refused.returncode, path.read_text()) == (1, "mine")
    assert "--force" in refused.stderr
    assert own.run_here("cards", "export", "cards.csv", "--force").returncode == 0
    assert path.read_text() != "mine"
    assert own.run_here("cards", "export", "cards.pdf").returncode == 1
    assert own.run_here("cards", "export", "absent/cards.csv").returncode == 1


def test_a_course_without_cards_says_what_to_do(indexed: Workspace) -> None:
    for arguments in ("cards list", "cards stats", "cards show a", "cards export a.csv"):
        done = indexed.run_here(*arguments.split())
        assert done.returncode == 1
        assert "cards make" in done.stderr
    assert not (indexed.root / "stores" / "study.db").exists()


def test_the_first_review_makes_cards_of_the_notes(indexed: Workspace) -> None:
    done = indexed.run_here("study", typed="\n4\nq\n")
    assert done.returncode == 0, done.stderr
    assert "cards were made of the notes." in done.stderr
    assert "p. 1" in done.stdout
    assert indexed.json_here("cards", "stats")["reviews"] == 1


def test_a_conversation_asks_cards(indexed: Workspace) -> None:
    done = indexed.run_here("chat", typed="ponme a prueba\n\n3\nq\n/salir\n")
    assert done.returncode == 0, done.stderr
    assert "p. 1" in done.stdout
    assert indexed.json_here("cards", "stats")["reviews"] == 1
    assert indexed.json_here("sessions") == []  # no question was asked
    done = indexed.run_here("chat", typed="hazme 5 preguntas de la semana 99\n")
    assert "There are no notes of week 99." in done.stderr
    done = indexed.run_here("chat", typed="hazme un examen de 2 preguntas\nno\nn\n/salir\n")
    assert "You wrote: no" in done.stdout
    assert len(indexed.json_here("exam", "--results")) == 1


def test_a_conversation_plans_until_an_exam(noted: Workspace) -> None:
    day = (datetime.now().astimezone() + timedelta(days=9)).date()
    done = noted.run_here("chat", typed=f"hazme un plan de estudio hasta el {day}\n/plan\n")
    assert done.stdout.startswith(f"exam on {day} · 9 days are left\n\n3 cards were never asked")
    assert done.stdout.count(f"exam on {day}") == 2  # the day is remembered
    assert "Which day is the exam?" not in done.stderr
    done = noted.run_here("chat", typed="/plan semana 8\n/plan\n/plan ayer\n/plan olvidar\n/plan\n")
    assert done.stdout.count(f"exam on {day} · semana 8 · 9 days are left\n\n1 card") == 2
    assert done.stderr.count("Which day is the exam?") == 2  # of none that is known
    assert "is forgotten" in done.stderr
    assert noted.json_here("sessions") == []  # no question was asked


def test_an_exam_says_that_the_notes_give_fewer_questions(own: Workspace) -> None:
    told = "1/3 (the notes give no more)"
    assert told in own.run_here("exam", "--questions", "5", typed="q\n").stdout
    assert told in own.run_here("chat", typed="/examen 5 preguntas\nq\n").stdout
    for arguments in (["--questions", "3"], []):  # 20 of itself: nobody asked for as many
        assert "1/3\n" in own.run_here("exam", *arguments, typed="q\n").stdout


def test_a_quiz_says_that_the_notes_give_fewer_cards(own: Workspace) -> None:
    asked = own.run_here("chat", typed="hazme 5 preguntas\n\n3\nq\n/salir\n")
    assert "3 cards left (the notes give no more)\n" in asked.stdout
    assert "2 cards left\n" in asked.stdout  # it is said once
    for line in ("hazme 3 preguntas", "ponme a prueba"):
        assert "3 cards left\n" in own.run_here("chat", typed=f"{line}\nq\n/salir\n").stdout


def test_documents_without_cards_are_told_whoever_chooses_them(
    indexed: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    def terms(documents: Iterable[tuple[Source, CleanText]]) -> list[Card]:
        return [replace(one, kind=CardKind.TERM) for one in _of_documents(documents)[1:]]

    monkeypatch.setattr("tutor.study.refreshing.course_cards", terms)
    assert indexed.run_here("cards", "make").returncode == 0
    (without,) = indexed.json_here("cards", "make")["without_cards"]
    told = f"No cards come of {without}."
    for command in (("study",), ("exam",), ("cards", "progress"), ("cards", "export", "x.csv")):
        done = indexed.run_here(*command, "--week", "7")
        assert (done.returncode, told in done.stderr) == (1, True), command
    assert told in indexed.run_here("cards", "list", "--doc", without).stderr
    for command in ("study", "exam"):
        some = indexed.run_here(command, "--week", "7-8", typed="q\n")
        assert (some.returncode, some.stderr.count(told)) == (0, 1)
        assert "Agrupamiento" in some.stdout
        assert told not in indexed.run_here(command, typed="q\n").stderr
    done = indexed.run_here("chat", typed="hazme 2 preguntas de las semanas 7 y 8\nq\n/salir\n")
    assert told in done.stderr


def test_a_letter_answers_a_question_with_numbers(noted: Workspace) -> None:
    """And does not delete its card, as it would before another one."""
    place = origin(noted.manifest()["indexed"][0]["source"]["id"])
    of_four = replace(
        card("¿Dónde está Lyon?", "Francia", CardKind.CHOICE, place),
        choices=("Perú", "Chile", "Italia", "Francia"),
    )
    with StudyStore(noted.store.parent / "study.db") as store:
        store.add(noted.store.name, [of_four])
    exam = noted.run_here("exam", "--topic", "Lyon", typed="b\n\n4\n")
    assert "You wrote: 2) Chile" in exam.stdout
    unfit = noted.run_here("exam", "--topic", "Lyon", typed="7\nFrancia\n")
    assert "That is none of the choices: type a number from 1 to 4." in unfit.stderr
    assert "1 of 1 right" in unfit.stdout
    unfit = noted.run_here("study", "--topic", "Lyon", typed="7\n4\nq\n")
    assert "type a number from 1 to 4." in unfit.stderr
    assert "Right." in unfit.stdout
    done = noted.run_here("study", "--topic", "Lyon", typed="d\n3\n")
    assert "Right." in done.stdout
    assert "Deleted" not in done.stderr


def test_what_only_tells_of_cards_makes_no_index(fresh: Workspace) -> None:
    for command in (["cards", "list"], ["cards", "changes"], ["exam", "--results"]):
        assert fresh.run_here(*command).returncode != 0
    assert not fresh.store.exists()
    assert not (fresh.root / "stores" / "study.db").exists()


def test_a_file_of_cards_that_is_broken_is_left_as_it_is(own: Workspace) -> None:
    path = own.root / "stores" / "study.db"
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA journal_mode = DELETE")
    path.write_bytes(b"noise" * 1000)
    for arguments in (
        ("study",),
        ("cards", "list"),
        ("cards", "make"),
        ("cards", "import", "own.csv"),
    ):
        done = own.run_here(*arguments)
        assert (done.returncode, path.read_bytes()) == (1, b"noise" * 1000)
        assert "is broken" in done.stderr
        assert "→" in done.stderr


def test_a_deck_that_is_none_adds_nothing(own: Workspace) -> None:
    (own.root / "bad.apkg").write_text("hola")
    done = own.run_here("cards", "import", "bad.apkg")
    assert done.returncode == 1
    assert "no Anki deck" in done.stderr
    assert own.json_here("cards", "stats")["cards"] == 3


def test_escapes_of_others_never_reach_the_terminal(indexed: Workspace) -> None:
    path = indexed.root / "stores" / "study.db"
    (indexed.root / "own.csv").write_text("uno,dos\n")
    indexed.run_here("cards", "import", "own.csv")
    made = card("\x1b]0;x\x07¿q?", "\x1b[31mrojo", CardKind.OWN)
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute(
            "UPDATE cards SET made = json_replace(made, '$.question', ?, '$.answer', ?)",
            (made.question, made.answer),
        )
    shown = indexed.run_here("study", typed="rojos\ne\n\n\nq\n")
    listed = indexed.run_here("cards", "list")
    for text in (shown.stdout, shown.stderr, listed.stdout):
        assert "\x1b" not in text
        assert "\x07" not in text


def test_study_without_an_app_loads_nothing_heavy(own: Workspace) -> None:
    code = (
        "import sys\nfrom tutor.cli.main import main\n"
        "try: main(['study'])\nexcept SystemExit: pass\n"
        "print('loaded', json.dumps(sorted(sys.modules)))"
    )
    done = subprocess.run(
        [sys.executable, "-c", "import json\n" + code],
        env=own.environment(),
        cwd=own.root,
        capture_output=True,
        text=True,
        input="",
        check=True,
    )
    loaded = {name.partition(".")[0] for name in json.loads(done.stdout.rpartition("loaded ")[2])}
    assert "fsrs" in loaded
    assert loaded.isdisjoint({"torch", "chromadb", "spacy", "textual", "genanki", "anki", "sympy"})


def test_an_exam_says_nothing_until_its_end(own: Workspace) -> None:
    done = own.run_here("exam", typed="búsqueda informada\nLyon\nq\n\n1\n")
    assert done.returncode == 0, done.stderr
    asked, _line, told = done.stdout.partition("Score: 1 of 3 right")
    assert "París" not in asked
    assert "Right" not in asked
    assert "París" in told
    assert "You wrote: Lyon" in told
    assert "1 was not answered." in told
    (record,) = own.json_here("exam", "--results")
    assert (record["answered"], record["right"], record["questions"]) == (2, 1, 3)
    assert record["low"] < 1 / 3 < record["high"]
    assert own.json_here("cards", "stats")["reviews"] == 0


def test_an_answer_that_is_the_letter_q_does_not_end_an_exam(indexed: Workspace) -> None:
    (indexed.root / "q.csv").write_text("¿Qué letra?,Q\n¿Y la otra?,R\n", encoding="utf-8")
    indexed.run_here("cards", "import", "q.csv")
    done = indexed.run_here("exam", typed="q\nr\n")
    assert "2 of 2 right" in done.stdout, done.stdout
    ended = indexed.run_here("exam", typed="Q\nq\n\n4\n")
    assert "1 was not answered." in ended.stdout


def test_what_was_wrong_is_practised_at_once(own: Workspace) -> None:
    done = own.run_here("exam", typed="búsqueda informada\n\n\n\n\n4\n\n4\n")
    assert "2 cards left" in done.stdout
    assert "2 cards reviewed" in done.stdout
    assert own.json_here("cards", "stats")["reviews"] == 2


def test_an_exam_ends_with_its_time_or_its_input(own: Workspace) -> None:
    late = own.run_here("exam", "--minutes", "0.000001", typed="búsqueda informada\nx\n")
    told = "The time is over. This came too late and does not count: búsqueda informada"
    assert told in late.stdout
    assert "Score: 0 of 3 right" in late.stdout
    assert "3 were not answered." in late.stdout
    assert own.run_here("exam", typed="").returncode == 0
    (kept,) = own.json_here("exam", "--results")
    assert (kept["questions"], kept["answered"], kept["right"]) == (3, 0, 0)
    one = own.run_here("exam", "--questions", "1", "--topic", "francia", typed="paris\n")
    assert "1 of 1 right" in one.stdout
    assert "practises" not in one.stderr
    for arguments in (("exam",), ("study",), ("cards", "export", "x.csv")):
        done = own.run_here(*arguments, "--topic", "ausente")
        assert (done.returncode, "No card fits." in done.stderr) == (1, True)
    assert own.run_here("exam", "--questions", "0").returncode == 2
    for minutes in ("nan", "inf", "-inf", "1e300", "0"):
        refused = own.run_here("exam", "--minutes", minutes)
        assert (refused.returncode, "'--minutes'" in refused.stderr) == (2, True), minutes
        assert "Traceback" not in refused.stderr
    for command in (("exam",), ("study",), ("cards", "list")):
        empty = own.run_here(*command, "--topic", "  ")
        assert (empty.returncode, "'--topic': It is empty" in empty.stderr) == (2, True)


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="no alarms")
def test_an_exam_ends_by_itself_while_it_waits_for_an_answer(own: Workspace) -> None:
    process = own.start("exam", "--minutes", "0.05", typing=True)
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write("búsqueda informada\n")
    process.stdin.flush()
    told = []
    while not (told and told[-1].startswith("Score")):
        told.append(process.stdout.readline())
        assert told[-1], "it ended without a score"
    assert "The time is over.\n" in told
    assert "Score: 1 of 3 right" in told[-1]
    process.communicate("no\n")
    assert process.returncode == 0
    (kept,) = own.json_here("exam", "--results")
    assert (kept["answered"], kept["right"]) == (1, 1)


def test_progress_by_topic_and_a_plan_until_an_exam(noted: Workspace) -> None:
    noted.run_here("study", "--week", "8", typed="\n4\n")
    weeks = noted.json_here("cards", "progress")["topics"]
    assert [(topic["week"], topic["seen"]) for topic in weeks] == [(7, 0), (8, 1), (9, 0)]
    assert weeks[1]["mastery"] == 1
    shown = noted.run_here("cards", "progress", "--sections", "--exam", "2000-01-01")
    assert (shown.returncode, "not in the future" in shown.stderr) == (1, True)
    day = (datetime.now().astimezone() + timedelta(days=4)).date()
    planned = noted.json_here("cards", "progress", "--exam", day.isoformat())["plan"]
    assert len(planned) == 4
    assert sum(each["new"] for each in planned) == 2
    table = noted.run_here("cards", "progress", "--exam", day.isoformat()).stdout
    assert "100%" in table
    assert planned[0]["day"] in table
    far = noted.run_here("cards", "progress", "--exam", "9999-12-31")
    assert (far.returncode, "→ Give a day until " in far.stderr) == (1, True)
    refused = noted.run_here("--lang", "es", "cards", "progress", "--exam", "ayer")
    assert refused.returncode == 2
    assert "'ayer' no es una fecha como 2026-12-10." in refused.stderr


def test_the_weeks_are_plotted_drawn_and_written(own: Workspace) -> None:
    own.run_here("study", typed="\n4\n\n3\n\n1\n")
    plot = own.run_here("cards", "progress", "--weeks").stdout
    assert "Week of" in plot
    assert "█" in plot
    done = own.run_here("cards", "progress", "--svg", "weeks.svg", "--csv", "weeks.csv")
    assert done.stdout == "Written: weeks.svg\nWritten: weeks.csv\n"
    assert (own.root / "weeks.svg").read_text(encoding="utf-8").startswith("<svg")
    assert (own.root / "weeks.csv").read_text(encoding="utf-8").count("\n") >= 2
    again = own.run_here("cards", "progress", "--csv", "new.csv", "--svg", "weeks.svg")
    assert "already there" in again.stderr
    again = own.run_here("cards", "progress", "--svg", "new.svg", "--csv", "weeks.csv")
    assert "already there" in again.stderr
    assert not any((own.root / name).exists() for name in ("new.csv", "new.svg"))
    same = ("--svg", "weeks.svg", "--csv", "./weeks.svg", "--force")
    twice = own.run_here("cards", "progress", *same)
    assert (twice.returncode, "name the same file" in twice.stderr) == (2, True)
    assert (own.root / "weeks.svg").read_text(encoding="utf-8").startswith("<svg")
    assert own.run_here("cards", "progress", "--svg", "weeks.svg", "--force").returncode == 0
    (this_week, *_later) = own.json_here("cards", "progress", "--weeks")["weeks"]
    assert this_week["reviews"] == 3


@pytest.mark.parametrize("command", [("study", "--week", "9"), ("exam",), ("cards", "make")])
def test_a_course_that_was_never_indexed_is_indexed_first(
    fresh: Workspace, command: tuple[str, ...]
) -> None:
    done = fresh.run_here(*command, typed="")
    assert done.returncode == 0, done.stderr
    assert "has no index yet" in done.stderr
    assert fresh.json_here("cards", "stats")["cards"] > 0


def test_a_course_without_notes_has_no_cards_and_no_file(fresh: Workspace) -> None:
    for path in fresh.notes.iterdir():
        path.unlink()
    assert fresh.run_here("study").returncode == fresh.run_here("ask", "x").returncode != 0
    assert not (fresh.root / "stores" / "study.db").exists()


def test_a_review_tells_how_to_have_more_new_cards(noted: Workspace) -> None:
    done = noted.run_here("study", "--new", "1", typed="\n4\n")
    assert "1 card reviewed" in done.stdout
    assert "Today's new card has been begun. For more: tutor study --new 2" in done.stdout
    assert "For more" not in noted.run_here("study", "--new", "2", typed="q\n").stdout


def test_a_conversation_tells_how_one_is_doing_and_plans_in_a_sentence(noted: Workspace) -> None:
    done = noted.run_here("chat", typed="¿cómo voy?\n/plan mañana\n/salir\n")
    assert done.stdout.startswith("     Known now      Cards    Never seen\n            0%")
    day = (datetime.now().astimezone() + timedelta(days=1)).date()
    assert f"exam on {day} · 1 day is left" in done.stdout
    done = noted.run_here(
        "chat", typed="tengo examen en 9 días, hazme un plan de estudio\n/salir\n"
    )
    assert "9 days are left" in done.stdout


@pytest.mark.parametrize("form", ["%d/%m/%Y", "%Y-%m-%d"])
def test_a_date_is_read_as_people_write_it(noted: Workspace, form: str) -> None:
    day = datetime.now().astimezone() + timedelta(days=4)
    said = day.strftime(form)
    assert len(noted.json_here("cards", "progress", "--exam", said)["plan"]) == 4
    refused = noted.run_here("cards", "progress", "--exam", f"{said} o quizás no")
    assert refused.returncode == 2
