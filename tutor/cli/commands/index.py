"""`tutor index`."""

from __future__ import annotations

from dataclasses import asdict

import click

from tutor.app import find_course, make_embedder
from tutor.cli import diagnostics
from tutor.cli.indexing import failures_in_lines, run_index
from tutor.cli.invocation import Invocation
from tutor.cli.output import write, write_json
from tutor.config import Config
from tutor.courses import course_command, list_courses
from tutor.errors import ExitCode
from tutor.i18n import _, plural
from tutor.index.build import Completed, IndexOptions
from tutor.index.build.plan import DUPLICATE
from tutor.index.store import Manifest, find_manifest
from tutor.model import Strategy
from tutor.presentation.amounts import duration
from tutor.text.terminal import one_line


@click.command(
    name="index",
    help=_(
        "Bring the index up to date with the notes: new and changed PDFs are read and embedded, "
        "removed ones leave it. Leaves with code 8 when some PDFs had to be left out."
    ),
)
@click.option("--course", metavar=_("NAME"), help=_("Course to index."))
@click.option("--all", "every", is_flag=True, help=_("Index every course of the notes folder."))
@click.option(
    "--strategy",
    type=click.Choice([*(one.value for one in Strategy), "both"]),
    default="both",
    help=_("Which index to make; one that the course has is brought up to date all the same."),
)
@click.option("--rebuild", is_flag=True, help=_("Read and embed everything anew."))
@click.option("--repair", is_flag=True, help=_("Fill Chroma anew from the stored vectors."))
@click.option("--json", "as_json", is_flag=True, help=_("Print a summary as JSON."))
@click.option(
    "--progress",
    type=click.Choice(["text", "json"]),
    default="text",
    help=_("How progress is told: to a person, or as lines of JSON on standard output."),
)
@click.pass_obj
def command(
    invocation: Invocation,
    course: str | None,
    every: bool,
    strategy: str,
    rebuild: bool,
    repair: bool,
    as_json: bool,
    progress: str,
) -> ExitCode:
    config = invocation.config(course=course or invocation.options["course"])
    strategies = tuple(Strategy) if strategy == "both" else (Strategy(strategy),)
    options = IndexOptions(rebuild=rebuild, repair=repair, strategies=strategies)
    if progress == "json":
        with failures_in_lines():
            runs = _index(config, options, every=every, lines=True)
    else:
        runs = _index(config, options, every=every)
        if as_json:
            write_json({name: _record(*run) for name, run in runs.items()})
        else:
            for name, run in runs.items():
                _print(name, *run)
    skipped = [file for _completed, manifest in runs.values() for file in manifest.skipped]
    left_out = any(file.reason != DUPLICATE for file in skipped)  # what is in a copy is indexed
    return ExitCode.PARTIAL if left_out else ExitCode.OK


def _index(
    config: Config, options: IndexOptions, *, every: bool, lines: bool = False
) -> dict[str, tuple[Completed, Manifest]]:
    """Index the configured course, or each one.

    Gives what was done, and what the index holds now, by the courses' names.
    """
    courses = list_courses(config.notes_path, config.stores_path) if every else []
    embedder, why = make_embedder(config)
    diagnostics.line(why)
    runs = {}
    for course in courses or [find_course(config)]:
        completed = run_index(course, config, embedder, options, lines=lines)
        runs[course.name] = completed, find_manifest(course.store)
    return runs


def _print(name: str, completed: Completed, manifest: Manifest) -> None:
    if completed.changed:
        write(
            _("Course `%(course)s` indexed in %(time)s.")
            % {"course": one_line(name), "time": duration(completed.seconds)}
        )
    else:
        write(_("Course `%(course)s` is up to date.") % {"course": one_line(name)})
    n = len(manifest.indexed)
    record = _record(completed, manifest)
    totals = {
        "documents": plural("%(n)d document", "%(n)d documents", n),
        "pages": record["pages"],
        "chunks": ", ".join(f"{manifest.chunk_count(one)} {one.value}" for one in Strategy),
    }
    write(_("%(documents)s, %(pages)d pages; chunks: %(chunks)s") % totals)
    if completed.changed:
        told = _(
            "%(read)d read, %(unchanged)d unchanged, %(removed)d removed; "
            "%(embedded)d texts embedded, %(reused)d known already"
        )
        write(told % record)
    if blank := sum(len(entry.pages_without_text) for entry in manifest.indexed):
        told = _("Pages without text: %(n)d (see `%(command)s`)")
        write(told % {"n": blank, "command": course_command("stats --files", name)})
    if manifest.skipped:
        write(_("Left out: %(n)d") % {"n": len(manifest.skipped)})
        for file in manifest.skipped:
            write(f"  {one_line(f'{file.path}: {file.message}')}")


def _record(completed: Completed, manifest: Manifest) -> dict[str, object]:
    counts = ("read", "unchanged", "removed", "embedded", "reused", "changed")
    return {
        **{name: getattr(completed, name) for name in counts},
        "generation": manifest.generation,
        "documents": len(manifest.indexed),
        "pages": manifest.pages,
        "chunks": {strategy.value: manifest.chunk_count(strategy) for strategy in Strategy},
        "skipped": [asdict(file) for file in manifest.skipped],
        "seconds": {
            "total": completed.seconds,
            "embedding": completed.seconds_chunks,
            "sentences": completed.seconds_sentences,
        },
    }
