"""A Chroma server by configuration: a real one."""

from __future__ import annotations

import json
from contextlib import closing
from http.client import HTTPConnection
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tests.chroma_server import chroma_server
from tutor.index.store.chroma import server_prefix

if TYPE_CHECKING:
    from tests.course import Workspace


def _collections(port: int, made: dict[str, str] | None = None) -> Any:
    """The collections on a server; with `made` one more is."""
    path = "/api/v2/tenants/default_tenant/databases/default_database/collections"
    connection = HTTPConnection("127.0.0.1", port)
    with closing(connection):
        headers = {"Content-Type": "application/json"}
        body = json.dumps(made) if made else None
        connection.request("POST" if made else "GET", path, body, headers)
        return json.loads(connection.getresponse().read())


def test_an_index_moves_to_a_server_and_is_updated_there(
    indexed: Workspace, tmp_path: Path
) -> None:
    local = indexed.json_here("ask", "¿Qué mide la silueta?")
    with chroma_server(tmp_path / "server") as port:
        address = {"TUTOR_CHROMA_HOST": "127.0.0.1", "TUTOR_CHROMA_PORT": str(port)}
        refused = indexed.run_here("ask", "hola", **address)
        assert refused.returncode == 5
        assert "tutor index --repair --course default" in refused.stderr

        moved = indexed.run("index", "--repair", **address)
        assert moved.returncode == 0, moved.stderr
        assert "0 texts embedded" in moved.stdout
        assert indexed.manifest()["chroma_server"] == f"127.0.0.1:{port}"
        asked = indexed.run_here("ask", "¿Qué mide la silueta?", "--json", **address)
        assert '"08_SEMANA_AI_20250922_1.pdf"' in asked.stdout
        assert local["answer"].split()[0] in asked.stdout

        killed = f"{server_prefix(indexed.store)}000009.chroma_fixed"
        for name in ("another-machine", killed):
            _collections(port, {"name": name})
        (indexed.notes / "08_SEMANA_AI_20250922_1.pdf").unlink()
        assert indexed.run_here("index", **address).returncode == 0
        asked = indexed.run_here(
            "search", "¿Qué mide la silueta?", "--k", "50", "--json", **address
        )
        assert "08_SEMANA_AI_20250922_1.pdf" not in asked.stdout
        assert "09_SEMANA_AI_20250929_1.pdf" in asked.stdout

        names = {collection["name"] for collection in _collections(port)}
        in_force = set(indexed.manifest()["collections"].values())
        assert names - in_force == {"another-machine"}, "those of killed and former runs are gone"

        _collections(port, {"name": killed})
        (indexed.store / "generation-000009").mkdir()
        assert "up to date" in indexed.run_here("index", **address).stdout
        names = {collection["name"] for collection in _collections(port)}
        assert names == in_force | {"another-machine"}, "a run without changes deletes them"

    # A course of this size is asked from its vector files; plain dense retrieval asks Chroma.
    assert indexed.run_here("ask", "¿Qué es un árbol?", **address).returncode == 0
    dense = {**address, "TUTOR_RETRIEVAL_MODE": "dense"}
    gone = indexed.run_here("ask", "¿Qué es un árbol?", **dense)
    assert gone.returncode == 5
    assert f"127.0.0.1:{port}" in gone.stderr
