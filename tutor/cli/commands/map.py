"""`tutor map`: the course as a map, a concept's card, paths, queries, communities, exports.

What is shown is made into a record first, which is printed as JSON or in lines.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, TypeAlias

import click

from tutor.app import read_course
from tutor.cli import diagnostics
from tutor.cli.invocation import Invocation
from tutor.cli.options import FORCE, JSON, Numbers
from tutor.cli.output import (
    check_place,
    save_document,
    table,
    unbroken,
    wrapped,
    write,
    write_json,
)
from tutor.courses import course_command
from tutor.errors import FilterError
from tutor.i18n import _, plural
from tutor.index.store import StoreReader
from tutor.map.course_map import CourseMap, open_map
from tutor.map.cypher import QueryLimits
from tutor.map.drawing import FORMATS, drawn
from tutor.map.model import Community, Concept, Place, Step
from tutor.model.marks import pages
from tutor.presentation.amounts import duration
from tutor.presentation.topics import MapTopic, TopicSummary, summary_of
from tutor.text.terminal import one_line

_NEIGHBOURS = 10
_IN_LINE = 6
_TOP = 12
_BEFORE_DEPTH = 3
_NAMES = ("name", "title", "number", "id")
"""What a node is called by, the likeliest first."""
_CELL = 60
_FORMAT_OF = {
    ".graphml": "graphml",
    ".xml": "graphml",
    ".json": "json",
    ".mmd": "mermaid",
    ".mermaid": "mermaid",
    ".md": "mermaid",
    ".svg": "svg",
}
Record: TypeAlias = dict[str, Any]


@dataclass(frozen=True, slots=True)
class MappedCourse:
    """A course's map and the notes that it stands on."""

    name: str
    map: CourseMap
    reader: StoreReader

    @property
    def communities_command(self) -> str:
        """The command that lists its communities."""
        return course_command("map communities", self.name)

    def concept(self, name: str) -> Concept:
        """The concept of that name. Raises `FilterError`, which suggests others."""
        found = self.map.concept(name)
        if found is None:
            remedy = _("These are in it: %(command)s") % {"command": self.communities_command}
            if alike := self.map.suggestions(name):
                names = ", ".join(f"«{one_line(one.name)}»" for one in alike)
                remedy = _("Do you mean %(names)s?") % {"names": names}
            raise FilterError(
                _("The map has no concept «%(name)s».") % {"name": one_line(name)}, remedy
            )
        return found

    def quote(self, place: Place) -> str:
        """What the notes say at a place, as it stands there."""
        return self.reader.text(place.document).text[place.start : place.end]

    def place_record(self, place: Place) -> Record:
        """A place with its document."""
        source = self.reader.sources[place.document]
        where = {"page": place.page, "start": place.start, "end": place.end}
        return {"file": source.path, "title": source.title, "week": source.week, **where}

    def concept_record(self, concept: Concept) -> Record:
        """A concept, with its definition if it has one."""
        record = asdict(concept)
        del record["place"]
        text = self.quote(concept.place) if concept.defined else ""
        return {**record, "text": text, **self.place_record(concept.place)}

    def community_record(self, community: Community) -> Record:
        """A community, with the definitions that sum it up."""
        return {
            "id": community.id,
            "name": community.name,
            "level": community.level,
            "parent": community.parent,
            "concepts": [one.name for one in community.central],
            "summary": list(map(self.concept_record, community.summary)),
        }

    def step_record(self, step: Step) -> Record:
        """A step of a path."""
        return {
            "from": step.source.name,
            "to": step.target.name,
            "relation": step.relation,
            **self.place_record(step.place),
        }


@contextmanager
def _opened(invocation: Invocation) -> Iterator[MappedCourse]:
    """The configured course's map, made first where there is none. Raises `StoreError`."""
    config, course = invocation.course()
    told = _("Making the map of the course from its index ...")
    with (
        read_course(config, course) as reader,
        open_map(reader, lambda: diagnostics.line(told)) as course_map,
    ):
        yield MappedCourse(course.name, course_map, reader)


def _where(place: Record) -> str:
    document = f"{one_line(place['title'])} — {one_line(place['file'])}"
    return f"{document}, {pages(place['page'], place['page'])}"


