"""Noun phrases of a question, found without a parser: articles, names and `de` mark them."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from tutor.followups.words import (
    ARTICLES,
    ATTRIBUTES,
    CLITICS,
    GENERIC_MODIFIERS,
    INTERROGATIVES,
    ORDINALS,
    VERBS,
    Word,
    split_words,
    words,
)

LONGEST_PHRASE = 12
"""Words of a noun phrase; a longer one is a sentence that was misread."""
_OF = words("de del of")
_BARE_LINKS = words("en por con sin in with without")
"""Prepositions that belong to a phrase when a bare noun follows: `búsqueda en anchura`."""
_INFINITIVE = re.compile(r"..[aei]r$")
_VERB_FOLLOWS = words("como cuando donde cuanto quien que se me te nos le no who siempre")
_LISTS = words("y e o u and or vs versus")
_COMPARES = words("con frente a de with to from than que")
_TELLS = words("diferencia diferencian distingue distinguen")
_DIFFERS = words(
    "compara comparar comparame compare comparado comparada diferencia diferencian diferencias"
    " distingue differ differs difference differences compared comparison comparacion"
)


@dataclass(frozen=True, slots=True)
class Phrase:
    """A noun phrase: words `begin` to `end` (exclusive) of the text, as it is written there."""

    begin: int
    end: int
    text: str


@dataclass(frozen=True, slots=True)
class Sentence:
    """A text and its words, with what stands between them."""

    text: str
    items: tuple[Word, ...]
    compares: bool = False

    def gap(self, index: int) -> str:
        """What stands between a word and the one before it, spaces aside."""
        if not 0 < index < len(self.items):
            return ""
        return self.text[self.items[index - 1].end : self.items[index].start].strip()

    def key(self, index: int) -> str:
        """A word's folded form; empty outside the text."""
        return self.items[index].key if 0 <= index < len(self.items) else ""

    def slice(self, begin: int, end: int) -> str:
        """The text of words `begin` to `end` (exclusive)."""
        if begin >= end:
            return ""
        return " ".join(self.text[self.items[begin].start : self.items[end - 1].end].split())


def read(text: str) -> Sentence:
    """A text with its words."""
    items = tuple(split_words(text))
    return Sentence(text, items, any(word.key in _DIFFERS for word in items))


def phrase_at(sentence: Sentence, begin: int, *, vague: bool = False) -> Phrase | None:
    """The noun phrase that begins at a word; None if none does.

    One that names nothing specific (`una función`) counts only if `vague`.
    """
    end = _phrase_end(sentence, begin)
    if not vague:
        begin = _past_attributes(sentence, begin, end)
    items = sentence.items[begin:end]
    counts = any(word.is_specific or vague for word in items)
    if not counts or len(items) > LONGEST_PHRASE:
        return None
    return Phrase(begin, end, _written(sentence, begin, end))


def _phrase_end(sentence: Sentence, begin: int) -> int:
    index = begin + (sentence.key(begin) in ARTICLES)
    index += index > begin and sentence.key(index) in ORDINALS
    if index >= len(sentence.items) or not _is_nominal(sentence.items[index], index > begin):
        return begin
    index += 1
    while index < len(sentence.items) and not sentence.gap(index):
        step = _continues(sentence, index)
        if not step:
            break
        index += step
    return index


def _continues(sentence: Sentence, index: int) -> int:
    """How many words from `index` on still belong to the phrase before it."""
    word = sentence.items[index]
    if _is_nominal(word):
        return 1
    ahead = index + 1
    if sentence.compares and word.key in {"con", "with"}:
        return 0
    if word.key in _OF | _BARE_LINKS | {"mas", "muy", "no"}:
        if word.key in _OF and sentence.key(ahead) in ARTICLES:
            ahead += 1
        follows = ahead < len(sentence.items) and _is_nominal(sentence.items[ahead])
        if word.key in _BARE_LINKS and follows and _INFINITIVE.search(sentence.key(ahead)):
            return 0
        if follows and not any(sentence.gap(i) for i in range(index + 1, ahead + 1)):
            return ahead - index + 1
    return 0


def _is_nominal(word: Word, after_article: bool = False) -> bool:
    if word.key in VERBS:
        return after_article or word.is_name
    return word.is_content or (len(word.text) == 1 and word.text.isupper())


def _past_attributes(sentence: Sentence, begin: int, end: int) -> int:
    """Skip `the formula of`, `an example of` in front of what is spoken of."""
    index = begin
    while True:
        head = index + (sentence.key(index) in ARTICLES)
        after = head
        while after < end and sentence.key(after) in ATTRIBUTES | GENERIC_MODIFIERS:
            after += 1
        if after == head or after >= end or sentence.key(after) not in _OF | {"para", "for"}:
            return index
        # `del` holds the article of what follows.
        index = after if sentence.key(after) == "del" else after + 1


