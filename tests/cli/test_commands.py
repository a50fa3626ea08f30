"""The other commands, the help in both languages, and nonsense on the command line."""

from __future__ import annotations

import json
import tomllib

from tests.course import FILES, Workspace


def test_stats_is_the_dataset_table(indexed: Workspace) -> None:
    record = indexed.json_here("stats")
    assert record["documents"] == len(FILES)
    assert record["weeks"] == 3
    assert record["dimension"] == 384
    for numbers in record["strategies"].values():
        assert numbers["chunks"] >= 3
        assert 0 < numbers["mean_chars"] <= 800
    printed = indexed.run_here("stats", "--files").stdout
    assert "09_SEMANA_AI_20250929_1.pdf" in printed
    assert "2025-09-29" in printed


def test_doctor_passes_warns_and_fails(indexed: Workspace) -> None:
    results = {result["name"]: result for result in indexed.json_here("doctor")}
    assert results["store default"]["severity"] == "pass"
    assert results["embedder"]["severity"] == "pass"
    assert results["ollama"]["severity"] == "warn"
    assert "ollama serve" in results["ollama"]["remedy"]
    (indexed.store / "manifest.json").write_text("{")
    done = indexed.run_here("doctor")
    assert done.returncode == 1
    assert "--rebuild" in done.stdout


def test_config_show_is_a_settings_file(fresh: Workspace) -> None:
    shown = fresh.run("config", "show", TUTOR_K="7", TUTOR_TUI_KEYS='mark.next=" quit=f9').stdout
    assert tomllib.loads(shown)["k"] == 7
    (fresh.root / "tutor.toml").write_text(shown)
    again = fresh.json("config", "show")
    assert (again["k"], again["tui"]["keys"]) == (7, {"mark.next": '"', "quit": "f9"})
    assert fresh.run("config", "path").stdout.strip() == str(fresh.root / "tutor.toml")


def test_nonsense_in_the_settings_stops_every_command(fresh: Workspace) -> None:
    (fresh.root / "tutor.toml").write_text('[ollama]\nmodle = "x"\n')
    for command in (("ask", "hola"), ("index",), ("doctor",), ("config", "show"), ()):
        done = fresh.run_here(*command)
        assert done.returncode == 3, command
        assert "ollama.modle" in done.stderr
        assert "ollama.model" in done.stderr


def test_language_of_the_settings_file_holds(indexed: Workspace) -> None:
    (indexed.root / "tutor.toml").write_text('language = "es"\n')
    environment = {"TUTOR_LANG": ""}
    done = indexed.run_here("ask", "¿Quién ganó el mundial de fútbol?", **environment)
    assert "Los apuntes" in done.stdout


def test_json_is_json_and_nothing_else(indexed: Workspace) -> None:
    for command in (("index",), ("stats",), ("doctor",), ("search", "red"), ("ask", "red")):
        json.loads(indexed.run_here(*command, "--json").stdout)


def test_settings_with_a_key_that_the_app_does_not_have_are_refused(fresh: Workspace) -> None:
    done = fresh.run_here("config", "show", TUTOR_TUI_KEYS="nada=f3")
    assert done.returncode == 3
    assert "no key is called `nada`" in done.stderr
    assert len(done.stderr) < 240
