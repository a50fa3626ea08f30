"""A Chroma server by configuration: a real one, started and stopped here."""

from __future__ import annotations

import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.course import Workspace


@contextmanager
def chroma_server(folder: Path) -> Iterator[int]:
    """A running `chroma run`; gives its port."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    program = Path(sys.executable).with_name("chroma")
    command = [
        str(program),
        "run",
        "--path",
        str(folder),
        "--host",
        "127.0.0.1",
        "--port",
        str(port),
    ]
    with (folder.parent / "chroma.log").open("w") as log:
        process = subprocess.Popen(command, stdout=log, stderr=log)
    try:
        _wait_until_open(port, process)
        yield port
    finally:
        process.terminate()
        process.wait()


def _wait_until_open(port: int, process: subprocess.Popen[bytes]) -> None:
    for _attempt in range(600):
        assert process.poll() is None
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.1)
    raise AssertionError("the Chroma server did not start")


def test_an_index_moves_to_a_server_and_is_updated_there(
    indexed: Workspace, tmp_path: Path
) -> None:
    local = indexed.json_here("ask", "¿Qué mide la silueta?")
    with chroma_server(tmp_path / "server") as port:
        address = {"TUTOR_CHROMA_HOST": "127.0.0.1", "TUTOR_CHROMA_PORT": str(port)}
        refused = indexed.run("ask", "hola", **address)
        assert refused.returncode == 5
        assert "tutor index --repair --course default" in refused.stderr

        moved = indexed.run("index", "--repair", **address)
        assert moved.returncode == 0, moved.stderr
        assert "0 texts embedded" in moved.stdout
        assert indexed.manifest()["chroma_server"] == f"127.0.0.1:{port}"
        asked = indexed.run("ask", "¿Qué mide la silueta?", "--json", **address)
        assert '"08_SEMANA_AI_20250922_1.pdf"' in asked.stdout
        assert local["answer"].split()[0] in asked.stdout

        (indexed.notes / "08_SEMANA_AI_20250922_1.pdf").unlink()
        assert indexed.run("index", **address).returncode == 0
        asked = indexed.run("search", "¿Qué mide la silueta?", "--k", "50", "--json", **address)
        assert "08_SEMANA_AI_20250922_1.pdf" not in asked.stdout
        assert "09_SEMANA_AI_20250929_1.pdf" in asked.stdout

    # A course of this size is asked from its vector files; plain dense retrieval asks Chroma.
    assert indexed.run("ask", "¿Qué es un árbol?", **address).returncode == 0
    dense = {**address, "TUTOR_RETRIEVAL_MODE": "dense"}
    gone = indexed.run("ask", "¿Qué es un árbol?", **dense)
    assert gone.returncode == 5
    assert f"127.0.0.1:{port}" in gone.stderr
