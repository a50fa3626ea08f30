"""What every command prints, word by word, compared with what was read and found good.

After a change that is meant: `pytest tests/cli/test_golden.py --snapshot-update`, and read what
has changed in `__snapshots__`.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.course import Workspace, make_workspace
from tests.ollama_double import Model, ollama_double
from tests.serpapi_double import GOOD_KEY, serpapi
from tutor import __version__
from tutor.study.card import CardKind, card_id

if TYPE_CHECKING:
    from syrupy.assertion import SnapshotAssertion

LANGUAGES = ("es", "en")
REPLAY = Path(__file__).with_name("replay.py")
MODEL, WEB = "with a model", "with a key"
MODELS = {"good": Model(), "embeds": Model(capabilities=("embedding",), context=512)}
COVERED = "¿Qué calcula la retropropagación?"
ENGLISH = "How does backpropagation compute the gradient?"
ON_THE_WEB = "/web valid ¿Qué es un transformer?"
NOT_COVERED = "¿Quién ganó el mundial de fútbol de 1998?"
TYPED = (
    "¿Qué es una red neuronal?\n¿y la retropropagación?\n/fuentes\n/semantico\n¿y su costo?\n"
    "/ayuda\n/sesiones\n/nueva\n/web\n/salir\n"
)
CASE = {
    "id": "rate",
    "lang": "es",
    "question": "¿Cuál es la tasa de aprendizaje recomendada?",
    "answer": "0,01",
    "file": "09_SEMANA_AI_20250929_1.pdf",
    "page": 1,
    "snippet": "La tasa de aprendizaje recomendada en el curso es 0,01.",
}
COMMANDS = (
    "ask", "bench", "cards", "cards changes", "cards make", "cards list", "cards show",
    "cards restore", "cards write", "cards export", "cards import", "cards progress",
    "cards stats", "chat", "config", "config show", "config path", "doctor", "eval", "exam",
    "index", "map", "map show", "map path", "map query", "map communities", "map export",
    "models", "pull", "search",
    "sessions", "sessions list", "sessions show", "sessions rename", "sessions delete",
    "sessions undelete", "sessions export", "sessions feedback", "stats", "study",
)  # fmt: skip


OWN_CARDS = "front,back\n¿Qué es A*?,Una búsqueda informada\nCapital de Francia,París\nTres,3\n"
CARD = card_id(CardKind.OWN, "Capital de Francia", "París")[:10]
REVIEWED = "búsqueda\n3\n?\nParís\n\nu\n\n3\n\ns\nu\ne\nCuatro\n4\nd\n"


@dataclass(frozen=True)
class Call:
    """A command line. `by` says what answers: nothing, a model's server, a web search."""

    name: str
    arguments: tuple[str, ...]
    typed: str = ""
    by: str = ""
    environment: dict[str, str] = field(default_factory=dict)


