"""Names, settings, errors and arguments of strangers: none of them steers the terminal.

Every case runs at a terminal, since escapes for colours are taken out elsewhere anyway; what is
JSON does not.
"""

from __future__ import annotations

import json
import re
import threading
import tomllib
import unicodedata
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from io import BytesIO, TextIOWrapper
from typing import Any

import pytest

from tests.course import FILES, Workspace
from tests.ollama_double import ollama_double

HOSTILE = (
    "a\x1b]0;title\x07b\x1b[2Jc\x1b[8md\x9b2Je\u202ef\u2066g\u200eh\u2028Fi\x85Fj\rFk\tl"
    "\nFORGED: a line\n  → FORGED: a remedy"
)
OUR_STYLES = re.compile(r"\x1b\[(?:0|1|4|31|32|33)m")
WIDTH = "2000"  # nothing is wrapped


class Terminal(TextIOWrapper):
    """A stream that says it is a terminal, and keeps what is written."""

    def __init__(self) -> None:
        self._bytes = BytesIO()
        super().__init__(self._bytes, encoding="utf-8")

    def isatty(self) -> bool:
        return True

    def written(self) -> str:
        self.flush()
        return self._bytes.getvalue().decode("utf-8")


def at_terminal(workspace: Workspace, *arguments: str, **extra: str) -> tuple[int, str]:
    """The exit code, and what `tutor` writes to a terminal, standard error being the same one."""
    terminal = Terminal()
    with redirect_stdout(terminal), redirect_stderr(terminal):
        code = workspace.exit_code_here(*arguments, COLUMNS=WIDTH, **extra)
    # A line of progress is drawn over; HOSTILE has `Fj\r`.
    text = re.sub(r"(?<!Fj)\r *", "", terminal.written())
    return code, OUR_STYLES.sub("", text)


def dangers(text: str) -> list[str]:
    """Characters that do more than be read, and lines that a stranger has begun."""
    found = [
        f"U+{ord(c):04X}"
        for c in text
        if c not in "\n\t" and (unicodedata.category(c)[0] == "C" or c in "\u2028\u2029")
    ]
    return found + re.findall(r"(?m)^\W*FORGED.*", text)


def assert_harmless(workspace: Workspace, *arguments: str, code: int, **extra: str) -> str:
    """Run it, see that nothing in its output does more than be read, and give the output."""
    if "--json" in arguments:
        done = workspace.run_here(*arguments, **extra)
        written, found = done.stdout + done.stderr, done.returncode
        assert not done.stdout or json.loads(done.stdout)
    else:
        found, written = at_terminal(workspace, *arguments, **extra)
    assert dangers(written) == [], written
    assert found == code, written
    assert written
    return written


@contextmanager
def _refusing_embedder() -> Iterator[str]:
    """A server whose embedding model fails with a hostile reason."""

    class Handler(BaseHTTPRequestHandler):
        def _reply(self, status: int, record: dict[str, Any]) -> None:
            data = json.dumps(record).encode()
            self.send_response(status)
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def do_GET(self) -> None:
            self._reply(200, {"models": [{"name": "evil:latest", "digest": "a" * 64}]})

        def do_POST(self) -> None:
            self.rfile.read(int(self.headers["Content-Length"]))
            self._reply(500, {"error": HOSTILE})

        def log_message(self, format: str, *args: Any) -> None:  # noqa: A002
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


@pytest.mark.parametrize(
    "arguments",
    [
        (HOSTILE,),
        (f"--{HOSTILE}",),
        ("--lang", HOSTILE),
        ("ask", "x", f"--{HOSTILE}"),
        ("ask", "x", "--k", HOSTILE),
        ("stats", HOSTILE),
        ("index", "--strategy", HOSTILE),
        ("bench", "--strategies", HOSTILE),
        ("config", HOSTILE),
        ("eval", "--cases", "/", HOSTILE),
    ],
)
def test_usage_errors(fresh: Workspace, arguments: tuple[str, ...]) -> None:
    told = assert_harmless(fresh, *arguments, code=2)
    assert "--help" in told


