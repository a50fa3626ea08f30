"""Whether what is said of a term tells what it is."""

from __future__ import annotations

import re

from tutor.map.definitions import Cue
from tutor.text.paragraphs import IN_BRACKETS

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


def defines(term: str, said: str, form: Cue, named: str = "") -> bool:
    """Whether it tells what the term is: no example, no half sentence.

    `named` is a term with its article, in a sentence that says what it is.
    """
    if form in (Cue.FORMAL, Cue.THEOREM):
        return True
    bare = IN_BRACKETS.sub("", said)
    arrow = "=" not in bare and _ARROW.search(bare) is not None
    in_note_form = len(bare.split()) < _SHORT and (arrow or _EQUALS.search(bare) is not None)
    if form is Cue.SAYS and (
        _NO_CLASS.match(said)
        or (_KIND.match(term) and _NAMES_ONE.match(said))
        or _ANNOUNCES.search(said)
        or _NO_TERM.search(named)
    ):
        return False
    return not (
        _EXAMPLE.match(said) or (form is Cue.LABEL and _NO_HEAD.match(said)) or in_note_form
    )
