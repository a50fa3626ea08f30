"""`tutor index`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict

import click

from tutor.app import find_course, make_embedder
from tutor.cli import diagnostics
from tutor.cli.indexing import failures_in_lines, run_index
from tutor.cli.invocation import Invocation
from tutor.cli.output import write, write_json
from tutor.config import Config
from tutor.courses import course_command, list_courses
from tutor.embedding.embedder import Embedder
from tutor.errors import ExitCode, TutorError
from tutor.i18n import _, plural
from tutor.index.build import Completed, Failed, IndexOptions
from tutor.index.build.events import line_of
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
    named = course or invocation.options["course"]
    if every and named:
        raise click.UsageError(_("Give either --all or --course."))
    config = invocation.config(course=named)
    strategies = tuple(Strategy) if strategy == "both" else (Strategy(strategy),)
    options = IndexOptions(rebuild=rebuild, repair=repair, strategies=strategies)
    if progress == "json":
        with failures_in_lines():
            runs, failures = _index(config, options, every=every, lines=True)
    else:
        runs, failures = _index(config, options, every=every)
        if as_json:
            write_json({name: _record(*run) for name, run in runs.items()})
        else:
            for name, run in runs.items():
                _print(name, *run)
    _tell(failures)
    if failures:
        return next(iter(failures.values())).exit_code
    skipped = [file for _completed, manifest in runs.values() for file in manifest.skipped]
    left_out = any(not file.is_copy for file in skipped)  # what is in a copy is indexed
    return ExitCode.PARTIAL if left_out else ExitCode.OK


def _index(
    config: Config, options: IndexOptions, *, every: bool, lines: bool = False
) -> tuple[dict[str, tuple[Completed, Manifest]], dict[str, TutorError]]:
    """Index the configured course, or each one: what fails for one of all keeps no other from it.

    Gives what was done, and what the index holds now, by the courses' names; and what failed.
    """
    courses = list_courses(config.notes_path, config.stores_path) if every else []
    runs: dict[str, tuple[Completed, Manifest]] = {}
    failures: dict[str, TutorError] = {}
    embedders: dict[str, Embedder] = {}
    for course in courses or [find_course(config)]:
        embedder, why = make_embedder(config, None if options.rebuild else course)
        if embedder.identity not in embedders:
            diagnostics.line(why)
        embedder = embedders.setdefault(embedder.identity, embedder)
        try:
            completed = run_index(course, config, embedder, options, lines=lines)
            runs[course.name] = completed, find_manifest(course.store)
        except TutorError as error:
            if not every:
                raise
            failures[course.name] = error
            if lines:
                write(line_of(Failed(error.message, error.remedy)))
    return runs, failures


def _tell(failures: Mapping[str, TutorError]) -> None:
    told = _("The course `%(course)s` was not indexed: %(reason)s")
    for name, error in failures.items():
        values = {"course": one_line(name), "reason": error.message}
        diagnostics.failure(TutorError(told % values, error.remedy))


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
