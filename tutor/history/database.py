"""The file of all conversations: opened, brought up to date, and its failures put into words.

A file that is broken, another program's or a newer version's is refused and left as it is.
"""

from __future__ import annotations

import os
import sqlite3
import stat
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from tutor.errors import SessionError
from tutor.files import is_full
from tutor.history import schema
from tutor.i18n import _

_PRIVATE = 0o600
_WAIT_S = 10.0
"""How long another process may hold the file before we give up."""


class Database:
    """A connection that several threads may use, one at a time. Raises `SessionError`."""

    def __init__(self, path: Path, *, wait_s: float = _WAIT_S) -> None:
        self.path = path
        self._lock = threading.RLock()
        with reported(path):
            _make_private(path)
            self._connection = _open(path, wait_s)

    @contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        """The connection, for queries."""
        with self._lock, reported(self.path):
            yield self._connection

    @contextmanager
    def writing(self) -> Iterator[sqlite3.Connection]:
        """The connection within a transaction: all of it is kept, or nothing."""
        with self._lock, reported(self.path), _transaction(self._connection):
            yield self._connection

    def forget_freed_pages(self) -> None:
        """Take what was deleted out of the write-ahead log, too, unless somebody reads it."""
        with self._lock, suppress(sqlite3.Error):
            self._connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()

    def close(self) -> None:
        """Close the file; further calls fail."""
        with self._lock:
            self._connection.close()


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


def _open(path: Path, wait_s: float) -> sqlite3.Connection:
    connection = _connected(path, wait_s)
    try:
        _refuse_unknown(connection, path)
        _prepare(connection)
    except BaseException:
        connection.close()
        raise
    return connection


def _connected(path: Path, wait_s: float) -> sqlite3.Connection:
    connection = sqlite3.connect(path, wait_s, isolation_level=None, check_same_thread=False)
    try:
        schema.version_of(connection)
    except sqlite3.OperationalError:
        connection.close()
        wal = path.with_name(path.name + "-wal")
        if os.access(path.parent, os.W_OK) or (wal.exists() and wal.stat().st_size):
            raise
        # A write-ahead log needs side files even to be read; where none can be made and none
        # is left over, the file itself is the whole truth.
        address = f"{path.absolute().as_uri()}?immutable=1"
        connection = sqlite3.connect(
            address, wait_s, isolation_level=None, check_same_thread=False, uri=True
        )
    except BaseException:
        connection.close()
        raise
    connection.row_factory = sqlite3.Row
    # A damaged text should not hide the rest of its conversation.
    connection.text_factory = lambda content: content.decode("utf-8", "replace")
    return connection


def _refuse_unknown(connection: sqlite3.Connection, path: Path) -> None:
    if schema.is_foreign(connection):
        raise SessionError(
            _("%(path)s belongs to another program.") % {"path": path},
            _("Move it elsewhere; a new file for your conversations is then begun."),
        )
    if schema.version_of(connection) > schema.VERSION:
        raise SessionError(
            _("%(path)s was written by a newer version of tutor.") % {"path": path},
            _("Bring tutor up to date; the conversations are left as they are."),
        )


def _prepare(connection: sqlite3.Connection) -> None:
    connection.execute("PRAGMA foreign_keys = ON")
    connection.execute("PRAGMA secure_delete = ON")
    mode = ""
    with suppress(sqlite3.OperationalError):
        # Some network file systems refuse it, and another process may be switching just now.
        (mode,) = connection.execute("PRAGMA journal_mode = WAL").fetchone()
    # With a write-ahead log a power cut can undo the last commits, but never tear the file.
    connection.execute(f"PRAGMA synchronous = {'NORMAL' if mode == 'wal' else 'FULL'}")
    if schema.version_of(connection) < schema.VERSION:
        with _transaction(connection):
            schema.migrate(connection)


@contextmanager
def _transaction(connection: sqlite3.Connection) -> Iterator[None]:
    # Taken at once: a transaction that begins with a read cannot wait for its turn.
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise


@contextmanager
def reported(path: Path) -> Iterator[None]:
    """Failures of SQLite and of the file system as `SessionError`."""
    try:
        yield
    except sqlite3.Error as error:
        raise _explained(error, path) from error
    except OSError as error:
        if not isinstance(error, PermissionError) and is_full(error, path.parent):
            raise _full(path) from error
        raise _unwritable(path, error.strerror or str(error)) from error


def _explained(error: sqlite3.Error, path: Path) -> SessionError:
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF
    if code in {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED}:
        return SessionError(
            _("Another program is writing to %(path)s and does not finish.") % {"path": path},
            _("Try again; if it stays so, close other windows of tutor."),
        )
    # A file that cannot be made or grow is told without its reason, or opened for reading only.
    unclear = code in {sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_READONLY}
    may_write = os.access(path.parent, os.W_OK) and os.access(path, os.W_OK)
    if code == sqlite3.SQLITE_FULL or (unclear and may_write and is_full(error, path.parent)):
        return _full(path)
    if code in {sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_CORRUPT}:
        return SessionError(
            _("The file of saved conversations %(path)s is broken (%(reason)s).")
            % {"path": path, "reason": error},
            _(
                "It was left as it is. Move it elsewhere, and a new one is begun; "
                "`sqlite3 FILE .recover` can get back what is readable."
            ),
        )
    return _unwritable(path, str(error))


def _full(path: Path) -> SessionError:
    return SessionError(
        _("The disk is full: %(path)s cannot grow.") % {"path": path},
        _("Make room on the disk; what was saved before is kept."),
    )


def _unwritable(path: Path, reason: str) -> SessionError:
    return SessionError(
        _("The file of saved conversations %(path)s cannot be used: %(reason)s.")
        % {"path": path, "reason": reason},
        _("Check that you may write to it and to its folder, or set stores_dir to another folder."),
    )
