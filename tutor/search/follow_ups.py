"""What the words of a follow-up say of the question before: that it points back to it, asks
something of its subject, or asks the same of another one.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from tutor.text.folding import fold, folded, last_words_as_typed
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
    " better best worse faster easier harder common one ones".split()
)
"""How one of what was said before may be: "¿cuál es mejor?"."""
_OF_THEM = re.compile(
    r"\W*(?:(?:y|e|and)\s+)?"
    r"(?:(?:cual(?:es)?|which(?:\s+one)?)\s+(?:es|son|seria|fue|is|are)\s+"
    r"(?:mas|menos|more|less)\s+\w+"
    r"|(?:(?:cual(?:es)?|which(?:\s+one)?)\s+(?:es|son|seria|fue|is|are)\s+)?"
    r"(?:el|la|los|las|the)\s+(?:(?:mas|menos|most|least)\s+\w+|\w+est))\W*"
)
"""Which of them is it the most: "¿cuál es el más seguro?"."""
_WANTED = frozenset(
    "dame deme da pon ponme poneme muestra muestrame quiero quisiera necesito otro otra mas"
    " algun alguna algunos algunas par existe existen"
    " give show tell want need please another more".split()
)
"""How it is asked for."""
_DETAILS = frozenset(
    "ano fecha siglo epoca pais ciudad lugar paso ocurrio sucedio year date century country place"
    " happened".split()
)
"""When and where it was: "¿en qué año fue?"."""
_DONE = frozenset(
    "sirve sirven calcula calculan usa usan hace funciona funcionan implementa entrena define"
    " used work works computed calculated defined".split()
)
JOINING = re.compile(
    r"\W*(?P<joining>(?:y|e|and|pero|but|entonces|then|so|what about|how about)\b\W*)?"
    r"(?P<asked>.*?)\W*",
    re.DOTALL | re.IGNORECASE,
)
"""What goes on with what was said before, and what is asked by itself."""
_OWNED = re.compile(
    r"\b(?:sus?|its?|their)\s+"
    r"|\s+(?:de|sobre|of|for|about) (?:es[eao]|est[eao]|ello|that|this|it|them)\b(?=\W*\Z)",
    re.IGNORECASE,
)
_ARTICLE = r"(?:el|la|los|las|una?|the|an?)"
_ANOTHER = re.compile(
    r"\W*(?:(?:y|e|and|what about|how about)\s+"
    rf"|(?=(?:del?\s+)?{_ARTICLE}\s+\w+(?:\s+\w+)?\W*\Z))"
    r"(?:(?:(?:el|l[ao]s?|that|those)\s+)?(?P<of>del?|of|for)\s+)?"
    rf"(?P<called>(?:{_ARTICLE}\s+)?(?P<name>[^,;?.]+?))[\s?.!]*",
    re.IGNORECASE,
)
"""Names nothing but another thing: "y ridge?", "y las de ridge"."""
_NO_NAMES = (
    OF_ANY_SUBJECT
    | _DONE
    | frozenset(
        "que como cuando cual cuales donde quien cuanto what how why when which who".split()
    )
)
_WHOSE = re.compile(
    rf"\b(?:del?|of|for) (?P<name>(?:{_ARTICLE} )?(?:(?!\b(?:del?|of|for) )[^?])+?)"
    r"[\s?.!]*\Z",
    re.IGNORECASE,
)
"""What something was asked of: "la complejidad de A*"."""
_OWNER = re.compile(rf" (?:del|(?:de|of) {_ARTICLE}) .*\Z", re.IGNORECASE)
"""Whose it is: "la precisión de un clasificador", not "descenso de gradiente"."""
_TELLING = rf"(?!(?:{'|'.join(sorted(STOP_WORDS_OF_BOTH))})\b)\w+"
_THING = re.compile(rf"\b{_ARTICLE} {_TELLING}(?: {_TELLING})?", re.IGNORECASE)
"""What is named with an article."""
_IN_ANOTHER = re.compile(
    r"\W*(?:y|e|and)\s+(?P<how>(?:en|con|para|por|a|sobre|contra|with|in|for|to|on)) "
    rf"(?:{_ARTICLE} )?{_TELLING}(?: {_TELLING})?(?=[\s?.!]*\Z)",
    re.IGNORECASE,
)
"""Asks the same with another detail: "¿y en 3FN?", "y con el determinante"."""
_LEADING = re.compile(
    rf"\W*(?:(?:y|pero|and|but)\s+)?(?P<name>(?:{_ARTICLE} )?{_TELLING}(?: (?:y )?{_TELLING})?)"
    r" (?:lo es|tambien|es|son|tiene|usa|puede|necesita|hace|sirve|is|has|does|uses)n?\b(?! que\b)",
    re.IGNORECASE,
)
"""Asks of something else what was said before: "¿DFS lo es?", "Adam también usa eso?"."""
_CLITIC = re.compile(r"\b\w{2,}(?:[aei]r|ndo)(?:se|me)?l[aeo]s?\b(?<!\bcharla)(?<!\bcharlas)")
"""A verb with what it is done with: "usarlo", "resolverlas"."""
_MAY_BE_OF_IT = re.compile(r"[^\W\d_A-Z]+")
"""One word, which may belong to the name of what was asked about: "consistente" behind "heurística
admisible"."""
_NOUN = re.compile(r"[^\W\d_]{4,}")
_MOST_OF_NAME = 3
"""Words of what is named instead of what was asked about before."""
PLACES = {word: int(place) for word, place in ORDINALS.items()} | {"primero": 1, "tercero": 3}
_VERBS = "hace|tiene|sirve|funciona|consiste|significa|is|does|has|means|works"
_BEHIND = rf"que|en|es|son|como|para|por|con|a|y|no|se|ya|cuando|cual|cuant[oa]s?|donde|{_VERBS}"
PICKED = re.compile(
    rf"(?:\A|\b(?P<the>del|al|el|la|l[oa]s|the)\s+)"
    rf"(?P<which>{'|'.join(PLACES)}|ultim[oa]|last|\d(?:er|r[oa]|d[oa]|t[oa]|[oa]))s?"
    rf"(?:\s+(?:punto|tipo|paso|one|item|type|step))?(?=\W*\Z|\s*[,;:]|\s+(?:{_BEHIND})\b)"
)
"""Means one of several by its place."""
ONLY_JOINS = re.compile(r"\W*(?:(?:y|e|and|what about|how about)\W+)?")
"""What stands before "la segunda" where nothing else is asked."""
_ITS = re.compile(r"\b(?:sus?|its|their)\s+(\w+(?:\s+\w+)?)\W*\Z", re.IGNORECASE)
"""What is asked for of what was said before: "y su complejidad temporal"."""
_ASKING = r"cu[aá]ndo|c[oó]mo|d[oó]nde|por qu[eé]|para qu[eé]|when|where|how|why"
_INTERROGATIVE = re.compile(
    r"\W*(?:(?:a|de|en|con|por|para|desde|hasta) )?"
    r"(?:que|cual(?:es)?|como|cuando|cuant[oa]s?|quien(?:es)?|donde|what|which|how|why|when|where|who)\b"
)
_DONE_WITH_IT = (
    re.compile(
        rf"(?P<asks>(?:qui[eé]n(?:es)?|{_ASKING})(?: se)?)"
        r" (?:l[oe]|l[ao]s?(?= \w+(?:[oó]|ron|an)\b)) (?P<done>\w+)"
        rf"(?P<more>(?: [ye] (?:{_ASKING}|en qu[eé] a[nñ]o))?)",
        re.IGNORECASE,
    ),
    re.compile(
        rf"(?P<asks>who|(?:{_ASKING}) (?:do|can|did) \w+) (?P<done>\w+) (?:it|them)"
        rf"(?P<more>(?: and (?:{_ASKING}|in which year))?)",
        re.IGNORECASE,
    ),
)
"""What somebody does with what was said before: "quién la propuso y cuándo", not "cuándo la
mediana".
"""
_DONE_WITH = re.compile(
    rf"(?:(?:qui[eé]n(?:es)?|{_ASKING})(?: se)? (?!(?:no|lo|s[oó]lo|to|do)\b)\w+(?:[oó]|ron)"
    r"|who (?!(?:is|are|was)\b)\w+) (?P<name>\S.*)",
    re.IGNORECASE | re.DOTALL,
)
"""The same of what is named: "quién propuso X", "cómo evito X"."""
_EXPLAIN = re.compile(
    r"(?:explic|aclar|entend|entiend|repit|resum|profundi[zc]|ampli|desarroll)\w*"
    r"|explain\w*|understand|repeat|summari[sz]e|elaborate"
)
_AGAIN = re.compile(
    r"(?:(?:y|pero|but) )?(?:(?:estas )?segur[oa](?: de (?:eso|ello))?|de verdad|en serio"
    r"|(?:(?:eso )?es )?(?:cierto|verdad)(?: eso)?|(?:are you )?sure|really|is that true)"
    r"|(?:pero )?(?:un poco )?(?:mas|mucho mas|en|con mas) (?:simple|facil|sencillo|corto|breve"
    r"|claro|despacio|detalles?|resumido)(?: (?:porfa|por favor))?"
    r"|(?:simpler|shorter|(?:in )?more (?:simply|briefly|detail))(?: please)?"
)
"""Doubts what was said, or wants it otherwise: "¿seguro?", "más simple porfa"."""
_MORE = re.compile(
    r"(?:(?:y|and) )?(?:(?:continua|sigue|prosigue|continue|go on)(?: con eso| porfa| please)?"
    r"|(?:que|algo|dime|cuentame|cuenta|anything|tell me|what) (?:mas|more|else)"
    r"(?: (?:dicen?|hay|sabes|tiene|(?:de|sobre) (?:eso|esto|ell[oa])|about (?:it|that)))*)"
)
"""Wants what the notes go on with: "continúa", "¿qué más?"."""
_OTHER_SIDE = re.compile(
    r"(?:(?:y|pero|and|but) )?(?:en que se diferencian?|(?:cual|que) (?:es |hay )?(?:la |de )?"
    r"diferencias?(?: hay| tienen?)?|como se comparan?|how (?:is it|are they) different"
    r"|how do(?:es)? (?:it|they) (?:differ|compare)|what is the difference)"
    r" (?:del?|con|respecto al?|from|with|to)(?: (?:el|la|los|las|un|una|the|an?))?"
    r" (\S+(?: \S+){0,3})"
)
"""Compares what was asked about with something else."""
_ONLY_A_VERB = re.compile(
    r"(?:(?:y|e|pero|entonces) )?(?:(?:en|a|de|por|con|desde|hasta) )?"
    r"(?:como|cuando|donde|adonde|cuanto|por ?que|para que)(?: no)?"
    r"(?: (?:se|les?|lo|ha|han|habia|fue|fueron|es|son|era|eran|esta|estan))*"
    r" (?!(?:el|l[ao]s?|un|una|se)\b)[a-z]+"
)
"""Asks for how, when, where or why of something that it does not name: "¿y cómo acabó?"."""
_OF_WHAT_IS_NOT_NAMED = re.compile(
    r"(?:(?:y|e|pero|entonces) )?(?:(?:en|a|de|por|con|para) )?"
    r"(?:que|cual(?:es)? son l[oa]s|cuant[oa]s) (?!(?:es|son|se|lo)\b)\w+(?: de \w+| \w+[aeo]s)?"
    r"(?: que)? (?:tiene|usa|utiliza|necesita|hace|produce|incluye|ofrece|presenta|requiere"
    r"|contiene|resuelve|provoca|causa)n?"
)
"""Asks what it has, needs, does … of something that it does not name: "qué operaciones tienen"."""
_MANNERS = frozenset(
    "detalle detalles facil facilmente simple simples sencillo sencilla sencillamente claro clara"
    " claramente despacio mejor corto palabras forma manera vez nuevo poco pero"
    " detail details simply simpler simple easier easily slowly clearly better again way words"
    " terms".split()
)
"""In which manner something is to be explained."""
_SECOND_CLAUSE = re.compile(
    r",? (?:y|e|con|and|with) (?:que|como|cuando|cual(?:es)?|por que|how|why|what|sus?|its|their)\b"
)


