"""`tutor stats`: the dataset in numbers."""

from __future__ import annotations

from typing import Any

import click
import numpy as np

from tutor.app import read_course
from tutor.cli.invocation import Invocation
from tutor.cli.output import facts, table, write, write_json
from tutor.cli.records import source_record
from tutor.i18n import _
from tutor.index.store import Manifest
from tutor.model import Strategy

SHORT, LONG = 200, 600
"""Characters below and above which a chunk counts as short or long."""


@click.command(
    name="stats", help=_("Count documents, weeks, pages and chunks, and measure the chunks.")
)
@click.option("--files", is_flag=True, help=_("List every document."))
@click.option("--json", "as_json", is_flag=True, help=_("Print the numbers as JSON."))
@click.pass_obj
def command(invocation: Invocation, files: bool, as_json: bool) -> None:
    config, course = invocation.course()
    with read_course(config, course) as store:
        manifest = store.manifest
        lengths = {
            one.value: [len(chunk.text) for chunk in store.chunks(one).chunks] for one in Strategy
        }
    record = _record(course.name, manifest, lengths)
    if as_json:
        write_json(record)
        return
    names = {
        _("Course"): "course",
        _("Documents"): "documents",
        _("Weeks"): "weeks",
        _("Pages"): "pages",
        _("Pages without text"): "pages_without_text",
        _("Pages read by OCR"): "pages_by_ocr",
        _("Files left out"): "skipped",
        _("Embedder"): "embedder",
        _("Dimension"): "dimension",
    }
    write(facts({name: record[key] for name, key in names.items()}) + "\n")
    write(_chunk_table(record["strategies"]))
    if files:
        write("\n" + _file_table(record["files"]))


def _record(course: str, manifest: Manifest, lengths: dict[str, list[int]]) -> dict[str, Any]:
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
        "strategies": {name: _chunk_record(each) for name, each in lengths.items()},
        "files": [
            {
                **source_record(entry.source),
                "pages": entry.source.pages,
                "pages_without_text": entry.pages_without_text,
                "pages_by_ocr": entry.pages_by_ocr,
                "chunks": dict(entry.chunks),
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


def _chunk_table(strategies: dict[str, dict[str, Any]]) -> str:
    heading = (
        _("Strategy"),
        _("Chunks"),
        _("Mean chars"),
        _("Median"),
        _("Below 200"),
        _("Above 600"),
    )
    rows = [
        (
            name,
            numbers["chunks"],
            f"{numbers['mean_chars']:.1f}",
            f"{numbers['median_chars']:.0f}",
            f"{numbers['share_below_200']:.1%}",
            f"{numbers['share_above_600']:.1%}",
        )
        for name, numbers in strategies.items()
    ]
    return table([heading, *rows])


def _file_table(files: list[dict[str, Any]]) -> str:
    heading = (_("File"), _("Week"), _("Date"), _("Version"), _("Pages"), _("Without text"))
    rows = [
        (
            file["file"],
            file["week"] or "",
            file["date"] or "",
            file["version"] or "",
            file["pages"],
            len(file["pages_without_text"]),
        )
        for file in files
    ]
    return table([heading, *rows])
