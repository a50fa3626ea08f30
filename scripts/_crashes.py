"""What `scripts/crash_index.py` kills, and all that can be seen of it afterwards."""

from __future__ import annotations

import json
import os
import re
import shutil
import sqlite3
import subprocess
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any, TypeAlias

from tests import pdfs
from tests.chroma_server import chroma_server, free_port
from tests.course import CLUSTERS, NEURAL, Workspace, make_workspace
from tutor.index.store import read_manifest
from tutor.index.store.chroma import local_client, server_client
from tutor.index.store.upkeep import damaged_files

Contents: TypeAlias = dict[str, object]
"""What is there, by name: files as the hash of their bytes, collections as that of their rows."""
_QUESTIONS = [
    "¿Qué mide la silueta?",
    "¿Qué es una red neuronal?",
    "¿y la retropropagación?",
    "¿Qué es un árbol de decisión?",
    "¿Cuántos árboles entrena el bosque aleatorio?",
    "¿Qué hace k-means?",
] * 2


def _nothing(_notes: Path) -> None:
    """Leave the notes as they are."""


def _other_notes(notes: Path) -> None:
    """One file changed, one added, one gone."""
    _long(notes / "09_SEMANA_AI_20250929_1.pdf", "Cambiada")
    _long(notes / "10_SEMANA_AI_20251006_1.pdf", "Nueva")
    (notes / "07_SEMANA_AI_20250915_1.pdf").unlink()


def _torn_index(notes: Path) -> None:
    """What `--repair` is there for: no words, no sentences, no Chroma."""
    for generation in notes.parent.glob("stores/*/generation-*"):
        for name in ("chroma", "lexical_fixed", "sentences"):
            shutil.rmtree(generation / name)


def _long(path: Path, word: str) -> None:
    texts = [f"{word} {n}: {text}" for n in range(9) for text in (*NEURAL, *CLUSTERS)]
    pdfs.one_column(path, texts, title=word)


@dataclass(frozen=True, slots=True)
class Scenario:
    """What is killed: a command, over notes that were indexed and then changed, or never were."""

    name: str
    arguments: tuple[str, ...] = ("index",)
    again: tuple[str, ...] = ("index",)
    """The command that has to make it good."""
    indexed: bool = True
    change: Callable[[Path], None] = _nothing
    courses: bool = False
    server: bool = False
    typed: str = ""


SCENARIOS = (
    Scenario("first", indexed=False),
    Scenario("update", change=_other_notes),
    Scenario("rebuild", ("index", "--rebuild")),
    Scenario("repair", ("index", "--repair"), change=_torn_index),
    Scenario("two courses", ("index", "--all"), ("index", "--all"), indexed=False, courses=True),
    Scenario("first, server", indexed=False, server=True),
    Scenario("update, server", change=_other_notes, server=True),
    Scenario("rebuild, server", ("index", "--rebuild"), server=True),
    Scenario("repair, server", ("index", "--repair"), server=True),
    Scenario("sessions", ("chat",), ("chat",), typed="\n".join([*_QUESTIONS, ""])),
)


