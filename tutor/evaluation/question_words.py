"""What a question may be about, and how Spanish says it: articles, capitals, gender."""

from __future__ import annotations

import re

from tutor.grounding.words import content_words, fold

DEICTIC = frozenset(
    """este esta esto estos estas ese esa eso esos esas aquel aquella ello lo le les ellos ellas
    su sus cada otro otra otros otras ambos ambas primera primero primer segunda segundo tercera
    tercero ultimo ultima anterior siguiente aqui ahora entonces ademas tambien asi luego despues
    antes si cuando como donde en para con por sin segun desde hasta al del que quien cual ejemplo
    nota tabla figura ejercicio respuesta solucion pregunta pero y o ni no sea sean son solo
    it this that these those its their such here there then also if when for with we you he she
    they what which mismo misma mi nuestro nuestra todo toda todos todas usted uno yo tu
    mientras aunque salvo ahi aparte gran dos tres cuatro cinco seis siete ocho nueve diez dado
    dada dados dadas sino""".split()
)
_VAGUE = frozenset(
    fold(word)
    for word in """objetivo error problema idea solucion resultado metodo formula valor numero
    modelo ejemplo figura tabla desventaja ventaja diferencia meta razon causa motivo camino caso
    parte salida entrada respuesta pregunta clase tarea funcion proceso paso tipo forma manera
    sistema programa punto dato datos conjunto nombre regla tecnica algoritmo defecto valores
    consecuencia clave precio sintoma primera segunda primero segundo condicion propiedad
    detalle costo limite
    goal aim error problem idea result method value number model example answer question""".split()
)
_PRONOUN = re.compile(r"\w+r(?:lo|la|le|los|las|les|se)\b")
SYMBOL = re.compile(r"[^\w\s*'’«»+-]|[_α-ωΑ-Ω𝐀-𝟿ϕ]|\d{3,}|\b[B-DF-NP-XZb-df-np-xz]\b(?! ?\*)")


def names_something(subject: str) -> bool:
    """Whether a subject can be asked about without the sentences around it."""
    words = fold(subject).split()
    bare = words[1:] if words and words[0] in ARTICLES else words
    if not bare or len(bare) > 7 or SYMBOL.search(subject):
        return False
    telling = [word for word in content_words(subject) if word.stem]
    if (
        bare[0] in DEICTIC
        or _PRONOUN.search(fold(subject))
        or any(word in _POINTING for word in bare)
        or not telling
    ):
        return False
    return not (len(bare) == 1 and bare[0].rstrip("s") in _VAGUE_STEMS)


ARTICLES = frozenset("el la los las un una unos unas the a an".split())
_POINTING = frozenset(
    """este esta esto estos estas ese esa anterior siguiente que cual cuyo cuya this that these
    which no ya nunca tambien not never ejemplo es son fue ejercicio anteriores siguientes
    porque pues""".split()
)
_VAGUE_STEMS = frozenset(word.rstrip("s") for word in _VAGUE)


def is_vague(subject: str) -> bool:
    """Whether its noun says little by itself: "the problem of ..." is told, not defined."""
    words = fold(subject).split()
    definite = len(words) > 2 and words[0] in {"el", "la", "los", "las", "the"}
    return definite and words[1].rstrip("s") in _VAGUE_STEMS and words[2] in {"de", "del", "of"}


def article(name: str) -> str:
    """The article of a Spanish noun, where its ending tells; else nothing."""
    noun = fold(name).split()[0]
    if not name[0].islower() or noun.endswith("s"):
        return ""
    if noun.endswith(("a", "ion", "dad", "tad", "tud", "umbre", "triz")):
        return "el" if noun.endswith(("ema", "oma", "grama")) else "la"
    return "el" if noun.endswith(("o", "or", "al", "ente")) else ""


def lowered(name: str) -> str:
    """With a small first letter, unless it is a name or an acronym."""
    first, _space, rest = name.partition(" ")
    plain = fold(first)
    if plain in ARTICLES or (
        first[1:].islower() and (rest or len(first) > 3) and not _proper(rest)
    ):
        return name[0].lower() + name[1:]
    return name


def _proper(rest: str) -> bool:
    """Whether the next word is a name, too: "Naive Bayes", "Random Forest"."""
    return rest[:1].isupper()


def feminine(noun: str) -> bool:
    """Whether the ending of a Spanish plural tells that it is feminine."""
    return fold(noun).endswith(("as", "iones", "dades", "tades", "ices", "fases", "clases"))
