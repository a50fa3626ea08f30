"""The Markdown of answers: formulas readable, links inert, and marks as what can be pressed.

A mark is written into the text as characters of a private area, which nothing else can bring in:
`plain` takes them out of whatever a model or a file says.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from operator import itemgetter

from markdown_it import MarkdownIt
from markdown_it.rules_core import StateCore
from markdown_it.rules_inline import StateInline
from markdown_it.token import Token
from mdit_py_plugins.dollarmath import dollarmath_plugin
from mdit_py_plugins.texmath import texmath_plugin

from tutor.model import Answer, Citation, WebCitation
from tutor.model.marks import Labels, marked_text
from tutor.presentation.answers import source_lines
from tutor.text.markdown import quoted_and_own
from tutor.text.terminal import plain
from tutor.text.tex import readable_formula

_FENCE = re.compile(r"\s*(?:`{3,}|~{3,})\s*$")
_ITEM = re.compile(r"[ \t]*(?:[-*+•]|\d{1,9}[.)]) +")
"""What makes a line an item of a list; it has to begin the line."""
_NEW_PARAGRAPH = "\n\n"
OPENS = "\ue000"
CLOSES = "\ue001"
BEST_OPENS = "\ue002"
BEST_CLOSES = "\ue003"
"""Around the sentence of a quote that answers best."""
_BEST = re.compile(f"([{BEST_OPENS}{BEST_CLOSES}])")
_MARK = re.compile(f"{OPENS}(\\d+){CLOSES}")
_BEHIND_ROW = re.compile(f"(\\|[ \\t]*)((?:[ \\t]*{OPENS}\\d+{CLOSES})+)[ \\t]*$", re.MULTILINE)
_BULLET = re.compile(r"^([ \t]*)•(?=[ \t])", re.MULTILINE)
"""What begins an item of a list in notes, but not in Markdown."""
_STARRED = re.compile(r"(?<!\w)(?:(?<!\*)|(?<=\*\*))\w\*(?:(?![\w*])|(?=\*\*(?!\*)))")
"""A letter with a star that is part of its name, as in A*."""
_GOES_ON = tuple(f" {sign}" for sign in "=≈≔<>≤≥+−⋅×")
_INERT = "link image autolink linkify html_inline html_block reference entity".split()
"""What a model's text must not do: lead anywhere, or smuggle characters in."""


@dataclass(frozen=True, slots=True)
class Mark:
    """A mark behind a `sentence` that ends at `end`; nothing supports it if `citation` is None."""

    label: str
    sentence: str
    end: int
    citation: Citation | WebCitation | None


def readable(text: str) -> str:
    """Text of an answer without anything but text in it."""
    return plain(text.expandtabs(4))


def written(place: int, after: str = "") -> str:
    """The mark of that place in an answer's list, as it stands in the text `after` something.

    Behind a block of code it begins a paragraph: the line that ends the block has to end there.
    """
    line = after[after.rfind("\n") + 1 :]
    return f"{_NEW_PARAGRAPH if _FENCE.match(line) else ' '}{OPENS}{place}{CLOSES}"


def marks_of(answer: Answer) -> list[Mark]:
    """All marks of a finished answer, in the order of its sentences."""
    placed: list[tuple[int, int, Citation | WebCitation | None]] = []
    placed += [(c.end, c.start, c) for c in (*answer.citations, *answer.nearest)]
    placed += [(c.end, c.start, c) for c in answer.web_citations]
    placed += [(end, start, None) for start, end in answer.unsupported]
    labels = Labels()
    return [
        Mark(labels.of(citation), readable(answer.text[start:end]), end, citation)
        for end, start, citation in sorted(placed, key=itemgetter(0, 1))
    ]


def marked(text: str, marks: list[Mark], own_start: int = 0) -> str:
    """The answer's text with its marks written in, and what is best of its quotes.

    Before `own_start` it is what the notes say, from there on what a model wrote.
    """
    put: list[tuple[int, str]] = []
    for place, mark in enumerate(marks):
        if isinstance(mark.citation, Citation) and any(mark.citation.best):
            start, end = mark.citation.best
            put += [(start + _item_width(text[start:end]), BEST_OPENS), (end, BEST_CLOSES)]
        end = len(text[: mark.end].rstrip())
        put.append((end, written(place, text[:end])))
    pieces, position = [], 0
    for end, sign in [*sorted(put, key=itemgetter(0)), (len(text), "")]:
        pieces += [readable(quoted_and_own(text, own_start, position, end)), sign]
        position = end
    return "".join(pieces)


def best(text: str) -> str:
    """A sentence of a quote that answers best, as it stands among others."""
    at = _item_width(text)
    return f"{text[:at]}{BEST_OPENS}{text[at:]}{BEST_CLOSES}"


