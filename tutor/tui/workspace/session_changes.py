"""What can be done to a saved conversation; each returns what its reader is told."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from tutor.errors import SessionError
from tutor.history import KEPT_DELETED, export_path, write_document
from tutor.i18n import _

if TYPE_CHECKING:
    from tutor.history import Session, SessionStore

EXPORTS = "exports"
"""Folder of exported conversations, in that of the project."""


def title_text(session: Session) -> str:
    """What a conversation is called."""
    return session.title or _("(no question yet)")


def rename(store: SessionStore, session: Session, title: str) -> str:
    """Give it another title. Raises `SessionError`."""
    renamed = store.rename(session.id, title)
    return _("It is now called: %(title)s") % {"title": title_text(renamed)}


def delete(store: SessionStore, session: Session) -> str:
    """Put it away. Raises `SessionError`."""
    told = _("Deleted: %(title)s. `u` brings it back; it is kept for %(days)d days.")
    return told % {"title": title_text(store.delete(session.id)), "days": KEPT_DELETED.days}


def restore(store: SessionStore, session: Session) -> str:
    """Bring it back. Raises `SessionError`."""
    return _("Brought back: %(title)s") % {"title": title_text(store.undelete(session.id))}


def export(store: SessionStore, session: Session, folder: Path) -> str:
    """Write it as Markdown into a new file of the folder. Raises `SessionError`."""
    text, path = store.export_markdown(session.id), export_path(folder, session)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        write_document(path, text)
    except OSError as error:
        raise SessionError(
            _("%(path)s cannot be written: %(reason)s.")
            % {"path": path, "reason": error.strerror or error},
            _("Give yourself the right to write there, or export it in a terminal."),
        ) from error
    return _("Written: %(path)s") % {"path": path}