def _calls() -> list[Call]:
    """In their order, which matters: each works on what those before have left."""

    def plain_and_json(*arguments: str) -> tuple[Call, Call]:
        name = " ".join(arguments)
        return Call(name, arguments), Call(f"{name} --json", (*arguments, "--json"))

    return [
        Call("--help", ("--help",)),
        *(Call(f"{name} --help", (*name.split(), "--help")) for name in COMMANDS),
        Call("--version", ("--version",)),
        Call("nonsense", ("frobnicate",)),
        Call("nonsense for a number", ("ask", "x", "--k", "many")),
        Call("nonsense in a setting", ("stats",), environment={"TUTOR_K": "many"}),
        Call("nonsense for a course", ("--course", "química", "ask", "hola")),
        Call("stats before index", ("stats",)),
        Call("doctor before index", ("doctor",)),
        Call("sessions before any", ("sessions",)),
        Call("index fresh", ("index",)),
        Call("index unchanged", ("index",)),
        Call("index --json", ("index", "--json")),
        Call("index --progress json", ("index", "--progress", "json")),
        Call("index --repair", ("index", "--repair")),
        *plain_and_json("search", COVERED),
        *plain_and_json("search", "entropía", "--strategy", "semantic", "--k", "2"),
        *plain_and_json("ask", COVERED),
        *plain_and_json("ask", COVERED, "--strategy", "semantic"),
        *plain_and_json("ask", ENGLISH),
        *plain_and_json("ask", NOT_COVERED),
        *plain_and_json("ask", "¿Qué es la silueta de la semana 8?"),
        *plain_and_json("ask", "¿Qué es la silueta?", "--week", "3"),
        Call("ask the web without a key", ("ask", ON_THE_WEB)),
        Call("ask the web", ("ask", ON_THE_WEB), by=WEB),
        Call("ask the web --json", ("ask", ON_THE_WEB, "--json"), by=WEB),
        Call("ask a model", ("ask", "¿Qué es una red neuronal?"), by=MODEL),
        Call("ask a model --json", ("ask", "¿Qué es una red neuronal?", "--json"), by=MODEL),
        Call("ask for a model", ("ask", COVERED, "--engine", "ollama")),
        Call("ask nothing", ("ask", " ")),
        *plain_and_json("stats"),
        Call("stats --files", ("stats", "--files")),
        *plain_and_json("doctor"),
        *plain_and_json("config", "show"),
        Call("config path", ("config", "path")),
        Call("chat", ("chat",), TYPED),
        Call("chat --resume last", ("chat", "--resume", "last"), "dame un ejemplo\n"),
        *plain_and_json("sessions"),
        *plain_and_json("sessions", "list", "--search", "ausente"),
        Call("sessions show an unknown one", ("sessions", "show", "ffffffffffffffff")),
        *plain_and_json("sessions", "feedback"),
        *plain_and_json("models"),
        Call("models on a server", ("models",), by=MODEL),
        Call("models on a server --json", ("models", "--json"), by=MODEL),
        Call("pull", ("pull",)),
        Call("pull from a server", ("pull", "new"), by=MODEL),
        *plain_and_json("map"),
        *plain_and_json("map", "show", "ARBOLES"),
        Call("map show an unknown one", ("map", "show", "red neuronl")),
        *plain_and_json("map", "path", "redes neuronales", "red neuronal artificial"),
        *plain_and_json("map", "query", "MATCH (w:Week) RETURN w.number ORDER BY w.number"),
        Call("map query that writes", ("map", "query", "CREATE (w:Week {number: 13})")),
        Call("map query that makes no sense", ("map", "query", "MATCH (w RETURN w")),
        *plain_and_json("map", "communities"),
        Call("map export", ("map", "export", "map.svg")),
        Call("map export to nothing known", ("map", "export", "map.pdf")),
        Call("cards list without cards", ("cards", "list")),
        Call("cards import", ("cards", "import", "own.csv")),
        Call("cards import --json", ("cards", "import", "own.csv", "--json")),
        Call("cards import nothing", ("cards", "import", "absent.csv")),
        *plain_and_json("cards", "list"),
        *plain_and_json("cards", "show", CARD),
        Call("cards show an unknown one", ("cards", "show", "ffff")),
        *plain_and_json("cards", "stats"),
        *plain_and_json("cards", "progress"),
        Call("cards progress in vain", ("cards", "progress", "--exam", "2000-01-01")),
        Call("cards export", ("cards", "export", "own.md", "--topic", "francia")),
        Call("cards export to nothing known", ("cards", "export", "own.pdf")),
        Call("study", ("study",), REVIEWED),
        Call("study nothing due", ("study",)),
        Call("exam", ("exam",), "x\nParís\nq\nq\n"),
        Call("exam results", ("exam", "--results")),
        Call("cards list deleted", ("cards", "list", "--state", "deleted")),
        Call("cards restore", ("cards", "restore", CARD)),
        Call("cards write", ("cards", "write")),
        Call("cards write with a model", ("cards", "write", "--limit", "3"), by=MODEL),
        Call("cards write --json", ("cards", "write", "--limit", "1", "--json"), by=MODEL),
        Call("eval", ("eval", "--cases", "cases.jsonl")),
        Call("eval of the sample", ("eval",)),
        Call("bench nothing", ("bench", "--questions", "0")),
    ]


def _session_calls(session: str) -> list[Call]:
    return [
        Call("sessions show", ("sessions", "show", session)),
        Call("sessions show --json", ("sessions", "show", session, "--json")),
        Call("sessions export", ("sessions", "export", session)),
        Call("sessions rename", ("sessions", "rename", session, "Repaso")),
        Call("sessions delete", ("sessions", "delete", session)),
        Call("sessions list --deleted", ("sessions", "list", "--deleted")),
        Call("sessions undelete", ("sessions", "undelete", session)),
    ]


NAMES = [call.name for call in (*_calls(), *_session_calls(""))]


