"""What the words of a follow-up say of the question before: that it points back to it, names
nothing, or nothing but another thing; wants more, or which is better.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from tutor.text.folding import fold, folded
from tutor.text.numerals import ORDINALS
from tutor.text.terms import content_words
from tutor.text.words import OF_ANY_SUBJECT, STOP_WORDS_OF_BOTH

POINTING = frozenset(
    "su sus eso esto ese esa esos esas este esta estos estas ello"
    " its their it they them this these those".split()
)
"""What has one of these words means something that was said before."""
_MOST_WORDS = 9
"""In a longer question such a word may point to what the question itself names."""
_JUDGED = frozenset(
    "mejor mejores peor peores conviene convienen rapido rapida facil dificil eficiente comun usado"
    " seguro segura diferencian distinguen"
    " better best worse faster easier harder common one ones".split()
)
"""How one of what was said before may be: "¿cuál es mejor?"."""
WANTED = frozenset(
    "dame deme da pon ponme poneme muestra muestrame quiero quisiera necesito otro otra mas"
    " algun alguna algunos algunas par existe existen porfa"
    " give show tell want need please another more".split()
)
"""How it is asked for."""
_DETAILS = frozenset(
    "ano fecha siglo epoca pais ciudad lugar paso ocurrio sucedio year date century country place"
    " happened".split()
)
"""When and where it was: "¿en qué año fue?"."""
DONE = frozenset(
    "sirve sirven calcula calculan usa usan hace funciona funcionan implementa entrena define"
    " used work works computed calculated defined".split()
)
JOINING = re.compile(
    r"\W*(?P<joining>(?:y|e|and|pero|but|entonces|then|so|what about|how about)\b\W*)?"
    r"(?P<asked>.*?)\W*",
    re.DOTALL | re.IGNORECASE,
)
"""What goes on with what was said before, and what is asked by itself."""
ARTICLE = r"(?:el|la|los|las|una?|the|an?)"
_ANOTHER = re.compile(
    r"\W*(?:(?:y|e|and|what about|how about)\s+"
    rf"|(?=(?:del?\s+)?{ARTICLE}\s+\w+(?:\s+\w+)?\W*\Z))"
    r"(?:(?:(?:el|l[ao]s?|that|those)\s+)?(?:del?|of|for)\s+)?"
    rf"(?:{ARTICLE}\s+)?(?P<name>[^,;?.]+?)[\s?.!]*",
    re.IGNORECASE,
)
"""Names nothing but another thing: "y ridge?", "y las de ridge"."""
_NO_NAMES = (
    OF_ANY_SUBJECT
    | DONE
    | frozenset(
        "que como cuando cual cuales donde quien cuanto what how why when which who".split()
    )
)
_CLITIC = re.compile(
    r"\b(?:\w{2,}(?:[aei]r|ndo)(?:se|me)?|compara|define|describe|calcula|demuestra)l[aeo]s?\b"
    r"(?<!\bcharla)(?<!\bcharlas)"
)
"""A verb with what it is done with: "usarlo", "resolverlas", "compáralos"."""
_MOST_OF_NAME = 3
"""Words of what is named instead of what was asked about before."""
PLACES = {word: int(place) for word, place in ORDINALS.items()} | {"primero": 1, "tercero": 3}
BY_ITSELF = (
    r"(?=\W*\Z|\s*[,;:]|\s+(?:que|en|es|son|como|para|por|con|a|y|no|se|ya|cuando|cual|cuant[oa]s?"
    r"|donde|hace|tiene|sirve|funciona|consiste|significa|is|are|do|does|has|means|works|in)\b)"
)
"""What stands for something by itself: "el segundo" is an adjective in "el segundo teorema"."""
PICKED = re.compile(
    rf"(?:\A|\b(?P<the>del|al|el|la|l[oa]s|the)\s+)"
    rf"(?P<which>{'|'.join(PLACES)}|ultim[oa]|last|\d(?:er|r[oa]|d[oa]|t[oa]|[oa]))s?"
    rf"(?:\s+(?:punto|tipo|paso|one|item|type|step))?"
    rf"(?:(?:(?<=\bel primero)|(?<=\bel tercero))(?= (?!de\b))|{BY_ITSELF})"
)
"""Means one of several by its place."""
ONLY_JOINS = re.compile(r"\W*(?:(?:y|e|and|what about|how about)\W+)?")
"""What stands before "la segunda" where nothing else is asked."""
ASKING = r"cu[aá]ndo|c[oó]mo|d[oó]nde|por qu[eé]|para qu[eé]|when|where|how|why"
ASKS = (
    r"(?:(?:a|de|en|con|por|para|desde|hasta) )?"
    r"(?:que|cual(?:es)?|como|cuando|cuant[oa]s?|quien(?:es)?|donde)\b|por ?que\b"
    r"|(?:(?:from|in|of|to) )?(?:how|why|what|when|where|which|who)\b"
)
"""A word that asks, without accents."""
_DONE_WITH_IT = (
    re.compile(
        rf"(?P<asks>(?:qui[eé]n(?:es)?|{ASKING})(?: se)?)"
        r" (?:l[oe]|l[ao]s?(?= \w+(?:[oó]|ron|an)\b)) (?P<done>\w+)"
        rf"(?P<more>(?: [ye] (?:{ASKING}|en qu[eé] a[nñ]o))?)",
        re.IGNORECASE,
    ),
    re.compile(
        rf"(?P<asks>who|(?:{ASKING}) (?:do|can|did) \w+) (?P<done>\w+) (?:it|them)"
        rf"(?P<more>(?: and (?:{ASKING}|in which year))?)",
        re.IGNORECASE,
    ),
)
"""What somebody does with what was said before: "quién la propuso y cuándo", not "cuándo la
mediana".
"""
_EXPLAIN = re.compile(
    r"(?:explic|aclar|entend|entiend|repit|resum|profundi[zc]|ampli|desarroll)\w*"
    r"|explain\w*|understand|repeat|summari[sz]e|elaborate"
)
_MANNERS = frozenset(
    "detalle detalles facil facilmente simple sencillo sencilla claro clara claramente despacio"
    " mejor corto palabras forma manera vez nuevo poco pero"
    " detail details simply simpler simple easier slowly clearly better again way words"
    " terms".split()
)
"""In which manner something is to be explained."""
_MORE = re.compile(
    r"(?:(?:y|and) )?(?:(?:continua|sigue|prosigue|continue|go on)(?: con eso| porfa| please)?"
    r"|(?:que|algo|dime|cuentame|cuenta|anything|tell me|what) (?:mas|more|else)"
    r"(?: (?:dicen?|hay|sabes|tiene|(?:de|sobre) (?:eso|esto|ell[oa])|about (?:it|that)))*)"
)
"""Wants what the notes go on with: "continúa", "¿qué más?"."""
_SECOND_CLAUSE = re.compile(
    r",? (?:y|e|con|and|with) (?:que|como|cuando|cual(?:es)?|por que|how|why|what|sus?|its|their)\b"
)


def done_with_it(asked: str) -> re.Match[str] | None:
    """Who does, or how one does, something with what was said before: "quién la propuso"."""
    return next(filter(None, (form.fullmatch(asked) for form in _DONE_WITH_IT)), None)


def named_instead(question: str) -> str:
    """What a follow-up names that asks nothing else: "ridge" in "¿y ridge?"; empty for others."""
    other = _ANOTHER.fullmatch(question)
    name = other["name"] if other else ""
    words = folded(name).split()
    if not content_words(name) or len(words) > _MOST_OF_NAME:
        return ""
    return name if words[0] not in STOP_WORDS_OF_BOTH and _NO_NAMES.isdisjoint(words) else ""


def asks_to_explain(question: str) -> bool:
    """Whether all that is asked is that what was said be explained ("explícamelo más fácil"), or
    what the notes go on with.
    """
    words = words_of(question)
    others = [word for word in words if not _EXPLAIN.fullmatch(word)]
    meant = STOP_WORDS_OF_BOTH.union(_MANNERS, WANTED).issuperset(others)
    how = not asks(question) and not _MANNERS.isdisjoint(words)  # not "which is easier?"
    asked = how or len(others) < len(words)
    return asks_for_more(question) or (meant and asked)


def asks_for_more(question: str) -> bool:
    """Whether all that is asked is what the notes go on with."""
    return _MORE.fullmatch(" ".join(words_of(question))) is not None


def asks(question: str) -> bool:
    """Whether a question begins with a word that asks: "qué …", "de dónde …"."""
    return re.match(rf"\W*(?:{ASKS})", fold(question)) is not None


def points_back(question: str) -> bool:
    """Whether a question has a short word for what was said, or no word for its subject."""
    words = words_of(question)
    if _names_nothing(words) or _only_picks(question) or asks_to_explain(question):
        return True
    parted = JOINING.fullmatch(question)
    if parted and done_with_it(parted["asked"]):
        return True
    if clause := _SECOND_CLAUSE.search(folded(question)):
        first = words_of(folded(question)[: clause.start()])
        if POINTING.isdisjoint(first) and not _names_nothing(first):
            return False  # "what causes X and how can we fix them?"
    if len(words) > _MOST_WORDS:
        return False
    return not POINTING.isdisjoint(words) or _CLITIC.search(folded(question)) is not None


def _only_picks(question: str) -> bool:
    """Whether all that is said is which one is meant by its place: "la tercera"."""
    plain = fold(question)
    found = PICKED.search(plain)
    others = plain[: found.start()] + plain[found.end() :] if found else plain
    return ONLY_JOINS.fullmatch(others.rstrip("?.! ")) is not None


def _names_nothing(words: Sequence[str]) -> bool:
    return STOP_WORDS_OF_BOTH.union(OF_ANY_SUBJECT, _JUDGED, WANTED, _DETAILS).issuperset(words)


def words_of(text: str) -> list[str]:
    """The words of a text, folded."""
    return re.findall(r"[\w*+#]+", folded(text))
