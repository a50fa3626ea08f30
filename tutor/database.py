"""A SQLite file of ours: opened, brought up to date, and its failures put into words.

A file that is broken, another program's or a newer version's is refused and left as it is.
"""

from __future__ import annotations

import os
import sqlite3
import stat
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Self

from tutor.errors import TutorError, reason_of
from tutor.files import is_full
from tutor.i18n import _

_PRIVATE = 0o600
_WAIT_S = 10.0
"""How long another process may hold the file before we give up."""


@dataclass(frozen=True, slots=True)
class FileKind:
    """What a file holds: `application_id` stands in its header, `version` is that of its tables.

    `migrate` brings a file of an earlier version (0: an empty one) to this one, inside a
    transaction, and sets `user_version` and `application_id`. Failures are raised as `error`.
    """

    application_id: int
    version: int
    migrate: Callable[[sqlite3.Connection], None]
    error: type[TutorError]


def version_of(connection: sqlite3.Connection) -> int:
    """The version of a file's tables; 0 where it is still empty."""
    return int(connection.execute("PRAGMA user_version").fetchone()[0])


class Database:
    """Such a file, open, with a connection that several threads may use, one at a time.

    Raises the error of its kind.
    """

    def __init__(self, path: Path, kind: FileKind, *, wait_s: float = _WAIT_S) -> None:
        self.path = path
        self._kind = kind
        self._lock = threading.RLock()
        with self.reported():
            _make_private(path)
            self._connection = _open(path, kind, wait_s)

    @contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        """The connection, for queries."""
        with self._lock, self.reported():
            yield self._connection

    @contextmanager
    def writing(self) -> Iterator[sqlite3.Connection]:
        """The connection within a transaction: all of it is kept, or nothing."""
        with self._lock, self.reported(), _transaction(self._connection):
            yield self._connection

    def forget_freed_pages(self) -> None:
        """Take what was deleted out of the write-ahead log, too, unless somebody reads it."""
        with self._lock, suppress(sqlite3.Error):
            self._connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the file; further calls fail."""
        with self._lock:
            self._connection.close()

    @contextmanager
    def reported(self) -> Iterator[None]:
        """Failures of SQLite and of the file system as the error of this kind of file."""
        try:
            yield
        except (sqlite3.Error, OSError) as error:
            raise self._kind.error(*_explained(error, self.path)) from error


def utc_now() -> datetime:
    """The time, in UTC."""
    return datetime.now(UTC)


def _make_private(path: Path) -> None:
    """Make the file for its owner alone, before anything is in it; SQLite's side files follow."""
    path.parent.mkdir(parents=True, exist_ok=True)
    try:
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_RDWR, _PRIVATE))
    except FileExistsError:
        mode = stat.S_IMODE(path.stat().st_mode)
        if mode & ~_PRIVATE:
            with suppress(OSError):
                path.chmod(mode & _PRIVATE)


def _open(path: Path, kind: FileKind, wait_s: float) -> sqlite3.Connection:
    connection = _connected(path, wait_s)
    try:
        _refuse_unknown(connection, path, kind)
        _prepare(connection, kind)
    except BaseException:
        connection.close()
        raise
    return connection


def _connected(path: Path, wait_s: float) -> sqlite3.Connection:
    connect = partial(
        sqlite3.connect, timeout=wait_s, isolation_level=None, check_same_thread=False
    )
    connection = connect(path)
    try:
        version_of(connection)
    except sqlite3.Error as error:
        connection.close()
        wal = path.with_name(path.name + "-wal")
        left_over = wal.exists() and wal.stat().st_size
        readable = isinstance(error, sqlite3.OperationalError) and not left_over
        if os.access(path.parent, os.W_OK) or not readable:
            raise
        # A write-ahead log needs side files even to be read; where none can be made and none
        # is left over, the file itself is the whole truth.
        connection = connect(f"{path.absolute().as_uri()}?immutable=1", uri=True)
    connection.row_factory = sqlite3.Row
    # A damaged text should not hide the rest of its conversation.
    connection.text_factory = lambda content: content.decode("utf-8", "replace")
    return connection


def _refuse_unknown(connection: sqlite3.Connection, path: Path, kind: FileKind) -> None:
    if is_foreign(connection, kind):
        raise kind.error(
            _("%(path)s belongs to another program.") % {"path": path},
            _("Move it elsewhere; a new file is then begun."),
        )
    if version_of(connection) > kind.version:
        raise kind.error(
            _("%(path)s was written by a newer version of tutor.") % {"path": path},
            _("Bring tutor up to date; the file is left as it is."),
        )


def is_foreign(connection: sqlite3.Connection, kind: FileKind) -> bool:
    """Whether the file holds another program's tables."""
    # The tables first: another process may be making them just now, and the mark comes with them.
    (tables,) = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
    (application,) = connection.execute("PRAGMA application_id").fetchone()
    return application != kind.application_id and bool(tables or application)


def _prepare(connection: sqlite3.Connection, kind: FileKind) -> None:
    connection.execute("PRAGMA foreign_keys = ON")
    connection.execute("PRAGMA secure_delete = ON")
    mode = ""
    with suppress(sqlite3.OperationalError):
        # Some network file systems refuse it, and another process may be switching just now.
        (mode,) = connection.execute("PRAGMA journal_mode = WAL").fetchone()
    # With a write-ahead log a power cut can undo the last commits, but never tear the file.
    connection.execute(f"PRAGMA synchronous = {'NORMAL' if mode == 'wal' else 'FULL'}")
    if version_of(connection) < kind.version:
        with _transaction(connection):
            # Another process may have done so while this one waited for its turn.
            if version_of(connection) < kind.version:
                kind.migrate(connection)


@contextmanager
def _transaction(connection: sqlite3.Connection) -> Iterator[None]:
    if connection.in_transaction:  # left by a signal that ended another before its first step
        connection.execute("ROLLBACK")
    try:
        # Taken at once: a transaction that begins with a read cannot wait for its turn.
        connection.execute("BEGIN IMMEDIATE")
        yield
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise


def _explained(error: sqlite3.Error | OSError, path: Path) -> tuple[str, str]:
    """What failed, and what to do."""
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF
    reason = reason_of(error)
    if code in {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED}:
        return (
            _("Another program is writing to %(path)s and does not finish.") % {"path": path},
            _("Try again; if it stays so, close other windows of tutor."),
        )
    if code in {sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_CORRUPT}:
        return (
            _("%(path)s is broken (%(reason)s).") % {"path": path, "reason": reason},
            _(
                "It was left as it is. Move it elsewhere, and a new one is begun; "
                "`sqlite3 FILE .recover` can get back what is readable."
            ),
        )
    # SQLite tells of a file that cannot be made or grow without the reason, or opens it for
    # reading only.
    unclear = code in {sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_READONLY}
    may_write = os.access(path.parent, os.W_OK) and os.access(path, os.W_OK)
    of_system = isinstance(error, OSError) and not isinstance(error, PermissionError)
    perhaps_full = of_system or (unclear and may_write)
    if code == sqlite3.SQLITE_FULL or (perhaps_full and is_full(error, path.parent)):
        return (
            _("The disk is full: %(path)s cannot grow.") % {"path": path},
            _("Make room on the disk; what was saved before is kept."),
        )
    return (
        _("%(path)s cannot be used: %(reason)s.") % {"path": path, "reason": reason},
        _("Check that you may write to it and to its folder, or set stores_dir to another folder."),
    )