def restated(question: str, subject: str, language: str) -> str:
    """A follow-up that asks something of the `subject` of the question before, and of nothing else,
    as it stands by itself: "ejemplo de k-means" for "un ejemplo" behind "¿Qué es k-means?". Empty
    for any other, and without a subject.
    """
    if subject and asks_to_explain(question):
        return f"{'explain' if language == 'en' else 'explica'} {subject}"
    parted = JOINING.fullmatch(_OWNED.sub("", question))
    asked = parted["asked"] if parted else ""
    if subject and (done := _done_with_it(asked)):
        return f"{done['asks']} {done['done']} {subject}{done['more']}"
    if subject and _has_no_subject(asked):
        return f"{asked} {subject}"
    words = _words(asked)
    owned = frozenset(_words(its[1])) if (its := _ITS.search(question)) else frozenset()
    kinds = OF_ANY_SUBJECT | _DONE | owned
    if not subject or kinds.isdisjoint(words):
        return ""
    if not STOP_WORDS_OF_BOTH.union(kinds, _WANTED).issuperset(words):
        return ""
    of = ("of " if language == "en" else "de ") if words[-1] not in _DONE else ""
    return f"{asked} {of}{subject}"


def _done_with_it(asked: str) -> re.Match[str] | None:
    return next(filter(None, (form.fullmatch(asked) for form in _DONE_WITH_IT)), None)


