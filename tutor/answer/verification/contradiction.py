"""Whether a claim says otherwise than a passage: negated, opposite, or with sides exchanged; and
what another document of the notes says otherwise than a quoted one.

Words only: a negation is taken to bear on the next content word, and both are looked for in the
part of the passage that shares most words with a part of the claim. "A is on the left and B on the
right" and "B is on the left and A on the right" have the same words; only their order in parallel
clauses tells them apart.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from gettext import NullTranslations
from itertools import pairwise
from typing import NamedTuple, TypeAlias

from tutor.answer.agent import Inquiry
from tutor.answer.outline import passage_of
from tutor.answer.quoting import Quote
from tutor.answer.quoting.excerpts import Span
from tutor.answer.quoting.scoring import Scored
from tutor.index.store import StoreReader
from tutor.model import BlockKind, CleanText, Source, SourceId, Statement
from tutor.text.folding import fold
from tutor.text.language import detect_language
from tutor.text.terms import content_words, content_words_in_order

NEAREST = 16
"""Chunks that are looked through, those of the quoted document among them."""
SHARED = 0.6
"""Share of the words of both sentences from which they are about the same."""
FEWEST = 3
"""Words that carry meaning, but numbers; what has fewer is no claim."""
SWAPPED = 1
"""Words of each that the other has not: what differs in more says something else."""
RESTATED = 2
"""Words of each that the other has not, of two that contradict each other: what differs in more may
say the same in its own way."""
_MARK = re.compile(r"\A\W*(?:\d+[.)])*(?:\d+[.)]?)?\s+(?=\w)")
_DAY = re.compile(r"\b\d{1,2} de [a-z]+ de \d{4}\b|\b[A-Z][a-z]+ \d{1,2}, \d{4}\b")
_NO_CLAIM = (BlockKind.HEADING, BlockKind.CAPTION, BlockKind.CODE)

_SIDES = re.compile(
    r"[;|•]|(?<!\d)\.(?:\s|$)|\n\s*\n|\b(?:mientras que|en cambio|while|whereas|en tanto que)\b",
    re.IGNORECASE,
)
"""What parts two things that are compared."""
_CLAUSES = re.compile(
    r"[;|•:()—\n]|,(?!\d)|\.(?:\s|$)|"
    r"\b(?:y|e|o|u|pero|sino|mientras|aunque|porque|ya que|por lo que|and|or|but|while|whereas"
    r"|although|because|since|so|gracias al?|debido al?|thanks to|due to)\b",
    re.IGNORECASE,
)
_PARALLEL = re.compile(
    r";|(?<!\d)[.](?=\s)|,?\s+(?:y|e|pero|mientras(?: que)?|en cambio|and|but|while|whereas)\s+",
    re.IGNORECASE,
)
_SENTENCES = re.compile(r";|(?<!\d)[.](?=\s)|\n\s*\n|•")
_ITEMS = re.compile(r"(?:^|\n)\s*[•◦▪*–-]\s")
_NEGATION = re.compile(
    r"\b(?:no(?!\s*[:,.;)]| (?:solo|solamente|obstante|supervisad|informad|lineal|parametric))"
    r"|nunca|jamas|tampoco|ni|ningun[ao]?|carece\w*|dej\w+ de|not(?! only)|never|neither|nor|none"
    r"|sin(?! (?:embargo|\w+[aei]r(?:l[aeo]s?|se)?\b))|without(?! \w+ing\b)"
    r"|cannot|\w+n['’]t|lack(?:s|ing)?|stops?|ceases?|fails? to)\b"
)
_REACH = 40
"""Characters within which the content word stands that a negation bears on."""
_LEAST_SHARED = 0.4
"""Share of a part's words from which a part of the passage speaks of the same."""
_ENDS = 2
"""A clause has a beginning and an end if it has two words of its own."""
_OPPOSITES = tuple(
    tuple(
        re.compile(rf"(?<!no )\b(?:{beginnings.strip().replace(' ', '|')})") for beginnings in pair
    )
    for pair in (
        (
            "mayor alt[oa] elevad grande high larg more",
            "menor baj[oa] reducid pequen low small less",
        ),
        ("maxim", "minim"),
        ("siempre always", "nunca never"),
        ("aument crec increment sub[ie] increas grow", "disminu decrec baja reduc decreas"),
        ("mejor better improv", "peor empeor worse"),
        ("rapid fast", "lent slow"),
        ("antes before", "despues after"),
        ("primer first", "ultim last"),
        ("facil eas[yi]", "dificil hard"),
        ("positiv", "negativ"),
        ("superior upper", "inferior lower"),
        ("verdader true", "fals"),
        ("supervis", "no.supervis unsupervis"),
        ("codificador encod", "decodificador decod"),
        ("sobreajust overfit", "subajust underfit"),
        ("entrada input", "salida output"),
        ("venc gan(?:a|o) win won beat", "perd pierd lost lose"),
        ("sensib sensitiv", "robust"),
    )
)
"""Beginnings of words, without accents."""


