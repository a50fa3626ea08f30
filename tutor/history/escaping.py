"""Texts of others as Markdown that cannot change the document around them.

Short texts are shown to the letter. An answer keeps its formatting, but no HTML, no picture that
would be fetched when the document is opened, and no link, which a PDF may have brought.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator

_CONTROLS = re.compile("[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
_LINE_BREAKS = re.compile("\r\n?|[\x85\u2028\u2029]")
_SPECIAL = re.compile(r"([\\`*_\[\]<>#&~|$!=:@^])")
_LINE_START = re.compile(r"^\s*((?:[-+])|\d+(?=[.)]))")
_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})([^\n]*)")
_CODE = re.compile(r"(?<!`)(`+)(?!`)(.+?)(?<!`)\1(?!`)")
_DEFINITION_OR_LINK = re.compile(r"\](?=[:(])")
_BARE_LINK = re.compile(r"(?<=:)(?=//)|(?<=\bwww)(?=\.)")
_SINGLE_BREAK = re.compile(r"(?<!\n)\n(?!\n)")
_WORD = re.compile(r"[\w+#.-]{0,30}")
_RUN = re.compile(r"[`~]+")
_SAFE_LINK = re.compile(r"https?://[^\s<>\"'`\\]+")


def escaped(text: str) -> str:
    """A text on one line, every character standing for itself."""
    line = " ".join(_visible(text).split())
    line = _SPECIAL.sub(r"\\\1", line)
    return _LINE_START.sub(_after_backslash, line)


def escaped_lines(text: str) -> str:
    """A text with its own line breaks, every character standing for itself."""
    paragraphs = "\n".join(escaped(line) for line in _lines(text)).strip()
    return _SINGLE_BREAK.sub("\\\\\n", paragraphs)


def linked(address: str) -> str:
    """An address of the web as a link; any other as text."""
    bare = _visible(address).strip()
    return f"<{bare}>" if _SAFE_LINK.fullmatch(bare) else escaped(bare)


def contained(text: str) -> str:
    """Markdown of an answer as a block quote: what it leaves open ends with the block."""
    if not text.strip():
        return ""
    return "\n".join(f"> {line}".rstrip() for line in _tamed(_lines(text)))


def _lines(text: str) -> list[str]:
    return _visible(text).split("\n")


def _visible(text: str) -> str:
    return _CONTROLS.sub("", _LINE_BREAKS.sub("\n", text))


def _tamed(lines: list[str]) -> Iterator[str]:
    position = 0
    while position < len(lines):
        fence = _FENCE.fullmatch(lines[position])
        if fence and not (fence[1][0] == "`" and "`" in fence[2]):
            end = _closing(lines, position, fence[1])
            yield from _fenced(lines[position + 1 : end], fence[2].strip())
            position = end + 1
        else:
            yield _tamed_prose(lines[position])
            position += 1


def _closing(lines: list[str], opening: int, fence: str) -> int:
    """The line that closes a block of code, or the end of the text."""
    closing = re.compile(rf" {{0,3}}{fence[0]}{{{len(fence)},}}\s*")
    for position in range(opening + 1, len(lines)):
        if closing.fullmatch(lines[position]):
            return position
    return len(lines)


def _fenced(code: list[str], language: str) -> Iterator[str]:
    """Code in a fence of our own that nothing in it can close."""
    longest = max((len(run) for line in code for run in _RUN.findall(line)), default=0)
    fence = "`" * max(3, longest + 1)
    word = _WORD.match(language)
    yield from ("", fence + (word[0] if word else ""))
    yield from code
    yield from (fence, "")


def _tamed_prose(line: str) -> str:
    parts, position = [], 0
    for code in _CODE.finditer(line):
        parts += [_tamed_words(line[position : code.start()]), _tamed_code(code[0], code[2])]
        position = code.end()
    return "".join([*parts, _tamed_words(line[position:])])


def _tamed_words(text: str) -> str:
    safe = text.replace("<", "&lt;").replace("![", "!\\[")
    return _BARE_LINK.sub(r"\\", _DEFINITION_OR_LINK.sub(r"]\\", safe))


def _tamed_code(whole: str, code: str) -> str:
    """Code within a line; where it could be taken for HTML or a link, in a form that cannot."""
    if not re.search(r"[<\[\]]", code):
        return whole
    return f"<code>{_SPECIAL.sub(_entity, html.escape(code.strip(), quote=False))}</code>"


def _entity(match: re.Match[str]) -> str:
    # `&` and `<` were made entities before: their `&` stays, their `;` is no special character.
    return match[0] if match[0] == "&" else f"&#{ord(match[0])};"


def _after_backslash(match: re.Match[str]) -> str:
    start = match[1]
    return f"\\{start}" if start in {"-", "+"} else f"{start}\\"
