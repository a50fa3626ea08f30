"""What a question asks for by its form: the notes' own definition of X ("what is X?"), rather than
a property of it; or by a word of its own: a reason, a formula, an example, a list.
"""

from __future__ import annotations

import re
from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass

from tutor.answer.quoting.statements import so_if
from tutor.model import BlockKind
from tutor.search.follow_ups import POINTING, other_side
from tutor.text.folding import folded, last_words_as_typed
from tutor.text.paragraphs import unnumbered
from tutor.text.terms import content_words, question_language, question_words

_WHY = re.compile(r"\b(?:por ?que|para que|why|razon|motivo|sirve|reason)\b")
_REASON = re.compile(
    r"\b(?:porque|ya que|pues|debido a|por (?:lo tanto|eso|tanto|esta razon)|asi(?: se| que)?"
    r"|evita\w*|permite\w*|para (?:que|evitar|reducir)|gracias a|se deben? a|a causa de"
    r"|causad[oa]s? por|because|since|therefore|so that|avoids?|allows?|prevents?|due to"
    r"|caused by)\b"
)
_COMPUTED = re.compile(
    r"\b(?:formula|ecuacion|expresion|equation|calcular?|computed?|calculate"
    r"|se define matematicamente)\b"
)
_SIDE = r"[^\n=≈∝≤≥←;:|·]*"
_RELATION = re.compile(
    r"(?:(?<![<>!=])=|[≈∝←]|(?<!\d)(?<!\d )(?:[≤≥]|[<>]=))"
    rf"(?={_SIDE}[^\W\d])(?: ?\(|{_SIDE}(?:[-+−·⋅×/^√∑∏∫|‖⁻²ᵀ_₀-ₜ]|(?<=\S)\("
    r"|(?:log|exp|max|min|arg)\b))"
    r"|[∑∏∫√]|\([^()\n]*[^\W\d][^()\n]*\)/\("
)
"""What is equal to something that is computed from symbols, a sum, a fraction of symbols; not
"31 + 1 = 32", "k = 3", "1 <= k <= n", "k = a factor (small)".
"""
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
_TOOL = re.compile(rf"\b(?:{_TOOLS}|(?:en|in) r)\b")
_ASKS = re.compile(
    r"\b(?:que|cual(?:es)?|cuant[oa]s?|quien|cuando|donde|what|which|who|when|where|why|many)\b"
)
_ASKS_ELSE = re.compile(
    r"(?:(?:y|en|de|a|con|desde|hasta) )*(?:cuant[oa]s?|cuando|donde|quien(?:es)?|when|where|who"
    r"|how (?:many|much|long|often))\b"
)
"""Asks for something else than what a thing is: "cuántas espontaneidades hay"."""
_ONLY_ASKS = re.compile(r"\A\W*(?:compara(?:me|r)?|compare)\b", re.IGNORECASE)
"""Asks, and is no word of what is asked."""
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
_WHEN = re.compile(
    r"\W*cuando (?:se dice que |decimos que )?(?:una?|el|la) (\w+(?: \w+){0,4}) (?:es|esta)"
    r" (\w+(?: \w+)?)|\W*when is (?:an?|the) (\w+(?: \w+){1,4})"
)
"""When something is so as it is called: "cuándo un conjunto es consistente"."""
_OF_A_KIND = re.compile(
    r".*\b(?:ejemplos?|formulas?|pasos|tipos|ventajas|desventajas|propiedades|diferencias?|causas"
    r"|limites|metricas|(?:pseudo)?codigo|implementacion|demostracion|examples?|steps|types"
    r"|(?:dis)?advantages|properties|difference|causes|(?:pseudo)?code|implementation|proof)"
    rf" (?:de|del|entre|of|for|between) {_ARTICLE}(.+)"
    rf"|\W*como (?:es|son|eran?) (?!posible|que\b){_ARTICLE}(.+)"
)
_OF_A_WHOLE = re.compile(
    r"\W*(?:que (?:dicen?|proponen?|plantean?|establecen?|afirman?|miden?|buscan?)"
    r"|(?:y )?quien(?:es)? (?:invent|cre|propus|fue|es|descubri|introduj|desarroll)\w*"
    r"|cuentame(?: todo)?(?: lo)? (?:de|sobre)|cuanto (?:tardan?|valen?|cuestan?)"
    r"|cuando (?:es|son|sera|fue)(?= (?:el|la|los|las)\b)"
    r"|como (?:inserto|pongo|escribo|hago|calculo)"
    r"|como se (?:hace|calcula|demuestra|usa|aplica|interpreta|implementa|elige|mide)n?"
    rf"|who (?:invented|proposed|introduced|was|is)) {_ARTICLE}(.+)"
)
"""What else is asked of something that is named."""
_AND_ITS = re.compile(
    r",?\s+(?:y|e|con|and|with)\s+(?:sus?|its|their)\s.*", re.DOTALL | re.IGNORECASE
)
"""What else is asked of the same: "X y sus ventajas"."""
_IN_TOOL = re.compile(rf"\s+(?:en|in|con|with|usando|using)\s+(?:r|{_TOOLS})\W*\Z", re.IGNORECASE)
"""In what it is to be written: "código de X en Python"."""
_FORMULA_OF = re.compile(
    r".*\b(?:formulas?|ecuacion|expresion|se calculan?|calcular|calculo|equation|calculate|compute)"
    r" (?:(?:de|del|para|of|for) )?"
    rf"{_ARTICLE}(.+)"
)
_JOINED_ON = re.compile(
    r"\A\W*(?:y|and|pero|but|entonces|then|so|ok|vale|bueno|ahora)\b\W*"
    r"(?=(?:que|q|what) (?:es|son|eran?|is|are|was|were) )"
)
"""How a question goes on with another thing: "y qué es X"."""
_MOST_WORDS = 8
"""A term has no more."""
_BARE_WORDS = 4
"""Nor has one that is the whole question."""
_WITHIN = ("en", "in", "within")
_OF = ("de", "del", "of")
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
_BRACKETED = re.compile(r"\s*\([^()]*\)\W*\Z")
_JOINED = re.compile(r",? (?:y|e|o|u|and|or) |, ")
"""What stands between the terms of one definition."""
_SAYS = re.compile(
    rf"\W*{_ARTICLE}(.{{1,80}}?)(?:\s*\([^)]*\))?"
    r"\s+(?:es|son|fue|se define|se llama|consiste|busca|is|are|was|seeks)\b"
)
_IN_SHORT = re.compile(r"\w ?\((\d?[^\W\d_a-z][\w-]*[^\W\d_a-z])s?(?:\)|[,;:] [a-z])")
_OR = re.compile(r"\w \((?:o|u|or)(?: bien)? [\"'“«]?(\w+(?:[ -]\w+){0,2})[\"'”»]?\)")
_CALLED = re.compile(
    r"\b(?:llamad[oa]s?|denominad[oa]s?|conocid[oa]s? como"
    r"|se (?:les? )?(?:llaman?|denominan?|conocen? como)|called|known as)"
    rf" {_ARTICLE}([^,.;:()\n]{{2,60}}?)"
    r"(?=[,.;:()\n]|\W*$| (?:que|y|o|a|al|en|para|si|and|or|which|that|in|for|is)\b)"
)
"""What says how something is called, and its name."""
_IN_LONG = re.compile(r"\b([^\W\d_a-z]{2,}) \((\w+(?:[ -]\w+)+)[,;)]")


