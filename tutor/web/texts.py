"""Texts and links from strangers, made safe to store and to print."""

from __future__ import annotations

import html
import re
from urllib.parse import urlsplit, urlunsplit

from tutor.text.terminal import visible, visible_line

LONGEST_LINK = 2048
_RAW_FACTOR, _RAW_EXTRA = 4, 400
"""How much of a text is looked at, so that cleaning takes bounded time."""
_HIDDEN = re.compile(r"<(script|style)\b[^<>]*>.*?</\1\s*>|<!--.*?-->", re.IGNORECASE | re.DOTALL)
_TAG = re.compile(r"</?[a-zA-Z][\w:-]*(?:[\s/][^<>]*)?>")
_CUT_TAG = re.compile(r"</?[a-zA-Z][\w:-]*\s[^<>]*=[^<>]*\Z")
_UNSAFE_IN_LINK = re.compile(r"[\s<>\"`\\]")


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
