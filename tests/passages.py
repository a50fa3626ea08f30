"""Makes passages for tests of what happens after retrieval."""

from __future__ import annotations

from datetime import date

from tutor.model import Chunk, Hit, Source, Strategy, chunk_id, source_id


def make_hit(
    text: str,
    *,
    path: str = "a.pdf",
    rank: int = 1,
    start: int = 0,
    day: date | None = None,
    version: str | None = None,
    title: str = "Apuntes",
) -> Hit:
    source = Source(source_id(path), path, title, "sha", pages=9, week=1, date=day, version=version)
    chunk = Chunk(
        id=chunk_id(source.id, Strategy.SEMANTIC, start, start + len(text), text),
        source_id=source.id,
        strategy=Strategy.SEMANTIC,
        text=text,
        start=start,
        end=start + len(text),
        first_page=1,
        last_page=2,
        ordinal=0,
    )
    return Hit(chunk, source, 0.9, rank)
