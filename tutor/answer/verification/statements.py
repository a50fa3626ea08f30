"""An answer's Markdown, cut into what can be true or false, and the rest."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from tutor.answer.verification.formulas import MATHS, is_formula
from tutor.answer.verification.remarks import is_remark
from tutor.text.sentences import split_sentences, trimmed
from tutor.text.terms import content_words

_BLOCK = re.compile(
    r"(?P<code>^[ \t]*(?P<fence>```+|~~~+).*?(?:^[ \t]*(?P=fence)[ \t]*$|\Z))"
    r"|(?P<maths>^[ \t]*(?:\$\$.+?\$\$|\\\[.+?\\\])[ \t.,;]*$)"
    r"|(?P<line>^[^\n]+$)",
    re.DOTALL | re.MULTILINE,
)
_ITEM = re.compile(r"[ \t]*(?:>[ \t]?)*(?:[-*+•][ \t]+|\(?\d{1,3}[.)][ \t]+|\(?[a-z]\)[ \t]+)?")
_IS_ITEM = re.compile(r"[ \t]*(?:[-*+•]|\(?\d{1,3}[.)]|\(?[a-z]\))[ \t]+")
_HEADING = re.compile(r"[ \t]*(?:#{1,6}[ \t]+.*|(\*\*|__)[^*_\n]+\1:?|[-=*_ \t]{3,})\s*")
_RULE = re.compile(r"[ \t]*\|?[ \t:|-]*-[ \t:|-]*\|?[ \t]*")
_EDGE = " \t*_"


@dataclass(frozen=True, slots=True)
class AnswerPart:
    """`text[start:end]` of the answer; `claims` tells what can be true or false from the rest.

    `context` is the line that a list item or a formula follows, which often has its subject.
    """

    start: int
    end: int
    claims: bool
    context: str = ""


def parts(text: str) -> list[AnswerPart]:
    """The sentences, list items, table rows and formulas of an answer, in order, apart."""
    found: list[AnswerPart] = []
    lead = ""
    for block in _blocks(text):
        start, end, kind = block
        content = text[start:end]
        if kind == "code" or _HEADING.fullmatch(content) or _RULE.fullmatch(content):
            found += _trimmed(text, start, end, claims=False)
            lead = content if kind != "code" else lead
            continue
        item = _IS_ITEM.match(content) is not None or kind == "maths" or "|" in content[:1]
        found += _of_block(text, block, lead if item else "")
        lead = lead if item else content
    return found


def plain(text: str) -> str:
    """Markdown as it reads: no emphasis, no code marks, no links, cells apart."""
    text = re.sub(r"!?\[([^\]\n]*)\]\([^)\s]+\)", r"\1", text)
    pieces, position = [], 0
    for formula in MATHS.finditer(text):
        pieces += [_unmarked(text[position : formula.start()]), formula[0]]
        position = formula.end()
    return re.sub(r"\s+", " ", "".join([*pieces, _unmarked(text[position:])])).strip()


def _unmarked(text: str) -> str:
    text = re.sub(r"\*\*|__|`", "", text)
    text = re.sub(r"(?<!\w)[*_](?=\S)|(?<=[^\s\w])[*_](?!\w)|(?<=[a-z.]{2})[*_](?!\w)", "", text)
    return text.replace("|", " | ")


def _blocks(text: str) -> Iterator[tuple[int, int, str]]:
    """Fenced code, display formulas, lines of lists and tables, and paragraphs."""
    begin = end = -1
    for match in _BLOCK.finditer(text):
        kind = match.lastgroup or "line"
        kind = "code" if match["code"] else "maths" if match["maths"] else "line"
        content = match[0]
        alone = kind != "line" or not content.strip() or _stands_alone(content)
        joined = (
            begin >= 0
            and not alone
            and not text[end : match.start()].strip("\n\r")
            and (text.count("\n", end, match.start()) <= 1)
        )
        if joined:
            end = match.end()
            continue
        if begin >= 0:
            yield begin, end, "line"
        begin, end = (match.start(), match.end()) if content.strip() else (-1, -1)
        if alone and begin >= 0 and (kind != "line" or not _IS_ITEM.match(content)):
            yield begin, end, kind
            begin = end = -1
    if begin >= 0:
        yield begin, end, "line"


def _stands_alone(line: str) -> bool:
    return (
        _IS_ITEM.match(line) is not None
        or _HEADING.fullmatch(line) is not None
        or line.lstrip().startswith("|")
    )


def _of_block(text: str, block: tuple[int, int, str], lead: str) -> Iterator[AnswerPart]:
    start, end, kind = block
    marker = _ITEM.match(text, start, end)
    start = marker.end() if marker else start
    content = text[start:end]
    row = content.startswith("|")
    spans = [(0, len(content))] if kind == "maths" or row else split_sentences(content)
    for begin, stop in spans:
        sentence = content[begin:stop]
        claims = not (row and _is_header(text, end)) and _claims(sentence)
        yield from _trimmed(text, start + begin, start + stop, claims=claims, context=lead)


def _is_header(text: str, end: int) -> bool:
    following = text[end:].lstrip("\r\n").split("\n", 1)[0]
    return bool(following.strip()) and _RULE.fullmatch(following) is not None


def _claims(sentence: str) -> bool:
    words = plain(sentence)
    if is_remark(words):
        return False
    return bool(content_words(words)) or is_formula(words) or re.search(r"\d", words) is not None


def _trimmed(
    text: str, start: int, end: int, *, claims: bool, context: str = ""
) -> Iterator[AnswerPart]:
    start, end = trimmed(text, start, end)
    if text[start:end].strip(_EDGE + "|"):
        yield AnswerPart(start, end, claims, plain(context))
