"""Lines folded into paragraphs; lists, code, formulas and tables keep their lines."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Literal, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_Kind: TypeAlias = Literal["prose", "words", "mixed", "other"]

_ROUND_BULLETS = "•◦▪‣●○■□▸▹►➢➤❒❑❖"
_BULLETS = _ROUND_BULLETS + "✓✔»→⇒⇐"
_ITEM = re.compile(
    rf"[{_BULLETS}]|[-–—*+] |\(?\d{{1,3}}[.)] |\(?[a-zA-Z][.)] |\(?[ivxIVX]{{1,5}}[.)] "
    r"|\d{1,2}(?:\.\d{1,2}){1,4}\.? |\[\d{1,3}\] "
)
_CODE = re.compile(
    r"#|>>>|%|//|\\|[{}]\Z|.*(?:<-|%>%|[;{}]\Z|==|!=|\w\(\)|\w\([^()]*\w = |[$]\w)"
    r"|import [\w.]{1,80}(?: as \w{1,40})?\Z|from [\w.]{1,80} import "
    r"|(?:def|class|import|from|return|for|while|if|else|elif|library|print) ?[\w(\"'].*[:()]\Z"
)
_ASSIGNMENT = re.compile(r"\w = \w")
_LEADER = re.compile(r" ?[.…](?: ?[.…]){4,} ?")
_LINKS = frozenset("and del des for las los the von".split())
_WORD = re.compile(r"[^\W\d_]{2,}")
_SENTENCE_ENDS = (".", ":", "!", "?", "…", ".”", ".»", '."', ".)")
_LEAST_WIDTH = 34
_FULL = 0.72
"""Share of the page's usual line length from which a line is taken for full."""


def folded(text: str, width: int = 0) -> str:
    """One paragraph or other unit per line, blocks apart by one empty line, spaces folded.

    `width` is the usual length of a line in characters; 0 takes it from the text. Between a
    paragraph of several lines and what follows stands an empty line too, so folding twice changes
    nothing.
    """
    lines = [_LEADER.sub(" ... ", " ".join(line.split())).strip() for line in text.split("\n")]
    width = width or usual_width(lines)
    units: list[list[str]] = []
    parted = False
    for line in lines:
        if not line:
            parted = bool(units)
            continue
        bare = bool(units) and _is_bare_bullet(units[-1]) and not _ITEM.match(line)
        if units and (bare or (not parted and goes_on(units[-1][-1], line, width))):
            units[-1].append(line)
            parted = False
            continue
        if parted:
            units.append([])
        units.append([line])
        parted = False
    return "".join(_separated(units)).strip()


def _is_bare_bullet(unit: Sequence[str]) -> bool:
    """A bullet that was drawn apart from its text."""
    return len(unit) == 1 and unit[0] in _ROUND_BULLETS


def _separated(units: Sequence[Sequence[str]]) -> Iterator[str]:
    before: Sequence[str] = ()
    for unit in units:
        if not unit:
            yield "\n\n"
        elif before:
            apart = max(len(before), len(unit)) > 1 and not _starts_anew(unit[0])
            yield "\n\n" if apart and not _stands_alone(before[-1]) else "\n"
        yield " ".join(unit)
        before = unit


def _starts_anew(line: str) -> bool:
    return _ITEM.match(line) is not None or _stands_alone(line)


def usual_width(lines: Sequence[str]) -> int:
    """Length that the longer lines of prose have."""
    lengths = sorted(
        len(line) for line in lines if len(line) >= _LEAST_WIDTH and _kind(line) == "prose"
    )
    return lengths[len(lengths) * 3 // 4] if lengths else 2 * _LEAST_WIDTH


def goes_on(line: str, following: str, width: int) -> bool:
    """Whether the paragraph of `line` goes on in `following`, the next line of the block."""
    if _starts_anew(following) or _stands_alone(line):
        return False
    here, there = _kind(line), _kind(following)
    if here == "other" or there == "other":
        return False
    lower = following[0].islower()
    if lower and here in ("prose", "words") and not line.endswith((".", ":", "!", "?")):
        return here == "prose" or there in ("prose", "words")
    if _is_names(line) and (following[0].isdigit() or _is_names(following)):
        return False
    full = len(line) >= _FULL * width
    return full and here != "words" and (lower or there != "mixed" or not _ends(line))


def _is_names(line: str) -> bool:
    """Mostly capitalised words: authors, institutions, headings."""
    words = [word for word in _WORD.findall(line[:400]) if len(word) > 2 and word not in _LINKS]
    capitalised = sum(1 for word in words if word[0].isupper())
    return capitalised >= 0.7 * len(words)


def runs_on(line: str, following: str) -> bool:
    """Whether a sentence plainly goes on from the end of a page to the top of the next."""
    return (
        following[:1].islower()
        and _kind(line) == "prose"
        and _kind(following) in ("prose", "words")
        and not _ends(line)
        and not _ITEM.match(following)
        and not _stands_alone(line)
        and not _stands_alone(following)
    )


def _ends(line: str) -> bool:
    return line.endswith(_SENTENCE_ENDS)


def _stands_alone(line: str) -> bool:
    if _CODE.match(line) or " ... " in line or line.endswith(" ..."):
        return True
    return _kind(line) == "words" and _ASSIGNMENT.search(line) is not None


def _kind(line: str) -> _Kind:
    """`prose`: several words and little else; `words`: few words; `mixed`: formulas among words."""
    words = _WORD.findall(line[:400])
    letters = sum(len(word) for word in words)
    share = letters / max(1, sum(1 for char in line[:400] if char != " "))
    if share >= 0.7:
        return "prose" if len(words) >= 4 else "words"
    return "mixed" if share >= 0.4 and len(words) >= 3 else "other"
