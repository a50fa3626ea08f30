"""SerpAPI's JSON -> results, whatever its shape, their texts and links made safe to store and to
print; and results as Markdown.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from typing import Any
from urllib.parse import urlsplit, urlunsplit

from tutor.model import WebResult
from tutor.text.markdown import escaped
from tutor.text.terminal import visible, visible_line

LONGEST_LINK = 2048
_RAW_FACTOR, _RAW_EXTRA = 4, 400
"""How much of a text is looked at, so that cleaning takes bounded time."""
_HIDDEN = re.compile(r"<(script|style)\b[^<>]*>.*?</\1\s*>|<!--.*?-->", re.IGNORECASE | re.DOTALL)
_TAG = re.compile(r"</?[a-zA-Z][\w:-]*(?:[\s/][^<>]*)?>")
_CUT_TAG = re.compile(r"</?[a-zA-Z][\w:-]*\s[^<>]*=[^<>]*\Z")
_UNSAFE_IN_LINK = re.compile(r"[\s<>\"`\\]")
LONGEST_TITLE = 200
LONGEST_SNIPPET = 600
LONGEST_SOURCE = 80
_ANSWERS = ("answer", "result", "snippet", "definition")
_IN_ADDRESS = re.compile(r"(?<=\w)\.(?=[^\W\d_])")
"""A dot that makes a link of a bare address for some readers of Markdown."""
_IN_LINK = str.maketrans({char: f"%{ord(char):02X}" for char in "()<>[]{}\\ \"'`*|^"})


def clean(text: object, longest: int) -> str:
    """One visible line of at most `longest` characters; empty for what is no text.

    HTML tags and entities, terminal escapes, control, bidirectional and other invisible
    characters are taken away; what is cut ends in `…`.
    """
    if not isinstance(text, str):
        return ""
    text = visible_line(html.unescape(text[: _RAW_FACTOR * longest + _RAW_EXTRA]))
    text = visible_line(_without_tags(text))
    return text if len(text) <= longest else text[: longest - 1].rstrip() + "…"


def clean_link(link: object) -> str:
    """An `http` or `https` address as it can be followed; empty for anything else.

    A host outside ASCII is given in Punycode, where letters that only look alike differ.
    Addresses with a user name are refused: they are mistaken for the host.
    """
    if not isinstance(link, str) or len(link) > LONGEST_LINK:
        return ""
    link = link.strip()
    if _UNSAFE_IN_LINK.search(link) or visible(link) != link:
        return ""
    try:
        parts = urlsplit(link)
        host = (parts.hostname or "").encode("idna").decode("ascii")
        port = f":{parts.port}" if parts.port else ""
    except ValueError:  # an impossible host or port; UnicodeError is one, too
        return ""
    if parts.scheme not in {"http", "https"} or not host or "@" in parts.netloc:
        return ""
    host = f"[{host}]" if ":" in host else host
    return urlunsplit((parts.scheme, host + port, parts.path, parts.query, parts.fragment))


def host_of(link: str) -> str:
    """The host of a cleaned address, without `www.`."""
    return (urlsplit(link).hostname or "").removeprefix("www.")


def same_page(link: str) -> str:
    """Equal for addresses of one page: scheme, `www.`, fragment and last slash do not count."""
    parts = urlsplit(link)
    port = f":{parts.port}" if parts.port else ""
    return f"{host_of(link)}{port}{parts.path.rstrip('/')}?{parts.query}"


def _without_tags(text: str) -> str:
    # Again and again, since what is left of two tags may be a third.
    while (shorter := _TAG.sub("", _HIDDEN.sub("", text))) != text:
        text = shorter
    return _CUT_TAG.sub("", text)


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


def as_markdown(results: Sequence[WebResult]) -> str:
    """Each result as `**[W1] [title](link)** — source` and its snippet, a paragraph each.

    Markup and bare addresses inside titles, sources and snippets are escaped: they show as they
    are written and make no link, image or heading of their own.
    """
    return "\n\n".join(_paragraph(result) for result in results)


def _paragraph(result: WebResult) -> str:
    title, source, snippet = (
        _IN_ADDRESS.sub(r"\\.", escaped(text))
        for text in (result.title or result.link, result.source, result.snippet)
    )
    line = f"**[W{result.rank}] [{title}]({result.link.translate(_IN_LINK)})**"
    line += f" — {source}" if source else ""
    return f"{line}\n\n{snippet}" if snippet else line
