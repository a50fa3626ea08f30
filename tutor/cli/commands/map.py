"""`tutor map`: the course as a map, a concept's card, paths, queries, communities, exports."""

from __future__ import annotations

from pathlib import Path

import click

from tutor.cli import diagnostics
from tutor.cli.documents import save_document
from tutor.cli.invocation import Invocation
from tutor.cli.mapping import MappedCourse, names, opened_map
from tutor.cli.options import JSON
from tutor.cli.output import table, unbroken, wrapped, write, write_json
from tutor.errors import MapError
from tutor.errors import command as typed
from tutor.i18n import _, ngettext
from tutor.map.cypher import QueryLimits
from tutor.map.drawing import FORMATS, drawn
from tutor.map.model import Community, Concept, Place, Related, Step
from tutor.presentation.amounts import counted, duration
from tutor.presentation.maps import kind_name
from tutor.text.terminal import one_line

_NEIGHBOURS = 10
_IN_LINE = 6
_TOP = 12
_BEFORE_DEPTH = 3
_NAMES = ("name", "title", "number", "id")
"""What a node is called by, the likeliest first."""
_CELL = 60


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
    """Show what the map holds, unless a command of its own follows."""
    if ctx.invoked_subcommand is not None:
        return
    invocation: Invocation = ctx.obj
    with opened_map(invocation.config()) as course:
        state, communities = course.map.state, course.map.communities(0)
        if as_json:
            write_json(
                {
                    "course": course.name,
                    "generation": state.generation,
                    "version": state.version,
                    "seconds": round(state.seconds, 3),
                    "nodes": state.nodes,
                    "edges": state.edges,
                    "communities": [course.community_record(one) for one in communities],
                }
            )
            return
        write(
            _("Map of the course `%(course)s`, generation %(n)d, made in %(time)s")
            % {
                "course": one_line(course.name),
                "n": state.generation,
                "time": duration(state.seconds),
            }
        )
        write()
        write(table([(_("Nodes"), _("Count")), *_counts(state.nodes)]))
        write()
        write(table([(_("Edges"), _("Count")), *_counts(state.edges)]))
        write()
        for community in communities[:_TOP]:
            _write_community(community)
    diagnostics.line(_("More of them: %(command)s") % {"command": typed("map communities")})


def _counts(counts: dict[str, int]) -> list[tuple[str, str]]:
    return [(name, str(count)) for name, count in counts.items()]


@command.command(help=_("Show a concept: its definition, its neighbours, what comes before it."))
@click.argument("concept", metavar=_("CONCEPT"))
@JSON
@click.pass_obj
def show(invocation: Invocation, concept: str, as_json: bool) -> None:
    """Show a concept's card."""
    with opened_map(invocation.config()) as course:
        found = course.concept(concept)
        neighbours = course.map.neighbours(found, _NEIGHBOURS)
        before = course.map.before(found, _BEFORE_DEPTH)
        after = course.map.after(found)
        if as_json:
            write_json(_card_record(course, found, (neighbours, before, after)))
            return
        _write_head(course, found)
        _write_places(course, found)
        if neighbours:
            write()
            write(_("Related to:"))
            for one in neighbours:
                where = course.where(one.places[0])
                write(wrapped(f"- {one_line(one.concept.name)} ({one.weight:.2f}) · {where}", "  "))
        for title, steps, first in (
            (_("Needs to be known before:"), before, True),
            (_("Is needed for:"), after, False),
        ):
            if steps:
                write()
                write(title)
                for step in steps:
                    told = step.source if first else step.target
                    user = f" → {one_line(step.target.name)}" if first else ""
                    where = course.where(step.place)
                    write(wrapped(f"- {one_line(told.name)}{user} · {where}", "  "))


def _write_head(course: MappedCourse, concept: Concept) -> None:
    write(f"{one_line(concept.name)} · {kind_name(concept.kind)}")
    others = [name for name in concept.names if name != concept.name]
    if others:
        write(wrapped(_("Also: %(names)s") % {"names": ", ".join(map(one_line, others))}))
    write()
    if concept.defined:
        told: dict[str, Place] = {}
        for place in (concept.place, *course.map.definitions(concept)):
            told.setdefault(course.quote(place), place)
        for text, place in told.items():
            write(wrapped(text, "  "))
            write(wrapped(f"({course.where(place)})", "  "))
    else:
        write(_("The notes do not define it."))
        write(wrapped(_("Named first: %(place)s") % {"place": course.where(concept.place)}, "  "))


def _write_places(course: MappedCourse, concept: Concept) -> None:
    weeks = ", ".join(map(str, course.map.weeks_of(concept)))
    community = course.map.community_of(concept, 0)
    write()
    if weeks:
        write(_("Weeks: %(weeks)s") % {"weeks": weeks})
    if community:
        write(_("Community: %(name)s") % {"name": one_line(community.name)})
    write(_("Documents:"))
    for document, times in course.map.documents_of(concept):
        told = counted(ngettext("%(n)d time", "%(n)d times", times), times)
        write(wrapped(f"- {one_line(document.title)} — {one_line(document.path)}, {told}", "  "))


