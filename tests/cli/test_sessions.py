"""`tutor sessions` as a user types it."""

from __future__ import annotations

import csv
import io
import json
import unicodedata
from pathlib import Path

import pytest

from tests.course import Workspace
from tests.passages import make_hit
from tutor.history import FILE_NAME, Preference, SessionStore
from tutor.model import Answer, Citation, Ending, Route


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    (tmp_path / "notes").mkdir()
    return Workspace(tmp_path)


@pytest.fixture
def saved(workspace: Workspace) -> dict[str, str]:
    """Two conversations by their course; in one an answer was cited, in the other stopped."""
    hit = make_hit("A* es completa.", path="03.pdf", title="Bús\x1b[31mqueda")
    with SessionStore(workspace.root / "stores" / FILE_NAME) as store:
        ai, db = store.create("ia", "es").id, store.create("bd", "es").id
        with store.begin_turn(db, "¿Qué es una clave?") as writer:
            writer.token("Una clave\x1b]0;x\x07 es")
            writer.abandon(Ending.STOPPED)
        with store.begin_turn(ai, "¿Es completa A*?") as writer:
            writer.rewritten("¿Es completa la búsqueda A*?")
            writer.finish(
                Answer(
                    "Sí, lo es.",
                    (Citation(0, 10, hit, 0, 15, 3, 3, 0.9),),
                    abstained=False,
                    route=Route.SEMANTIC,
                    model="llama3.2",
                )
            )
        store.give_feedback(writer.turn, 1, "clara")
    return {"ia": ai, "bd": db}


def ids(workspace: Workspace, *options: str) -> list[str]:
    return [session["id"] for session in workspace.json_here("sessions", *options)]


def test_without_conversations_nothing_is_made(workspace: Workspace) -> None:
    done = workspace.run_here("sessions")
    assert (done.returncode, done.stdout) == (0, "")
    assert "no saved conversations" in done.stderr
    assert workspace.json_here("sessions") == []
    assert workspace.run_here("sessions", "show", "abc").returncode == 1
    assert not (workspace.root / "stores").exists()


def test_the_list_is_newest_first_and_can_be_narrowed(
    workspace: Workspace, saved: dict[str, str]
) -> None:
    printed = workspace.run_here("sessions").stdout
    assert printed.index("¿Es completa A*?") < printed.index("¿Qué es una clave?")
    assert workspace.run_here("sessions", "list").stdout == printed
    assert ids(workspace) == [saved["ia"], saved["bd"]]
    assert ids(workspace, "--course", "bd") == [saved["bd"]]
    assert ids(workspace, "--search", "CLAVE") == [saved["bd"]]
    assert ids(workspace, "--search", "ausente") == []
    assert workspace.run_here("--course", "ia", "sessions").stdout.count("ia") >= 1
    assert "clave" not in workspace.run_here("--course", "ia", "sessions").stdout


def test_a_course_whose_name_is_encoded_otherwise_on_the_disk_has_its_conversations(
    workspace: Workspace,
) -> None:
    on_disk, typed = (unicodedata.normalize(form, "Álgebra") for form in ("NFD", "NFC"))
    folder = workspace.notes / on_disk
    folder.mkdir()
    (folder / "a.pdf").touch()
    with SessionStore(workspace.root / "stores" / FILE_NAME) as store:
        kept = store.create(on_disk, "es").id
        store.begin_turn(kept, "¿Qué es una matriz?").abandon(Ending.STOPPED)
    assert ids(workspace, "--course", typed) == [kept]


def test_a_conversation_is_shown_with_its_sources(
    workspace: Workspace, saved: dict[str, str]
) -> None:
    printed = workspace.run_here("sessions", "show", saved["ia"][:8]).stdout
    for expected in ("¿Es completa A*?", "la búsqueda A*", "Sí, lo es. [1]", "03.pdf, p. 3"):
        assert expected in printed
    stopped = workspace.run_here("sessions", "show", saved["bd"]).stdout
    assert "(stopped)" in stopped
    assert "\x1b" not in printed + stopped
    assert "\x07" not in stopped
    record = json.loads(workspace.run_here("sessions", "show", saved["ia"], "--json").stdout)
    (turn,) = record["conversation"]
    assert turn["answer"]["citations"][0]["quote"] == "A* es completa."
    assert turn["feedback"] == {"rating": 1, "comment": "clara"}


