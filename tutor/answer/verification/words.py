"""The words of a sentence that carry meaning, comparable between sentences and languages."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache

from tutor.text.folding import fold
from tutor.text.stems import stemmer
from tutor.text.stopwords import STOP_WORDS_OF_BOTH
from tutor.text.terms import spanish_stems

_WORD = re.compile(r"[a-z]\*(?!\w)|c\+\+|c#|∞|[^\W\d_]+(?:[-'’][^\W\d_]+)*")
_SYMBOLS = {
    "alfa": "α", "alpha": "α", "beta": "β", "gamma": "γ", "gama": "γ", "delta": "δ",
    "epsilon": "ε", "eta": "η", "theta": "θ", "lambda": "λ", "sigma": "σ", "omega": "ω",
    "rho": "ρ", "infinito": "∞", "infinity": "∞", "infty": "∞", "varepsilon": "ε",
}  # fmt: skip
"""What symbols are called: a letter of the Greek alphabet is a word, too."""
_COMMAND = re.compile(r"\\([A-Za-z]+)")
_TEXT_COMMAND = re.compile(r"\\(?:text|mathrm|operatorname|textbf|textit)\{([^{}]*)\}")

_LIGHT = """adecuado ademas adopta afirma apuntes asimismo asume aunque basa basandose basicamente
    calcula caso clave concepto conoce conocida conocido conocidos considera consiste constituye
    curso demostro denomina describe diferente distinto ejemplo emplea encontrar encuentra
    explica fact finalmente forma fundamental general generalmente habitual implica importante
    incluye indica introducido llama llamado llevar mayoria manera mediante menciona mostro normal
    objetivo obtiene obtener ocurre papel parte permite pertenece posible presenta principal
    principalmente proceso propuesto provoca punto realidad realiza recibe referirse refiere
    relacion representa respectivamente resulta resultado significa simplemente sirve suele suelen
    supone tecnica termino tipo toma trata unicamente usa usan usando usar utiliza utilizado
    utilizando utilizar usual usualmente varios vuelve
    based basically called case common commonly concept consists consider defined describes
    different example first form general generally given helps important involves key known
    main makes means notes particular performs proposed provides refers represents say similar
    simply takes technique term type typically uses usually various way""".split()
LIGHT_WEIGHT = 0.35
"""What a word counts that explanations are full of, whatever they explain."""
_SPELLINGS = (
    ("ph", "f"), ("th", "t"), ("y", "i"), ("ch", "c"), ("qu", "c"), ("cu", "c"), ("k", "c"),
    ("w", "v"), ("ss", "s"), ("ll", "l"), ("mm", "m"), ("nn", "n"), ("pp", "p"), ("ff", "f"),
    ("tt", "t"), ("cc", "c"), ("rr", "r"), ("dd", "d"), ("gg", "g"),
)  # fmt: skip
"""What English and Spanish spell differently: quadratic, cuadrática; cycle, ciclo."""
_MIN_PREFIX = 5
_SHORT_WORD = 5
"""Words of this length may differ in their last letter."""
_PREFIX_SHARE = 0.7
_SAME_SHARE = 0.8
_PREFIX_SHARE_ACROSS = 0.55
"""Share of the shorter word that two words of different languages must have in common: cognates."""


@dataclass(frozen=True, slots=True)
class Word:
    """A content word, `text[start:end]`: folded, stemmed, spelled so that cognates look alike."""

    folded: str
    skeleton: str
    stem: str
    start: int
    end: int
    weight: float = 1.0


def content_words(text: str) -> list[Word]:
    """The words that carry meaning, in their order; LaTeX commands are no words.

    One stemmer (Snowball's Spanish one) serves for both sides of a comparison, whatever their
    language: it only has to bring equal words together.
    """
    plain = fold(_without_commands(text))
    stem = stemmer("es").stemWord
    return [
        Word(word, _skeleton(word), stem(word), match.start(), match.end(), _weight(stem(word)))
        for match in _WORD.finditer(plain)
        if (word := _SYMBOLS.get(match[0], match[0])) not in STOP_WORDS_OF_BOTH and _counts(word)
    ]


def coverage(words: Sequence[Word], others: Iterable[Word], *, across: bool = False) -> float:
    """The weighted share (0 to 1) of `words` that stand among the others; 0 without words.

    `across` languages cognates count as equal, and an English word and a Spanish one for it.
    """
    whole = sum(word.weight for word in words)
    if not whole:
        return 0.0
    among = KnownWords(others, across=across)
    return sum(word.weight for word in words if among.has(word)) / whole


class KnownWords:
    """Words that others are looked up among, by stem or by a long common beginning.

    `across` languages also by what they mean in Spanish.
    """

    def __init__(self, words: Iterable[Word], *, across: bool = False) -> None:
        self._share = _PREFIX_SHARE_ACROSS if across else _PREFIX_SHARE
        self._across = across
        self._stems = set[str]()
        self._by_beginning: dict[str, set[str]] = {}
        for word in words:
            self._stems |= {word.stem, *(spanish_stems(word.folded) if across else ())}
            self._by_beginning.setdefault(word.skeleton[: _MIN_PREFIX - 1], set()).add(
                word.skeleton
            )

    def has(self, word: Word) -> bool:
        """Whether it, another form of it, or a word derived from it is there."""
        if word.stem in self._stems:
            return True
        if self._across and not self._stems.isdisjoint(spanish_stems(word.folded)):
            return True
        related = self._by_beginning.get(word.skeleton[: _MIN_PREFIX - 1], ())
        return any(_akin(word.skeleton, other, self._share) for other in related)


def same_word(one: Word, other: Word) -> bool:
    """Whether both are forms of one word."""
    return one.stem == other.stem or _akin(one.skeleton, other.skeleton, _SAME_SHARE)


def _akin(one: str, other: str, share: float) -> bool:
    common = 0
    for a, b in zip(one, other, strict=False):
        if a != b:
            break
        common += 1
    shorter = min(len(one), len(other))
    least = _MIN_PREFIX if max(len(one), len(other)) > _SHORT_WORD else shorter - 1
    return common >= max(_MIN_PREFIX - 1, least, share * shorter)


@cache
def _skeleton(word: str) -> str:
    for written, plain in _SPELLINGS:
        word = word.replace(written, plain)
    return word.rstrip("s").rstrip("aeo") or word


def _counts(word: str) -> bool:
    """Latin letters alone are variables, which formulas are compared by; A* and C# are names."""
    return len(word) > 1 or not word.isascii()


def _without_commands(text: str) -> str:
    """LaTeX commands blanked out, so that every offset stays."""
    text = _TEXT_COMMAND.sub(lambda m: m[0].replace("\\", " ", 1), text)
    text = re.sub(
        r"\b(?:text|mathrm|operatorname|textbf|textit)(?=\{)", lambda m: " " * len(m[0]), text
    )
    return _COMMAND.sub(
        lambda m: " " + m[1] if m[1] in _SYMBOLS else " " * len(m[0]),
        text,
    )


def _weight(stem: str) -> float:
    return LIGHT_WEIGHT if stem in _light_stems() else 1.0


@cache
def _light_stems() -> frozenset[str]:
    return frozenset(stemmer("es").stemWords(_LIGHT))