class _Part(NamedTuple):
    """A part of a sentence, folded; its words, and those that a negation bears on."""

    folded: str
    words: frozenset[str]
    negated: frozenset[str]

    @classmethod
    def of(cls, text: str) -> _Part:
        """Of "ningún paso aumenta" negated is what no step does; not what is affirmed, too."""
        plain, words = fold(text), content_words_in_order(text)
        stems, negated = [stem for _start, stem in words], []
        for match in _NEGATION.finditer(plain):
            after = [w for start, w in words if match.end() <= start <= match.end() + _REACH]
            begin = 1 if match[0].startswith("ningun") and len(after) > 1 else 0
            negated += after[begin : begin + 1]
        once = (stem for stem in negated if stems.count(stem) == 1)
        return cls(plain, frozenset(stems), frozenset(once))


_Check: TypeAlias = Callable[[_Part, _Part], bool]


def contradicts(claimed: str, passage: str) -> bool:
    """Whether the claim says the opposite of what the passage says, as far as words tell."""
    checks = [_at_other_pole]
    if _opposed(claimed, passage, _CLAUSES, [*checks, _negated_otherwise]):
        return True
    # What a passage negates besides may be what the claim says in its own way.
    if _Part.of(passage).negated <= _Part.of(claimed).words:
        checks.append(_negated_otherwise)
    return _opposed(claimed, passage, _SIDES, checks)


def _opposed(
    claimed: str, passage: str, division: re.Pattern[str], checks: Sequence[_Check]
) -> bool:
    """Whether to a part of the claim all parts of the passage that share most words with it say
    the opposite, by one of the checks.
    """
    parts, others = (
        [_Part.of(part) for part in division.split(text) if part.strip()]
        for text in (claimed, passage)
    )
    for part in parts:
        shared = [len(part.words & other.words) for other in others]
        most = max(1, max(shared, default=0), _LEAST_SHARED * len(part.words))
        rivals = [other for other, n in zip(others, shared, strict=True) if n >= most]
        if rivals and any(all(check(part, rival) for rival in rivals) for check in checks):
            return True
    return False


def _negated_otherwise(one: _Part, other: _Part) -> bool:
    """Whether a word of both is negated in one only.

    Not where a further negation bears on a word that the other does not have: then each may say
    in its own way what the other says.
    """
    ours, theirs = one.negated, other.negated
    missed = theirs <= one.words and not (ours - theirs).isdisjoint(other.words)
    added = ours <= other.words and not (theirs - ours).isdisjoint(one.words)
    return missed or added


def _at_other_pole(one: _Part, other: _Part) -> bool:
    negations = [len(_NEGATION.findall(part.folded)) % 2 for part in (one, other)]
    return negations[0] == negations[1] and any(
        (ours := [bool(pole.search(one.folded)) for pole in poles])
        in ([True, False], [False, True])
        and [bool(pole.search(other.folded)) for pole in poles] == ours[::-1]
        for poles in _OPPOSITES
    )


def exchanged(claimed: str, passage: str) -> bool:
    """Whether two clauses each begin as one of the passage's and end as the other."""
    divisions = [
        [_stems(part) for part in division.split(passage)]
        for division in (_SENTENCES, _PARALLEL, _ITEMS)
    ]
    for division in (_SENTENCES, _PARALLEL):
        for one, other in pairwise(_stems(part) for part in division.split(claimed)):
            first = [word for word in one if word not in other]
            second = [word for word in other if word not in one]
            if any(_crossed(first, second, parts) for parts in divisions):
                return True
    return False