class AnswerKind:
    """The kind of answer that a question asks for."""

    def __init__(self, question: str) -> None:
        plain = folded(question)
        self._reason = bool(_WHY.search(plain))
        self._formula = bool(_COMPUTED.search(plain))
        self._example = bool(_EXAMPLE.search(plain))
        self.several = bool(_LISTED.search(plain))
        """Whether several things of a kind are asked for."""
        self.code = bool(_CODE.search(plain) or (_TOOL.search(plain) and not _ASKS.search(plain)))

    @property
    def kind(self) -> bool:
        """Whether a word of the question asks for any of these."""
        return self._reason or self._formula or self._example or self.several

    def for_reason(self, statement: str) -> bool:
        """Whether a reason is asked for, and a statement gives one."""
        return self._reason and bool(_REASON.search(folded(statement)))

    def for_formula(self, excerpt: str) -> bool:
        """Whether a formula is asked for, and an excerpt holds one."""
        return self._formula and bool(_RELATION.search(excerpt))

    def for_example(self, title: str, excerpt: str) -> bool:
        """Whether an example is asked for, and an excerpt or the heading above is called one."""
        return self._example and bool(
            _LABELLED.match(folded(excerpt)) or _EXAMPLES.search(folded(title))
        )

    def for_code(self, kinds: Container[BlockKind], excerpt: str) -> bool:
        """Whether code is asked for, and there is some in an excerpt, not what it printed in R."""
        return self.code and BlockKind.CODE in kinds and not excerpt.startswith("##")

    def subject(self, question: str) -> str:
        """The question without what says that it compares, or that code is asked for."""
        question = _ONLY_ASKS.sub("", question)
        return _TOOL.sub(" ", _CODE.sub(" ", folded(question))) if self.code else question

    def for_list(self, kinds: Container[BlockKind]) -> bool:
        """Whether several things of a kind are asked for, and there is a list among blocks."""
        return self.several and BlockKind.LIST in kinds


