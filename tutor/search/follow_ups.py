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
    " algun alguna algunos algunas par"
    " give show tell want need please another more".split()
)
"""How it is asked for."""
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
    r"\W*(?:y|e|and|what about|how about)\s+"
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
_MAY_BE_OF_IT = re.compile(r"[^\W\d_A-Z]+")
"""One word, which may belong to the name of what was asked about: "consistente" behind "heurística
admisible"."""
_NOUN = re.compile(r"[^\W\d_]{4,}")
_MOST_OF_NAME = 3
"""Words of what is named instead of what was asked about before."""
_PICKED = re.compile(
    r"(?:\b(?P<the>del|al|el|la|the)\s+)?"
    r"\b(?P<which>primer[oa]?|segund[oa]|tercer[oa]?|cuart[oa]|quint[oa]|first|second|third|fourth|fifth)"
    r"(?:\s+(?:punto|tipo|paso|one|item|type|step))?\W*\Z"
)
"""Means one of several by its place."""
_COUNTED = re.compile(rf"\b(?:{'|'.join(ORDINALS)})(?= \w)")
"""Where a question counts what it asks about: "la primera forma normal"."""
_ONLY_JOINS = re.compile(r"\W*(?:(?:y|e|and|what about|how about)\W+)?")
"""What stands before "la segunda" where nothing else is asked."""
_ITEM = re.compile(r"\s*(?:[•◦*-]|\d{1,2}[.)])\s+(\S.*)")
_MOST_OF_ITEM = 8
"""Words by which an item is called that has no name before a colon."""
_ITS = re.compile(r"\b(?:sus?|its|their)\s+(\w+(?:\s+\w+)?)\W*\Z", re.IGNORECASE)
"""What is asked for of what was said before: "y su complejidad temporal"."""
_ASKING = r"cu[aá]ndo|c[oó]mo|d[oó]nde|por qu[eé]|para qu[eé]|when|where|how|why"
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
_EXPLAIN = re.compile(r"(?:explic|aclar|entend|entiend|repit)\w*|explain\w*|understand|repeat")
_AGAIN = re.compile(
    r"(?:(?:y|pero|but) )?(?:(?:estas )?segur[oa](?: de (?:eso|ello))?|de verdad|en serio"
    r"|(?:(?:eso )?es )?(?:cierto|verdad)(?: eso)?|(?:are you )?sure|really|is that true)"
    r"|(?:pero )?(?:un poco )?(?:mas|mucho mas|en|con mas) (?:simple|facil|sencillo|corto|breve"
    r"|claro|despacio|detalles?|resumido)(?: (?:porfa|por favor))?"
    r"|(?:simpler|shorter|(?:in )?more (?:simply|briefly|detail))(?: please)?"
)
"""Doubts what was said, or wants it otherwise: "¿seguro?", "más simple porfa"."""
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
    other = _named_instead(_without_what_was_asked(question, earlier))
    if other is None:
        return ""
    called, whose = other["called"], _WHOSE.search(earlier)
    of_it = re.search(rf"\b(?:del?|of|for) (?:{_ARTICLE} )?{re.escape(subject)}\W*\Z", earlier)
    if other["of"] and whose and not (subject and of_it):
        start, end = whose.span("name")
    elif not subject or (not other["of"] and " " in subject and _MAY_BE_OF_IT.fullmatch(called)):
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


def named_instead(question: str) -> str:
    """What a follow-up names that asks nothing else: "ridge" in "¿y ridge?"; empty for others."""
    other = _named_instead(question)
    return other["name"] if other else ""


def with_its_noun(word: str, earlier: str, subject: str, notes: Iterable[str]) -> str:
    """What was asked before of its `subject`, asked of what one `word` tells from that: "qué es la
    elasticidad cruzada" for "¿y la cruzada?" behind "qué es la elasticidad precio". Empty unless
    the `notes` say so.
    """
    said = " ".join(" ".join(folded(text).split()) for text in notes)
    for noun in _NOUN.findall(earlier):
        if re.search(rf"\b{folded(noun)} {re.escape(folded(word))}\b", said):
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


def picked(question: str, items: Sequence[str], earlier: str = "") -> str:
    """A question that means one of the `items` by its place ("explica el segundo"), with its name;
    or that asks what the `earlier` one did of another place: "qué es la segunda forma normal" for
    "¿y la segunda?" behind "qué es la primera forma normal". Empty for any other.
    """
    found = _PICKED.search(fold(question))
    if found is None:
        return ""
    which = found["which"]
    counted = _COUNTED.search(fold(earlier))
    if counted and _ONLY_JOINS.fullmatch(fold(question)[: found.start()]):
        short = which.removesuffix("o") if which in ("primero", "tercero") else which
        return f"{earlier[: counted.start()]}{short}{earlier[counted.end() :]}"
    place = int(ORDINALS.get(which) or ORDINALS[which.removesuffix("o")])
    if place > len(items):
        return ""
    before = question[: found.start()] + {"del": "de ", "al": "a "}.get(found["the"] or "", "")
    return f"{before}{items[place - 1]}"


def listed(answer: str) -> list[str]:
    """What the items of the first list of an answer are called."""
    items: list[str] = []
    for line in answer.split("\n"):
        if item := _ITEM.match(line):
            name, colon, _rest = item[1].partition(":")
            items.append(name if colon else " ".join(item[1].split()[:_MOST_OF_ITEM]))
        elif items and line.strip():
            break
    return items


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
    if _AGAIN.fullmatch(" ".join(words)):
        return True
    others = [word for word in words if not _EXPLAIN.fullmatch(word)]
    meant = STOP_WORDS_OF_BOTH.union(_MANNERS, _WANTED).issuperset(others)
    return meant and len(others) < len(words)


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
    return len(words) <= _MOST_WORDS and not POINTING.isdisjoint(words)


def _only_picks(question: str) -> bool:
    """Whether all that is said is which one is meant by its place: "la tercera"."""
    plain = fold(question)
    found = _PICKED.search(plain)
    return found is not None and _ONLY_JOINS.fullmatch(plain[: found.start()]) is not None


def _has_no_subject(question: str) -> bool:
    """Whether all that is said behind the word that asks is a verb."""
    return _ONLY_A_VERB.fullmatch(" ".join(folded(question).split()).strip(" ?¿.!")) is not None


def _names_nothing(words: Sequence[str]) -> bool:
    return STOP_WORDS_OF_BOTH.union(OF_ANY_SUBJECT, _JUDGED, _WANTED).issuperset(words)


def _words(text: str) -> list[str]:
    return re.findall(r"[\w*+#]+", folded(text))
