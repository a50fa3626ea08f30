"""Takes the citation markers out of a model's text: it is decided elsewhere what is cited."""

from __future__ import annotations

import re

from tutor.answer.verification.formulas import MATHS

_FENCE = re.compile(r"^(?P<fence>```+|~~~+).*?(?:^(?P=fence)[ \t]*$|\Z)", re.DOTALL | re.MULTILINE)
_CODE = re.compile(r"(?<!`)(`+)(?!`).+?(?<!`)\1(?!`)", re.DOTALL)
_NESTED = re.compile(r"\[\s*\[[^\n]*?\]\s*\]")
"""A matrix row by row."""
_LINK = re.compile(r"\[[^\]\n]*\]\([^)\s]+\)")
_NUMBERS = r"[Ww]?\d{1,2}(?:\s*[,;–-]\s*[Ww]?\d{1,2})*"
_NOUN = (
    r"(?:ver |véase |según |see )?(?:el |los |the )?"
    r"(?:pasajes?|passages?|fuentes?|sources?|documentos?|documents?|ref\.?)"
)
_NAMED = rf"{_NOUN}\s*(?:n[.º°o]*\s*|#)?{_NUMBERS}(?:\s*(?:y|e|and|&)\s*{_NUMBERS})*"
_BRACKETED = (
    # An index (a[1], x[0]) touches its name, an interval ([0, 1]) is spoken of as one.
    rf"\[(?:{_NAMED}|{_NUMBERS})\]|【[^】\n]{{1,40}}】|\((?:{_NAMED})\)|\[\^{_NUMBERS}\]"
)
_MARKERS = re.compile(
    rf"(?P<before>[^\S\n]*)(?P<markers>(?:{_BRACKETED})(?:\s?[,;]?\s?(?:{_BRACKETED}))*)",
    re.IGNORECASE,
)
_LABEL = re.compile(
    r"^[^\S\n]*(?:[-*+]\s+|[*_]|#{1,6}\s+)*(?:fuentes?|referencias?|citas?|sources?|references?"
    r"|citations?|bibliograf[ií]a)[*_]{0,2}\s*:?[*_]{0,2}[^\S\n]*(?P<rest>[^\n]*)$",
    re.IGNORECASE | re.MULTILINE,
)
_LISTED = re.compile(
    rf"(?:[-*+]|\d{{1,2}}[.)])?\s*(?:(?:{_BRACKETED}|{_NAMED})[^\n]*|[^\n]*\.pdf\b[^\n]*)?",
    re.IGNORECASE,
)
_IS_INTERVAL = re.compile(
    r"(?:[∈=∪∩×([{<>+\-−/]|(?<!\*)\*|\b(?:intervalo?s?|rango|range|entre|vector(?:es)?|lista|list|array"
    r"|matri[xz]|a|en|in|de|of|is|es|to|es igual a|por|by|salida|entrada|como|valor(?:es)?"
    r"|values?)(?: (?:cerrado|closed|real|unitario))?)\s*\Z",
    re.IGNORECASE,
)


def strip_markers(raw: str) -> str:
    """The text without the markers (`[1]`, `(pasaje 2)`, `【1】`) and lists of sources in it.

    Code, formulas, indices such as `a[1]`, intervals such as `[0, 1]` and links stay.
    """
    raw = _without_sources(raw)
    kept = _protected(raw)
    pieces, position = [], 0
    for match in _MARKERS.finditer(raw):
        if _touches(match.start(), match.end(), kept) or not _is_marker(raw, match):
            continue
        pieces.append(raw[position : match.start()])
        position = match.end()
        if position < len(raw) and raw[position].isalnum() and pieces[-1][-1:].strip():
            pieces.append(match["before"])
    return "".join([*pieces, raw[position:]]).strip()


def _is_marker(raw: str, match: re.Match[str]) -> bool:
    """Whether brackets around numbers are a marker, and no index and no interval."""
    inner = match["markers"]
    if not re.fullmatch(rf"\[{_NUMBERS}\](?:\s?\[{_NUMBERS}\])*", inner, re.IGNORECASE):
        return True
    begin = match.start("markers")
    before = raw[max(0, begin - 40) : begin]
    touching = not match["before"]
    if raw[match.end() : match.end() + 1] in ("[", "("):
        return False
    if touching and re.search(r"(?:^|[^\w])[A-Za-z_]\w?\^?(?:\[\w+\])*\Z|[_\])]\Z", before):
        return False
    pair = re.fullmatch(r"\[\s*(\d+)\s*[,;]\s*(\d+)\s*\]", inner)
    if pair and (int(pair[1]) == 0 or _IS_INTERVAL.search(before)):
        return False
    zero = re.fullmatch(r"\[0(?:\s*,.*)?\]", inner) is not None
    operator = re.search(r"(?:[∈=∪∩×<>+/]|(?<!\*)\*)\s*\Z", before) is not None
    return not zero and not operator


def _without_sources(raw: str) -> str:
    """Without the lines at its end that only list sources."""
    kept = _protected(raw)
    for match in reversed(list(_LABEL.finditer(raw))):
        rest = [match["rest"], *raw[match.end() :].split("\n")]
        if _touches(match.start(), match.end(), kept) or not any(map(str.strip, rest)):
            continue
        if all(_only_source(line) for line in rest):
            raw = raw[: match.start()].rstrip()
    return raw


def _only_source(line: str) -> bool:
    return not line.strip(" \t.*_-") or _LISTED.fullmatch(line.strip()) is not None


def _protected(raw: str) -> list[tuple[int, int]]:
    """Spans of code, formulas and links."""
    return [
        match.span()
        for pattern in (_FENCE, _CODE, MATHS, _LINK, _NESTED)
        for match in pattern.finditer(raw)
    ]


def _touches(start: int, end: int, spans: list[tuple[int, int]]) -> bool:
    return any(start < right and left < end for left, right in spans)