def _replayed(
    workspace: Workspace, calls: list[Call], language: str, extra: dict[str, dict[str, str]]
) -> dict[str, str]:
    """What the calls print, by their names."""
    told = [
        {
            "arguments": call.arguments,
            "typed": call.typed,
            "environment": {**extra.get(call.by, {}), **call.environment},
        }
        for call in calls
    ]
    done = subprocess.run(
        [sys.executable, str(REPLAY)],
        input=json.dumps(told),
        env=workspace.environment(
            TUTOR_LANG=language,
            COLUMNS="100",
            NO_COLOR="1",
            TUTOR_READING_WORKERS="0",
            PATH=str(Path(sys.executable).parent),  # Tesseract is installed here and there
        ),
        cwd=workspace.root,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return {
        call.name: (
            f"{printed['stdout']}--- stderr ---\n{printed['stderr']}--- leaves with ---\n"
            f"{printed['code']}\n"
        )
        for call, printed in zip(calls, json.loads(done.stdout), strict=True)
    }


@pytest.fixture(scope="module", params=LANGUAGES)
def printed(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> dict[str, str]:
    """What every call prints in a language, without what is another each time."""
    workspace = make_workspace(tmp_path_factory.mktemp("golden") / "course")
    (workspace.root / "own.csv").write_text(OWN_CARDS, encoding="utf-8")
    (workspace.root / "cases.jsonl").write_text(json.dumps(CASE), encoding="utf-8")
    with ollama_double(models=MODELS) as server, serpapi() as web:
        extra = {
            MODEL: {"TUTOR_OLLAMA_HOST": server.host, "TUTOR_OLLAMA_MODEL": "good"},
            WEB: {"TUTOR_WEB_URL": web.url, "SERPAPI_API_KEY": GOOD_KEY},
        }
        found = _replayed(workspace, _calls(), request.param, extra)
        session = workspace.json_here("sessions")[-1]["id"]
        found |= _replayed(workspace, _session_calls(session), request.param, extra)
    return {name: masked(text, workspace.root) for name, text in found.items()}


MASKS = (
    (r"(Python) \d[^\n\"]*", r"\1 <version>"),
    (r"\b20\d\d-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d+)?)?(\+00:00)?", "<moment>"),
    (r"\b20\d{6}-\d{6}\b", "<moment>"),
    (r"\b(\d+ min )?\d+(\.\d+)? m?s\b", "<seconds>"),
    (r" +\d+\.\d / \d+\.\d\b", "  <ms>"),
    (r"\b[\d.]+ GB (?=libres|free)", "<room> "),
    (r", \d+ MB (?:de memoria|of memory)", ""),  # of an embedder that was not loaded before
    (r"\b[0-9a-f]{64}\b", "<sha256>"),
    (r"(?<!\.)\b[0-9a-f]{12}\b", "<session>"),  # not the digits of a fraction
    (r"(?m)^[0-9a-f]{8}(?=  )", "<session>"),
    (r"(127\.0\.0\.1):(?!9\b)\d+", r"\1:<port>"),
    # How often progress is told is a matter of time.
    (r"(?m)^((Indexando|Indexing) \.\.\. ·|\d+(/| de | of )\d+) .*\n", ""),
    (r"(\"(seconds|load_s|prompt_s|answer_s)\":) [\d.e-]+", r"\1 <seconds>"),
)


def masked(text: str, root: Path) -> str:
    """What is printed without times, versions, paths and ids, and scores to two digits: another
    processor may compute the rest otherwise.
    """
    text = text.replace(str(root), "<root>").replace(__version__, "<version>")
    for pattern, shown in MASKS:
        text = re.sub(pattern, shown, text)
    text = re.sub(r"(?m)^.*\bchromadb \d.*$", _without_versions, text)
    text = re.sub(r"\"(seconds|timings)\": \{[^}]*\}", _without_seconds, text)
    return re.sub(r"(?<![\w/])\d+\.\d{3,}(e-\d+)?\b", lambda found: f"{float(found[0]):.2f}", text)


def _without_versions(found: re.Match[str]) -> str:
    return re.sub(r" \d[\d.]*", " <version>", found[0])


def _without_seconds(found: re.Match[str]) -> str:
    return re.sub(r": [\d.e-]+", ": <seconds>", found[0])


@pytest.mark.parametrize("name", NAMES)
def test_a_command_prints_what_it_did(
    name: str, printed: dict[str, str], snapshot: SnapshotAssertion
) -> None:
    assert printed[name] == snapshot
