"""Questions that a course answers by construction: a few rare words of one of its sentences."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tutor.coverage.tokens import TOKEN

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from tutor.coverage.reading import TextReader
    from tutor.types import Chunk

MAX_QUESTIONS = 96
MOST_WORDS = 5
LEAST_WORDS = 3
REPEATED = 0.6
"""Share of a sentence's terms from which a passage counts as saying it, too."""
_SENTENCE_WORDS = range(8, 41)
_LETTERS = 0.7


@dataclass(frozen=True, slots=True)
class OwnQuestion:
    """Words of a sentence; `terms` are the whole sentence's, `asked` those of the words."""

    text: str
    terms: frozenset[str]
    asked: frozenset[str]

    def repeated_in(self, passages: Mapping[int, frozenset[str]]) -> frozenset[int]:
        """The passages that say what the sentence says."""
        enough = REPEATED * len(self.terms)
        return frozenset(row for row, held in passages.items() if len(self.terms & held) >= enough)

    def shares(
        self, passages: Mapping[int, frozenset[str]], rarity: Callable[[int], float]
    ) -> dict[int, float]:
        """What share of the question, weighted by rarity, each passage holds that holds any."""
        holding = {row: shared for row, held in passages.items() if (shared := self.asked & held)}
        counts = Counter(term for shared in holding.values() for term in shared)
        weights = {term: rarity(counts[term]) for term in self.asked}
        whole = sum(weights.values())
        return {
            row: sum(weights[term] for term in shared) / whole for row, shared in holding.items()
        }


def own_questions(
    chunks: Sequence[Chunk],
    rows: Sequence[int],
    reader: TextReader,
    holders: Mapping[str, int],
) -> list[OwnQuestion]:
    """At most `MAX_QUESTIONS`, from chunks all over the course; the same for the same course."""
    some = rows[:: max(1, len(rows) // (2 * MAX_QUESTIONS))]
    questions: dict[str, OwnQuestion] = {}
    for row in some:
        text = chunks[row].text
        for start, end in reader.split(text):
            question = _question(text[start:end], reader, holders)
            if question:
                questions.setdefault(question.text, question)
    found = list(questions.values())
    return (
        [found[place * len(found) // MAX_QUESTIONS] for place in range(MAX_QUESTIONS)]
        if (len(found) > MAX_QUESTIONS)
        else found
    )


def _question(sentence: str, reader: TextReader, holders: Mapping[str, int]) -> OwnQuestion | None:
    """A question from a whole statement with words enough."""
    if not _is_statement(sentence):
        return None
    language = reader.language_of(sentence)
    words: list[tuple[int, int, str, tuple[str, ...]]] = []
    for match in TOKEN.finditer(sentence):
        terms = tuple(reader.passage_terms(match[0], language))
        if terms and len(match[0]) > 2:
            count = min(holders.get(term, 0) for term in terms)
            words.append((count, match.start(), match[0], terms))
    wanted = max(LEAST_WORDS, min(MOST_WORDS, len(words) // 2))
    if len(words) < 2 * LEAST_WORDS:
        return None
    chosen = sorted(sorted(words)[:wanted], key=lambda word: word[1])
    return OwnQuestion(
        " ".join(word for _count, _start, word, _terms in chosen),
        frozenset(reader.passage_terms(sentence, language)),
        frozenset(term for *_rest, terms in chosen for term in terms),
    )


def _is_statement(sentence: str) -> bool:
    visible = "".join(sentence.split())
    return (
        sentence.rstrip().endswith(".")
        and len(sentence.split()) in _SENTENCE_WORDS
        and sum(map(str.isalpha, visible)) >= _LETTERS * len(visible)
    )
