"""BM25 over the passages of a course: built with the index, loaded as mapped files.

The scores are those of Lucene's BM25 (Robertson & Zaragoza 2009, "The Probabilistic Relevance
Framework: BM25 and Beyond", Foundations and Trends in IR 3:4; in the form of Kamphuis et al. 2020),
computed while indexing (Lù 2024, "BM25S", arXiv:2407.03618).
"""

from __future__ import annotations

import json
import math
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from tutor.model import Strategy
from tutor.text.folding import folded
from tutor.text.language import detect_language
from tutor.text.other_names import other_acronyms
from tutor.text.terms import (
    TERMS_VERSION,
    english_stems,
    is_numbered,
    passage_terms,
    question_language,
    question_terms,
)
from tutor.text.words import STOP_WORDS_OF_BOTH, sound

K1 = 1.2
B = 0.75
LEXICAL_VERSION = f"bm25s/{TERMS_VERSION}/k1={K1}/b={B}/english/words"
_DIFFERENCE = re.compile(r"\w-(?:\w|\d+)")
"""What formulas hold ("l-1"): no other way to write a name ("L1")."""
_NAMES = "alfa alpha beta gamma delta epsilon eta theta lambda mu rho sigma tau phi fi omega"
_GREEK = dict(zip(_NAMES.split(), "ααβγδεηθλμρστφφω", strict=True))
_WORD = re.compile(r"\b[^\W\d_]{4,}\b")
_SHORT, _LONG = 5, 10
"""Sounds of a word from which on one may be wrong, and two."""
_MOST_LETTERS = 3
"""Slips in writing of a word that is heard nearly so."""
_COUNT_FILE = "passages.json"
_VOCABULARY_FILE = "vocab.index.json"
_ENGLISH_FILE = "english.npy"
_WORDS_FILE = "words.json"
_ARRAY_FILES = {name: f"{name}.csc.index.npy" for name in ("data", "indices", "indptr")}
"""Files as bm25s names them, by the fields of `Postings`."""
_Held: TypeAlias = tuple[NDArray[np.intp], NDArray[np.float32]]
"""Passages that hold something, each once, and its impact there."""


@dataclass(frozen=True, slots=True)
class QuestionTerm:
    """A term of a question: the forms under which a passage may hold it, and the passages that do,
    each once, with its impact there.

    `idf` is its inverse document frequency.
    """

    forms: tuple[str, ...]
    holders: NDArray[np.intp]
    impacts: NDArray[np.float32]
    idf: float


@dataclass(frozen=True, slots=True)
class LexicalScores:
    """What the `terms` of a question say of every passage, each array of shape (passages,)."""

    passages: int
    terms: Sequence[QuestionTerm]

    @property
    def bm25(self) -> NDArray[np.float32]:
        """The sum over the question's terms."""
        return self._sum(idf=0.0)

    @property
    def evidence(self) -> NDArray[np.float32]:
        """From 0 to 2: the share of the question's words, and BM25 as a share of its bound.

        Terms that no passage holds count in both bounds, so a question in a language or a
        vocabulary that the passages do not speak gives little evidence for any of them.
        """
        bound = sum(term.idf for term in self.terms)
        return self._sum(idf=1.0) / np.float32(bound or 1.0)

    def _sum(self, idf: float) -> NDArray[np.float32]:
        total = np.zeros(self.passages, np.float32)
        for term in self.terms:
            np.add.at(total, term.holders, term.impacts + np.float32(idf * term.idf))
        return total


@dataclass(frozen=True, slots=True)
class Postings:
    """Which passages hold which term, and its impact there: a sparse matrix, a column per term.

    `vocabulary` gives each term's column; `indptr`, where a column begins in `data` (the impacts)
    and in `indices` (the passages), and after the last one where that ends.
    """

    vocabulary: Mapping[str, int]
    data: NDArray[np.float32]
    indices: NDArray[np.int32]
    indptr: NDArray[np.int64]


