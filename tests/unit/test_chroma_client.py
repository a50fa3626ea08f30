"""Clients of Chroma, made where the environment and a `.env` would have them go elsewhere."""

from __future__ import annotations

import gc
import socket
import subprocess
import sys
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Event, Thread

import pytest

from tests.chroma_server import chroma_server, free_port
from tests.cli.test_foreign_settings import hostile
from tests.course import REPO
from tests.eavesdropper import eavesdropper
from tutor.errors import StoreError
from tutor.index.store import chroma

IMPORT = "import tutor.index.store.chroma as c; import chromadb; print(chromadb.__name__)"


def test_every_setting_is_chromas_default_but_telemetry() -> None:
    settings = chroma.fixed_settings()
    changed = {
        name: value
        for name, value in settings.model_dump().items()
        if value != type(settings).model_fields[name].default
    }
    assert changed == {"anonymized_telemetry": False}


def test_a_client_is_made_of_no_setting_but_ours(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with eavesdropper() as listener:
        settings = hostile(listener.port)
        for name, value in settings.items():
            monkeypatch.setenv(name, value)
        (tmp_path / ".env").write_text("\n".join(f"{k}={v}" for k, v in settings.items()))
        monkeypatch.chdir(tmp_path)
        with chroma.local_client(tmp_path / "chroma") as client:
            used = client.get_settings()
            client.get_or_create_collection("notes", embedding_function=None).add(
                ids=["a"], embeddings=[[1.0, 0.0]], documents=["secreto"]
            )
    assert listener.heard == []
    assert (tmp_path / "chroma" / "chroma.sqlite3").is_file()
    expected = {"is_persistent": True, "persist_directory": str(tmp_path / "chroma")}
    assert used.model_dump() == {**chroma.fixed_settings().model_dump(), **expected}


@pytest.mark.parametrize("line", [b"AUTOR=Pe\xf1a", b"ALLOW_RESET=quizas"])
def test_another_programs_dotenv_does_not_keep_chroma_from_loading(
    tmp_path: Path, line: bytes
) -> None:
    (tmp_path / ".env").write_bytes(line)
    done = subprocess.run(
        [sys.executable, "-c", IMPORT],
        cwd=tmp_path,
        env={"PYTHONPATH": str(REPO), "CHROMA_SERVER_HTTP_PORT": "quizas"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stdout.strip() == "chromadb", done.stderr


def test_other_libraries_settings_are_read_as_ever(tmp_path: Path) -> None:
    code = f"""
{IMPORT}
import os
from pydantic_settings import BaseSettings
class Own(BaseSettings):
    allow_reset: str = ""
print(Own().allow_reset, chromadb.Settings().allow_reset)
"""
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=tmp_path,
        env={"PYTHONPATH": str(REPO), "ALLOW_RESET": "true"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.split() == ["chromadb", "true", "True"]


def test_a_server_that_says_nothing_is_not_waited_for() -> None:
    with socket.create_server(("127.0.0.1", 0)) as mute:
        port = mute.getsockname()[1]
        with (
            pytest.raises(StoreError, match=f"127.0.0.1:{port}") as caught,
            chroma.server_client("127.0.0.1", port, ssl=False, answer_s=0.1),
        ):
            pass
    assert "server" in caught.value.remedy


def test_a_server_that_falls_silent_after_its_first_answer_is_not_waited_for() -> None:
    told: list[str] = []
    ended = Event()

    class FallsSilent(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            if told:
                ended.wait(20)
                return
            told.append(self.path)
            self.send_response(200)
            self.end_headers()
            self.wfile.write(b'{"user_id": "", "tenant": null, "databases": null}')

    with ThreadingHTTPServer(("127.0.0.1", 0), FallsSilent) as server:
        server.daemon_threads = True
        Thread(target=server.serve_forever, daemon=True).start()
        started = time.monotonic()
        with (
            pytest.raises(StoreError, match=f"127.0.0.1:{server.server_port}") as caught,
            chroma.server_client("127.0.0.1", server.server_port, ssl=False, answer_s=0.2),
        ):
            pass
        waited = time.monotonic() - started
        ended.set()
        server.shutdown()
    assert told
    assert waited < 10
    assert "server" in caught.value.remedy


@pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")
def test_a_client_of_a_server_leaves_no_connection_open(tmp_path: Path) -> None:
    with chroma_server(tmp_path / "server", free_port()) as port:
        for _time in range(3):
            with chroma.server_client("127.0.0.1", port, ssl=False) as client:
                assert client.list_collections() == []
        assert not [one for one in gc.get_objects() if is_open(one, port)]


def is_open(thing: object, port: int) -> bool:
    """Whether it is a socket that is connected to that port."""
    # not of the thing itself, which odd objects of other libraries answer with a warning
    if not issubclass(type(thing), socket.socket):
        return False
    assert isinstance(thing, socket.socket)
    try:
        return bool(thing.getpeername()[1] == port)
    except OSError:
        return False
