"""What is known of a document beside its text: week, date, version, title and authors."""

from __future__ import annotations

from tutor.metadata.file_names import FileNameFields, parse_file_name
from tutor.metadata.people import NameFinder, spacy_name_finder
from tutor.metadata.source import describe_source

__all__ = [
    "FileNameFields",
    "NameFinder",
    "describe_source",
    "parse_file_name",
    "spacy_name_finder",
]
