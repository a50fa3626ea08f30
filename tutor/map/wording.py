"""What a text must be like to stand on a card: whole, readable, and clear by itself."""

from __future__ import annotations

import re

from tutor.text.folding import folded
from tutor.text.language import Language
from tutor.text.paragraphs import is_formula
from tutor.text.words import STOP_WORDS_OF_BOTH

FOREIGN: dict[Language, re.Pattern[str]] = {
    "es": re.compile(
        r"[kw]|th|sh|ee|oo|tion|ss|ff|ph|dd|tt|mm|ll\b|age\b|ure\b|[bcfghjmptvxy]\b"
        r"|[bcdfghjklmpqrtvxyz]s\b|^[A-Z]{2,6}$"
    ),
    "en": re.compile(r"^[A-Z]{2,6}$"),
}
"""Spellings that no word of the language has, and acronyms: another name, and not a remark."""
_POINTS_AWAY = re.compile(
    r"\b(?:est[aeo]s?|[eé]s[aeo]s?|(?<=, )aquell[oa]s?"
    r"|aquell[oa]s?(?!(?: \w+)? (?:que|cuy[oa]s?)\b)|dich[oa]s?|ambos|ambas|anterior(?:es)?"
    r"|siguientes?|previ[oa]s?|próxim[oa]s?|arriba|abajo|aqu[ií]|ah[ií]|all[ií]|mencionad[oa]s?"
    r"|clase de hoy|(?:en|con|de) (?:el|un) ejemplo|del ejemplo|(?:in|of|with) the example"
    r"|\w{2,}[aei]rl[aeo]s?|vimos|veremos|visto|[a-zé]{2,}[ae]mos|nuestr[oa]s?"
    r"|this|these|those|above|below|previous|following|we|our|us|here|seen)\b",
    re.IGNORECASE,
)
"""Words that point to something outside of the sentence, or speak for the writer."""
_REFERS = re.compile(
    r"\b(?:(?:tabla|figura|gr[aá]fic[oa]|secci[oó]n|cap[ií]tulo|ecuaci[oó]n|teorema|definici[oó]n"
    r"|proposici[oó]n|lema|corolario|ejercicio|algoritmo|semana|lecci[oó]n|cuadro|apartado|fase"
    r"|table|figure|section|chapter|equation|theorem|definition|lemma|week|lecture)"
    r" \(?\d[\d.]*|(?:la|esta|en) (?:figura|tabla|secci[oó]n|lecci[oó]n|diapositiva)"
    r"|(?:the|in) (?:figure|table|section|lecture|slide)s?|ver|v[eé]ase)\b",
    re.IGNORECASE,
)
"""References to another place of the notes."""
_OPENS_ELSEWHERE = re.compile(
    r"(?:sus?|ello|él(?= [a-z]+[aeo]\b)|ellas?|ellos|lo|le|les|otr[oa]s?|tal(?:es)?|as[ií]"
    r"|adem[aá]s|tambi[eé]n|entonces|luego|pero|sin embargo|por (?:tanto|lo tanto)|ahora|despu[eé]s"
    r"|(?:por|para|con|en) (?:eso|ello|esto)"
    r"|finalmente|de (?:hecho|modo|manera|forma|nuevo)|es decir|o sea|y|e|o|donde|que|cual|porque"
    r"|pues|(?:el|la|los|las) (?:primer[oa]?|segund[oa]|tercer[oa]?|cuart[oa]|últim[oa]|otr[oa])s?"
    r"|(?:el|la|los|las) (?:cual|que)(?:es)?"
    r"|en (?:cambio|particular|general|efecto|resumen|concreto)"
    r"|\w+ (?:años?|mes(?:es)?|semanas?|d[ií]as?|siglos?|(?:year|month|week|day)s?)"
    r" (?:antes|despu[eé]s|m[aá]s tarde|earlier|later|afterwards)(?! (?:del?|que|than)\b)"
    r"|it|its|they|their|he|she|that|such|there|another|also|however|thus|therefore|hence|then|so"
    r"|but|and|or|where|which|finally|now|both|in (?:particular|general|fact|contrast))\b",
    re.IGNORECASE,
)
"""How a sentence begins whose subject stands before it."""
_ARTICLE = re.compile(
    r"(?:el|la|los|las|un|una|unos|unas|the|an?|tod[oa]s?|every|all|cada)\s", re.IGNORECASE
)
_CONDITION = re.compile(r"(?:si|cuando|con|para|en|al|if|when|with|for|in|on)\s", re.IGNORECASE)
_APART = re.compile(
    r"\W*(?:\w+ (?:de|of) )?(?:ejercicios?|problemas? (?:propuestos?|resueltos?|a resolver)"
    r"|preguntas?|tareas?|indice|anexo|contenidos?|agenda|temario|prefacio|prologo|agradecimientos"
    r"|gracias|preface|bibliografia|referencias|lecturas|enlaces|objetivos?|cronograma|horarios?"
    r"|puntos?|tutorias|timetable|evaluacion de(?:l| la) (?:curso|bloque|modulo|asignatura|materia)"
    r"|(?:organizacion|normas) y evaluacion|fechas de (?:examen|entrega)|como usar est[aeo]s?"
    r"|office hours|deadlines|course (?:schedule|policies|information)|ejemplos?|exercises?"
    r"|questions?|problems|homework|contents|outline|references|bibliography|further reading"
    r"|examples?|demostracion|proof|soluci\w+|resultados?|session info|relacion \d|practica)\b"
)
"""Titles of what is no matter to learn: exercises, lists of contents and of books, worked cases."""
_PAIRS = {")": "(", "]": "[", "}": "{", "»": "«", "”": "“"}
_BROKEN = re.compile(
    r"[\ufffd\ue000-\uf8ff]|\(cid|[´`¨˜]\w|\.\.\.\s?\d|https?:|www\.|(?:^|\s)\( \)|\[\d+\]"
    r"|\w ·(?: ?·)+ \w|\d ⋯ \d"  # rows of a matrix
    r"|:\s(?:donde|where)\b"  # a formula that stands elsewhere
    r"|\b[a-z] [a-z]{2} [a-z] ?\(|[=(] ?de [a-z]\("  # names of functions, letter by letter
    r"|k · k|\bk[A-ZΑ-Ω]\S{0,2}k"  # bars of a norm, read as letters
)
_WORD = re.compile(r"[^\W\d_]+")
_BINDS = frozenset(
    "a al con de del desde e el en entre hasta la las los o para por que se su un una y an and at"
    " for from in into of or than that the to which with".split()
)
"""Words with which no text ends."""
_LAST = re.compile(r"(\w+|[=+<≤,])\W?\Z")
_BEGINS = re.compile(r"(?:[a-záéíóúñü]{2,}|[aoye])[\s,]")
_ENDS = (".", "!", "»", "”", ")")


