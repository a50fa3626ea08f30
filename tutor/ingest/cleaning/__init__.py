"""Pages as read -> clean text. Everything here is pure."""

from tutor.ingest.cleaning.document import CLEANING_VERSION, clean
from tutor.ingest.cleaning.normalised import normalised

__all__ = ["CLEANING_VERSION", "clean", "normalised"]
