"""What went wrong inside the app itself, kept for a bug report."""

from __future__ import annotations

import traceback
from pathlib import Path

from tutor.errors import TutorError
from tutor.i18n import _

ERROR_FILE = "app_errors.log"
"""In the folder of all stores."""


def written_down(error: BaseException, stores: Path) -> TutorError:
    """Append a fault of ours to the file of errors. Returns what its reader is told."""
    path = stores / ERROR_FILE
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("a", encoding="utf-8") as file:
            file.writelines(traceback.format_exception(error))
        remedy = _("Details for a report are in %(path)s") % {"path": path}
    except OSError:
        remedy = ""
    message = _("Something went wrong inside tutor: %(error)s") % {"error": repr(error)}
    return TutorError(message, remedy)
