"""Whether a claim says the opposite of a passage: a negation too many or too few, or an antonym.

Words only: a negation is taken to bear on the next content word. Opposites are looked for in the
clause that speaks of the same thing.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from typing import TYPE_CHECKING

from tutor.answer.verification.words import KnownWords, content_words, same_word
from tutor.text.folding import fold

if TYPE_CHECKING:
    from tutor.answer.verification.words import Word


_COARSE = re.compile(
    r"[;|•]|(?<!\d)\.(?:\s|$)|\n\s*\n|\b(?:mientras que|en cambio|while|whereas|en tanto que)\b",
    re.IGNORECASE,
)
_FINE = re.compile(
    r"[;|•:()—\n]|,(?!\d)|\.(?:\s|$)|"
    r"\b(?:y|e|o|u|pero|sino|mientras|aunque|porque|ya que|por lo que|and|or|but|while|whereas"
    r"|although|because|since|so|gracias al?|debido al?|thanks to|due to)\b",
    re.IGNORECASE,
)
_NEGATION = re.compile(
    r"\b(?:no(?!\s*[:,.;)]| (?:solo|solamente|obstante|supervisad|informad|lineal|parametric))"
    r"|nunca|jamas|tampoco|ni|ningun[ao]?|carece\w*|dej\w+ de|not(?! only)|never|neither|nor|none"
    r"|sin(?! (?:embargo|\w+[aei]r(?:l[aeo]s?|se)?\b))|without(?! \w+ing\b)"
    r"|cannot|\w+n['’]t|lack(?:s|ing)?|stops?|ceases?|fails? to)\b"
)
_MAX_REACH = 40
"""Characters within which the content word stands that a negation bears on."""
# Each line holds two opposites; every word is a beginning of words, without accents.
_OPPOSITES = """
much muy_alt mayor mas_ alto alta altos altas grande elevad higher larger greater more_ \
high_ big_ large \
/ poco poca menor menos bajo baja bajos bajas pequen reducid lower smaller less few fewer low_ small
maxim maximum / minim minimum
siempre always / nunca jamas never
aument crec_ crece increment subir sube increas grow rise \
/ disminu decrec bajar reduc decreas shrink
mejor_ mejora better improv / peor_ empeor worse worsen
rapid fast / lent_ lento lenta slow
antes_ before / despues after_
primer first_ / ultim last_
facil easy easier / dificil hard_ harder difficult
positiv / negativ
sensib sensitiv / robust
dependient depende_ depend_ depends / independient
continu / discret
determinist / estocastic stochastic
estatic static / dinamic dynamic
converg / diverg
local / global
superior upper / inferior
verdader true_ / fals_ falso falsa false
supervisad supervised / no_supervisad unsupervised
lineal linear / no_lineal nonlinear
informad informed / no_informad uninformed
completo completa complete_ / incomplet
codificador encoder / decodificador decoder
adelante forward / atras backward
maximiz / minimiz
barat cheap / caro_ cara_ costos expensiv
acept accept / rechaz reject
vence vencio gana gano win_ wins won beat / perdio pierde pierden perdieron lost_ loses
sobreajust overfit / subajust underfit
entrada input / salida output
"""


@dataclass(frozen=True)
class Clause:
    """A part of a sentence."""

    text: str

    @cached_property
    def words(self) -> list[Word]:
        """Its content words in order."""
        return content_words(self.text)

    @cached_property
    def vocabulary(self) -> KnownWords:
        """Its content words to look others up among."""
        return KnownWords(self.words)

    @cached_property
    def folded(self) -> str:
        """Its text without accents and case, of the same length."""
        return fold(self.text)


_Check = Callable[[Clause, Clause], bool]


def sides(text: str) -> list[Clause]:
    """The parts that a contrast divides a sentence into."""
    return _parts(text, _COARSE)


def clauses(text: str) -> list[Clause]:
    """The parts between commas, conjunctions and the like."""
    return _parts(text, _FINE)


def counterparts(clause: Clause, others: Sequence[Clause], share: float = 0.4) -> list[Clause]:
    """The others that share most words with the clause, and at least that share of its words."""
    if not clause.words:
        return []
    shared = [sum(other.vocabulary.has(word) for word in clause.words) for other in others]
    most = max(shared, default=0)
    if most == 0 or most < share * len(clause.words):
        return []
    return [other for other, n in zip(others, shared, strict=True) if n == most]


def _parts(text: str, boundary: re.Pattern[str]) -> list[Clause]:
    parts, begin = [], 0
    for match in boundary.finditer(text):
        parts.append(text[begin : match.start()])
        begin = match.end()
    return [Clause(part) for part in (*parts, text[begin:]) if part.strip()]


@cache
def _compiled() -> list[tuple[re.Pattern[str], re.Pattern[str]]]:
    pairs = []
    for line in _OPPOSITES.strip().split("\n"):
        poles = [_pole(pole) for pole in line.split(" / ")]
        pairs.append((poles[0], poles[1]))
    return pairs


def _pole(words: str) -> re.Pattern[str]:
    """`word_` is the whole word, `no_word` two words, any other the beginning of words."""
    forms = [
        rf"{word[:-1]}\b" if word.endswith("_") else rf"{word.replace('_', ' ')}\w*"
        for word in words.split()
    ]
    return re.compile(rf"(?<!no )\b(?:{'|'.join(forms)})")


def opposed(claimed: str, passage: str) -> bool:
    """Whether the claim says the opposite of what the passage says, as far as words tell."""
    in_clauses: list[_Check] = [_negated_otherwise, _opposite_pole]
    in_sides: list[_Check] = [_opposite_pole]
    if not _elsewhere(_negated(Clause(passage)), Clause(claimed)):
        in_sides.append(_negated_otherwise)
    return any(
        _all(checks, rivals, clause)
        for divide, checks in ((clauses, in_clauses), (sides, in_sides))
        for clause in divide(claimed)
        for rivals in [counterparts(clause, divide(passage))]
    )


def _all(checks: Iterable[_Check], rivals: Sequence[Clause], clause: Clause) -> bool:
    """Whether one of the checks finds every counterpart to say the opposite."""
    return bool(rivals) and any(all(check(clause, r) for r in rivals) for check in checks)


def _negated_otherwise(clause: Clause, other: Clause) -> bool:
    """A word of both is negated in one and only affirmed in the other.

    Not where a further negation bears on a word that the other does not have: then each may say
    in its own way what the other says.
    """
    ours, theirs = _negated(clause), _negated(other)
    if _elsewhere(ours, other) and _elsewhere(theirs, clause):
        return False
    return (
        not _elsewhere(theirs, clause) and _disagree(ours, clause.words, theirs, other.words)
    ) or (not _elsewhere(ours, other) and _disagree(theirs, other.words, ours, clause.words))


def _elsewhere(negated: Sequence[Word], other: Clause) -> bool:
    return any(not other.vocabulary.has(word) for word in negated)


def _disagree(
    negated: Sequence[Word],
    words: Sequence[Word],
    other_negated: Sequence[Word],
    others: Sequence[Word],
) -> bool:
    for word in negated:
        here = [w for w in words if same_word(w, word)]
        there = [w for w in others if same_word(w, word)]
        if len(here) == 1 and there and not any(w in other_negated for w in there):
            return True
    return False


def _negated(clause: Clause) -> list[Word]:
    """The content words that a negation bears on directly; light verbs pass it on.

    Of "ningún paso aumenta" it is what no step does.
    """
    found: list[Word] = []
    for match in _NEGATION.finditer(clause.folded):
        after = [w for w in clause.words if match.end() <= w.start <= match.end() + _MAX_REACH]
        bearing = [w for w in after if w.weight == 1] or after
        begin = 1 if match[0].startswith("ningun") and len(bearing) > 1 else 0
        found += bearing[begin : begin + 1]
    return found


def _opposite_pole(clause: Clause, other: Clause) -> bool:
    for pair in _compiled():
        ours = tuple(bool(pole.search(clause.folded)) for pole in pair)
        theirs = tuple(bool(pole.search(other.folded)) for pole in pair)
        crossed = ours[0] != ours[1] and theirs[0] != theirs[1] and ours != theirs
        if crossed and _parity(clause) == _parity(other):
            return True
    return False


def _parity(clause: Clause) -> int:
    return len(_NEGATION.findall(clause.folded)) % 2
