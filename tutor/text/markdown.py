"""Texts of others within Markdown, which cannot change the document around them.

Short texts and quotes are shown to the letter. An answer that is exported keeps its formatting, but
no HTML, no picture that would be fetched when the document is opened, and no link, which a PDF may
have brought.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator, Sequence

from tutor.text.paragraphs import cells_of

FENCE = re.compile(r"[ \t]*(?:`{3,}|~{3,})")
_MARKUP = re.compile(r"[\\$`_~]|(?<!\*)(?:\*(?=[^\s*])|(?<=\S)\*(?!\*))")
"""What notes may have and Markdown would take for markup: TeX's signs, quotes, products.
A star between spaces is none, or begins an item; two of them are ours."""
_CONTROLS = re.compile("[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
_LINE_BREAKS = re.compile("\r\n?|[\x85\u2028\u2029]")
_SPECIAL = re.compile(r"([\\`*_\[\]<>#&~|$!=:@^])")
_LIST_MARK = re.compile(r"^(?:(?=[-+])|(\d+)(?=[.)]))")
_SINGLE_BREAK = re.compile(r"(?<!\n)\n(?!\n)")
_SAFE_LINK = re.compile(r"https?://[^\s<>\"'`\\]+")

_OPENING = re.compile(r" {0,3}(?P<fence>`{3,}(?=[^`]*$)|~{3,})\s*(?P<language>[\w+#.-]{0,30}).*")
_RUN = re.compile("`+")
_ACTIVE = re.compile(
    r"(?P<code>(?<!`)(?P<ticks>`+)(?!`)(?P<inside>.+?)(?<!`)(?P=ticks)(?!`))"
    r"|<|!\[|\](?=[:(])|(?<=:)(?=//)|(?<=\bwww)(?=\.)"
)
"""Code within a line; the beginnings of HTML, pictures, links, definitions and bare addresses."""
_INACTIVE = {"<": "&lt;", "![": "!\\[", "]": "]\\", "": "\\"}


def literal(text: str, before: str = "") -> str:
    r"""Words of the notes as Markdown that shows them to the letter: a manual's `\$` and `$x$`.

    Tables, lists and names in bold are ours, and stay. Code is to the letter anyway; `before` is
    what stands above, where a block of code may have begun.
    """
    is_code = len(list(filter(FENCE.match, before.split("\n")))) % 2 == 1
    lines = []
    for line in text.split("\n"):
        is_fence = bool(FENCE.match(line))
        lines.append(line if is_code or is_fence else _MARKUP.sub(r"\\\g<0>", line))
        is_code ^= is_fence
    return "\n".join(lines)


def quoted_and_own(text: str, own_start: int, start: int, end: int) -> str:
    """A part of an answer as Markdown: quotes to the letter, from `own_start` on as it is."""
    own = min(max(own_start, start), end)
    return literal(text[start:own], text[:start]) + text[own:end]


def escaped(text: str) -> str:
    """A text on one line, every character standing for itself."""
    line = _SPECIAL.sub(r"\\\1", " ".join(_visible(text).split()))
    return _LIST_MARK.sub(r"\1\\", line)


def escaped_lines(text: str) -> str:
    """A text with its own line breaks, every character standing for itself."""
    paragraphs = "\n".join(map(escaped, _visible(text).split("\n"))).strip()
    return _SINGLE_BREAK.sub("\\\\\n", paragraphs)


def table(lines: Sequence[str]) -> str:
    """A table as Markdown, given its head and rows."""
    # A bar within a cell would end it: the sign for "divides" looks the same.
    cells = [[cell.replace("|", "∣") for cell in cells_of(line)] for line in lines]
    cells.insert(1, ["---"] * len(cells[0]))
    return "\n".join(f"| {' | '.join(row)} |" for row in cells)


def fenced(code: str) -> str:
    """Code, between fences."""
    return f"```\n{code}\n```"


def linked(address: str) -> str:
    """An address of the web as a link; any other as text."""
    bare = _visible(address).strip()
    return f"<{bare}>" if _SAFE_LINK.fullmatch(bare) else escaped(bare)


def contained(text: str) -> str:
    """Markdown of an answer as a block quote: what it leaves open ends with the block."""
    if not text.strip():
        return ""
    return "\n".join(f"> {line}".rstrip() for line in _tamed(_visible(text)))


def _visible(text: str) -> str:
    return _CONTROLS.sub("", _LINE_BREAKS.sub("\n", text))


def _tamed(text: str) -> Iterator[str]:
    """The lines of an answer, blocks of code in a fence of our own that nothing in them closes."""
    ours = "`" * max(3, 1 + max(map(len, _RUN.findall(text)), default=0))
    closing: re.Pattern[str] | None = None
    for line in text.split("\n"):
        if closing and closing.fullmatch(line):
            closing = None
            yield from (ours, "")
        elif closing:
            yield line
        elif opening := _OPENING.fullmatch(line):
            fence = opening["fence"]
            closing = re.compile(rf" {{0,3}}{fence[0]}{{{len(fence)},}}\s*")
            yield from ("", ours + opening["language"])
        else:
            yield _ACTIVE.sub(_inactive, line)
    if closing:
        yield from (ours, "")


def _inactive(match: re.Match[str]) -> str:
    """Markup as text; code that could be taken for HTML or a link in a form that cannot."""
    if not match["code"]:
        return _INACTIVE[match[0]]
    if not re.search(r"[<\[\]]", match["inside"]):
        return match["code"]
    code = html.escape(match["inside"].strip(), quote=False)
    # The `&` of the entities that were just made stays; their `;` is no special character.
    marks = _SPECIAL.sub(lambda mark: "&" if mark[0] == "&" else f"&#{ord(mark[0])};", code)
    return f"<code>{marks}</code>"
