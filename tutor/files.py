"""Paths as they are typed, files that are written whole or not at all, and full disks."""

from __future__ import annotations

import errno
import os
import shutil
import stat
import sys
from contextlib import suppress
from pathlib import Path
from threading import get_ident

from tutor.errors import NO_HOME

_LITTLE_ROOM = 16 * 2**20


def from_home(name: str) -> Path:
    """A path as it is typed, `~` and `~user` being folders of their owners.

    Raises `FileNotFoundError` where nobody has that name, or the user no such folder.
    """
    try:
        return Path(name).expanduser()
    except RuntimeError:
        raise FileNotFoundError(errno.ENOENT, NO_HOME, name) from None


def write_whole(path: Path, content: str | bytes) -> None:
    """Put a file in place in one step, a text in UTF-8; what was there stays if that fails.

    A link's target is written, owner and mode stay those of the file that was there, and nothing
    half-written is left. Raises `OSError`.
    """
    path = path.resolve()
    partial = path.with_name(f"{os.getpid()}-{get_ident()}.partial")  # others write it, too
    try:
        before = path.stat() if path.exists() else None
        partial.unlink(missing_ok=True)
        if before:  # it may be private, and so is what takes its place from the first byte on
            partial.touch(mode=stat.S_IRUSR | stat.S_IWUSR, exist_ok=False)
        partial.write_bytes(content.encode() if isinstance(content, str) else content)
        if before:
            _pass_on(before, partial)
        partial.replace(path)
    except OSError:
        with suppress(OSError):
            partial.unlink(missing_ok=True)
        raise


def _pass_on(before: os.stat_result, path: Path) -> None:
    """Give a file the owner and mode of another one, as far as the system lets us."""
    if sys.platform != "win32":
        with suppress(OSError):  # only root may give a file away
            os.chown(path, before.st_uid, before.st_gid)
    with suppress(OSError):  # a disk without modes
        path.chmod(stat.S_IMODE(before.st_mode))


def write_document(path: Path, content: str | bytes, *, replace: bool = False) -> None:
    """Write a file whole or not at all; one that was there stays if that fails.

    A link's target is written, and a device is written to: neither is replaced by a file.
    Raises `OSError`, of which `FileExistsError` unless it may be replaced.
    """
    path = path.resolve()
    if path.is_dir():
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
    if path.exists() and not replace:
        raise FileExistsError
    if path.exists() and not path.is_file():
        path.write_bytes(content.encode() if isinstance(content, str) else content)
    else:
        write_whole(path, content)


def is_full(error: Exception, folder: Path) -> bool:
    """Whether a failure to write in `folder` comes of a full disk.

    Only the system says it plainly: libraries such as SQLite have many words for it, and it is
    likely where little is free.
    """
    if isinstance(error, OSError) and error.errno in {errno.ENOSPC, errno.EDQUOT}:
        return True
    try:
        return shutil.disk_usage(folder).free < _LITTLE_ROOM
    except OSError:
        return False