def _card_record(
    course: MappedCourse,
    concept: Concept,
    around: tuple[list[Related], list[Step], list[Step]],
) -> dict[str, object]:
    neighbours, before, after = around
    community = course.map.community_of(concept, 0)
    return {
        **course.concept_record(concept),
        "definitions": [course.place_record(one) for one in course.map.definitions(concept)],
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
                "places": [course.place_record(place) for place in one.places],
            }
            for one in neighbours
        ],
        "before": [course.step_record(step) for step in before],
        "after": [course.step_record(step) for step in after],
    }


@command.command(help=_("Show how two concepts hang together, each step with its page."))
@click.argument("one", metavar="A")
@click.argument("other", metavar="B")
@JSON
@click.pass_obj
def path(invocation: Invocation, one: str, other: str, as_json: bool) -> None:
    """Show the shortest way from one concept to another."""
    with opened_map(invocation.config()) as course:
        first, last = course.concept(one), course.concept(other)
        steps = course.map.path(first, last)
        if as_json:
            write_json([course.step_record(step) for step in steps])
            return
        if first == last:
            write(_("Both are one concept: %(name)s") % {"name": one_line(first.name)})
        elif not steps:
            write(_("Nothing in the notes connects them."))
        for step in steps:
            told = _told(step)
            write(wrapped(f"- {told}"))
            write(wrapped(f"({course.where(step.place)})", "  "))


def _told(step: Step) -> str:
    both = {"one": one_line(step.source.name), "other": one_line(step.target.name)}
    if step.relation == "BEFORE":
        return _("«%(other)s» is explained with «%(one)s»") % both
    if step.relation == "AFTER":
        return _("«%(one)s» is explained with «%(other)s»") % both
    return _("«%(one)s» stands together with «%(other)s»") % both


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
    type=click.FloatRange(0.1, 60),
    default=QueryLimits().seconds,
    show_default=True,
    help=_("How long a query may take."),
)
@JSON
@click.pass_obj
def query(invocation: Invocation, cypher: str, rows: int, seconds: float, as_json: bool) -> None:
    """Run a query."""
    with opened_map(invocation.config()) as course:
        found = course.map.query(cypher, QueryLimits(seconds, rows))
    if as_json:
        write_json(
            {"columns": found.columns, "rows": found.rows, "cut": found.cut, "query": cypher}
        )
        return
    if found.rows:
        write(table([found.columns, *(tuple(map(_cell, row)) for row in found.rows)]))
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
    """Show the communities, each below the one that holds it."""
    with opened_map(invocation.config()) as course:
        found = course.map.communities(level)
        if as_json:
            write_json([course.community_record(one) for one in found])
            return
        if not found:
            write(_("There are no communities: the notes name too few concepts."))
        for one in found if level is not None else _as_tree(found):
            _write_community(one)
            for concept in one.summary if one.level == 0 or level is not None else ():
                said = " ".join(course.quote(concept.place).split())
                write(wrapped(f"{said} ({course.where(concept.place)})", _indent(one) + "    "))


def _as_tree(found: list[Community], parent: str = "") -> list[Community]:
    made = []
    for one in found:
        if one.parent == parent:
            made += [one, *_as_tree(found, one.id)]
    return made


def _indent(community: Community) -> str:
    return "  " * community.level


def _write_community(community: Community) -> None:
    count = len(community.central)
    size = counted(ngettext("%(n)d concept", "%(n)d concepts", count), count)
    inner = names(community.central[:_IN_LINE])
    write(wrapped(f"- {one_line(community.name)} ({size}): {inner}", _indent(community)))


@command.command(help=_("Write the map to a file: GraphML, JSON, Mermaid, or an SVG picture."))
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path), metavar=_("FILE"))
@click.option(
    "--format", "kind", type=click.Choice(FORMATS), help=_("By default, the ending says.")
)
@click.option("--concept", metavar=_("CONCEPT"), help=_("Only this concept and its neighbours."))
@JSON
@click.pass_obj
def export(
    invocation: Invocation, file: Path, kind: str | None, concept: str | None, as_json: bool
) -> None:
    """Write the map to a file."""
    chosen = kind or _FORMAT_OF.get(file.suffix.lower())
    if chosen is None:
        raise click.UsageError(
            _("`%(file)s` does not say in which format; `--format` does.")
            % {"file": one_line(file.name)}
        )
    with opened_map(invocation.config()) as course:
        only = course.concept(concept) if concept else None
        content = drawn(course.map, chosen, only)
    save_document(content, file, force=True, failure=MapError)
    if as_json:
        write_json({"file": str(file), "format": chosen, "bytes": len(content.encode())})
    else:
        write(_("Written: %(file)s") % {"file": one_line(str(file))})


_FORMAT_OF = {
    ".graphml": "graphml",
    ".xml": "graphml",
    ".json": "json",
    ".mmd": "mermaid",
    ".mermaid": "mermaid",
    ".md": "mermaid",
    ".svg": "svg",
}