def done_with(question: str) -> str:
    """What is named in a question like those that `restated` makes of "quién la propuso"; empty for
    any other.
    """
    done = _DONE_WITH.fullmatch(question)
    return done["name"] if done else ""


def asked_of_another(earlier: str, subject: str, question: str) -> str:
    """What was asked before of a `subject`, asked of what a follow-up names instead: "qué es ridge"
    for "¿y ridge?" behind "qué es lasso". Empty for any other follow-up.
    """
    if detail := _IN_ANOTHER.match(question):
        how, called = detail["how"], detail[0][detail.start("how") :]
        like = [*re.finditer(rf"\b{how} (?:{_ARTICLE} )?{_TELLING}(?: {_TELLING})?", earlier)]
        start, end = like[0].span() if len(like) == 1 else (0, 0)
        return f"{earlier[:start]}{called}{earlier[end:]}" if end else ""
    other = _named_instead(_without_what_was_asked(question, earlier))
    if other is None:
        return ""
    called, whose = other["called"], _WHOSE.search(earlier)
    of_it = re.search(rf"\b(?:del?|of|for) (?:{_ARTICLE} )?{re.escape(subject)}\W*\Z", earlier)
    if other["of"] and whose and not (subject and of_it):
        start, end = whose.span("name")
    elif not subject:
        return _of_another_thing(earlier, called)
    elif not other["of"] and " " in subject and _MAY_BE_OF_IT.fullmatch(called):
        return ""
    else:
        head = subject if " de " in called else _OWNER.sub("", subject)
        rest = re.escape(subject[len(head) :])
        named = re.search(rf"(?:\b{_ARTICLE} )?{re.escape(head)}(?={rest}\W*\Z)", earlier)
        start, end = named.span() if named else (0, 0)
    if earlier[:start].endswith((" de ", " of ")) and not re.match(
        rf"{_ARTICLE} ", earlier[start:end]
    ):
        called = other["name"]
    asked = f"{earlier[:start]}{called}{earlier[end:]}" if end else ""
    return re.sub(r"\bde el ", "del ", asked)


