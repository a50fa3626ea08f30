"""What a question asks for, told by its form: a formula, an example, a list; the term that it names
("what is X?"), so that it leans on none before it; what it compares ("X vs Y").
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from tutor.search.follow_ups import POINTING
from tutor.text.folding import fold, folded, last_words_as_typed
from tutor.text.terms import content_words, question_language, question_words

_COMPUTED = re.compile(
    r"\b(?:formula|ecuacion|expresion|equation|calcular?|computed?|calculate"
    r"|se define matematicamente)\b"
)
_EXAMPLE = re.compile(
    r"(?<!el )(?<!los )\bejemplos? (?:\w+ )?(?:de|del|con|para|sobre|en)\b"
    r"|(?<!the )\bexamples? (?:of|for|with)\b|(?<!\bes )(?<!\bson )\b(?:ejemplos?|examples?)\W*$"
)
_LISTED = re.compile(
    r"\b(?:pasos|etapas|fases|procedimiento|lista|enumera|cuales son|tipos|clases de|variantes"
    r"|formas|maneras|metodos|tecnicas|estrategias|propiedades|caracteristicas|capacidades"
    r"|condiciones|supuestos|requisitos|criterios|elementos|componentes|partes|argumentos|modos"
    r"|ventajas|desventajas|beneficios|problemas|limitaciones|riesgos|causas|motivos|razones"
    r"|consejos|soluciones|remedios|metricas|heuristicas|sesgos"
    r"|steps|stages|checklist|list|types|kinds|ways|methods|properties|conditions|assumptions"
    r"|criteria|elements|components|parts|advantages|disadvantages|limitations|risks|causes"
    r"|reasons)\b"
)
_CODE = re.compile(
    r"\b(?:(?:pseudo)?codigo(?! de \w{2,}[aeo]s\b)|code|implement\w*|programar"
    r"|programo|se programa|programa (?:que|para)|funcion para|script|snippet)\b"
)
"""Not the name of a thing of other things: "código de colores"."""
_TOOLS = r"python|numpy|pytorch|torch|keras|tensorflow|pandas|matplotlib|sk-?learn|scikit.?learn"
_ARTICLE = r"(?:(?:un|una|unos|unas|el|la|los|las|lo|a|an|the) )?"
_POLITE = (
    r"(?:.*\b(?:explica\w*|entiendo|dime|decime|decir\w*|saber|recuerda\w*|hola|tell me"
    r"|explain)\W+)?"
)
_LAW = (
    "teorema|lema|proposicion|corolario|principio|regla|ley|axioma|propiedad|theorem|lemma"
    "|proposition|corollary|principle|rule|law|axiom|property"
)
"""What is proved, or taken to be so, and may be called by its name."""
_ASKED = re.compile(
    rf"\W*{_POLITE}(?:(?:que|q|what) (?:es|son|eran?|significa|is|are|was|were|hacen?)"
    r"|que (?:se entiende por|quiere decir)|a que (?:se refieren?|(?:se )?les? (?:llaman?|dicen?))"
    rf"|(?:que (?:dice|enuncia|afirma|establece)|enuncia)(?= (?:el|la) (?:{_LAW})\b)"
    r"|de que (?:se ocupan?|tratan?|va)|en que consisten?|como se definen?|define"
    r"|(?:(?:de )?que (?:son|significan) las )?siglas(?: de)?"
    r"|para que sirven?|(?:dame )?(?:la )?definicion de|hablame de|tell me about"
    r"|como funcionan?|how do(?:es)?|what do(?:es)?)"
    rf" {_ARTICLE}(.+?)(?: (?:works?|do|mean|says?|states?|stands? for|(?:used )?for))?$"
    r"|\W*(?:(?:me )?(?:puedes?|podes|podrias|(?:can|could) you) )?(?:explica(?:me|r|rme)?"
    r"|no entiendo|(?:quiero|necesito) entender|explain) "
    rf"{_ARTICLE}((?!que|what|como|how|por|why).+)"
)
_OF_A_KIND = re.compile(
    r".*\b(?:ejemplos?|formulas?|pasos|tipos|ventajas|desventajas|propiedades|diferencias?|causas"
    r"|limites|metricas|(?:pseudo)?codigo|implementacion|demostracion|examples?|steps|types"
    r"|(?:dis)?advantages|properties|difference|causes|(?:pseudo)?code|implementation|proof)"
    rf" (?:de|del|entre|of|for|between) {_ARTICLE}(.+)"
    rf"|\W*como (?:es|son|eran?) (?!posible|que\b){_ARTICLE}(.+)"
)
_AND_ITS = re.compile(
    r",?\s+(?:y|e|con|and|with)\s+(?:sus?|its|their)\s.*", re.DOTALL | re.IGNORECASE
)
"""What else is asked of the same: "X y sus ventajas"."""
_IN_TOOL = re.compile(rf"\s+(?:en|in|con|with|usando|using)\s+(?:r|{_TOOLS})\W*\Z", re.IGNORECASE)
"""In what it is to be written: "código de X en Python"."""
_JOINED_ON = re.compile(
    r"\A\W*(?:y|and|pero|but|entonces|then|so|ok|vale|bueno|ahora)\b\W*"
    r"(?=(?:que|q|what) (?:es|son|eran?|is|are|was|were) )"
)
"""How a question goes on with another thing: "y qué es X"."""
_PRONOUNS = POINTING | frozenset(
    "aquel ella ellos ellas lo le les mismo misma that one ones both same".split()
)
"""What has such a word means something that was said before."""
_PLACES = frozenset(
    "primero primera segundo segunda tercero tercera ultimo ultima primeros primeras segundos"
    " segundas terceros terceras ultimos ultimas anteriores otro otra otros otras ambos ambas"
    " anterior dos tres uno first second third last other others another two three former"
    " latter".split()
)
"""What has such a word, and names little besides, may mean one of the things that were said before:
not "el protocolo de dos fases".
"""
_NO_OPENINGS = frozenset("si cuando para mejor mas como por if when for better more".split())
"""With what no name begins: "qué significa si sale negativo"."""
_NAMES = 2
"""Content words that name something whatever is counted in it."""
_GENERIC = content_words(
    "concepto definición idea introducción intuición método modelo algoritmo técnica optimizador"
    " uso concept definition introduction intuition method model algorithm technique optimizer use"
    " medida métrica puntaje función mecanismo tipo measure metric score function mechanism type"
)
"""What a heading, or a question, may say besides its subject."""


_LABEL = re.compile(
    rf"\W*(?:defini\w+|({_LAW}))\s*[\d.]*\s*\(([^()]+)\)"
    r"|(?:[❒•▸◦·*-] ?)?(\w[^·\n]{0,79}?)\s*(?::(?!=)|(?<!<)[–—-]\s)"
)
"""How a definition names its term: "Definición (Varianza).", "Varianza: …"."""


@dataclass(frozen=True, slots=True)
class AskedTerm:
    """The term that a question asks the meaning, the formula … of, by the forms of its words."""

    _forms: Mapping[str, str]

    @classmethod
    def of(cls, question: str) -> AskedTerm | None:
        """The term of a question; `None` where it names none."""
        term = term_of(question)
        return cls(question_words(term, question_language(question))) if term else None

    def heads(self, text: str) -> bool:
        """Whether a text is a definition that is headed by the very term."""
        label = _LABEL.match(folded(text))
        if label is None:
            return False
        law, named, headed = label.groups()
        return self.names(headed or named) or (bool(law) and self.names(f"{law} {named}"))

    def names(self, name: str) -> bool:
        """Whether a name is the term, with or without what may be said besides it."""
        held = frozenset(self._forms.get(stem, stem) for stem in content_words(name))
        asked = frozenset(self._forms.values()) - _GENERIC
        return bool(asked) and asked <= held <= asked | _GENERIC


class AnswerKind(NamedTuple):
    """What a question asks for: a formula, an example, several things of a kind, code."""

    formula: bool
    example: bool
    several: bool
    code: bool

    @classmethod
    def of(cls, question: str) -> AnswerKind:
        """What its words ask for."""
        plain = folded(question)
        return cls(*(bool(form.search(plain)) for form in (_COMPUTED, _EXAMPLE, _LISTED, _CODE)))


def term_of(question: str, *, itself: bool = False) -> str:
    """What a question asks the meaning, the examples, steps, types … of: it leans on none before
    it. Empty where it names nothing, or is of another form.

    `itself`: it is asked what that is or does, not for anything of it.
    """
    question = _IN_TOOL.sub("", _AND_ITS.sub("", question))
    plain = _JOINED_ON.sub("", " ".join(folded(question).split()).rstrip(" ?¿!."))
    asked = _ASKED.match(plain) or (None if itself else _OF_A_KIND.match(plain))
    words = " ".join(filter(None, asked.groups())).split() if asked else []
    if not words or words[0] in _NO_OPENINGS or not _PRONOUNS.isdisjoint(words):
        return ""
    said = (word for word in words if not (word in _PLACES or word.isdigit()))
    named = content_words(" ".join(said)) - _GENERIC
    fewest = 1 if _PLACES.isdisjoint(words) else _NAMES
    return last_words_as_typed(question, " ".join(words)) if len(named) >= fewest else ""


_THE = r"(?:(?:el|la|los|las|un|una|the|an?) )?"
_SAME_AS = r"(?:es|son) (?:lo mismo que|iguale?s? (?:que|a))|the same as"
_COMPARES = re.compile(
    r"(?:(?:en|cual(?:es)?|que|son|es|hay|se|me|las?|explica\w*|dime|what|is|are|s|the|tell me"
    r"|explain)\W+)*(?:(?:diferencias?|diferencian?|distinguen?|comparacion|differences?"
    r"|comparison)(?: (?:principal(?:es)?|hay|existen?|que hay))* (?:(?:entre|de|between|of) )?"
    rf"|compar(?:a|ar|ame|e) |cambian? de ){_THE}(.+)"
    rf"|(?:is|are) {_THE}(.+ the same as\b.+)|(?:is|are) {_THE}(.+) the same"
    rf"|{_THE}(.+ (?:vs|versus|frente a|{_SAME_AS})\b.+)"
    rf"|(?:es|son) (?:lo mismo|iguales) (?:entre )?{_THE}(.+)"
    rf"|how (?:do|does|is|are) (?=.* differ){_THE}(.+?)(?: differ\w*)?"
)
_COMPARES_BEHIND = re.compile(
    r"(?!how\b)(.+? (?:y|e|and|vs|versus|frente a)\b.+?)[,;:.]? [¿ ]*"
    r"(?:(?:y|en|cual(?:es)?|que|es|son|las?|sus?|se|hay|what|is|are|s|the|their|how|do|they)\W+)*"
    r"(?:diferencias?|diferencian?|distinguen?|cambia(?: de un[oa] a otr[oa])?|differences?|differ)"
)
"""What is compared, before the words that ask so."""
_AND = re.compile(rf",? (?:y|e|and|vs|versus|frente a|{_SAME_AS})\b[. ]*{_THE}|, {_THE}")
_ASKED_TOO = re.compile(
    r"(?:,|,? (?:y|e|and)) (?:(?:en|a|de|para) )?"
    r"(?:cual(?:es)?|cuando|cuanto|como|donde|que|por que|which|when|how|where|what|why)\b.*"
)
"""What else is asked of what is compared: "…, cuál conviene"."""
_AGAINST = re.compile(rf" (?:vs|versus|frente a)\b[. ]*{_THE}")
_WITH_ONE = re.compile(r" (?:con|with) (?:el|la|los|las|una?|the|an?) ")
_WITH = re.compile(rf" (?:differ\w* from|de|con|a|que|from|with) {_THE}")
_WITH_ARTICLE = re.compile(
    r" (?:del|al|(?:de|con|a) (?:el|la|los|las|una?)|(?:differ\w* )?(?:from|with) (?:the|an?)) "
)
"""Where a name has an "of" itself: "el análisis de errores del análisis ablativo"."""
_EXPLAINED = re.compile(
    r"(?:(?:me|puedes|podrias|quiero saber)\W+)*(?:(?:que|q|what) (?:es|son|significan?|is|are)"
    rf"|explica\w*|explain|define|defini(?:cion(?:es)?|tions?) (?:de|of)) {_THE}(.+)"
)
"""What asks what something is."""
_ASKS_MORE = re.compile(
    r"\b(?:sus?|como|cuando|donde|para|por|que|cual\w*|ejemplos?|diferenci\w*|entre|me"
    r"|its?|how|when|why|what|examples?|differ\w*|between)\b"
)
"""What asks for more of a thing than what it is."""
_MOST_WORDS = 4
"""Of a thing's name; what is longer asks for more than what it is."""
_MOST_SIDES = 3


