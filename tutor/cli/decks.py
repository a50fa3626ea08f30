"""A deck for Anki, with the pictures of its formulas drawn from the notes."""

from __future__ import annotations

from collections.abc import Sequence

from tutor.cli import diagnostics
from tutor.config import Config
from tutor.courses import Course, note_path
from tutor.errors import TutorError
from tutor.i18n import _
from tutor.ingest.reading.drawing_process import PageRenderer
from tutor.ingest.reading.rendering import PagePicture, PageRequest
from tutor.study.anki import deck_file
from tutor.study.card import Card, Origin
from tutor.study.pictures import SIZE, formula_pictures


def deck(config: Config, course: Course, cards: Sequence[Card]) -> bytes:
    """The deck as the bytes of an `.apkg`; a page that cannot be drawn costs its picture only."""
    renderer = PageRenderer(memory_mb=config.reading.memory_mb)
    progress = diagnostics.ProgressLine()

    def draw(origin: Origin) -> PagePicture | None:
        progress.show(_("Drawing formulas: %(file)s ...") % {"file": origin.path})
        try:
            path = note_path(course.notes, origin.path)
            return renderer.draw(PageRequest(path, origin.first_page, origin.text), *SIZE)
        except TutorError:  # the file is gone or broken: its text is in the deck all the same
            return None

    try:
        return deck_file(course.name, cards, pictures=formula_pictures(cards, draw))
    finally:
        progress.clear()
        renderer.close()
