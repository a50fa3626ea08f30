"""The words of a question: those that messages shorten, those that the notes spell otherwise, what
it names; and its parts: two questions in one ("qué es X y cómo se evita", "what is X? An example").
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping

from tutor.answer.asked import term_of
from tutor.answer.restating import done_with, restated
from tutor.index.lexical import LexicalIndex
from tutor.search.contextual import BETWEEN
from tutor.search.follow_ups import ARTICLE, ASKS
from tutor.text.folding import fold, folded
from tutor.text.terminal import visible
from tutor.text.terms import content_words
from tutor.text.words import (
    OF_ANY_SUBJECT,
    STOP_WORDS,
    STOP_WORDS_OF_BOTH,
    is_general,
    is_word,
    sound,
)

_APOSTROPHE = "['’´`]"
_NOT = re.compile(
    r"\b(is|are|was|were|do|does|did|has|have|had|should|would|could|ca|wo)"
    rf"n{_APOSTROPHE}?t\b(?!\.? del?\b)",
    re.IGNORECASE,
)
_CLIPPED = {"ca": "can", "wo": "will"}
"""What an auxiliary loses before "n't"."""
_IS = re.compile(
    rf"\b(what|who|where|how|when|why|that|there|here|it|he|she){_APOSTROPHE}s\b"
    r"|\b(what|who|where|how)s\b",
    re.IGNORECASE,
)
_VERB = re.compile(rf"\b(what|who|how|i|you|we|they){_APOSTROPHE}(re|ve|ll|m)\b", re.IGNORECASE)
_VERBS = {"re": "are", "ve": "have", "ll": "will", "m": "am"}
_SHORTEST = 5
"""Letters of a word that is corrected: short ones resemble too many others."""

_BEGINNING = 5
"""Letters with which another form of a word begins, too."""
_WORD = re.compile(r"[^\W\d_]+")
_Q = re.compile(r"(?<!\b\w y )(?<!\b\w, )\bq(?= +(?!learning\b)[^\W\d_]{2})")
"""What is "que" in a message, and neither a variable nor "Q-learning"."""
_FOR = re.compile(r"\bpa\b(?= +[^\W\d_]{2})")
_WHY = re.compile(r"\b(?:xq|pq|porq)\b")
_PLEASE = re.compile(r"(?<=\w)[ ,]+(?:xfa|xfavor|pls|plis)(?=\W*\Z)")
_CONS = re.compile(
    r"\b(?:contras|pegas|(?:puntos|cosas) en contra|en contra(?: qu[eé])? (?:tienen?|hay))\b"
    r"|(?:\A\W*(?:y |pero )?|\bqu[eé] )(?:tienen?|hay) en contra\b"
    r"|\A\W*(?:y |pero )?en contra(?=\W*\Z)"
    r"|\b(?:(?:qu[eé]|cu[aá]l) es )?lo malo(?= del?\b|\W*\Z)",
    re.IGNORECASE,
)
"""Words for drawbacks that notes do not write."""
_ADVISED = re.compile(
    r"\b(?:[mnts]e |nos )?convienen? (?=(?:usar|utilizar|emplear|aplicar)(?:l[aeo]s?)?\b)",
    re.IGNORECASE,
)
"""What "cuándo conviene usar X" says besides "cuándo usar X"; notes say "se usa X si …"."""
_GREETED = re.compile(
    r"\A\W*(?:hola+(?: q(?:ue)? tal)?\b\W*|oye\b\W*"
    r"|(?:q(?:ue)? tal|buenas(?: tardes| noches)?|buen(?:os)? dias?"
    r"|disculpa|perdon(?:a)?|hi|hello|hey|ok(?:ay)?|por cierto|by the way|btw|vale(?=[,.;!])|a ver"
    r"|(?:tengo )?una (?:pregunta|duda|consulta)|profe(?:sora?)?"
    r"|(?:(?:ok|vale|muchas|perfecto),? ?)*gracias(?=[,.;!]))\b(?:[,.:;!]+\s*|\s+"
    r"(?=(?:que|cual|como|cuando|quien|donde|por que|cuanto|dime|explica\w*|tengo|una"
    r"|profe(?:sora?)?|what|how|why|who|when|where)\b)))+(?=\S+\s+\S)",
    re.IGNORECASE,
)
"""Greetings and thanks before what is asked: "hola, una pregunta, qué es lasso"."""


def written_out(question: str) -> str:
    """A question without a greeting before it, and without what nobody sees (a pasted soft hyphen),
    in which what messages shorten ("q es", "xq", "pa") and English contracts is written out, and
    "contras" is said as notes do.
    """
    question = _uncontracted(unicodedata.normalize("NFC", visible(question)))
    greeted = _GREETED.match(fold(question))
    question = question[greeted.end() :] if greeted else question
    question = _WHY.sub("por qué", _FOR.sub("para", _Q.sub("que", question)))
    question = _ADVISED.sub("", question)
    return _CONS.sub("desventajas", _PLEASE.sub("", question))


def _uncontracted(text: str) -> str:
    """A text with its English contractions in full: "what is" for "what's" and "whats"."""
    text = _NOT.sub(lambda found: f"{_in_full(found[1])} not", text)
    text = _IS.sub(lambda found: f"{found[1] or found[2]} is", text)
    return _VERB.sub(lambda found: f"{found[1]} {_VERBS[found[2].lower()]}", text)


def _in_full(auxiliary: str) -> str:
    rest = _CLIPPED.get(auxiliary.lower(), auxiliary)
    return rest.capitalize() if auxiliary[0].isupper() and rest != auxiliary else rest


def respelt(question: str, lexical: LexicalIndex) -> dict[str, str]:
    """The unknown words of a question, and those of the notes, as they write them, that are meant.

    Names and acronyms are left alone: another name is no misspelling. So are words that Spanish or
    English has ("matrícula" is no misspelling of "matrix"), rare ones where the term is not much
    the same ("recocido" is none of "recorrido"), and short ones, but for those that a `k` stands in
    as in messages (`kien`, `komo`).
    """
    terms = {}
    for match in _WORD.finditer(question):
        word = match[0]
        named = any(map(str.isupper, word[1:])) or (word[0].isupper() and match.start() > 1)
        if (plain := _plain(folded(word))) in STOP_WORDS["es"] and plain != folded(word):
            terms[word] = plain
        elif (
            len(word) >= _SHORTEST
            and not (named or is_general(word))
            and lexical.lacks(word)
            and (like := lexical.like(folded(word)))
            and (_alike(folded(word), folded(like)) or not is_word(folded(word)))
        ):
            terms[word] = like
    return terms


def _alike(word: str, term: str) -> bool:
    """Whether two words begin alike ("balancea", "balance") or sound the same."""
    return word[:_BEGINNING] == term[:_BEGINNING] or sound(word) == sound(term)


def _plain(word: str) -> str:
    return re.sub("k(?=[ei])", "qu", word).replace("k", "c")


def with_words(question: str, words: Mapping[str, str]) -> str:
    """The question with these words in the place of its own."""
    for word, meant in words.items():
        question = re.sub(rf"\b{re.escape(word)}\b", meant, question)
    return question


_WANTS = (
    r"(?:(?:pon(?:me)?|dame|da|con|muestra(?:me)?|give(?: me)?|show(?: me)?|with) )?"
    r"(?:(?:un|una|algun|an?|some|the) )?(?:ejemplos?|examples?)\b"
    r"|(?:su|la|its|the) (?:formula|equation)\b"
)
_BETWEEN = re.compile(
    rf"[,;]? ?\b(?:y|e|and)\b,? (?={ASKS}|{_WANTS})|[,;] ?(?={ASKS}|{_WANTS})|\?\W+(?=\w)"
    r"|(?<!\b\w)\.\W+(?=\w)"
)
"""What stands between two questions: the second begins with a word that asks, or is a sentence of
its own; not what an initial has behind it ("E. coli")."""
_ASKING = re.compile(
    rf"(?:\W*\w+\W+){{0,3}}?\W*"
    rf"(?:{ASKS}|(?:explic|defin|describ|diferencia|explain|differen)\w*|dime\b|decime\b"
    r"|(?:formulas?|ecuacion|pasos|tipos|ventajas|equation|steps|types|advantages)\b)"
)
"""How the first one begins: "in this example, how …?" is a single one."""


def first_of_two(question: str) -> str:
    """The first of two questions in one, without its signs; empty for a single question.

    "ventajas y desventajas de X", "cuándo y por qué …" are single ones.
    """
    between = _BETWEEN.search(fold(question))
    first = question[: between.start()].strip(" ,;¿?.") if between else ""
    asks = " " in first and _ASKING.match(fold(first)) and content_words(first)
    symbols = {name for name in content_words(first) if len(name) == 1}
    of_both = symbols == content_words(first) and symbols <= content_words(question[len(first) :])
    return first if asks and not of_both else ""  # "what is P and what is a in P^2 = a^3"


_ARTICLE = rf"(?:{ARTICLE} )?"
_MOST_WORDS = 3
"""Of a name that stands alone."""
_OF_ANY = re.compile(
    rf"\W*(?:(?:las?|los|el|sus?|the) )?(?:{'|'.join(sorted(OF_ANY_SUBJECT))})"
    rf"(?: (?:y|e|and) (?:{'|'.join(sorted(OF_ANY_SUBJECT))}))? (?:del?|of) {_ARTICLE}"
)


def subject_in(question: str) -> str:
    """What a question is about, if it is no more than a name, or asks of it what is asked of any
    subject: "limitaciones de X".
    """
    plain = fold(question)
    of_any = _OF_ANY.match(plain)
    return name_in(question[of_any.end() :] if of_any else question)


def name_in(question: str) -> str:
    """What a question is about, if it is no more than a name: "¿qué es X?", "y X"."""
    asked = re.sub(r"^\W*(?:(?:y|and)\s+)?", "", question).rstrip(" ?.!")
    words = (done_with(asked) or asked).split()
    leans = restated(question, "it", "en")
    opens = folded(words[0]) if words else ""
    article = re.fullmatch(ARTICLE, opens) is not None
    begins = article or words[:1] == [opens.upper()] or opens not in STOP_WORDS_OF_BOTH
    is_name = begins and len(words) <= _MOST_WORDS + article
    name = " ".join(words) if is_name else ""
    told = content_words(name) and not (leans or re.search(rf"\b(?:{ASKS})", fold(name)))
    return term_of(question) or (name if told else "")


def by_itself(standalone: str) -> str:
    """A question, as it was understood, for whoever does not see what was asked before: behind a
    follow-up stands what it is about.
    """
    opening, between, follow_up = standalone.partition(BETWEEN)
    about = name_in(opening).strip("«»") or opening.strip(" ¿?.")
    alone = f"{follow_up.strip()} ({about})" if between else opening.strip()
    return alone[:1].upper() + alone[1:]