def _stems(text: str) -> list[str]:
    return [stem for _start, stem in content_words_in_order(text)]


def _crossed(first: Sequence[str], second: Sequence[str], parts: Sequence[Sequence[str]]) -> bool:
    one, other = _places(first, parts), _places(second, parts)
    if len(one) < _ENDS or len(other) < _ENDS:
        return False
    return one[0] == other[-1] and other[0] == one[-1] and one[0] != other[0]


def _places(words: Sequence[str], parts: Sequence[Sequence[str]]) -> list[int]:
    """In which part each word stands; those that stand there twice tell nothing."""
    found = [
        [place for place, part in enumerate(parts) for w in part if w == word] for word in words
    ]
    return [places[0] for places in found if len(places) == 1]


def otherwise(
    entry: Scored,
    quotes: Sequence[Quote],
    inquiry: Inquiry,
    store: StoreReader,
    say: NullTranslations,
) -> Quote | None:
    """What another document says otherwise, with both documents named; None where none does.

    The sentence that answers best is looked at first, then the others that stand in the quotes.
    Only documents that are asked count. Raises `EmbedderError`, `StoreError`.
    """
    first, document = entry.statement, entry.excerpt.document
    own = [quote for quote in quotes if quote.hit.source.id == entry.excerpt.hit.source.id]
    for said in (first, *(other for other in entry.company if other != first)):
        if not any(quote.start <= said.start and said.end <= quote.end for quote in own):
            continue
        for source, (start, end) in _nearest_elsewhere(said, document, inquiry, store):
            text = store.text(source.id)
            if differs(document.text[said.start : said.end], text.text[start:end]):
                line = say.gettext(
                    "The notes do not agree. The first quote is from %(one)s;"
                    " in %(other)s it reads:"
                ) % {"one": _named(entry.excerpt.hit.source), "other": _named(source)}
                shown = " ".join(text.text[start:end].split())
                hit = passage_of(source, text, start, end, 0)
                return Quote(hit, text, start, end, f"{line}\n\n> {shown}", 1.0)
    return None


def _nearest_elsewhere(
    said: Statement, own: CleanText, inquiry: Inquiry, store: StoreReader
) -> list[tuple[Source, Span]]:
    """Of each other document the sentence that is nearest, the nearest one first.

    A document that says it word for word is no rival, whatever else it says.
    """
    block = own.block_at(said.start)
    if store.sentences is None or block is None or block.kind in _NO_CLAIM:
        return []
    strategy = inquiry.strategy
    vector = inquiry.embedder.embed_passages([said.words])[0]
    among = None if inquiry.only is None else store.rows_in(strategy, inquiry.only)
    rows = store.dense(strategy).nearest(vector, NEAREST, among)
    sources = [chunk.source_id for chunk in store.fetch(strategy, rows)]
    best = zip(sources, store.sentences.nearest_spans(strategy, rows, vector), strict=True)
    nearest: dict[SourceId, Span] = {}
    for _cosine, span, source in sorted(
        ((*one, source) for source, one in best if one), reverse=True
    ):
        if source != own.source_id:
            nearest.setdefault(source, span)
    return [(store.sources[source], span) for source, span in nearest.items()]


def differs(one: str, other: str) -> bool:
    """Whether two sentences say something of the same, and not the same.

    The marks of items do not count; what has few words, or tells of its day, is no claim.
    """
    one, other = (_MARK.sub("", text) for text in (one, other))
    words, others = content_words(one), content_words(other)
    claims = min(sum(map(str.isalpha, told)) for told in (words, others)) >= FEWEST
    dated = _DAY.search(one) and _DAY.search(other)
    if dated or not claims or len(words & others) < SHARED * len(words | others):
        return False
    if detect_language(one) != detect_language(other):
        return False
    apart = len(words - others), len(others - words)
    return (min(apart) > 0 and max(apart) <= SWAPPED) or (
        max(apart) <= RESTATED and contradicts(one, other)
    )


def _named(source: Source) -> str:
    """A document as a reader tells it from others: title, who wrote it, day, version."""
    day = source.date.isoformat() if source.date else ""
    version = f"v{source.version}" if source.version else ""
    told = ", ".join(filter(None, (*source.authors, day, version)))
    return f"**{source.title}** ({told})" if told else f"**{source.title}**"
