"""What the turns before a question were about: their topic, the lists they named, what was said.

Questions and answers are other people's text. Only short pieces of one line leave this module.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tutor.followups.phrases import listed, phrase_at, read, topic_phrase
from tutor.followups.references import Kind, references
from tutor.followups.words import ARTICLES, Language, fold, language_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tutor.types import Turn

TURNS_BACK = 4
"""How many turns back a list is looked for; a topic, in all of them."""
LONGEST_ASKED = 500
"""Characters of a question that are read; a longer one leans on nothing and names no one topic."""
LONGEST_ANSWER = 4000
"""Characters of an answer that are read for its lists."""
_LONGEST_ITEM = 80
_LONGEST_STATEMENT = 160
_ITEM_LINE = re.compile(r"^[ \t]*(?:\(?\d{1,2}[.)]|[-*•·–])[ \t]+(\S.*)$", re.MULTILINE)
_ITEM_INLINE = re.compile(r"(?:^|[\s:;,])\(?\d{1,2}[.)]\s+([^;:,.()]{2,80})")
_ITEM_END = re.compile(r"[:.;,(—]|\s[-–]\s|\s(?:es|son|is|are|que|which)\s")
_LIST_OPENS = re.compile(
    r"^[^:]*:\s+|\b(?:son|are|hay|incluyen?|include)\s+(?!\w+:)", re.IGNORECASE
)
_SENTENCE_END = re.compile(r"(?<=[.!?])\s+|\n+")
_MARKUP = re.compile(r"[<>|`{}\[\]\\]+|\*\*+|__+")
_EMPHASIS = re.compile(r"(?<!\w)\*(\w[^*\n]*\w)\*(?!\w)")
_CHATTER = re.compile(r"^(?:s[ií]|no|yes|claro|en efecto|indeed)[,.:]\s+", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Context:
    """What a follow-up leans on. `topic` is empty where the conversation has none.

    `asked` is the question that the topic comes from, `phrase` what that question asked for
    (`los parámetros de DBSCAN`). `members` is the list or pair named last; `answered` says that
    an answer named it and not a question.
    """

    language: Language
    asked: str
    topic: str
    phrase: str
    members: tuple[str, ...]
    answered: bool
    statement: str

    def other(self) -> str:
        """The member of a pair that was not asked about last, or the last of several."""
        asked = fold(self.asked)
        named = [fold(_bare(member)) in asked for member in self.members]
        if len(self.members) == 2 and named.count(True) == 1:
            return self.members[named.index(False)]
        return self.members[-1] if self.members else ""

    def joined(self, conjunction: str = "") -> str:
        """The members as one phrase; empty without any."""
        word = conjunction or ("y" if self.language == "es" else "and")
        return f" {word} ".join(filter(None, [", ".join(self.members[:-1]), *self.members[-1:]]))


def read_context(history: Sequence[Turn], language: Language) -> Context:
    """What a question in `language` leans on."""
    asked, topic = _topic(history)
    spoken = language_of(asked)
    phrase = _phrase(asked, topic)
    members, answered = _members(history)
    if spoken != language:  # `the formula of entropía`, not `of la entropía`
        topic, phrase = _bare(topic), _bare(phrase)
        members = tuple(_bare(member) for member in members)
    statement = _statement(history[-1], topic, language) if history else ""
    return Context(language, asked, topic, phrase, members, answered, statement)


def one_line(text: str) -> str:
    """Text on one line, without what could pose as markup."""
    shown = "".join(" " if unicodedata.category(c)[0] == "C" else c for c in text)
    return " ".join(_MARKUP.sub(" ", _EMPHASIS.sub(r"\1", shown)).split())


def _bare(phrase: str) -> str:
    first, _, rest = phrase.partition(" ")
    return rest if rest and fold(first) in ARTICLES else phrase


def _topic(history: Sequence[Turn]) -> tuple[str, str]:
    for turn in reversed(history):
        asked = one_line((turn.standalone or turn.question)[:LONGEST_ASKED])
        if phrase := topic_phrase(read(asked)):
            return asked, phrase.text
    return "", ""


def _phrase(asked: str, topic: str) -> str:
    """What a question asked for, with the words in front of its topic."""
    sentence = read(asked)
    for index in range(len(sentence.items)):
        whole = phrase_at(sentence, index, vague=True)
        if whole and topic and whole.text.endswith(topic.rsplit(maxsplit=1)[-1]):
            return whole.text
    return topic


def _members(history: Sequence[Turn]) -> tuple[tuple[str, ...], bool]:
    """The members of the list named last: a question's own one comes before its answer's."""
    for turn in reversed(history[-TURNS_BACK:]):
        pair = tuple(
            phrase.text for phrase in listed(read(one_line(turn.standalone[:LONGEST_ASKED])))
        )
        if pair:
            return pair, False
        picked = references(turn.question[:LONGEST_ASKED])
        if any(r.kind in {Kind.ORDINAL, Kind.OTHER} for r in picked):
            continue  # the list that it picked from goes on: `¿y el primero?`, `¿y el segundo?`
        if items := tuple(_items(turn.answer[:LONGEST_ANSWER])):
            return items, True
    return _last_two(history), False


def _last_two(history: Sequence[Turn]) -> tuple[str, ...]:
    """What the last two questions were about, if not the same: a pair that nobody named so."""
    topics = [topic for n in (1, 2) if len(history) >= n and (topic := _topic(history[-n:][:1])[1])]
    return (topics[1], topics[0]) if len(topics) == 2 and topics[0] != topics[1] else ()


def _items(answer: str) -> list[str]:
    for pattern in (_ITEM_LINE, _ITEM_INLINE):
        items = [item for item in map(_item, pattern.findall(answer)) if item]
        if len(items) > 1:
            return items
    for sentence in _sentences(answer):
        opening = _LIST_OPENS.search(sentence)
        members = listed(read(sentence[opening.end() :])) if opening else []
        if members:
            return [member.text[:_LONGEST_ITEM] for member in members]
    return []


def _item(line: str) -> str:
    text = one_line(line.strip(" *_"))
    end = _ITEM_END.search(text, 2)
    short = (text[: end.start()] if end else text).strip(" *_")
    return short if len(short) <= _LONGEST_ITEM else ""


def _sentences(answer: str) -> Iterator[str]:
    for sentence in _SENTENCE_END.split(answer[:LONGEST_ANSWER]):
        text = one_line(sentence)
        if text:
            yield text


def _statement(turn: Turn, topic: str, language: Language) -> str:
    """The answer's first statement of the topic, without its full stop; empty if it has none."""
    if turn.abstained or not topic:
        return ""
    for number, sentence in enumerate(_sentences(turn.answer)):
        text = _CHATTER.sub("", sentence).rstrip(".!").strip()
        fits = len(text) <= _LONGEST_STATEMENT and len(text.split()) > 3
        says = fold(_bare(topic)) in fold(text) and not re.search(r"[?:¿]", text)
        if fits and says and language_of(text, language) == language and not references(text):
            return text
        if number == 2:
            break
    return ""
