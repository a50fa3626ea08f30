"""What a question asks for by a word of its own: a formula, an example, a list; and what it names,
by its form ("what is X?"), so that it leans on none before it.
"""

from __future__ import annotations

import re
from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass

from tutor.answer.quoting.statements import RELATES
from tutor.model import BlockKind
from tutor.search.follow_ups import POINTING
from tutor.text.folding import folded, last_words_as_typed
from tutor.text.terms import content_words, question_language, question_words

_COMPUTED = re.compile(
    r"\b(?:formula|ecuacion|expresion|equation|calcular?|computed?|calculate"
    r"|se define matematicamente)\b"
)
_EXAMPLE = re.compile(
    r"(?<!el )(?<!los )\bejemplos? (?:\w+ )?(?:de|del|con|para|sobre|en)\b"
    r"|(?<!the )\bexamples? (?:of|for|with)\b|(?<!\bes )(?<!\bson )\b(?:ejemplos?|examples?)\W*$"
)
_EXAMPLES = re.compile(r"\b(?:ejemplos?|examples?)\b")
_LABELLED = re.compile(r"\W*(?:ejemplos?|examples?)\b")
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


class AnswerKind:
    """The kind of answer that a question asks for."""

    def __init__(self, question: str) -> None:
        plain = folded(question)
        self._formula = bool(_COMPUTED.search(plain))
        self._example = bool(_EXAMPLE.search(plain))
        self.several = bool(_LISTED.search(plain))
        """Whether several things of a kind are asked for."""
        self.code = bool(_CODE.search(plain))

    def for_formula(self, excerpt: str) -> bool:
        """Whether a formula is asked for, and an excerpt holds one."""
        return self._formula and bool(RELATES.search(excerpt))

    def for_example(self, title: str, excerpt: str) -> bool:
        """Whether an example is asked for, and an excerpt or the heading above is called one."""
        return self._example and bool(
            _LABELLED.match(folded(excerpt)) or _EXAMPLES.search(folded(title))
        )

    def for_code(self, kinds: Container[BlockKind]) -> bool:
        """Whether code is asked for, and there is some among blocks."""
        return self.code and BlockKind.CODE in kinds

    def for_list(self, kinds: Container[BlockKind]) -> bool:
        """Whether several things of a kind are asked for, and there is a list among blocks."""
        return self.several and BlockKind.LIST in kinds


def term_of(question: str) -> str:
    """What a question asks the meaning, the examples, steps, types … of: it leans on none before
    it. Empty where it names nothing, or is of another form.
    """
    question = _IN_TOOL.sub("", _AND_ITS.sub("", question))
    plain = _JOINED_ON.sub("", _plain(question))
    asked = _ASKED.match(plain) or _OF_A_KIND.match(plain)
    named = _named(asked) if asked else []
    if not _is_name(named):
        return ""
    return last_words_as_typed(question, " ".join(named))


def _is_name(words: Sequence[str]) -> bool:
    if not words or words[0] in _NO_OPENINGS:
        return False
    said = (word for word in words if not (word in _PLACES or word.isdigit()))
    named = content_words(" ".join(said)) - _GENERIC
    fewest = 1 if _PLACES.isdisjoint(words) else _NAMES
    return len(named) >= fewest and _PRONOUNS.isdisjoint(words)


def _plain(question: str) -> str:
    return " ".join(folded(question).split()).rstrip(" ?¿!.")


def _named(asked: re.Match[str]) -> list[str]:
    return " ".join(filter(None, asked.groups())).split()
