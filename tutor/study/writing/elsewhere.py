"""Whether the notes say more than one thing of what is asked about: then there are two answers."""

from __future__ import annotations

from collections.abc import Iterable

from tutor.answer.quoting.words import content_words
from tutor.model import CleanText
from tutor.study.writing.splitting import COPULA
from tutor.text.folding import folded
from tutor.text.sentences import split_sentences


class Sayings:
    """All sentences of some documents, by their words."""

    def __init__(self, documents: Iterable[CleanText]) -> None:
        self._sentences = [
            (content_words(said), _plain(said))
            for document in documents
            for block in document.blocks
            for said in _sentences(document.text[block.start : block.end])
        ]

    def say_more(self, told: str, sentence: str) -> bool:
        """Whether another sentence tells the same before an answer: has all of its words.

        Of what ends in "is", which has no words of its own, the same row of words.
        """
        words, row, own = content_words(told), _plain(told), _plain(sentence)
        copula = row.rpartition(" ")[2] in COPULA
        return any(
            (row in said if copula else words <= others) and own not in said and said not in own
            for others, said in self._sentences
        )


def _sentences(text: str) -> Iterable[str]:
    return (text[start:end] for start, end in split_sentences(text))


def _plain(text: str) -> str:
    return " ".join(folded(text).split())
