"""Settings come from four places, and nonsense is refused by name."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tutor.config import find_root, load_config
from tutor.errors import ConfigError, ExitCode
from tutor.i18n import set_language
from tutor.model import Strategy


@pytest.fixture(autouse=True)
def _english() -> None:
    set_language("en")


def test_defaults_stand_without_file_or_environment(tmp_path: Path) -> None:
    config = load_config(tmp_path, {})
    assert config.k == 4
    assert config.ollama.model == "llama3.2"
    assert config.ollama.temperature == 0.2
    assert config.notes_path == tmp_path / "notes"


def test_command_line_beats_environment_beats_file(tmp_path: Path) -> None:
    (tmp_path / "tutor.toml").write_text('k = 5\nstrategy = "fixed"\n[ollama]\nmodel = "a"\n')
    environ = {"TUTOR_K": "6", "TUTOR_OLLAMA_MODEL": "b"}
    config = load_config(tmp_path, environ, {"k": 7, "strategy": None})
    assert (config.k, config.ollama.model, config.strategy) == (7, "b", Strategy.FIXED)


@pytest.mark.parametrize(
    ("given", "address"),
    [
        ("0.0.0.0", "http://127.0.0.1:11434"),
        ("box:1234", "http://box:1234"),
        (":1234", "http://127.0.0.1:1234"),
        ("https://box/ollama/", "https://box:443/ollama"),
        ("http://[::1]:5", "http://[::1]:5"),
    ],
)
def test_ollama_host_is_read_as_ollama_writes_it(tmp_path: Path, given: str, address: str) -> None:
    assert load_config(tmp_path, {"OLLAMA_HOST": given}).ollama.host == address


@pytest.mark.parametrize(
    ("toml", "named", "advice"),
    [
        ("kk = 3", "`kk`", "Did you mean `k`?"),
        ('[ollama]\nmodle = "x"', "`ollama.modle`", "Did you mean `ollama.model`?"),
        ('k = "many"', "`k`", "whole number"),
        ("k = 99", "`k`", "at most 50"),
        ("[ollama]\ntemperature = -1", "`ollama.temperature`", "at least 0"),
        ("[ollama]\ntemperature = nan", "`ollama.temperature`", "a number"),
        ("[ollama]\nnum_predict = 99999999999999999999", "`ollama.num_predict`", "at most 1048576"),
        ("ollama = 3", "`ollama`", "section"),
        ('strategy = "best"', "`strategy`", "'fixed', 'semantic'"),
        ('language = "fr"', "`language`", "'es', 'en'"),
        ("notes_dir = 3", "`notes_dir`", "path"),
        ('stores_dir = "~nobody-of-that-name/x"', "`stores_dir`", "write the whole path"),
        ('root = "/"', "`root`", "TUTOR_ROOT"),
        ('[tui]\ntheme = "blue"', "`tui.theme`", "'auto', 'dark', 'light'"),
        ("[tui]\nkeys = 3", "`tui.keys`", "section of keys"),
        ('[tui.keys]\nquit = "ctrl + q"', "`tui.keys.quit`", "ctrl+r"),
        ('[tui.keys]\nquit = "f99"', "`tui.keys.quit`", "ctrl+r"),
        ('[tui.keys]\nquit = ""', "`tui.keys.quit`", "ctrl+r"),
        ("[tui.keys]\nmark.next = 3", "`tui.keys.mark.next`", "quotation marks"),
        ("k = = 3", "not valid TOML: line 1, column 5", "Mend that line"),
        ("k = 3\nl = [\n\n", "not valid TOML: line 2, the last one", "Mend that line"),
    ],
)
def test_nonsense_in_the_file_is_named_with_a_remedy(
    tmp_path: Path, toml: str, named: str, advice: str
) -> None:
    (tmp_path / "tutor.toml").write_text(toml)
    with pytest.raises(ConfigError) as caught:
        load_config(tmp_path, {})
    assert named in caught.value.message
    assert str(tmp_path / "tutor.toml") in caught.value.message
    assert advice in caught.value.remedy
    assert caught.value.exit_code is ExitCode.CONFIG


@pytest.mark.parametrize(
    ("environ", "options", "named"),
    [
        ({"TUTOR_OLAMA_MODEL": "x"}, None, "TUTOR_OLAMA_MODEL"),
        ({"TUTOR_K": "0"}, None, "the environment: `k`"),
        ({"TUTOR_TUI_KEYS": "f9"}, None, "the environment: `tui.keys.f9`"),
        ({"OLLAMA_HOST": "ftp://x"}, None, "`ollama.host`"),
        ({"TUTOR_CONFIG": "/nowhere/tutor.toml"}, None, "/nowhere/tutor.toml"),
        ({"TUTOR_CONFIG": "~nobody-of-that-name/x"}, None, "`TUTOR_CONFIG`"),
        ({}, {"k": 0}, "the command line: `k`"),
    ],
)
def test_nonsense_elsewhere_names_where(
    tmp_path: Path, environ: dict[str, str], options: dict[str, Any] | None, named: str
) -> None:
    with pytest.raises(ConfigError) as caught:
        load_config(tmp_path, environ, options)
    assert named in caught.value.message
    assert caught.value.remedy


def test_a_root_in_no_home_folder_is_refused() -> None:
    with pytest.raises(ConfigError, match="TUTOR_ROOT") as caught:
        find_root(Path(), {"TUTOR_ROOT": "~nobody-of-that-name/x"})
    assert "write the whole path" in caught.value.remedy


def test_folders_may_be_below_a_home_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("USERPROFILE", str(tmp_path / "home"))
    (tmp_path / "tutor.toml").write_text('notes_dir = "~/Apuntes"\nstores_dir = "./a/~"\n')
    config = load_config(tmp_path, {}).varied({"k": 5})
    assert config.notes_path == tmp_path / "home" / "Apuntes"
    assert config.stores_path == tmp_path / "a" / "~"
    named = load_config(tmp_path, {"TUTOR_STORES_DIR": "~"})
    assert named.stores_path == tmp_path / "home"


def test_keys_are_named_with_dots_and_written_in_both_places(tmp_path: Path) -> None:
    (tmp_path / "tutor.toml").write_text(
        '[tui]\ntheme = "light"\n[tui.keys]\nmark.next = "n, right"\n"area.next" = "ctrl+x"\n'
    )
    config = load_config(tmp_path, {})
    assert config.tui.theme == "light"
    assert config.tui.keys == {"mark.next": "n,right", "area.next": "ctrl+x"}
    assert config.varied({"k": 5}).tui == config.tui
    environ = {"TUTOR_TUI_KEYS": "mark.next=n,right quit=="}
    assert load_config(tmp_path, environ).tui.keys == {"mark.next": "n,right", "quit": "="}


def test_a_settings_file_that_is_a_folder_is_no_traceback(tmp_path: Path) -> None:
    (tmp_path / "tutor.toml").mkdir()
    with pytest.raises(ConfigError, match="cannot be read"):
        load_config(tmp_path, {})


def test_root_is_the_nearest_folder_with_notes(tmp_path: Path) -> None:
    (tmp_path / "notes").mkdir()
    deep = tmp_path / "a" / "b"
    deep.mkdir(parents=True)
    assert find_root(deep, {}) == tmp_path
    assert find_root(deep, {"TUTOR_ROOT": str(deep)}) == deep


@pytest.mark.parametrize(
    "name",
    [
        "TUTOR_READING_TIMEOUT_S",
        "TUTOR_OLLAMA_CONNECT_TIMEOUT_S",
        "TUTOR_OLLAMA_SILENCE_TIMEOUT_S",
        "TUTOR_OLLAMA_TEMPERATURE",
        "TUTOR_WEB_TIMEOUT_S",
        "TUTOR_STUDY_RETENTION",
    ],
)
@pytest.mark.parametrize(
    ("value", "advice"), [("inf", "a number"), ("nan", "a number"), ("1e30", "at most ")]
)
def test_no_setting_is_endless(tmp_path: Path, name: str, value: str, advice: str) -> None:
    with pytest.raises(ConfigError) as caught:
        load_config(tmp_path, {name: value})
    assert f"cannot be {value!r}" in caught.value.message
    assert advice in caught.value.remedy