class Trial:
    """A workspace made for a scenario, with everything that its processes may write to."""

    def __init__(self, scenario: Scenario, root: Path) -> None:
        self.scenario = scenario
        self.workspace = Workspace(root)
        self.stores = root / "stores"
        self.port = free_port()  # the manifest names it

    @contextmanager
    def ready(self, made: Path) -> Iterator[None]:
        """A fresh copy of what was made, and its server."""
        shutil.rmtree(self.workspace.root, ignore_errors=True)
        shutil.copytree(made, self.workspace.root)
        with self.serving():
            yield

    @contextmanager
    def serving(self) -> Iterator[None]:
        """Chroma's server, where the scenario has one."""
        if not self.scenario.server:
            yield
            return
        with chroma_server(self.workspace.root / "server", self.port):
            yield

    @property
    def environment(self) -> dict[str, str]:
        """Its own folders for everything, and its server."""
        root = self.workspace.root
        folders = {name: str(root / "user") for name in ("HOME", "TMPDIR")}
        folders |= {f"XDG_{name}_HOME": str(root / "user") for name in ("CACHE", "STATE", "DATA")}
        address = {"TUTOR_CHROMA_HOST": "127.0.0.1", "TUTOR_CHROMA_PORT": str(self.port)}
        return {
            **folders,
            "TUTOR_ENGINE": "extractive",
            "PYTHONHASHSEED": "0",  # in which order an index of words numbers them
            **(address if self.scenario.server else {}),
        }

    def made(self, folder: Path) -> Contents:
        """Make it, and keep a copy of it in `folder`; what is there then."""
        self.make()
        with self.serving():
            contents = self.contents()
        shutil.copytree(self.workspace.root, folder)
        return contents

    def make(self) -> None:
        """Typeset the notes, index them if the scenario says so, and change them."""
        workspace = make_workspace(self.workspace.root)
        (workspace.root / "user").mkdir()
        _long(workspace.notes / "11_SEMANA_AI_20251013_1.pdf", "Larga")
        if self.scenario.courses:
            for course in ("una", "otra"):
                shutil.copytree(workspace.notes, workspace.root / "courses" / course)
            shutil.rmtree(workspace.notes)
            (workspace.root / "courses").rename(workspace.notes)
        with self.serving():
            if self.scenario.indexed:
                self.run("index")
            self.scenario.change(workspace.notes)

    def start(self) -> subprocess.Popen[str]:
        """Begin what is to be killed."""
        process = self.workspace.start(
            *self.scenario.arguments, typing=bool(self.scenario.typed), **self.environment
        )
        if self.scenario.typed and process.stdin:
            process.stdin.write(self.scenario.typed)
            process.stdin.close()
        return process

    def run(self, *arguments: str) -> str:
        """Run a command to its end; gives what it complained of."""
        typed = self.scenario.typed if arguments == self.scenario.again else ""
        done = self.workspace.run(*arguments, typed=typed, **self.environment)
        if done.returncode or "Traceback" in done.stderr:
            return f"`{' '.join(arguments)}` ended with {done.returncode}: {done.stderr[-500:]}"
        return ""

    def snapshot(self) -> tuple[tuple[str, int], ...]:
        """Names and sizes of all files below the stores, and of the server's."""
        seen: list[tuple[str, int]] = []
        for folder in (self.stores, self.workspace.root / "server"):
            _sizes(folder, seen)
        return tuple(seen)

    def contents(self) -> Contents:
        """All that is there now, generations and collections told by what they hold."""
        found: Contents = {}
        root = self.workspace.root
        for path in sorted(path for path in root.rglob("*") if path.is_file()):
            name = re.sub(r"generation-\d{6}", "generation", path.relative_to(root).as_posix())
            name = re.sub(r"[0-9a-f]{8}-[0-9a-f-]{27}", "segment", name)
            if name.split("/")[0] in {"server", "chroma.log", "notes"}:
                continue
            kept = "/chroma/" not in name and path.suffix not in {".json", ".lock", ".db"}
            found[name] = sha256(path.read_bytes()).hexdigest() if kept else "there"
        for store in sorted(path for path in self.stores.glob("*") if path.is_dir()):
            found |= self._index(store)
        if self.scenario.server:
            with server_client("127.0.0.1", self.port, ssl=False) as client:
                found["collections"] = len(client.list_collections())
        if self.scenario.typed:
            found["turns"] = _turns(self.stores / "sessions.db")
        return found

    def _index(self, store: Path) -> Contents:
        """What the manifest says, apart from its number and time, and Chroma's rows."""
        manifest = read_manifest(store)
        if manifest is None:
            return {f"{store.name}: manifest": "none"}
        damaged = list(damaged_files(store, manifest))
        record = json.loads((store / "manifest.json").read_text())
        apart = ("generation", "created", "checksum", "collections", "skipped")
        said = {name: value for name, value in record.items() if name not in apart}
        found: Contents = {
            f"{store.name}: manifest": json.dumps(said, sort_keys=True),
            f"{store.name}: damaged": damaged,
        }
        folder = store / manifest.folder / "chroma"
        if manifest.vectors and (self.scenario.server or folder.exists()):
            with (
                server_client("127.0.0.1", self.port, ssl=False)
                if self.scenario.server
                else local_client(folder)
            ) as client:
                for strategy, name in manifest.collections.items():
                    rows = client.get_collection(name).get(
                        include=["embeddings", "documents", "metadatas"]
                    )
                    found[f"{store.name}: {strategy.value}"] = _hash_of_rows(rows)
        return found


