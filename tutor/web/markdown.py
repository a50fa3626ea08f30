"""Results of a web search as Markdown."""

from __future__ import annotations

import re
from collections.abc import Sequence

from tutor.model import WebResult

_INLINE = re.compile(r"([\\`*_\[\]<>&|~$!@^])")
_AUTOLINK = re.compile(r"(?<=[A-Za-z]):(?=//|\S)|(?<=\w)\.(?=[^\W\d_])")
_BLOCK = re.compile(r"\A(?:([#+=>:-])|(\d+)([.)]))")
_IN_LINK = str.maketrans({char: f"%{ord(char):02X}" for char in "()<>[]{}\\ \"'`*|^"})


def as_markdown(results: Sequence[WebResult]) -> str:
    """Each result as `**[W1] [title](link)** — source` and its snippet, a paragraph each.

    Markup and bare addresses inside titles, sources and snippets are escaped: they show as they
    are written and make no link, image or heading of their own.
    """
    return "\n\n".join(_paragraph(result) for result in results)


def _paragraph(result: WebResult) -> str:
    title = _escaped(result.title or result.link)
    line = f"**[W{result.rank}] [{title}]({result.link.translate(_IN_LINK)})**"
    if result.source:
        line += f" — {_escaped(result.source)}"
    return f"{line}\n\n{_escaped(result.snippet)}" if result.snippet else line


def _escaped(text: str) -> str:
    text = " ".join(text.split())
    escaped = _AUTOLINK.sub(lambda found: f"\\{found[0]}", _INLINE.sub(r"\\\1", text))
    return _BLOCK.sub(lambda m: f"\\{m[1]}" if m[1] else f"{m[2]}\\{m[3]}", escaped)
