"""Queries of somebody else: only those that read, bounded in time and rows.

The database is opened read-only, but a query that reads may still write files (`COPY … TO`,
`EXPORT DATABASE`), read any (`LOAD FROM`) or fetch from the network (`INSTALL`). So a query is
taken apart first, and only clauses that are known to do none of this are let through.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from tutor.errors import MapQueryError
from tutor.i18n import _

if TYPE_CHECKING:
    import ladybug

_TOKEN = re.compile(
    r"""(?P<skip>\s+|//[^\n]*|/\*.*?\*/)
    |(?P<text>'(?:\\.|[^'\\])*'|"(?:\\.|[^"\\])*")
    |(?P<quoted>`[^`]*`)
    |(?P<word>[^\W\d]\w*)
    |(?P<other>.)""",
    re.VERBOSE | re.DOTALL,
)
_FIRST = frozenset(("MATCH", "OPTIONAL", "UNWIND", "WITH", "RETURN", "EXPLAIN"))
_FORBIDDEN = frozenset(
    """ALTER ANALYZE ATTACH BEGIN CALL CHECKPOINT COMMENT COMMIT COPY CREATE DELETE DETACH DROP
    EXPORT EXTENSION FORCE GRAPH IMPORT INSERT INSTALL LOAD MACRO MERGE PROFILE REMOVE RENAME
    ROLLBACK SEQUENCE SET TRUNCATE UNINSTALL UPDATE USE""".split()
)
_LARGEST_RANGE = re.compile(r"\brange\s*\(", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class QueryLimits:
    """What a query may take."""

    seconds: float = 5.0
    rows: int = 200


@dataclass(frozen=True, slots=True)
class QueryTable:
    """What a query gives. `cut` says that there are more rows than are shown."""

    columns: tuple[str, ...]
    rows: tuple[tuple[Any, ...], ...]
    cut: bool


def check_read_only(cypher: str) -> str:
    """The query without a last semicolon. Raises `MapQueryError` for all but one that reads."""
    query = cypher.strip().rstrip(";").strip()
    tokens = [found for found in _TOKEN.finditer(query) if found.lastgroup != "skip"]
    words = [found for found in tokens if found.lastgroup == "word"]
    if not words:
        raise MapQueryError(_("There is no query."), _example())
    if any(found[0] == ";" for found in tokens):
        raise MapQueryError(_("One query at a time."), _example())
    after_dot = {here.start() for before, here in pairwise(tokens) if before[0] in (".", "$")}
    named = [found[0].upper() for found in words if found.start() not in after_dot]
    banned = [word for word in named if word in _FORBIDDEN]
    banned += [first] if (first := words[0][0].upper()) not in _FIRST else []
    banned += ["range()"] if _LARGEST_RANGE.search(query) else []
    if banned:
        raise MapQueryError(
            _("A query of the map can only read: %(word)s is not allowed.") % {"word": banned[0]},
            _example(),
        )
    return query


def run_query(
    connection: ladybug.Connection, cypher: str, values: dict[str, Any], limits: QueryLimits
) -> QueryTable:
    """Run a query that reads. Raises `MapQueryError`."""
    query = check_read_only(cypher)
    connection.set_query_timeout(int(1000 * limits.seconds))
    try:
        result = connection.execute(query, values)
        assert not isinstance(result, list)  # noqa: S101 - one statement has one result
        rows = [tuple(row) for row in result.get_n(limits.rows + 1)]
        columns = tuple(result.get_column_names())
    except RuntimeError as error:
        raise _explained(error, limits) from error
    finally:
        connection.set_query_timeout(0)
    return QueryTable(columns, tuple(rows[: limits.rows]), len(rows) > limits.rows)


def _explained(error: RuntimeError, limits: QueryLimits) -> MapQueryError:
    reason = str(error)
    less = _("Ask for less: name a concept, or follow fewer edges.")
    if "Interrupted" in reason:
        stopped = _("The query was stopped after %(seconds)g seconds.")
        return MapQueryError(stopped % {"seconds": limits.seconds}, less)
    if "buffer manager" in reason.lower() or "memory" in reason.lower():
        return MapQueryError(_("The query needs more memory than it may have."), less)
    told = reason.partition("exception: ")[2] or reason
    return MapQueryError(
        _("The query cannot be understood: %(reason)s") % {"reason": told.strip()}, _example()
    )


def _example() -> str:
    example = "MATCH (c:Concept)-[r:RELATED]-(o) WHERE c.name = 'entropía' RETURN o.name, r.weight"
    return _("An example: %(query)s") % {"query": example}