def _sizes(folder: Path, seen: list[tuple[str, int]]) -> None:
    try:
        entries = list(os.scandir(folder))
        for entry in entries:
            if entry.is_dir():
                _sizes(Path(entry.path), seen)
            else:
                seen.append((entry.path, entry.stat().st_size))
    except OSError:  # gone while being looked at
        return


def _hash_of_rows(rows: Any) -> str:
    columns = (rows[name] for name in ("ids", "embeddings", "documents", "metadatas"))
    lines = [
        (key, vector.tobytes().hex(), text, sorted(metadata.items()))
        for key, vector, text, metadata in zip(*columns, strict=True)
    ]
    return sha256(repr(sorted(lines)).encode()).hexdigest()


def _turns(path: Path) -> list[tuple[str, str, str]]:
    """Question, state and answer of every turn, the latest conversation last.

    None without a file, and none where the process was killed before it made the tables.
    """
    if not path.exists():
        return []
    with closing(sqlite3.connect(path)) as database:
        sound = database.execute("PRAGMA integrity_check").fetchone()[0]
        if not database.execute("SELECT 1 FROM sqlite_master WHERE name = 'turns'").fetchone():
            return []
        turns = database.execute("SELECT question, state, answer FROM turns ORDER BY id").fetchall()
    return [("", sound, ""), *turns]


def of_index(contents: Contents) -> Contents:
    """What of it belongs to an index."""
    return {name: value for name, value in contents.items() if ": " in name}


def untorn(now: Contents, states: tuple[Contents, Contents]) -> bool:
    """Whether each course's index is what it was, what it is to be, or both but for its vectors."""
    courses = {name.partition(": ")[0] for name in now if ": " in name}
    for course in courses:
        mine, former, later = (
            {name: value for name, value in state.items() if name.startswith(f"{course}: ")}
            for state in (now, *states)
        )
        said = str(mine[f"{course}: manifest"])
        by_words = '"vectors": false' in said and not mine.get(f"{course}: damaged")
        if not (mine in (former, later) or said == "none" or by_words):
            return False
    return True


def lost_turns(now: Contents, expected: Contents, *, both: bool) -> bool:
    """Whether a turn is missing, torn or another; `both`: the next run has asked everything."""
    turns, wanted = list(turns_in(now)), list(turns_in(expected))
    if not turns or turns[0] != wanted[0]:
        return bool(turns)
    del turns[0], wanted[0]
    if both:
        if turns[-len(wanted) :] != wanted:
            return True
        turns = turns[: -len(wanted)]
    whole = turns if turns == wanted[: len(turns)] else turns[:-1]
    if whole != wanted[: len(whole)]:
        return True
    if len(whole) == len(turns):
        return False
    question, state, answer = turns[-1]
    asked, _complete, full = wanted[len(whole)]
    return question != asked or state == "complete" or not full.startswith(answer.rstrip())


def turns_in(contents: Contents) -> list[tuple[str, str, str]]:
    """Question, state and answer of every saved turn, after one with the state of the file."""
    turns = contents.get("turns", [])
    assert isinstance(turns, list)
    return turns


def differences(now: Contents, expected: Contents) -> tuple[set[str], set[str]]:
    """What is other than expected, and what of that should not be there at all."""
    differing = {
        name
        for name in now.keys() | expected.keys()
        if name != "turns" and now.get(name) != expected.get(name)
    }
    return differing, {name for name in differing if name not in expected or name == "collections"}
