"""A server that is not there is recognised before anything that speaks to one is loaded."""

from __future__ import annotations

import socket

import pytest

from tutor.listening import nothing_listens


def test_a_port_that_refuses_has_no_server() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        address = f"http://127.0.0.1:{server.getsockname()[1]}"
        assert not nothing_listens(address)
    assert nothing_listens(address)


@pytest.mark.parametrize("address", ["http://192.0.2.1:11434", "https://ollama.example"])
def test_other_machines_are_not_asked(address: str) -> None:
    """The tests' network is closed: an attempt would raise."""
    assert not nothing_listens(address)
