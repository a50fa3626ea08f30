"""Pages as read -> clean text. Everything here is pure."""

from tutor.ingest.cleaning.characters import normalised
from tutor.ingest.cleaning.document import CLEANING_VERSION, clean

__all__ = ["CLEANING_VERSION", "clean", "normalised"]
