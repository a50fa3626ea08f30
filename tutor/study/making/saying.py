"""Whether what is said of a term tells what it is, and whether it gives the term away."""

from __future__ import annotations

import re

from tutor.map.definitions import Cue
from tutor.map.wording import key_words
from tutor.text.folding import folded
from tutor.text.paragraphs import IN_BRACKETS
from tutor.text.words import STOP_WORDS_OF_BOTH

_EXAMPLE = re.compile(
    r"(?:por ejemplo|p\. ?ej|ej(?:emplos?)?[.:]|for example|e\.g\.)", re.IGNORECASE
)
_NO_HEAD = re.compile(
    r"(?:(?:por|a|en|de|con|sobre|para|desde) (?:el|la|los|las|lo) (?:que|cual(?:es)?)"
    r"|al que|del que|que|by which|in which|which|that)\s",
    re.IGNORECASE,
)
"""A clause whose noun stands elsewhere."""
_PART = r"(?:parte|pieza|elemento|part|piece)"
_TOLD_FROM_OTHERS = (
    rf"(?:(?:la|el|the) {_PART} (?:(?:del?|of)\b|\w+ (?:del?|of) (?=.* (?:que|that) ))"
    rf"|(?:una?|an?) {_PART} (?:de una?|of an?)\b"
    rf"|(?:una?|la|el|an?|the) (?:{_PART} (?:que|that|m[aá]s|menos|mayor|menor)"
    r"|(?:herramienta|opci[oó]n|tool|option) (?:del?|que|for|of|that)(?! (?:gran|much|great)))\b)"
)
"""A class as wide as a tool is one where it is said which."""
_NO_CLASS = re.compile(
    rf"(?!{_TOLD_FROM_OTHERS})"
    r"(?:una?|el|la|los|las|a|an|the)\s(?:que|de|m[aá]s|mayor|menor|mejor|peor|primer[oa]?|[uú]nic[oa]"
    r"|claro|buen[oa]?|gran|excelente|aspecto|elemento|factor|pilar|pieza|opci[oó]n"
    r"|herramienta|ejemplo|caso|parte|[uú]ltim[oa]|siguientes?|aspect|key|good|great|example|option"
    r"|tool|one|part)\b"
    r"|(?:una?|unos|unas|one) (?:de|of)\b"
    r"|(?:\S+\s){1,3}(?:f[aá]cil(?:es)?|clave|fundamental(?:es)?|importantes?|adecuad[oa]s?"
    r"|poderos[oa]s?|fascinantes?)\b",
    re.IGNORECASE,
)
"""How a sentence goes on that praises, and names no class of things that something is one of."""
_ANNOUNCES = re.compile(
    r"\b(?:dos|tres|cuatro|cinco|seis|two|three|four|five|\d) \w+(?: \w+)?\.\Z", re.IGNORECASE
)
"""How it ends where what it is comes only below."""
_IF = re.compile(
    r"(?:una?|an?)\s(?:(?!que\s|that\s)\S+\s){1,4}?(?:si|cuando|if|when)\s"
    r"|.*\b(?:por (?:lo )?tanto|therefore|hence)\b",
    re.IGNORECASE | re.DOTALL,
)
"""How it goes on where something is that only on a condition, "Un X es un Y si …", or where the
sentence draws a conclusion.
"""
_KIND = re.compile(r"(?:tipo|clase|forma|caso|kind|type|form|case)\b", re.IGNORECASE)
_NAMES_ONE = re.compile(
    r"(?:una?|el|la|an?|the)\s(?:\S+\s){0,2}\S+, (?:que|(?:el|la) cual|which)\s", re.IGNORECASE
)
"""What a sentence is about that begins with its kind: "Un tipo de préstamo es el calco, que …"."""
_NO_TERM = re.compile(r"\b(?:ejemplos?|un[oa] de|es|son|examples?|one of|is|are)\b", re.IGNORECASE)
_ARROW = re.compile(r"-+>|[→⇒]")
_EQUALS = re.compile(r"[^\W\d_]{3,} = [^\W\d_]{3,}")
_SHORT = 12
"""Words; what is shorter and has an arrow is a note to oneself."""
_HANGS = re.compile(
    r"\b(?:del?|tras|of|after)(?: (?:el|la|los|las|the))?\s\Z",
    re.IGNORECASE,
)
_AND_SO_ON = re.compile(r"\b(?:etc|etcétera|and so on)\.?\Z", re.IGNORECASE)
_FEWEST_NAMES = 4
_LONGEST_NAME = 3
"""Words."""
_SUBJECT = re.compile(
    r"(?:el|la|los|las|una?|the|an?) \w+ (?:del?|of)(?: (?:la|las|los|the))? ", re.IGNORECASE
)
"""What stands before a term that is the subject of its sentence: "El algoritmo de …"."""
_ACRONYM = re.compile(r"[A-Z][A-Za-z]{0,5}[A-Z]")
_WORD = re.compile(r"\w+")
_STEM = 5
_SHORTEST_WORD = 2