class LexicalIndex:
    """The words of passages, which are known by their row."""

    def __init__(
        self, english: NDArray[np.bool_], postings: Postings | None, words: Mapping[str, int]
    ) -> None:
        """`english`, of shape (passages,), says which of them are, the others being Spanish.

        `postings` is None where no passage has a term; `words` are those of the passages as most
        of them write each, in lower case, and how often it stands there.
        """
        self.passages = len(english)
        self._english = english
        self._postings = postings
        self._words = words

    @classmethod
    def build(cls, passages: Sequence[str]) -> LexicalIndex:
        """Index passages, each in its own language."""
        spoken = [detect_language(text) for text in passages]
        english = np.array([language == "en" for language in spoken], bool)
        terms = [passage_terms(*one) for one in zip(passages, spoken, strict=True)]
        return cls(english, _postings(terms) if any(terms) else None, _words(passages))

    def save(self, folder: Path) -> None:
        """Write the index into a new folder."""
        folder.mkdir()
        (folder / _COUNT_FILE).write_text(
            json.dumps({"passages": self.passages, "terms": self._postings is not None})
        )
        np.save(folder / _ENGLISH_FILE, self._english)
        words = json.dumps(self._words, ensure_ascii=False)
        (folder / _WORDS_FILE).write_text(words, encoding="utf-8")
        if self._postings is None:
            return
        vocabulary = json.dumps(self._postings.vocabulary, ensure_ascii=False)
        (folder / _VOCABULARY_FILE).write_text(vocabulary, encoding="utf-8")
        for field, name in _ARRAY_FILES.items():
            np.save(folder / name, getattr(self._postings, field))

    @classmethod
    def load(cls, folder: Path) -> LexicalIndex:
        """Map an index that was saved. Raises `OSError` or `ValueError` when it is damaged."""
        counts = json.loads((folder / _COUNT_FILE).read_text())
        english = np.load(folder / _ENGLISH_FILE)
        words_file = folder / _WORDS_FILE  # an index of an earlier state has none
        words = json.loads(words_file.read_text(encoding="utf-8")) if words_file.exists() else {}
        if not counts["terms"]:
            return cls(english, None, words)
        vocabulary = json.loads((folder / _VOCABULARY_FILE).read_text(encoding="utf-8"))
        arrays = (np.load(folder / name, mmap_mode="r") for name in _ARRAY_FILES.values())
        return cls(english, Postings(vocabulary, *arrays), words)

    @property
    def vocabulary(self) -> Mapping[str, int]:
        """Its terms, and the columns of each."""
        return self._postings.vocabulary if self._postings else {}

    def speaking_as(self, question: str) -> NDArray[np.bool_]:
        """The passages in the question's language, if others are in the other one.

        Shape (passages,).
        """
        alike = self._english == (question_language(question) == "en")
        return np.zeros_like(alike) if alike.all() else alike

    def score(self, question: str) -> LexicalScores:
        """Score every passage. Takes time linear in the passages that hold the question's words."""
        terms = question_terms(question, question_language(question))
        held = [self._held(forms) for forms in terms]
        # Any word may have a number behind it ("tira 2 dados"): unknown, that tells nothing.
        held = [one for one in held if len(one[1]) or not is_numbered(one[0][0])]
        idfs = (self._idf(len(holders)) for _forms, holders, _impacts in held)
        found = [QuestionTerm(*one, rare) for one, rare in zip(held, idfs, strict=True)]
        return LexicalScores(self.passages, found)

    def _held(self, forms: tuple[str, ...]) -> tuple[tuple[str, ...], *_Held]:
        """The forms of a term, an acronym's with others of the same, and what holds it: passages in
        English by its English words, too, and all where none has it.
        """
        forms += other_acronyms(forms)
        own = self.holders(forms)
        english = english_stems(forms) if self._has_english or not len(own[0]) else ()
        if not english:
            return (forms, *own)
        rows, impacts = self.holders(english)
        if not len(own[0]):
            return (forms + english, rows, impacts)
        spoken = self._english[rows]
        return (forms + english, *self._together([own, (rows[spoken], impacts[spoken])]))

    def like(self, word: str) -> str:
        """The word of the passages that begins with a word without accents ("backprop"), or is
        written or heard as it is but for a slip: a letter more, less or else, or two in the other
        order; in long words two slips. Of equally near ones the most frequent; or nothing.
        """
        from rapidfuzz.distance import OSA  # noqa: PLC0415 - 20 ms, for unknown words only

        known = self._by_plain
        if begun := [plain for plain in known if plain.startswith(word)]:
            return known[min(begun, key=len)]
        heard = sound(word)
        near: list[tuple[int, bool, int, int, str]] = []
        for plain, written in known.items():
            letters = OSA.distance(word, plain, score_cutoff=_MOST_LETTERS)
            if letters > _MOST_LETTERS:
                continue
            said = sound(plain)
            slips = min(letters, OSA.distance(heard, said))
            longer = max(len(heard), len(said))
            if slips <= (longer >= _SHORT) + (longer >= _LONG):
                begins = said[:1] == heard[:1]
                near.append((slips, not begins, letters, -self._words[written], written))
        return min(near)[-1] if near else ""

    @cached_property
    def _by_plain(self) -> dict[str, str]:
        """The words of the passages by how they are without accents; no small ones."""
        known = {folded(written): written for written in self._words}
        return {plain: known[plain] for plain in known if plain not in STOP_WORDS_OF_BOTH}

    def lacks(self, name: str) -> bool:
        """Whether no passage has any word of a name; false where that is no word."""
        terms = self.score(name).terms
        return bool(terms) and not any(len(term.holders) for term in terms)

    def lacks_number(self, name: str) -> bool:
        """Whether no passage has the number of a name ("tarea 9") behind its word, but others."""
        vocabulary = self.vocabulary
        forms = [
            form for forms in question_terms(name, "en") for form in forms if is_numbered(form)
        ]
        nouns = tuple(f"{form.partition(' ')[0]} " for form in forms)
        known = not vocabulary.keys().isdisjoint(forms)
        return not known and any(term.startswith(nouns) for term in vocabulary)

    def holds(self, name: str) -> NDArray[np.bool_]:
        """Whether each passage holds all words of a name, shape (passages,)."""
        held = np.ones(self.passages, bool)
        for forms in question_terms(name, "es"):
            own = np.zeros(self.passages, bool)
            own[self.holders(forms)[0]] = True
            held &= own
        return held

    @cached_property
    def compounds(self) -> dict[str, str]:
        """What is written with hyphens, by how it is without them; Greek letters by their names."""
        vocabulary = self.vocabulary
        compounds = {
            term.replace("-", ""): term
            for term in vocabulary
            if "-" in term and not _DIFFERENCE.fullmatch(term)
        }
        return compounds | {name: _GREEK[name] for name in _GREEK if _GREEK[name] in vocabulary}

    def holders(self, forms: Sequence[str]) -> _Held:
        """The passages that hold a term in any of its forms, each once, and its impact there.

        Forms are synonyms: they share the idf of the term, and the strongest one counts.
        """
        postings = self._postings
        columns = [postings.vocabulary.get(form) for form in forms] if postings else []
        known = [column for column in columns if column is not None]
        if postings is None or not known:
            return np.empty(0, np.intp), np.empty(0, np.float32)
        spans = [slice(*map(int, postings.indptr[column : column + 2])) for column in known]
        # Indexed by any other type of integers, arrays are slower.
        forms_of = [(postings.indices[span].astype(np.intp), postings.data[span]) for span in spans]
        return forms_of[0] if len(spans) == 1 else self._together(forms_of)

    def _together(self, held: Sequence[_Held]) -> _Held:
        """What holds any of several forms of one term."""
        own = [(rows, impacts / np.float32(self._idf(len(rows)))) for rows, impacts in held]
        holders, strongest = _united(own, self.passages)
        return holders, strongest * np.float32(self._idf(len(holders)))

    @cached_property
    def _has_english(self) -> bool:
        return bool(self._english.any())

    def _idf(self, holders: int) -> float:
        """The inverse document frequency of a term."""
        holders = min(holders, self.passages)
        return math.log(1 + (self.passages - holders + 0.5) / (holders + 0.5))