def _of_another_thing(earlier: str, called: str) -> str:
    """What was asked before of the only thing that it names with an article, asked of another that
    has one and as many words; empty where there are several, or it is named what it is of.
    """
    named = [*_THING.finditer(earlier)]
    alike = (
        len(named) == 1 and _THING.match(called) and len(named[0][0].split()) <= len(called.split())
    )
    if not alike or earlier[named[0].end() :].lstrip().startswith(("de ", "del ", "of ")):
        return ""
    start, end = named[0].span()
    return f"{earlier[:start]}{called}{earlier[end:]}"


def leading_name(question: str) -> str:
    """What a question begins with and says something of: "DFS" in "¿DFS lo es?"; else empty."""
    found = _LEADING.match(fold(question))
    if found is None or not OF_ANY_SUBJECT.isdisjoint(found["name"].split()):
        return ""
    return question[slice(*found.span("name"))]


def names_a_thing(question: str) -> bool:
    """Whether a question names something with its article."""
    return _THING.search(question) is not None


def named_instead(question: str) -> str:
    """What a follow-up names that asks nothing else: "ridge" in "¿y ridge?"; empty for others."""
    other = _named_instead(question)
    return other["name"] if other else ""


def with_its_noun(word: str, earlier: str, subject: str, notes: Iterable[str]) -> str:
    """What was asked before of its `subject`, asked of what one `word` tells from that: "qué es la
    elasticidad cruzada" for "¿y la cruzada?" behind "qué es la elasticidad precio". Empty unless
    the `notes` say so, and not only the labels of a drawing.
    """
    blocks = [" ".join(block.split()) for text in notes for block in folded(text).split("\n\n")]
    for noun in _NOUN.findall(earlier):
        named = rf"{folded(noun)} {re.escape(folded(word))}"
        if any(re.search(rf"\w\W+{named}\b|\b{named}\W+\w", block) for block in blocks):
            told = subject if folded(subject).startswith(folded(noun)) else noun
            return earlier.replace(told, f"{noun} {word}", 1)
    return ""


