"""The tables of the graph.

A place is told by four properties: `document` (its id), `page`, `start` and `stop`, in characters
of the display text (`end` is a word of Cypher). Lists of places are `spans`.
"""

from __future__ import annotations

MAP_VERSION = 2
"""Goes up when tables or what is put into them change; a map of another version is made anew."""

_PLACE = "document STRING, page INT64, start INT64, stop INT64"
SPAN = f"STRUCT({_PLACE})"

NODES: dict[str, str] = {
    "Document": "id STRING PRIMARY KEY, title STRING, path STRING, week INT64, date STRING,"
    " version STRING, pages INT64, superseded BOOLEAN, page INT64",
    "Author": f"name STRING PRIMARY KEY, {_PLACE}",
    "Week": f"number INT64 PRIMARY KEY, {_PLACE}",
    "Section": f"id STRING PRIMARY KEY, title STRING, level INT64, {_PLACE}",
    "Concept": "id STRING PRIMARY KEY, name STRING, names STRING[], keys STRING[], acronym STRING,"
    f" english STRING, kind STRING, score DOUBLE, defined BOOLEAN, {_PLACE}",
    "Community": f"id STRING PRIMARY KEY, name STRING, level INT64, size INT64, {_PLACE}",
    "Reference": f"id STRING PRIMARY KEY, title STRING, year INT64, url STRING, {_PLACE}",
    "Build": "version INT64 PRIMARY KEY, generation INT64, contents STRING, seconds DOUBLE",
}
"""Columns of the nodes by table. `keys` are a concept's names, folded, to be looked up by."""

EDGES: dict[str, tuple[str, ...]] = {
    "WROTE": ("FROM Author TO Document", _PLACE),
    "IN_WEEK": ("FROM Document TO Week", _PLACE),
    "HAS_SECTION": ("FROM Document TO Section, FROM Section TO Section", _PLACE),
    "DEFINES": ("FROM Section TO Concept", f"form STRING, {_PLACE}"),
    "MENTIONS": ("FROM Section TO Concept", f"times INT64, {_PLACE}, spans {SPAN}[]"),
    "RELATED": (
        "FROM Concept TO Concept",
        f"weight DOUBLE, sections INT64, {_PLACE}, spans {SPAN}[]",
    ),
    "BEFORE": ("FROM Concept TO Concept", f"weight DOUBLE, {_PLACE}"),
    "SUPERSEDES": ("FROM Document TO Document", _PLACE),
    "CITES": ("FROM Document TO Reference", _PLACE),
    "IN_COMMUNITY": ("FROM Concept TO Community", f"rank INT64, {_PLACE}"),
    "PART_OF": ("FROM Community TO Community", _PLACE),
}
"""Ends and columns of the edges by table.

`RELATED` has no direction: each pair stands once. `BEFORE` leads from what comes first to what
uses it, and its place is where it is used. A concept is `IN_COMMUNITY` of one community a level.
"""


def statements() -> list[str]:
    """What makes an empty graph."""
    nodes = [f"CREATE NODE TABLE {name}({columns})" for name, columns in NODES.items()]
    edges = [f"CREATE REL TABLE {name}({', '.join(how)})" for name, how in EDGES.items()]
    return nodes + edges
