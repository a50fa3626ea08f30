"""A listening address on this machine that nobody should connect to."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field


@dataclass
class Eavesdropper:
    """`heard` has the beginning of what each connection brought."""

    port: int
    heard: list[bytes] = field(default_factory=list)


@contextmanager
def eavesdropper() -> Iterator[Eavesdropper]:
    """Somebody who hears every connection to a port of this machine, and answers nothing."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        listener = Eavesdropper(listening.getsockname()[1])
        done = threading.Event()
        listening.settimeout(0.05)

        def listen() -> None:
            while not done.is_set():
                with suppress(TimeoutError):
                    connection, _address = listening.accept()
                    with connection:
                        connection.settimeout(1)
                        with suppress(OSError):
                            listener.heard.append(b"(connected)")
                            listener.heard[-1] = connection.recv(200)

        thread = threading.Thread(target=listen)
        thread.start()
        try:
            yield listener
        finally:
            done.set()
            thread.join()