def test_renaming(workspace: Workspace, saved: dict[str, str]) -> None:
    assert "Repaso" in workspace.run_here("sessions", "rename", saved["ia"], "Repaso").stdout
    assert workspace.json_here("sessions")[0]["title"] == "Repaso"
    workspace.run_here("sessions", "rename", saved["ia"], "")
    assert workspace.json_here("sessions")[0]["title"] == "¿Es completa A*?"


def test_deleting_says_how_it_is_undone(workspace: Workspace, saved: dict[str, str]) -> None:
    done = workspace.run_here("sessions", "delete", saved["bd"])
    undo = f"sessions undelete {saved['bd']}"
    assert undo in done.stderr
    assert ids(workspace) == [saved["ia"]]
    assert ids(workspace, "--deleted") == [saved["bd"]]
    assert workspace.run_here(*undo.split()).returncode == 0
    assert len(ids(workspace)) == 2
    workspace.run_here("sessions", "delete", saved["bd"])
    assert workspace.run_here("sessions", "delete", "--forever", saved["bd"]).returncode == 0
    assert workspace.run_here(*undo.split()).returncode == 1


def test_an_export_is_never_written_over_by_accident(
    workspace: Workspace, saved: dict[str, str]
) -> None:
    exported = workspace.run_here("sessions", "export", saved["ia"]).stdout
    assert "> Sí, lo es. [1]" in exported
    assert "“A\\* es completa.”" in exported
    file = workspace.root / "salida.md"
    to_file = ("sessions", "export", saved["ia"], "--output", str(file))
    assert workspace.run_here(*to_file).returncode == 0
    assert file.read_text(encoding="utf-8") == exported
    file.write_text("mío")
    refused = workspace.run_here(*to_file)
    assert refused.returncode == 1
    assert "--force" in refused.stderr
    assert file.read_text() == "mío"
    assert workspace.run_here(*to_file, "--force").returncode == 0
    assert file.read_text(encoding="utf-8") == exported
    nowhere = workspace.run_here("sessions", "export", saved["ia"], "--output", "no/hay/salida.md")
    assert nowhere.returncode == 1
    assert "Traceback" not in nowhere.stderr


def test_feedback_is_exported_for_machines(workspace: Workspace, saved: dict[str, str]) -> None:
    left, right = (
        Answer(text, (), abstained=False, route=route, model="m")
        for text, route in (("=1+1", Route.FIXED), ("Dos,\ntres.", Route.SEMANTIC))
    )
    with SessionStore(workspace.root / "stores" / FILE_NAME) as store:
        compared = store.add_comparison(saved["bd"], "¿Cuál?", left, right)
        store.choose(compared, Preference.RIGHT)
    rating, comparison = workspace.json_here("sessions", "feedback")
    assert (rating["kind"], rating["verdict"], rating["comment"]) == ("rating", "good", "clara")
    assert (rating["question"], rating["answer"]) == ("¿Es completa A*?", "Sí, lo es.")
    assert (comparison["verdict"], comparison["other_route"]) == ("right", "semantic")
    rows = list(
        csv.DictReader(io.StringIO(workspace.run_here("sessions", "feedback", "--csv").stdout))
    )
    assert [row["kind"] for row in rows] == ["rating", "comparison"]
    assert (rows[1]["answer"], rows[1]["other_answer"]) == ("'=1+1", "Dos,\ntres.")
    assert "second better" in workspace.run_here("sessions", "feedback").stdout
    assert [
        one["kind"] for one in workspace.json_here("sessions", "feedback", "--course", "ia")
    ] == ["rating"]


def test_without_feedback_nothing_is_exported(workspace: Workspace) -> None:
    assert workspace.json_here("sessions", "feedback") == []
    assert "no feedback" in workspace.run_here("sessions", "feedback").stderr
    assert not (workspace.root / "stores").exists()


def test_an_unknown_id_names_the_list(workspace: Workspace, saved: dict[str, str]) -> None:
    for action in (("show",), ("delete",), ("undelete",), ("export",)):
        done = workspace.run_here("sessions", *action, "ffffffffffffffff")
        assert done.returncode == 1, action
        assert "tutor sessions" in done.stderr


def test_a_course_that_there_is_not_and_a_list_without_deleted_ones_say_so(
    fresh: Workspace,
) -> None:
    other = fresh.run_here("sessions", "--course", "zzz")
    assert other.returncode == 4
    assert "no course called `zzz`" in other.stderr
    assert "no deleted conversations" in fresh.run_here("sessions", "--deleted").stderr