def _written(sentence: Sentence, begin: int, end: int) -> str:
    text = sentence.slice(begin, end)
    if sentence.key(begin) == "del":
        return "el" + text[3:]
    first = sentence.items[begin]
    at_start = not sentence.text[: first.start].strip(" ¿¡\"'«(")
    if at_start and not any(c.isupper() for c in first.text[1:]) and len(first.text) > 1:
        return text[0].lower() + text[1:]
    return text


def topic_phrase(sentence: Sentence) -> Phrase | None:
    """What a question is about: its first noun phrase, or its first specific word."""
    spare: Phrase | None = None
    index = 0
    while index < len(sentence.items):
        phrase = phrase_at(sentence, index)
        if phrase is None:
            index += 1
        elif _in_verbs_place(sentence, phrase):
            rest = phrase_at(sentence, index + 1)
            if rest is not None:
                return rest
            spare = spare or phrase
            index += 1
        else:
            return phrase
    return spare or _vague_phrase(sentence)


def _vague_phrase(sentence: Sentence) -> Phrase | None:
    """`una función` in `¿Qué es una función?`, where nothing more specific is asked about."""
    for index in range(len(sentence.items)):
        if sentence.key(index) in ARTICLES and (found := phrase_at(sentence, index, vague=True)):
            return found
    return None


def _in_verbs_place(sentence: Sentence, phrase: Phrase) -> bool:
    """`¿Cuándo converge k-medias?`: the word after the interrogative is the verb."""
    first = sentence.items[phrase.begin]
    if first.is_name or first.key in ARTICLES:
        return False
    before = sentence.key(phrase.begin - 1)
    return before in _VERB_FOLLOWS | CLITICS and before in INTERROGATIVES | CLITICS | {"no"}


def listed(sentence: Sentence) -> list[Phrase]:
    """The members of the first list or comparison: `A, B y C`, `A vs B`, `compara A con B`."""
    if apart := _told_apart(sentence):
        return apart
    for index in range(len(sentence.items)):
        members = _members(sentence, index)
        if len(members) > 1:
            return members
    return []


def _told_apart(sentence: Sentence) -> list[Phrase]:
    """`¿En qué se diferencia A de B?`: here `de` separates and does not belong to A."""
    keys = [word.key for word in sentence.items]
    verb = next((i for i, key in enumerate(keys) if key in _TELLS and "se" in keys[:i]), None)
    if verb is None:
        return []
    whole = _phrase_end(sentence, verb + 1)
    links = [i for i in range(verb + 2, whole) if keys[i] in {"de", "del"}]
    clear = [i for i in links if keys[i] == "del" or _stands_apart(sentence, i + 1)]
    for at in clear + links[-1:]:
        first = phrase_at(replace(sentence, items=sentence.items[:at]), verb + 1)
        second = phrase_at(sentence, at if keys[at] == "del" else at + 1)
        if first and second:
            return [first, second]
    return []


def _stands_apart(sentence: Sentence, index: int) -> bool:
    return sentence.key(index) in ARTICLES or (
        index < len(sentence.items) and sentence.items[index].is_name
    )


def _members(sentence: Sentence, index: int) -> list[Phrase]:
    first = phrase_at(sentence, index)
    if first is None or _in_verbs_place(sentence, first):
        return []
    members, joined = [first], False
    while True:
        at, final = _separator(sentence, members[-1].end)
        following = _member(sentence, at, first) if at else None
        if following is None:
            break
        members.append(following)
        joined = joined or final
    return members if joined else []


def _separator(sentence: Sentence, at: int) -> tuple[int, bool]:
    """Where the next member may begin (0: nowhere), and whether its separator ends the list."""
    if at >= len(sentence.items):
        return 0, False
    gap, key = sentence.gap(at), sentence.key(at)
    if key in _LISTS and gap in {"", ","}:
        return at + 1, True
    if sentence.compares and not gap and key in _COMPARES:
        return at + 1 + (key == "frente"), True
    return (at, False) if gap == "," else (0, False)


def _member(sentence: Sentence, at: int, first: Phrase) -> Phrase | None:
    """A member; `en profundidad` after `búsqueda en anchura` gets the words they share."""
    key = sentence.key(at)
    if key in _BARE_LINKS | _OF | {"no"}:
        rest = phrase_at(sentence, at + 1)
        shared = _shared_head(sentence, first, key)
        alone = first.end - first.begin == 1
        if rest is None or not (shared or alone):
            return None
        return Phrase(at, rest.end, f"{shared} {sentence.slice(at, rest.end)}".strip())
    if sentence.gap(at) not in {"", ","}:
        return None
    return phrase_at(sentence, at)


def _shared_head(sentence: Sentence, first: Phrase, link: str) -> str:
    keys = [word.key for word in sentence.items[first.begin : first.end]]
    if len(keys) == 1:
        return ""
    head = 1 + (keys[0] in ARTICLES)
    if link != "no":
        if link not in keys:
            return ""
        head = keys.index(link)
    return sentence.slice(first.begin, first.begin + head)