def _item_width(text: str) -> int:
    item = _ITEM.match(text)
    return item.end() if item else 0


def cited_text(question: str, answer: Answer) -> str:
    """The question, the answer with its marks, and what they stand for."""
    return "\n".join([question, "", marked_text(answer), "", *source_lines(answer)]).strip()


# --- how it is read ---


def answer_parser(label: Callable[[int], str]) -> MarkdownIt:
    r"""A parser for answers; `label` gives the mark of a place its text.

    It knows formulas as `$…$`, `$$…$$`, `\(…\)` and `\[…\]`, which come out as text.
    """
    parser = MarkdownIt("gfm-like", {"linkify": False}).disable(_INERT, ignoreInvalid=True)

    def as_markdown(state: StateCore) -> None:
        state.src = _BULLET.sub(r"\1-", _BEHIND_ROW.sub(r"\2 \1", state.src))

    def with_marks(state: StateCore) -> None:
        for token in state.tokens:
            if token.type in {"fence", "code_block"}:
                token.content = _BEST.sub("", _MARK.sub("", token.content))
            token.children = [
                piece
                for child in _emphasised(_going_on(token.children or []))
                for piece in _split(child, label)
            ] or token.children

    parser.core.ruler.before("block", "as_markdown", as_markdown)
    parser.inline.ruler.before("emphasis", "starred", _starred)
    texmath_plugin(parser, delimiters="brackets")
    dollarmath_plugin(parser, allow_space=False, allow_digits=False, double_inline=True)
    parser.core.ruler.push("readable_formulas", _with_readable_formulas)
    parser.core.ruler.push("marks", with_marks)
    return parser


def _starred(state: StateInline, silent: bool) -> bool:
    """Take the star of a name like A* for a letter: it neither begins nor ends an emphasis."""
    if state.src[state.pos] != "*" or not _STARRED.match(state.src, max(state.pos - 1, 0)):
        return False
    if not silent:
        state.pending += "*"
    state.pos += 1
    return True


def _with_readable_formulas(state: StateCore) -> None:
    tokens: list[Token] = []
    for token in state.tokens:
        if token.type.startswith("math_block"):
            text = Token("text", "", 0, content=readable_formula(token.content))
            tokens += [
                Token("paragraph_open", "p", 1, map=token.map, level=token.level),
                Token("inline", "", 0, children=[text], content=text.content),
                Token("paragraph_close", "p", -1, level=token.level),
            ]
            continue
        for child in token.children or []:
            if child.type.startswith("math_inline"):
                child.type, child.content = "text", readable_formula(child.content)
        tokens.append(token)
    state.tokens = tokens


def _going_on(tokens: Sequence[Token]) -> Sequence[Token]:
    """Tokens of a paragraph, in which a line that ends with a sign of a formula goes on."""
    for before, token in pairwise(tokens):
        if token.type == "softbreak" and before.content.endswith(_GOES_ON):
            token.type, token.content = "text", " "
    return tokens


def _emphasised(tokens: Sequence[Token]) -> Iterator[Token]:
    """Tokens of a line, with what stands between the signs in bold as far as the line goes."""
    strong = {True: Token("strong_open", "strong", 1), False: Token("strong_close", "strong", -1)}
    is_open = False
    for token in tokens:
        if token.type != "text":
            token.content = _BEST.sub("", token.content)
            yield token
            continue
        for piece in _BEST.split(token.content):
            if piece in {BEST_OPENS, BEST_CLOSES}:
                if is_open != (piece == BEST_OPENS):
                    is_open = not is_open
                    yield strong[is_open]
            elif piece:
                yield Token("text", "", 0, content=piece)
    if is_open:
        yield strong[False]


def _split(token: Token, label: Callable[[int], str]) -> Iterator[Token]:
    """A text as text and marks, a line break as one; anything else as it is."""
    if token.type == "softbreak":
        token.type = "hardbreak"
    if token.type not in {"text", "code_inline"} or OPENS not in token.content:
        yield token
        return
    if token.type != "text":  # code has no marks within, but behind it
        marks = _MARK.findall(token.content)
        token.content = _MARK.sub("", token.content).rstrip()
        yield token
        token = Token("text", "", 0, content="".join(f" {OPENS}{mark}{CLOSES}" for mark in marks))
    for part, piece in enumerate(_MARK.split(token.content)):
        if part % 2:
            yield Token("link_open", "a", 1, attrs={"href": f"mark-{piece}"})
            yield Token("text", "", 0, content=label(int(piece)))
            yield Token("link_close", "a", -1)
        elif piece:
            yield Token("text", "", 0, content=piece)