def sides(question: str) -> list[str]:
    """The two or three things that are to be compared; none where the question is no such one."""
    plain = " ".join(fold(question).split()).strip(" ?¿.!")
    if behind := _COMPARES_BEHIND.fullmatch(plain):
        plain = f"diferencia entre {behind[1]}"
    asked = _COMPARES.fullmatch(plain)
    if asked is None:
        return []
    said = next(filter(None, asked.groups()))
    alone = _ASKED_TOO.sub("", said)
    return (_names(alone) if alone != said else []) or _names(said)


def _names(said: str) -> list[str]:
    """The things that are said to be compared, if they are two or three."""
    by_vs = _AGAINST.split(said)  # "backtracking vs branch and bound"
    names = by_vs if len(by_vs) > 1 and "," not in said else _AND.split(said)
    if len(names) == 1:
        parted = (mark for mark in (_WITH_ONE, _WITH_ARTICLE) if mark.search(said))
        names = next(parted, _WITH).split(said, maxsplit=1)
    noun = names[0].partition(" ")[0]  # "el error de tipo I y el de tipo II"
    names = [f"{noun} {name}" if name.startswith(("de ", "del ")) else name for name in names]
    return names if _are_sides(names) else []


def explained(question: str) -> list[str]:
    """X and Y of "what are X and Y", each with what they are to be in; none of another question."""
    asked = _EXPLAINED.fullmatch(" ".join(fold(question).split()).strip(" ?¿.!"))
    if asked is None or _ASKS_MORE.search(asked[1]) or not _AND.search(asked[1]):
        return []
    said, place, where = asked[1].partition(" in " if " in " in asked[1] else " en ")
    names = _AND.split(said)
    return [f"{name}{place}{where}" for name in names] if _are_sides(names) else []


def _are_sides(names: Sequence[str]) -> bool:
    whole = all(content_words(name) and len(name.split()) <= _MOST_WORDS for name in names)
    return whole and 2 <= len(names) <= _MOST_SIDES