def _words(passages: Iterable[str]) -> dict[str, int]:
    """The words of passages, of those that differ in accents only the most frequent one, and how
    often they stand there.
    """
    written = Counter(word for text in passages for word in _WORD.findall(text.lower()))
    known: dict[str, str] = {}
    times: Counter[str] = Counter()
    for word, n in written.most_common():
        times[known.setdefault(folded(word), word)] += n
    return dict(times)


def _united(forms: Sequence[_Held], passages: int) -> _Held:
    """What holds any of several forms, each passage once, with the strongest impact there."""
    strongest = np.zeros(passages, np.float32)
    for rows, impacts in forms:
        strongest[rows] = np.maximum(strongest[rows], impacts)
    holders = np.flatnonzero(strongest)
    return holders, strongest[holders]


def _postings(passages: Sequence[Sequence[str]]) -> Postings:
    """The impacts of the terms of passages, of which at least one has a term."""
    vocabulary: dict[str, int] = {}
    columns = [vocabulary.setdefault(term, len(vocabulary)) for one in passages for term in one]
    lengths = np.array([len(one) for one in passages])
    rows = np.repeat(np.arange(len(passages)), lengths)
    places, counts = np.unique(np.array(columns) * len(passages) + rows, return_counts=True)
    column, row = np.divmod(places, len(passages))
    indptr = np.searchsorted(column, np.arange(len(vocabulary) + 1))
    holders = np.diff(indptr)
    idfs = np.log(1 + (len(passages) - holders + 0.5) / (holders + 0.5))
    full = counts + K1 * (1 - B + B * lengths[row] / lengths.mean())
    impacts = (idfs[column] * counts / full).astype(np.float32)
    return Postings(vocabulary, impacts, row.astype(np.int32), indptr)


def lexical_name(strategy: Strategy) -> str:
    """Name of the folder, within a generation, of a strategy's index of words."""
    return f"lexical_{strategy.value}"