@dataclass(frozen=True, slots=True)
class DefinitionQuestion:
    """How the definition of a term is recognised: by the forms of its words.

    Of "X in Y" the definition of X is one, too: Y may be what the notes are about there.
    """

    _forms: Mapping[str, str]
    _alone: frozenset[str]
    _of: tuple[frozenset[str], ...] = ()
    """Those of X and of Y in "X of Y"."""

    @classmethod
    def asked_for(cls, question: str) -> DefinitionQuestion | None:
        """What a question of this form, or one that is but a term, asks for; else `None`."""
        plain = _JOINED_ON.sub("", _plain(question))
        asked = _ASKED.match(plain) or _WHEN.fullmatch(plain)
        words = _named(asked) if asked else plain.split()
        if len(words) > (_MOST_WORDS if asked else _BARE_WORDS):
            return None
        if not asked and (AnswerKind(question).kind or _ASKS_ELSE.match(plain)):
            return None
        language = question_language(question)
        named = 0 if AnswerKind(question).code else len(words)
        within, of = _place(_WITHIN, words[:named]), _place(_OF, words[:named])
        parts = (words[:within], *((words[:of], words[of + 1 :]) if of else ()))
        alone, *whose = (
            frozenset(question_words(" ".join(part), language).values()) for part in parts
        )
        return cls(question_words(" ".join(words), language), alone, (*whose,))

    @classmethod
    def of_formula(cls, question: str) -> DefinitionQuestion | None:
        """What a question asks the formula of; `None` where it asks for none."""
        asked = _FORMULA_OF.match(_plain(question))
        if asked is None:
            return None
        return cls(question_words(asked[1], question_language(question)), frozenset())

    def heads(self, excerpt: str) -> bool:
        """Whether an excerpt is a definition that is headed by the very term, or by it and another
        ("Definición (Varianza y desviación estándar)").
        """
        label = _LABEL.match(folded(excerpt))
        if label is None:
            return False
        law, named, headed = label.groups()
        names = (headed,) if headed else (named, *_JOINED.split(named))
        return any(map(self._is, names)) or (bool(law) and self._is(f"{law} {named}"))

    def is_told_by(self, statement: str) -> bool:
        """Whether a statement defines it by a label or by how it is called, or is an item "X: …" of
        a list of definitions that speaks of Y, where "X of Y" is asked for.
        """
        return self.heads(statement) or self.introduces(statement) or self._labels(statement)

    def _labels(self, statement: str) -> bool:
        label = _LABEL.match(folded(statement)) if self._of else None
        if label is None or not label[3]:
            return False
        name, whose = self._of
        held = {self._forms.get(stem) for stem in content_words(label[3])}
        told = {self._forms.get(stem) for stem in content_words(statement)}
        return bool(name and whose) and held == name and whose <= told

    def equates(self, excerpt: str) -> bool:
        """Whether a line of an excerpt says what the term is equal to: "Riesgo = P × I"."""
        lines = (line.partition(" = ") for line in excerpt.split("\n"))
        return any(right and self._is(left) for left, _equals, right in lines)

    def names(self, title: str) -> bool:
        """Whether a heading, a side of its colon or what stands before its brackets, is the term,
        or introduces it: what stands first below it begins to tell what it is.
        """
        asked, whole = frozenset(self._forms.values()), unnumbered(title)
        names = (whole, *whole.split(": "), _BRACKETED.sub("", whole))
        told = any(self._called(asked, name) for name in names)
        return told or self.introduces(title)

    def says(self, statement: str) -> bool:
        """Whether a statement begins with the term, and says what it is, or that what the term
        names first is so as it says then: "un grafo es euleriano si y solo si …".
        """
        subject, asked = _SAYS.match(folded(statement)), frozenset(self._forms.values())
        if subject is not None and self._is(subject[1]):
            return True
        return any(
            self._held(so) and self._held(so) <= asked <= self._held(f"{thing} {so}")
            for thing, so in so_if(statement)
        )

    def introduces(self, statement: str) -> bool:
        """Whether a statement gives the term as what something is called ("a esto se le llama
        sobreajuste"), or as what is written for its words: "mean squared error (MSE)", "MSE (mean
        squared error)", "tablature (or tab)".
        """
        short = (match[1] for form in (_IN_SHORT, _OR) for match in form.finditer(statement))
        long = (
            match[1]
            for match in _IN_LONG.finditer(statement)
            if "".join(word[0] for word in re.split("[ -]", folded(match[2]))) == folded(match[1])
        )
        called = (match[1] for match in _CALLED.finditer(folded(statement)))
        return any(map(self._is, (*short, *long, *called)))

    def _held(self, text: str) -> frozenset[str]:
        """The words of a text, those of the question by what they are in it."""
        return frozenset(self._forms.get(stem, stem) for stem in content_words(text))

    def _is(self, name: str) -> bool:
        """Whether a name is the term, with or without what may be said besides it."""
        held = {self._forms.get(stem) for stem in content_words(name)}
        return any(
            (held and held == asked) or self._called(asked, name)
            for asked in (frozenset(self._forms.values()), self._alone)
        )

    def _called(self, asked: frozenset[str], name: str) -> bool:
        """Whether a name has the words of what is asked for, and others that are generic alone."""
        held = self._held(name)
        about = asked - _GENERIC
        return bool(about) and about <= held <= asked | _GENERIC


def _place(of: Container[str], words: Sequence[str]) -> int:
    """The place of the first of these words; 0 where there is none."""
    return next((place for place, word in enumerate(words) if word in of), 0)


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


def stands_alone(question: str) -> bool:
    """Whether a question names what it is about, so that it leans on none before it."""
    other = _OF_A_WHOLE.match(_plain(_AND_ITS.sub("", question)))
    if other_side(question):
        return False
    return bool(term_of(question)) or (other is not None and _is_name(_named(other)))


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