def _named_instead(question: str) -> re.Match[str] | None:
    other = _ANOTHER.fullmatch(question)
    words = folded(other["name"]).split() if other else []
    if not (other and content_words(other["name"]) and len(words) <= _MOST_OF_NAME):
        return None
    named = words[0] not in STOP_WORDS_OF_BOTH and _NO_NAMES.isdisjoint(words)
    return other if named else None


def _without_what_was_asked(question: str, earlier: str) -> str:
    """A follow-up without the words at its end with which the earlier question begins."""
    begun = " ".join(_words(earlier))
    for match in re.finditer(r" (?=\S+ \S)", question):
        if f"{begun} ".startswith(f"{' '.join(_words(question[match.end() :]))} "):
            return question[: match.start()]
    return question


def other_side(question: str) -> str:
    """With what a question compares that of the question before ("en qué se diferencia de X")."""
    compared = _OTHER_SIDE.fullmatch(" ".join(folded(question).split()).strip(" ?¿.!"))
    return last_words_as_typed(question, compared[1]) if compared else ""


def asks_which(question: str) -> bool:
    """Whether all that is asked is which of what was said is better, faster …"""
    if _OF_THEM.fullmatch(folded(question)):
        return True
    words = _words(question)
    return not _JUDGED.isdisjoint(words) and _JUDGED.union(STOP_WORDS_OF_BOTH).issuperset(words)


def asks_to_explain(question: str) -> bool:
    """Whether all that is asked is that what was said be explained, or said again: "explícamelo
    más fácil", "¿seguro?".
    """
    words = _words(question)
    if _AGAIN.fullmatch(" ".join(words)) or asks_for_more(question):
        return True
    others = [word for word in words if not _EXPLAIN.fullmatch(word)]
    meant = STOP_WORDS_OF_BOTH.union(_MANNERS, _WANTED).issuperset(others)
    return meant and len(others) < len(words)


def asks_for_more(question: str) -> bool:
    """Whether all that is asked is what the notes go on with."""
    return _MORE.fullmatch(" ".join(_words(question))) is not None


def asks(question: str) -> bool:
    """Whether a question begins with a word that asks: "qué …", "de dónde …"."""
    return _INTERROGATIVE.match(fold(question)) is not None


def points_back(question: str) -> bool:
    """Whether a question has a short word for what was said, or no word for its subject."""
    words = _words(question)
    if asks_to_explain(question) or _names_nothing(words) or other_side(question):
        return True
    if _has_no_subject(question) or _only_picks(question):
        return True
    parted = JOINING.fullmatch(question)
    if parted and _done_with_it(parted["asked"]):
        return True
    if clause := _SECOND_CLAUSE.search(folded(question)):
        first = _words(folded(question)[: clause.start()])
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


def _has_no_subject(question: str) -> bool:
    """Whether all that is said behind the word that asks is a verb, or what is had or done."""
    plain = " ".join(folded(question).split()).strip(" ?¿.!")
    return any(form.fullmatch(plain) for form in (_ONLY_A_VERB, _OF_WHAT_IS_NOT_NAMED))


def _names_nothing(words: Sequence[str]) -> bool:
    return STOP_WORDS_OF_BOTH.union(OF_ANY_SUBJECT, _JUDGED, _WANTED, _DETAILS).issuperset(words)


def _words(text: str) -> list[str]:
    return re.findall(r"[\w*+#]+", folded(text))