def test_help_for_want_of_a_command_keeps_its_lines(fresh: Workspace) -> None:
    done = fresh.run_here("config")
    assert done.returncode == 2
    assert "\n  show " in done.stderr


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (("--course", HOSTILE, "stats", "--json"), 4),
        (("--course", HOSTILE, "ask", "x", "--json"), 4),
        (("sessions", "show", HOSTILE), 1),
        (("sessions", "show", HOSTILE, "--json"), 1),
        (("eval", "--resume", HOSTILE), 4),
        (("search", "x", "--author", HOSTILE), 2),
        (("search", "x", "--document", HOSTILE, "--json"), 2),
        (("bench", "--modes", HOSTILE), 2),
        (("bench", "--cases", HOSTILE), 4),
        (("pull", HOSTILE), 6),
    ],
)
def test_failures_that_repeat_arguments(
    indexed: Workspace, arguments: tuple[str, ...], code: int
) -> None:
    indexed.run_here("chat", typed="red\n/quit\n")
    assert "Error:" in assert_harmless(indexed, *arguments, code=code)


@pytest.mark.parametrize(
    "text",
    [
        f"{json.dumps(HOSTILE)} = 1",
        f"[ollama]\n{json.dumps(HOSTILE)} = 1",
        f"{json.dumps('k' + HOSTILE[:5])} = 1",
        f"engine = {json.dumps(HOSTILE)}",
        f"[ollama]\nhost = {json.dumps('ftp://' + HOSTILE)}",
        f"[tui.keys]\n{json.dumps(HOSTILE)} = {json.dumps(HOSTILE)}",
        "engine = \x1b]0;title\x07",
        "a\u202eb = 1",
    ],
)
def test_settings_that_make_no_sense(fresh: Workspace, text: str) -> None:
    (fresh.root / "tutor.toml").write_text(text)
    for arguments in (("stats",), ("stats", "--json")):
        assert "Error:" in assert_harmless(fresh, *arguments, code=3)


def test_variables_that_make_no_sense(fresh: Workspace) -> None:
    for name, value in ((f"TUTOR_{HOSTILE}", "1"), ("TUTOR_K", HOSTILE)):
        assert_harmless(fresh, "stats", code=3, **{name: value})
    missing = str(fresh.root / f"{HOSTILE}.toml")
    assert_harmless(fresh, "stats", code=3, TUTOR_CONFIG=missing)


def test_settings_that_are_shown(fresh: Workspace) -> None:
    persona = {"TUTOR_PERSONA_ES": HOSTILE}
    assert_harmless(fresh, "config", "show", "--json", code=0, **persona)
    assert_harmless(fresh, "config", "show", code=0, **persona)
    shown = fresh.run_here("config", "show", "--json", **persona).stdout
    assert json.loads(shown)["persona"]["es"] == HOSTILE
    shown = fresh.run_here("config", "show", **persona).stdout
    assert tomllib.loads(shown)["persona"]["es"] == HOSTILE


def test_files_with_hostile_names_that_cannot_be_read(fresh: Workspace) -> None:
    (fresh.notes / f"{HOSTILE}.pdf").write_bytes(b"no PDF")
    told = assert_harmless(fresh, "index", code=8)
    assert "a]0;titleb" in told
    assert_harmless(fresh, "index", "--json", code=8)
    assert_harmless(fresh, "index", "--progress", "json", code=8)
    for name in FILES:
        (fresh.notes / name).unlink()
    assert "None of the PDFs" in assert_harmless(fresh, "index", "--rebuild", code=5)
    assert_harmless(fresh, "doctor", code=0)


