"""Lines of the display text: which make one paragraph, and what each row of a table says."""

from __future__ import annotations

import re
from itertools import zip_longest
from typing import Literal, TypeAlias

Kind: TypeAlias = Literal["prose", "words", "mixed", "other"]

ROUND_BULLETS = "•◦▪‣●○■□▸▹►➢➤❒❑❖"
BULLETS = ROUND_BULLETS + "✓✔»→⇒⇐"
ITEM = re.compile(
    rf"[{BULLETS}]|[-–—*+] |\(?\d{{1,3}}[.)] |\(?[a-zA-Z][.)] |\(?[ivxIVX]{{1,5}}[.)] "
    r"|\d{1,2}(?:\.\d{1,2}){1,4}\.? |\[\d{1,3}\] "
)
CODE = re.compile(
    r"#|>>>|%|//|\\|[{}]\Z|.*(?:<-|%>%|[{}]\Z|==|!=|\w\(\)|\w\([^()]*\w = |[$]\w)"
    r"|(?=.*(?:[=+*<>\[\]\"'_&|\\]|\w\()).*;\Z"
    r"|import [\w.]{1,80}(?: as \w{1,40})?\Z|from [\w.]{1,80} import "
    r"|(?:def|class|import|from|return|for|while|if|else|elif|library|print)\b ?[\w(\"'].*[:()]\Z"
)
CAPTION = re.compile(
    r"(?:Tabla|Cuadro|Figura|Fig\.|Gr[aá]fico|Ilustraci[oó]n|Table|Figure)\s\d+(?:\.\d+)*[.:]",
    re.IGNORECASE,
)
_NUMBER = re.compile(r"(?:\d+(?:\.\d+)*(?:\.\s*|\s+)(?:\d+(?:\.\d+)*[.:)]\s+)?|[IVX]+\.\s+)")
_PART = re.compile(r"\s*\((?:y\s+)?[IVX\d]+\)$")
"""Behind a heading that goes on: "Árboles (II)"."""
_ASSIGNMENT = re.compile(r"\w = \w")
LEADER = re.compile(r" ?[.…](?: ?[.…]){4,} ?")
_LINKS = frozenset("and del des for las los the von".split())
_WORD = re.compile(r"[^\W\d_]{2,}")
_SENTENCE_ENDS = (".", ":", "!", "?", "…", ".”", ".»", '."', ".)")
_OPEN_END = re.compile(
    r"\b(?:de|del|al|las?|los|el|en|con|por|para|una?|y|que|se|sus?|como|entre|sobre|sin"
    r"|the|of|and|to|in|for|with)\Z"
)
_RELATION = re.compile(r"[=<>≤≥≠≈≡∈∉→⇒⇔⟹⟺←↦∼∝⊢⊨⊆⊂≔+∑∏∫√∀∃]|[⁰¹²³⁴-₎]")
_LETTER = "[A-Za-zÁÉÍÓÚÑáéíóúñü]"
_LONG_WORD = re.compile(rf"(?<!{_LETTER})(?<!\b\w_)(?<!\b\w_\(){_LETTER}{{4,}}")
"""Not what stands below a symbol: "T_server", "r_(total)"."""
_LONGEST_FORMULA = 240
_MOST_NAMED = 4
"""Words that name what a fraction is."""
IN_BRACKETS = re.compile(r"\([^()]*\)")
CELL_SEPARATOR = " | "
"""Stands between the cells of a row; where a cell is empty, two bars follow each other."""
_BAR = re.compile(r"(?<!\S)\|(?!\S)")
BETWEEN_CELLS = " · "
_OF_A_MONTH = re.compile(
    r"de (?:enero|febrero|marzo|abril|mayo|junio|julio|agosto|sep?tiembre|octubre|noviembre"
    r"|diciembre)\b",
    re.IGNORECASE,
)
"""Behind a number that is a day."""


def unnumbered(heading: str) -> str:
    """A heading without its number: what its section is about."""
    number = _NUMBER.match(heading)
    if number and not _OF_A_MONTH.match(heading, number.end()):
        heading = heading[number.end() :]
    return _PART.sub("", heading).strip(" .:")


def starts_anew(line: str) -> bool:
    """An item of a list, or code: no line before it goes on in it."""
    return ITEM.match(line) is not None or stands_alone(line)


