"""PDFs that are replaced, versioned and removed under a student who has learned from them."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

import pytest

from tests import pdfs
from tests.course import Workspace

if TYPE_CHECKING:
    from pathlib import Path

FIRST, SECOND = "05_SEMANA_AI_20250901_1.pdf", "05_SEMANA_AI_20250901_2.pdf"
STAYS = "/ Cola de prioridad: estructura que devuelve siempre primero el elemento de menor coste."
BEFORE = "/ Heurística admisible: función que nunca sobreestima el coste real hasta la meta."
AFTER = "/ Heurística admisible: función cuyo valor nunca supera el coste mínimo hasta la meta."


def write(path: Path, *definitions: str) -> None:
    body = "\n".join(
        f"*{term[2:]}*: {said}\n" for term, said in (d.split(": ") for d in definitions)
    )
    pdfs.typeset(path, f'#set text(lang: "es")\n= Búsqueda informada\n\n{body}')


@pytest.fixture(scope="module")
def learned_once(tmp_path_factory: pytest.TempPathFactory) -> Workspace:
    """An indexed course of one PDF with two definitions, both of which were learned."""
    workspace = Workspace(tmp_path_factory.mktemp("learned") / "course")
    workspace.notes.mkdir(parents=True)
    write(workspace.notes / FIRST, STAYS, BEFORE)
    assert workspace.run_here("index").returncode == 0
    done = workspace.run_here("study", typed="\n3\n" * 30)
    assert "cards reviewed" in done.stdout, done.stderr
    return workspace


@pytest.fixture
def course(learned_once: Workspace, tmp_path: Path) -> Workspace:
    """A copy of that course."""
    shutil.copytree(learned_once.root, tmp_path / "course")
    return Workspace(tmp_path / "course")


def learned(course: Workspace) -> dict[str, str]:
    """What each card with a schedule answers, and when it is due."""
    return {card["back"]: card["due"] for card in course.json_here("cards", "list") if card["due"]}


def test_a_replaced_pdf_marks_what_it_changed_and_shows_both_texts(course: Workspace) -> None:
    before = learned(course)
    write(course.notes / FIRST, STAYS, AFTER)
    assert course.run_here("index").returncode == 0
    asked = course.run_here("study", typed="")
    assert "stood on what the notes no longer say: tutor cards changes" in asked.stderr
    kept = {back: due for back, due in learned(course).items() if "sobreestima" not in back}
    assert kept.items() <= before.items()
    changed = course.json_here("cards", "changes")
    assert changed
    assert all("sobreestima" in one["old_text"] for one in changed)
    assert all("supera el coste" in one["new_text"] for one in changed)
    shown = course.run_here("cards", "changes")
    assert "[-sobreestima-]" in shown.stdout
    assert "{+supera+}" in shown.stdout


def test_each_change_is_updated_kept_deleted_or_left_for_later(course: Workspace) -> None:
    write(course.notes / FIRST, STAYS, AFTER)
    assert course.run_here("index").returncode == 0
    changed = course.json_here("cards", "changes")
    updatable = [one for one in changed if one["update"]]
    assert updatable
    due = learned(course)[updatable[0]["back"]]
    done = course.run_here("cards", "changes", updatable[0]["id"], typed="?\nu\n")
    assert "Saved." in done.stderr
    assert learned(course)[updatable[0]["update"]["back"]] == due
    left = course.json_here("cards", "changes")
    assert len(left) == len(changed) - 1
    typed = "e\n¿Qué no supera?\n\n" if left else ""
    course.run_here("cards", "changes", typed=typed)
    rest = course.json_here("cards", "changes")
    assert len(rest) == max(0, len(left) - 1)
    settled = course.json_here("cards", "changes", "--do", "keep")
    assert settled == {"done": len(rest), "left": 0}
    assert course.json_here("cards", "changes") == []
    assert course.run_here("cards", "make").returncode == 0
    assert course.json_here("cards", "changes") == []


def test_a_newer_version_beside_the_older_takes_the_cards_along(course: Workspace) -> None:
    before = learned(course)
    write(course.notes / SECOND, AFTER, STAYS)
    assert course.run_here("index").returncode == 0
    course.run_here("cards", "make")
    cards = course.json_here("cards", "list")
    same = [one for one in cards if one["due"] and "sobreestima" not in one["front"] + one["back"]]
    assert same
    assert {one["file"] for one in same if not one["stale"]} == {SECOND}
    assert learned(course) == before
    assert {one["new_file"] for one in course.json_here("cards", "changes")} == {SECOND}


def test_a_removed_pdf_leaves_what_was_learned(course: Workspace) -> None:
    before = learned(course)
    write(course.notes / "06_SEMANA_AI_20250908_1.pdf", "/ Frontera: conjunto de nodos por abrir.")
    (course.notes / FIRST).unlink()
    assert course.run_here("index").returncode == 0
    course.run_here("cards", "make")
    assert learned(course) == before
    changed = course.json_here("cards", "changes")
    assert len(changed) == len(before)
    assert {one["new_text"] for one in changed} == {None}
    assert "no longer have it" in course.run_here("cards", "changes").stdout
    assert course.json_here("cards", "changes", "--do", "update") == {
        "done": 0,
        "left": len(before),
    }
    assert course.json_here("cards", "changes", "--do", "delete")["done"] == len(before)
    assert learned(course) == {}


def test_answers_of_an_exam_are_marked_with_the_notes(course: Workspace) -> None:
    sat = course.run_here("exam", "--questions", "20", typed="1\n" * 20)
    assert "Score" in sat.stdout, sat.stderr
    (exam,) = course.json_here("exam", "--results")
    assert exam["changed"] == 0
    (course.notes / FIRST).unlink()
    write(course.notes / "06_SEMANA_AI_20250908_1.pdf", "/ Frontera: conjunto de nodos por abrir.")
    assert course.run_here("index").returncode == 0
    course.run_here("cards", "make")
    (exam,) = course.json_here("exam", "--results")
    assert exam["changed"] == exam["answered"] > 0
    assert "no longer say" in course.run_here("exam", "--results").stderr


def test_a_saved_answer_says_which_of_its_sources_the_notes_no_longer_have(
    course: Workspace,
) -> None:
    assert course.run_here("chat", typed="¿Qué es una heurística admisible?\n").returncode == 0
    (session,) = (one["id"] for one in course.json_here("sessions"))
    told = "no longer have what was quoted as [1]."
    shown = course.run_here("sessions", "show", session).stdout
    assert "sobreestima" in shown
    assert told not in shown
    write(course.notes / FIRST, STAYS, AFTER)
    assert course.run_here("index").returncode == 0
    shown = course.run_here("sessions", "show", session).stdout
    assert "sobreestima" in shown  # nothing that was saved is taken away
    assert told in " ".join(shown.split())
    assert course.json_here("sessions", "show", session)["conversation"][0]["gone"][:1] == [1]
    (course.notes / FIRST).unlink()
    pdfs.typeset(course.notes / "otro.pdf", "= Otro\n\nUn tema distinto de los de antes.")
    assert course.run_here("index").returncode == 0
    assert told in " ".join(course.run_here("sessions", "show", session).stdout.split())
