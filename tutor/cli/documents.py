"""Files that a command writes where its reader wants them."""

from __future__ import annotations

from pathlib import Path

from tutor.errors import TutorError
from tutor.files import write_document
from tutor.i18n import _


def save_document(
    content: str | bytes, path: Path, *, force: bool, failure: type[TutorError]
) -> None:
    """Write a file, over one that is there only with `force`. Raises `failure`."""
    try:
        write_document(path, content, replace=force)
    except FileExistsError:
        raise failure(
            _("%(path)s is already there.") % {"path": path},
            _("Choose another name, or add --force to write over it."),
        ) from None
    except OSError as error:
        if not path.parent.exists():
            raise failure(
                _("The folder %(path)s does not exist.") % {"path": path.parent},
                _("Choose another file, or make the folder."),
            ) from error
        raise failure(
            _("%(path)s cannot be written: %(reason)s.")
            % {"path": path, "reason": error.strerror or error},
            _("Choose another file."),
        ) from error