def test_files_with_hostile_names_that_are_read(fresh: Workspace) -> None:
    first = next(iter(FILES))
    (fresh.notes / first).rename(fresh.notes / f"{HOSTILE}.pdf")
    assert_harmless(fresh, "index", code=0)
    rows = assert_harmless(fresh, "stats", "--files", code=0).partition("File ")[2]
    assert len(rows.splitlines()) == 1 + len(FILES)
    files = fresh.json_here("stats")["files"]
    assert f"{HOSTILE}.pdf" in [one["file"] for one in files]
    for arguments in (("search", "ganancia entropía"), ("ask", "¿Qué mide la ganancia?")):
        assert_harmless(fresh, *arguments, code=0)
        assert_harmless(fresh, *arguments, "--json", code=0)
    assert_harmless(fresh, "stats", "--json", code=0)


def test_courses_with_hostile_names(fresh: Workspace) -> None:
    course = fresh.notes / HOSTILE.replace("/", "")
    course.mkdir()
    first, second, third = FILES
    (fresh.notes / first).rename(course / first)
    assert_harmless(fresh, "--course", "none", "stats", code=4)
    for command in (("stats",), ("index",), ("index", "--json"), ("stats", "--json"), ("doctor",)):
        assert_harmless(fresh, "--course", course.name, *command, code=5 * (command == ("stats",)))
    for name in (second, third):
        (fresh.notes / name).unlink()
    (fresh.notes / "other").mkdir()
    (fresh.notes / "other" / "bad.pdf").write_bytes(b"no PDF")
    assert "several courses" in assert_harmless(fresh, "stats", code=4)


def test_conversations_with_hostile_questions(indexed: Workspace) -> None:
    question = HOSTILE.replace("\n", " ").replace("\r", " ").replace("\x85", " ")
    said = indexed.run_here("chat", typed=f"{question} red\n/sources\n/sessions\n/quit\n")
    assert dangers(said.stdout) == dangers(said.stderr) == []
    (session,) = json.loads(indexed.run_here("sessions", "--json").stdout)
    for arguments in (("list",), ("show", session["id"]), ("export", session["id"])):
        assert_harmless(indexed, "sessions", *arguments, code=0)
    for arguments in (("list",), ("show", session["id"])):
        assert_harmless(indexed, "sessions", *arguments, "--json", code=0)
    assert_harmless(indexed, "sessions", "rename", session["id"], HOSTILE, code=0)
    assert_harmless(indexed, "sessions", "list", code=0)


def test_an_embedder_whose_error_is_hostile(fresh: Workspace) -> None:
    with _refusing_embedder() as host:
        settings = {
            "TUTOR_EMBEDDER_KIND": "ollama",
            "TUTOR_EMBEDDER_MODEL": "evil",
            "TUTOR_OLLAMA_HOST": host,
        }
        for arguments in (("index",), ("index", "--json"), ("index", "--progress", "json")):
            told = assert_harmless(fresh, *arguments, code=7, **settings)
            assert "a]0;titleb" in told
        assert_harmless(fresh, "doctor", code=1, **settings)
        assert_harmless(fresh, "doctor", "--json", code=1, **settings)
        assert_harmless(fresh, "ask", "x", code=7, **settings)


def test_a_model_with_a_hostile_name(fresh: Workspace) -> None:
    with ollama_double() as server:
        settings = {"TUTOR_OLLAMA_HOST": server.host, "TUTOR_OLLAMA_MODEL": HOSTILE}
        assert_harmless(fresh, "models", code=0, **settings)
        assert_harmless(fresh, "pull", code=0, **settings)


@pytest.mark.parametrize(("path", "codes"), [("\x1b[2J\u202e\x9b2J", (3, 3)), ("%1b%5b2J", (6, 0))])
def test_a_host_that_does_not_answer(fresh: Workspace, path: str, codes: tuple[int, int]) -> None:
    host = {"TUTOR_OLLAMA_HOST": f"http://localhost:9/{path}"}
    for command, code in zip(("models", "doctor"), codes, strict=True):
        assert_harmless(fresh, command, code=code, **host)
        assert_harmless(fresh, command, "--json", code=code, **host)
