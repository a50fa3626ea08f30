"""A real Chroma server, started and stopped where it is wanted."""

from __future__ import annotations

import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def chroma_server(folder: Path, port: int = 0) -> Iterator[int]:
    """A running `chroma run`; gives its port, a free one where none is wanted."""
    port = port or free_port()
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


def free_port() -> int:
    """A port that nobody listens on."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


def _wait_until_open(port: int, process: subprocess.Popen[bytes]) -> None:
    for _attempt in range(600):
        assert process.poll() is None
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.1)
    raise AssertionError("the Chroma server did not start")