def defines(term: str, said: str, form: Cue, named: str = "") -> bool:
    """Whether it tells what the term is: no example, no half sentence, no circle.

    `named` is a term with its article, in a sentence that says what it is.
    """
    if form in (Cue.FORMAL, Cue.THEOREM):
        return True
    bare = IN_BRACKETS.sub("", said)
    arrow = "=" not in bare and _ARROW.search(bare) is not None
    in_note_form = len(bare.split()) < _SHORT and (arrow or _EQUALS.search(bare) is not None)
    if form is Cue.SAYS and (
        _NO_CLASS.match(said)
        or _IF.match(said)
        or (_KIND.match(term) and _NAMES_ONE.match(said))
        or _ANNOUNCES.search(said)
        or _NO_TERM.search(named)
    ):
        return False
    return not (
        _EXAMPLE.match(said)
        or _are_examples(said)
        or (form is Cue.LABEL and _NO_HEAD.match(said))
        or in_note_form
        or _is_circular(term, bare)
    )


def _are_examples(said: str) -> bool:
    """Whether only names of things stand there, and more could."""
    names = said.split(", ")
    return (
        len(names) >= _FEWEST_NAMES
        and _AND_SO_ON.search(said) is not None
        and all(len(name.split()) <= _LONGEST_NAME for name in names)
    )


def _is_circular(term: str, said: str) -> bool:
    """Whether the first sentence explains a term by itself: "the CPI is the sum of the CPI …"."""
    stems = [word[:_STEM] for word in key_words(term) if len(word) > _SHORTEST_WORD]
    first = said.split(". ", maxsplit=1)[0]
    places = [
        next((w.start() for w in _WORD.finditer(first) if folded(w[0]).startswith(stem)), -1)
        for stem in stems
    ]
    if not places or min(places) < 0:
        return False
    before = first[: min(places)]
    return _HANGS.search(before) is not None and not _SUBJECT.fullmatch(before)


def spells(said: str, term: str) -> bool:
    """Whether words in a row begin with the letters of an acronym: "Parent Process ID" of PPID."""
    acronym = term.removesuffix("s")
    if not _ACRONYM.fullmatch(acronym):
        return False
    words = _WORD.findall(said)
    short = [word for word in words if folded(word) not in STOP_WORDS_OF_BOTH]
    return any(acronym.upper() in _runs_of_initials(row) for row in (words, short))


def _runs_of_initials(words: list[str]) -> set[str]:
    """The initials of words in a row, from each word on; of an acronym all its letters."""
    parts = [word if word.isupper() else word[0].upper() for word in words]
    longest = 6
    return {
        "".join(parts[start : start + n])
        for start in range(len(parts))
        for n in range(2, longest + 1)
    }
