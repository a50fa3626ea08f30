"""A map for other programs, and as a picture."""

from __future__ import annotations

from html import escape
from io import BytesIO
from math import sqrt
from typing import TYPE_CHECKING, Any

from tutor.map.course_map import CourseMap
from tutor.map.model import Concept
from tutor.text.terminal import one_line, to_json

if TYPE_CHECKING:
    import networkx as nx

FORMATS = ("graphml", "json", "mermaid", "svg")
_MOST_DRAWN = 60
"""Concepts of a picture: the most central ones of each community, as many as can be read."""
_MOST_LINES = 140
_SEED = 7
_APART, _ROUNDS = 1.6, 120
"""How far concepts of a picture keep from each other, and the rounds that place them."""
_WIDTH, _HEIGHT, _MARGIN = 1400, 1000, 90
_COLOURS = "#4e79a7 #f28e2b #59a14f #e15759 #b07aa1 #76b7b2 #9c755f #edc948 #ff9da7 #8cd17d".split()


def drawn(course_map: CourseMap, kind: str, only: Concept | None = None) -> str:
    """The map in one of `FORMATS`; of one concept and its neighbours where `only` is given."""
    graph = _graph(course_map, only)
    if kind == "graphml":
        return _graphml(graph)
    if kind == "json":
        return to_json(_record(graph)) + "\n"
    readable = graph if only else _readable(course_map, graph)
    return _mermaid(readable) if kind == "mermaid" else _svg(readable)


def _graph(course_map: CourseMap, only: Concept | None) -> nx.MultiDiGraph:
    """Concepts with their relations; all texts as a terminal may have them."""
    import networkx as nx  # noqa: PLC0415 - 0.25 s, needed by this command only

    graph = nx.MultiDiGraph()
    kept = set(course_map.concepts)
    if only:
        near = {one.concept.id for one in course_map.neighbours(only, _MOST_DRAWN)}
        near |= {step.source.id for step in course_map.before(only)}
        near |= {step.target.id for step in course_map.after(only)}
        kept = {only.id, *near}
    groups = {one.id: part.name for part in course_map.communities(0) for one in part.central}
    for concept in course_map.concepts.values():
        if concept.id in kept:
            document = course_map.documents[concept.place.document]
            graph.add_node(
                one_line(concept.id),
                name=one_line(concept.name),
                names=one_line("; ".join(concept.names)),
                kind=concept.kind.value,
                score=concept.score,
                defined=concept.defined,
                community=one_line(groups.get(concept.id, "")),
                file=one_line(document.path),
                page=concept.place.page,
            )
    for step, weight in course_map.steps():
        if {step.source.id, step.target.id} <= kept:
            graph.add_edge(
                one_line(step.source.id),
                one_line(step.target.id),
                key=step.relation,
                relation=step.relation,
                weight=weight,
                file=one_line(course_map.documents[step.place.document].path),
                page=step.place.page,
            )
    return graph


def _readable(course_map: CourseMap, graph: nx.MultiDiGraph) -> nx.MultiDiGraph:
    """The most central concepts, of each community its share."""
    parts = course_map.communities(0)
    everything = sum(len(part.central) for part in parts) or 1
    chosen = [
        one_line(concept.id)
        for part in parts
        for concept in part.central[: max(2, _MOST_DRAWN * len(part.central) // everything)]
    ]
    kept = frozenset(chosen[: 2 * _MOST_DRAWN])
    readable = graph.copy()  # not `subgraph`, whose order of nodes differs from run to run
    readable.remove_nodes_from([node for node in graph if node not in kept])
    return readable


def _graphml(graph: nx.MultiDiGraph) -> str:
    import networkx as nx  # noqa: PLC0415 - as above

    buffer = BytesIO()
    nx.write_graphml_xml(graph, buffer)
    return buffer.getvalue().decode()


def _record(graph: nx.MultiDiGraph) -> dict[str, Any]:
    return {
        "nodes": [{"id": node, **data} for node, data in graph.nodes(data=True)],
        "edges": [{"from": a, "to": b, **data} for a, b, data in graph.edges(data=True)],
    }


def _lines(graph: nx.MultiDiGraph) -> list[tuple[str, str, dict[str, Any]]]:
    """The strongest relations; what comes first counts as a strong one."""
    edges = sorted(graph.edges(data=True), key=lambda edge: (-edge[2]["weight"], edge[0], edge[1]))
    return edges[:_MOST_LINES]


def _mermaid(graph: nx.MultiDiGraph) -> str:
    numbers = {node: f"n{number}" for number, node in enumerate(graph)}
    groups: dict[str, list[str]] = {}
    for node, data in graph.nodes(data=True):
        groups.setdefault(data["community"], []).append(node)
    lines = ["graph LR"]
    for number, (name, nodes) in enumerate(groups.items()):
        lines.append(f'  subgraph g{number}["{_label(name)}"]')
        lines += [f'    {numbers[node]}["{_label(graph.nodes[node]["name"])}"]' for node in nodes]
        lines.append("  end")
    for one, other, data in _lines(graph):
        arrow = "-->" if data["relation"] == "BEFORE" else "---"
        lines.append(f"  {numbers[one]} {arrow} {numbers[other]}")
    return "\n".join(lines) + "\n"


def _label(text: str) -> str:
    """A text within Mermaid's quotes, whose entities are written with a number sign."""
    signs = {"#": "#35;", '"': "#quot;", "<": "#lt;", ">": "#gt;"}
    return "".join(signs.get(sign, sign) for sign in text)


def _svg(graph: nx.MultiDiGraph) -> str:
    import networkx as nx  # noqa: PLC0415 - as above

    apart = _APART / sqrt(max(1, len(graph)))
    layout = nx.spring_layout(nx.Graph(graph), k=apart, seed=_SEED, iterations=_ROUNDS)
    places = {
        node: (
            round(_WIDTH / 2 + x * (_WIDTH / 2 - _MARGIN), 1),
            round(_HEIGHT / 2 + y * (_HEIGHT / 2 - _MARGIN), 1),
        )
        for node, (x, y) in layout.items()
    }
    names = list(dict.fromkeys(data["community"] for _node, data in graph.nodes(data=True)))
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {_HEIGHT}"'
        ' font-family="sans-serif" font-size="13">'
    )
    lines = [head, f'<rect width="{_WIDTH}" height="{_HEIGHT}" fill="#ffffff"/>']
    for one, other, data in _lines(graph):
        (x1, y1), (x2, y2) = places[one], places[other]
        lines.append(
            f'<line x1="{x1}" y1="{y1}" x2="{x2}" y2="{y2}" stroke="#999999"'
            f' stroke-width="{0.5 + 2 * data["weight"]:.1f}" stroke-opacity="0.5"/>'
        )
    for node, data in graph.nodes(data=True):
        x, y = places[node]
        colour = _COLOURS[names.index(data["community"]) % len(_COLOURS)]
        radius = round(4 + data["score"] ** 0.5 * 2, 1)
        told = f"{data['name']} ({data['file']}, p. {data['page']})"
        lines.append(
            f'<circle cx="{x}" cy="{y}" r="{radius}" fill="{colour}"><title>{escape(told)}</title>'
            f'</circle><text x="{x + radius + 2}" y="{y + 4}">{escape(data["name"])}</text>'
        )
    return "\n".join([*lines, "</svg>"]) + "\n"