@click.group(
    name="map",
    invoke_without_command=True,
    help=_(
        "Show the course as a map: its concepts, how they hang together, and the pages that say "
        "so. Without a command: what the map holds, and its largest communities."
    ),
)
@JSON
@click.pass_context
def command(ctx: click.Context, as_json: bool) -> None:
    if ctx.invoked_subcommand is not None:
        return
    with _opened(ctx.obj) as course:
        state = course.map.state
        found = list(map(course.community_record, course.map.communities(0)))
    if as_json:
        write_json(
            {
                "course": course.name,
                "generation": state.generation,
                "version": state.version,
                "seconds": round(state.seconds, 3),
                "nodes": state.nodes,
                "edges": state.edges,
                "communities": found,
            }
        )
        return
    values = {
        "course": one_line(course.name),
        "n": state.generation,
        "time": duration(state.seconds),
    }
    write(_("Map of the course `%(course)s`, generation %(n)d, made in %(time)s") % values)
    write("\n" + table([(_("Nodes"), _("Count")), *state.nodes.items()]))
    write("\n" + table([(_("Edges"), _("Count")), *state.edges.items()]) + "\n")
    for community in found[:_TOP]:
        _write_community(community)
    diagnostics.line(_("More of them: %(command)s") % {"command": course.communities_command})


@command.command(help=_("Show a concept: its definition, its neighbours, what comes before it."))
@click.argument("concept", metavar=_("CONCEPT"))
@JSON
@click.pass_obj
def show(invocation: Invocation, concept: str, as_json: bool) -> None:
    with _opened(invocation) as course:
        found = course.concept(concept)
        if as_json:
            write_json(_card_record(course, found))
            return
        topic = MapTopic(found.name, found.place, found)
        _write_card(summary_of(topic, course.map, course.reader), course)


def _card_record(course: MappedCourse, concept: Concept) -> Record:
    community = course.map.community_of(concept, 0)
    return {
        **course.concept_record(concept),
        "definitions": list(map(course.place_record, course.map.definitions(concept))),
        "weeks": course.map.weeks_of(concept),
        "documents": [
            {"file": one.path, "title": one.title, "week": one.week, "times": times}
            for one, times in course.map.documents_of(concept)
        ],
        "community": community.name if community else None,
        "neighbours": [
            {
                "name": one.concept.name,
                "weight": one.weight,
                "sections": one.sections,
                "places": list(map(course.place_record, one.places)),
            }
            for one in course.map.neighbours(concept, _NEIGHBOURS)
        ],
        "before": list(map(course.step_record, course.map.before(concept, _BEFORE_DEPTH))),
        "after": list(map(course.step_record, course.map.after(concept))),
    }


def _write_card(card: TopicSummary, course: MappedCourse) -> None:
    """What the app says of a concept, too, each line with its page."""
    write(one_line(card.topic.title))
    for fact in card.facts:
        write(wrapped(one_line(fact)))
    for place, line in enumerate(card.lines):
        if line.heading or not place:
            write(f"\n{line.heading}" if line.heading else "")
        if line.quote:
            write(wrapped(line.quote, "  "))
        where = f"({_where(course.place_record(line.place))})"
        write(wrapped(f"- {one_line(line.title)} {where}" if line.title else where, "  "))


@command.command(help=_("Show how two concepts hang together, each step with its page."))
@click.argument("one", metavar="A")
@click.argument("other", metavar="B")
@JSON
@click.pass_obj
def path(invocation: Invocation, one: str, other: str, as_json: bool) -> None:
    with _opened(invocation) as course:
        first, last = course.concept(one), course.concept(other)
        steps = list(map(course.step_record, course.map.path(first, last)))
    if as_json:
        write_json(steps)
    elif first == last:
        write(_("Both are one concept: %(name)s") % {"name": one_line(first.name)})
    elif not steps:
        write(_("Nothing in the notes connects them."))
    else:
        relations = {
            "BEFORE": _("«%(other)s» is explained with «%(one)s»"),
            "AFTER": _("«%(one)s» is explained with «%(other)s»"),
        }
        together = _("«%(one)s» stands together with «%(other)s»")
        for step in steps:
            both = {"one": one_line(step["from"]), "other": one_line(step["to"])}
            write(wrapped(f"- {relations.get(step['relation'], together) % both}"))
            write(wrapped(f"({_where(step)})", "  "))