def goes_on(line: str, following: str) -> bool:
    """Whether a paragraph goes on in the next line of its block: in words, and in no new item."""
    in_words = "other" not in (kind_of(line), kind_of(following))
    return in_words and not starts_anew(following) and not stands_alone(line)


def is_names(line: str) -> bool:
    """Mostly capitalised words: authors, institutions, headings."""
    words = [word for word in _WORD.findall(line[:400]) if len(word) > 2 and word not in _LINKS]
    capitalised = sum(1 for word in words if word[0].isupper())
    return capitalised >= 0.7 * len(words)


def runs_on(line: str, following: str) -> bool:
    """Whether a sentence plainly goes on from the end of a page to the top of the next."""
    return (
        following[:1].islower()
        and kind_of(line) == "prose"
        and kind_of(following) in ("prose", "words")
        and not ends_sentence(line)
        and not ITEM.match(following)
        and not stands_alone(line)
        and not stands_alone(following)
    )


def ends_sentence(line: str) -> bool:
    """Whether a sentence, or what opens a list, ends with the line."""
    return line.endswith(_SENTENCE_ENDS)


def breaks_off(line: str) -> bool:
    """Whether a line ends with a word that something has to follow: "de la", "que"."""
    return _OPEN_END.search(line) is not None


def stands_alone(line: str) -> bool:
    """Code, an assignment, or a line of a table of contents."""
    if CODE.match(line) or " ... " in line or line.endswith(" ..."):
        return True
    return kind_of(line) == "words" and _ASSIGNMENT.search(line) is not None


def kind_of(line: str) -> Kind:
    """`prose`: several words and little else; `words`: few words; `mixed`: formulas among words."""
    words = _WORD.findall(line[:400])
    letters = sum(len(word) for word in words)
    share = letters / max(1, sum(1 for char in line[:400] if char != " "))
    if share >= 0.7:
        return "prose" if len(words) >= 4 else "words"
    return "mixed" if share >= 0.4 and len(words) >= 3 else "other"


def is_formula(text: str) -> bool:
    """Relations and operators, and hardly a word but in fractions."""
    if len(text) > _LONGEST_FORMULA or not _RELATION.search(text):
        return False
    if _is_quotient(text):
        return True
    words = sum(len(word) for word in _LONG_WORD.findall(text))
    return words <= 0.3 * len(text.replace(" ", "")) and not ends_sentence(text[:-1])


def _is_quotient(text: str) -> bool:
    """Whether something equals a fraction, whose parts may be words: "d = (|diferencia|)/(sd)"."""
    left, _equals, right = text.partition(" = ")
    named = len(left.split()) <= _MOST_NAMED and ". " not in left and ": " not in left
    if not named or not ("/(" in right or ")/" in right):
        return False
    while right != (outside := IN_BRACKETS.sub("", right)):
        right = outside
    return not _LONG_WORD.search(right)


def joined_lines(text: str) -> str:
    """Words of a page in one line; formulas and items of lists keep theirs."""
    lines: list[str] = []
    for line in filter(None, map(str.strip, text.split("\n"))):
        apart = not lines or is_formula(line) or is_formula(lines[-1]) or ITEM.match(line)
        if apart:
            lines.append(line)
        else:
            lines[-1] += f" {line}"
    return "\n".join(lines)


def row_of(cells: list[str]) -> str:
    """A row of the display text. A bar within a cell loses the spaces around it."""
    plain = [_BAR.sub("|", cell).replace(CELL_SEPARATOR, "|") for cell in cells]
    return " ".join(CELL_SEPARATOR.join(plain).split())


def cells_of(row: str) -> list[str]:
    """The cells of a row of the display text; empty ones are empty texts."""
    return [cell.strip() for cell in _BAR.split(row)]


def labelled_rows(table: str) -> tuple[str, ...]:
    """The rows under the head, each cell with the head of its column before it.

    `table` has a row per line, the first one the head. Empty cells are left out, cells without a
    head stand alone: "Año: 1958 · Autor: Rosenblatt".
    """
    head, *rows = [cells_of(line) for line in table.split("\n")]
    return tuple(
        BETWEEN_CELLS.join(
            f"{name}: {cell}" if name else cell
            for name, cell in zip_longest(head, row, fillvalue="")
            if cell
        )
        for row in rows
    )
