"""SerpAPI's JSON -> results, whatever its shape."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import chain
from typing import Any

from tutor.model import WebResult
from tutor.web.texts import clean, clean_link, host_of, same_page

LONGEST_TITLE = 200
LONGEST_SNIPPET = 600
LONGEST_SOURCE = 80
_ANSWERS = ("answer", "result", "snippet", "definition")


def results(reply: Mapping[str, Any], most: int) -> list[WebResult]:
    """At most `most` results, ranked from 1, each page once.

    An answer box and a knowledge graph come first where they have a text and a link. Results
    without an http(s) link are left out.
    """
    found: dict[str, WebResult] = {}
    for title, snippet, link, source in _candidates(reply):
        if len(found) == most:
            break
        page = same_page(link)
        if page not in found:
            found[page] = WebResult(len(found) + 1, title, snippet, link, source)
    return list(found.values())


def _candidates(reply: Mapping[str, Any]) -> Iterator[tuple[str, str, str, str]]:
    organic = reply.get("organic_results")
    items = organic if isinstance(organic, list) else []
    for record in chain(_direct_answers(reply), items):
        if not isinstance(record, dict) or not (link := clean_link(record.get("link"))):
            continue
        title = clean(record.get("title"), LONGEST_TITLE)
        snippet = clean(record.get("snippet"), LONGEST_SNIPPET)
        source = clean(record.get("source"), LONGEST_SOURCE) or host_of(link)
        if title or snippet:
            yield title or source, snippet, link, source


def _direct_answers(reply: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    box = reply.get("answer_box")
    for record in box if isinstance(box, list) else [box]:
        if isinstance(record, dict) and (text := _text_of(record)):
            yield {**record, "snippet": text}
    graph = reply.get("knowledge_graph")
    if isinstance(graph, dict) and clean(graph.get("description"), LONGEST_SNIPPET):
        origin = graph.get("source")
        named = origin if isinstance(origin, dict) else {}
        yield {
            "title": graph.get("title"),
            "snippet": graph["description"],
            "link": named.get("link") or graph.get("website"),
            "source": named.get("name"),
        }


def _text_of(box: Mapping[str, Any]) -> str:
    texts = [clean(box.get(name), LONGEST_SNIPPET) for name in _ANSWERS]
    items = box.get("list")
    if isinstance(items, list):
        texts += [clean(item, LONGEST_SNIPPET) for item in items[:10]]
    return " ".join(dict.fromkeys(text for text in texts if text))