@command.command(help=_("Ask the map in Cypher; queries can only read."))
@click.argument("cypher", metavar=_("QUERY"))
@click.option(
    "--rows",
    type=click.IntRange(1, 10_000),
    default=QueryLimits().rows,
    show_default=True,
    help=_("The most rows to show."),
)
@click.option(
    "--seconds",
    type=Numbers(0.1, 60),
    default=QueryLimits().seconds,
    show_default=True,
    help=_("How long a query may take."),
)
@JSON
@click.pass_obj
def query(invocation: Invocation, cypher: str, rows: int, seconds: float, as_json: bool) -> None:
    with _opened(invocation) as course:
        found = course.map.query(cypher, QueryLimits(seconds, rows))
    if as_json:
        write_json(
            {"columns": found.columns, "rows": found.rows, "cut": found.cut, "query": cypher}
        )
        return
    if found.rows:
        write(table([found.columns, *(list(map(_cell, row)) for row in found.rows)]))
    else:
        diagnostics.line(_("The query finds nothing."))
    if found.cut:
        diagnostics.line(_("There are more rows; `--rows` shows them."))


def _cell(value: object) -> str:
    """A value in a line; a node by its name, and an edge by what it is called."""
    if isinstance(value, dict) and "_LABEL" in value:
        value = next((value[key] for key in _NAMES if key in value), value["_LABEL"])
    text = "" if value is None else unbroken(str(value))
    return text if len(text) <= _CELL else f"{text[: _CELL - 1]}…"


@command.command(help=_("Show which concepts belong together, and the definitions that sum it up."))
@click.option("--level", type=click.IntRange(0, 2), help=_("Only one level: 0 has the largest."))
@JSON
@click.pass_obj
def communities(invocation: Invocation, level: int | None, as_json: bool) -> None:
    with _opened(invocation) as course:
        found = list(map(course.community_record, course.map.communities(level)))
    if as_json:
        write_json(found)
        return
    if not found:
        write(_("There are no communities: the notes name too few concepts."))
    for one in found if level is not None else _as_tree(found):
        _write_community(one)
        if one["level"] == 0 or level is not None:
            for concept in one["summary"]:
                said = " ".join(concept["text"].split())
                write(wrapped(f"{said} ({_where(concept)})", "  " * one["level"] + "    "))


def _as_tree(found: Sequence[Record], parent: str = "") -> list[Record]:
    made = []
    for one in found:
        if one["parent"] == parent:
            made += [one, *_as_tree(found, one["id"])]
    return made


def _write_community(community: Record) -> None:
    names = list(map(one_line, community["concepts"]))
    size = plural("%(n)d concept", "%(n)d concepts", len(names))
    told = f"- {one_line(community['name'])} ({size}): {', '.join(names[:_IN_LINE])}"
    write(wrapped(told, "  " * community["level"]))


@command.command(help=_("Write the map to a file: GraphML, JSON, Mermaid, or an SVG picture."))
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path), metavar=_("FILE"))
@click.option(
    "--format", "kind", type=click.Choice(FORMATS), help=_("By default, the ending says.")
)
@click.option("--concept", metavar=_("CONCEPT"), help=_("Only this concept and its neighbours."))
@FORCE
@JSON
@click.pass_obj
def export(
    invocation: Invocation,
    file: Path,
    kind: str | None,
    concept: str | None,
    force: bool,
    as_json: bool,
) -> None:
    chosen = kind or _FORMAT_OF.get(file.suffix.lower())
    if chosen is None:
        raise click.UsageError(
            _("`%(file)s` does not say in which format; `--format` does.")
            % {"file": one_line(file.name)}
        )
    check_place(file, force=force)
    with _opened(invocation) as course:
        content = drawn(course.map, chosen, course.concept(concept) if concept else None)
    save_document(content, file, force=force)
    if as_json:
        write_json({"file": str(file), "format": chosen, "bytes": len(content.encode())})
    else:
        write(_("Written: %(file)s") % {"file": one_line(str(file))})
