"""`tutor stats`: the dataset in numbers."""

from __future__ import annotations

from typing import Any

import click
import numpy as np

from tutor.app import read_course
from tutor.cli.invocation import Invocation
from tutor.cli.output import source_record, table, write, write_json
from tutor.i18n import _
from tutor.index.store import Manifest, StoreReader
from tutor.model import Strategy
from tutor.text.terminal import one_line

SHORT, LONG = 200, 600
"""Characters below and above which a chunk counts as short or long."""


@click.command(
    name="stats", help=_("Count documents, weeks, pages and chunks, and measure the chunks.")
)
@click.option("--files", is_flag=True, help=_("List every document."))
@click.option("--json", "as_json", is_flag=True, help=_("Print the numbers as JSON."))
@click.pass_obj
def command(invocation: Invocation, files: bool, as_json: bool) -> None:
    """Print the dataset table."""
    config, course = invocation.course()
    with read_course(config, course) as store:
        manifest = store.manifest
        lengths = {one: _lengths(store, one) for one in Strategy}
    record = _record(course.name, manifest, lengths)
    if as_json:
        write_json(record)
        return
    write(_dataset_table(record))
    write()
    write(_chunk_table(record))
    if files:
        write()
        write(_file_table(manifest))


def _lengths(store: StoreReader, strategy: Strategy) -> list[int]:
    return [len(chunk.text) for chunk in store.chunks(strategy).chunks]


def _record(course: str, manifest: Manifest, lengths: dict[Strategy, list[int]]) -> dict[str, Any]:
    sources = [entry.source for entry in manifest.indexed]
    return {
        "course": course,
        "embedder": manifest.recipe.space.embedder,
        "dimension": manifest.recipe.space.dim,
        "documents": len(sources),
        "weeks": len({source.week for source in sources if source.week is not None}),
        "pages": sum(source.pages for source in sources),
        "pages_without_text": sum(len(entry.pages_without_text) for entry in manifest.indexed),
        "pages_by_ocr": sum(len(entry.pages_by_ocr) for entry in manifest.indexed),
        "skipped": len(manifest.skipped),
        "strategies": {one.value: _chunk_record(lengths[one]) for one in Strategy},
        "files": [
            {
                **source_record(entry.source),
                "pages": entry.source.pages,
                "pages_without_text": list(entry.pages_without_text),
                "pages_by_ocr": list(entry.pages_by_ocr),
                "chunks": {one.value: n for one, n in entry.chunks.items()},
            }
            for entry in manifest.indexed
        ],
    }


def _chunk_record(lengths: list[int]) -> dict[str, float | int]:
    values = np.array(lengths or [0])
    return {
        "chunks": len(lengths),
        "mean_chars": round(float(values.mean()), 1),
        "median_chars": float(np.median(values)),
        "share_below_200": round(float((values < SHORT).mean()), 4),
        "share_above_600": round(float((values > LONG).mean()), 4),
    }


def _dataset_table(record: dict[str, Any]) -> str:
    names = {
        "course": _("Course"),
        "documents": _("Documents"),
        "weeks": _("Weeks"),
        "pages": _("Pages"),
        "pages_without_text": _("Pages without text"),
        "pages_by_ocr": _("Pages read by OCR"),
        "skipped": _("Files left out"),
        "embedder": _("Embedder"),
        "dimension": _("Dimension"),
    }
    width = max(map(len, names.values()))
    return "\n".join(f"{name:<{width}}  {one_line(str(record[k]))}" for k, name in names.items())


def _chunk_table(record: dict[str, Any]) -> str:
    rows = [
        [
            _("Strategy"),
            _("Chunks"),
            _("Mean chars"),
            _("Median"),
            _("Below 200"),
            _("Above 600"),
        ]
    ]
    for name, numbers in record["strategies"].items():
        rows.append(
            [
                name,
                str(numbers["chunks"]),
                f"{numbers['mean_chars']:.1f}",
                f"{numbers['median_chars']:.0f}",
                f"{numbers['share_below_200']:.1%}",
                f"{numbers['share_above_600']:.1%}",
            ]
        )
    return table(rows)


def _file_table(manifest: Manifest) -> str:
    rows = [[_("File"), _("Week"), _("Date"), _("Version"), _("Pages"), _("Without text")]]
    rows += [
        [
            entry.source.path,
            str(entry.source.week or ""),
            entry.source.date.isoformat() if entry.source.date else "",
            entry.source.version or "",
            str(entry.source.pages),
            str(len(entry.pages_without_text)),
        ]
        for entry in manifest.indexed
    ]
    return table(rows)