def capitalised(text: str) -> str:
    """A text that begins with a word, not a symbol, with a capital letter."""
    return text[0].upper() + text[1:] if _BEGINS.match(text) else text


def is_whole(text: str) -> bool:
    """Whether a text ends as a sentence or with a formula."""
    last = text.rsplit("\n", 1)[-1]
    words = _LAST.findall(last)
    if words and (words[0] in "=+<≤," or words[0] in _BINDS):
        return False
    return text.endswith(_ENDS) or (is_formula(last) and not last.endswith((",", ":")))


def closed(text: str) -> str:
    """An item of a list as a sentence: with a period for the mark that parts it from the next."""
    text = text[:-1] if text.endswith((";", ",")) else text
    return text if text.endswith((*_ENDS, "?", ":")) else f"{text}."


def is_readable(text: str) -> bool:
    """Whether no trace of a broken formula or encoding is in a text: brackets pair, for one."""
    if _BROKEN.search(text):
        return False
    opened: list[str] = []
    for sign in text:
        if sign in _PAIRS.values():
            opened.append(sign)
        elif sign in _PAIRS and (not opened or opened.pop() != _PAIRS[sign]):
            return False
    return not opened


def stands_alone(text: str) -> bool:
    """Whether a text does not point to what stands around it."""
    return not (_OPENS_ELSEWHERE.match(text) or refers(text) or _POINTS_AWAY.search(text))


def refers(text: str) -> bool:
    """Whether a text sends its reader to another place of the notes."""
    return _REFERS.search(text) is not None


def names_subject(sentence: str) -> bool:
    """Whether a sentence begins with what it is about, or with a condition."""
    begins = _ARTICLE.match(sentence) or _CONDITION.match(sentence)
    return bool(begins) and sentence[0].isupper() and stands_alone(sentence)


def is_matter(title: str) -> bool:
    """Whether a section of that title holds what is to be learned."""
    return not _APART.match(folded(title))


def key_words(text: str) -> list[str]:
    """The words that carry meaning, folded, in order."""
    return [word for word in _WORD.findall(folded(text)) if word not in STOP_WORDS_OF_BOTH]
