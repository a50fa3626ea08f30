"""What is known of a document beside its text: week, date, version, title and authors."""

from __future__ import annotations

from tutor.ingest.metadata.file_names import FileNameFields, parse_file_name
from tutor.ingest.metadata.people import NameFinder, spacy_name_finder
from tutor.ingest.metadata.source import describe_source
