"""Pages as read -> clean text. Everything here is pure."""

from tutor.cleaning.characters import plain_line
from tutor.cleaning.document import CLEANING_VERSION, clean
from tutor.cleaning.index_form import index_form

__all__ = ["CLEANING_VERSION", "clean", "index_form", "plain_line"]
