"""The ways of finding and answering that an evaluation compares: as they are typed, and ready to be
asked, as agents of the product over the index that each needs.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from functools import reduce
from hashlib import sha256
from pathlib import Path
from shutil import rmtree
from typing import Any, TypeAlias

import numpy as np

from tutor.answer import Agent, find
from tutor.app import make_agent, make_embedder, open_course
from tutor.config import Config
from tutor.courses import Course
from tutor.embedding.embedder import Embedder
from tutor.errors import ConfigError
from tutor.i18n import _
from tutor.index.store import StoreReader
from tutor.model import Chunk, Hit, RetrieverScore, Strategy, Turn
from tutor.search.retrieval import DENSE, LEXICAL, Hybrid
from tutor.settings_file import write_values
from tutor.timing import Stopwatch

CHUNK = "chunk"
RANKING = "ranking"
CANDIDATES = "fixed,semantic,fixed+retrieval.mode=dense,semantic+retrieval.mode=dense"
"""What is compared for a suggestion where nobody says what."""
PRODUCT = "product"
RANKINGS = (PRODUCT, "words", "rrf")
"""How passages are ranked: as the product does, by BM25 alone, by plain fusion of ranks."""
CHUNK_SIZES = range(100, 8001)
"""Characters; a smaller chunk holds no sentence, a larger one more than embedders read."""
_COMPARABLE = ("strategy", "k", "engine", CHUNK, RANKING)
_COMPARABLE_SECTIONS = ("retrieval.", "embedder.", "ollama.", "persona.")


@dataclass(frozen=True, slots=True)
class Setting:
    """A named variation of the settings in force: dotted names to values.

    `chunk_chars` is the longest chunk (None: that of the index), `ranking` one of `RANKINGS`;
    neither is a setting of the product.
    """

    name: str
    changes: Mapping[str, object]
    chunk_chars: int | None = None
    ranking: str = PRODUCT

    def config(self, base: Config) -> Config:
        """The settings with this variation. Raises `ConfigError`."""
        return base.varied(self.changes)

    @property
    def is_configurable(self) -> bool:
        """Whether the settings file can say it."""
        return self.chunk_chars is None and self.ranking == PRODUCT

    @property
    def needs_index(self) -> bool:
        """Whether it cannot be asked of the course's own index."""
        made_by = ("embedder.", "retrieval.sentences")
        changed = any(name.startswith(made_by) for name in self.changes)
        return changed or self.chunk_chars is not None


def parse_settings(text: str) -> list[Setting]:
    """`fixed,semantic` or `k=2,k=4` or `fixed+k=8+retrieval.mode=dense,...` as settings.

    Raises `ConfigError` for an empty one or one that stands twice.
    """
    names = ["+".join(part.strip() for part in name.split("+")) for name in text.split(",")]
    names = [name for name in names if name]
    if len(names) != len(set(names)) or not names:
        raise ConfigError(
            _("`%(text)s` does not name settings to compare.") % {"text": text},
            _("For example: %(example)s") % {"example": "fixed,semantic or k=2,k=4,k=8"},
        )
    return [_setting(name) for name in names]


def _setting(name: str) -> Setting:
    changes: dict[str, object] = {}
    for part in name.split("+"):
        key, value = _change(part)
        if key in changes:
            raise ConfigError(
                _("`%(name)s` sets `%(key)s` twice.") % {"name": name, "key": key},
                _("For example: %(example)s") % {"example": "semantic+k=8"},
            )
        changes[key] = value
    chunk_chars = _chunk_chars(str(changes.pop(CHUNK))) if CHUNK in changes else None
    ranking = str(changes.pop(RANKING, PRODUCT))
    if ranking not in RANKINGS:
        raise ConfigError(
            _("`%(part)s` is not known.") % {"part": f"{RANKING}={ranking}"},
            _("It must be one of: %(expected)s.") % {"expected": ", ".join(RANKINGS)},
        )
    return Setting(name, changes, chunk_chars, ranking)


def _change(part: str) -> tuple[str, str]:
    key, _equals, value = (piece.strip() for piece in part.partition("="))
    if not value and key in {strategy.value for strategy in Strategy}:
        return "strategy", key
    if not (key and value):
        raise ConfigError(
            _("`%(part)s` is neither a strategy nor a setting with a value.") % {"part": part},
            _("For example: %(example)s") % {"example": "semantic+k=8"},
        )
    if key not in _COMPARABLE and not key.startswith(_COMPARABLE_SECTIONS):
        names = ", ".join((*_COMPARABLE, *(f"{name}*" for name in _COMPARABLE_SECTIONS)))
        raise ConfigError(
            _("`%(key)s` cannot be compared on one index.") % {"key": key},
            _("These can: %(names)s") % {"names": names},
        )
    return key, value


def _chunk_chars(value: str) -> int:
    if value.isascii() and value.isdigit() and int(value[:9]) in CHUNK_SIZES:
        return int(value)
    raise ConfigError(
        _("`%(part)s` is no size of chunks.") % {"part": f"{CHUNK}={value}"},
        _("Give a number of characters from %(low)d to %(high)d.")
        % {"low": CHUNK_SIZES.start, "high": CHUNK_SIZES.stop - 1},
    )


def write_settings(path: Path, setting: Setting, config: Config) -> Mapping[str, object]:
    """Put a setting into the settings file, all its other lines and comments kept.

    `config` has the setting's values. Returns what was written. Raises `ConfigError`.
    """
    if not setting.is_configurable:
        raise ConfigError(
            _("`%(name)s` needs another kind of index, which no setting makes.")
            % {"name": setting.name},
            _("Compare settings without `chunk` and `ranking`."),
        )
    values: Any = config.model_dump(mode="json", exclude={"root"})
    changes = {
        name: reduce(lambda section, key: section[key], name.split("."), values)
        for name in setting.changes
    }
    write_values(path, changes)
    return changes


FUSED = 50
"""Rows of each retriever that plain fusion looks at."""
FUSION_CONSTANT = 60
"""The constant of the published method."""


@dataclass(frozen=True, slots=True)
class Subject:
    """A setting, ready to be asked. `chunks` are all that its index holds."""

    name: str
    agent: Agent
    chunks: Sequence[Chunk]
    ranking: str = PRODUCT

    def search(self, question: str, history: Sequence[Turn], k: int) -> tuple[str, list[Hit]]:
        """What is searched for, and the first `k` passages, as the product finds them.

        Another ranking than the product's takes the place of its last step.
        """
        if self.ranking == PRODUCT:
            return find(question, self.agent, history, k, Stopwatch())
        searched, _hits = find(question, self.agent, history, 1, Stopwatch())
        return searched, _RANKINGS[self.ranking](searched, self.agent, k)


@dataclass(frozen=True, slots=True)
class Workshop:
    """What settings are made from. `folder` may be filled, and `resources` keep indexes open.

    `embedding` is told how many texts are left while vectors are computed.
    """

    config: Config
    store: StoreReader
    embedder: Embedder
    folder: Path
    answers: bool
    resources: ExitStack
    embedding: Callable[[int], None] = lambda _left: None

    def subject(self, setting: Setting) -> Subject:
        """The setting, ready. Raises what making its parts raises, and `ConfigError`."""
        config = setting.config(self.config)
        if not self.answers:  # without answers no model is asked for
            config = config.varied({"engine": "extractive"})
        store, embedder = self.store, self.embedder
        if setting.needs_index:
            store, embedder = self._another_index(setting, config)
        agent = make_agent(config, store, embedder)
        if setting.ranking != PRODUCT and (self.answers or agent.hybrid is None):
            raise ConfigError(
                _("`%(name)s` ranks passages only, and needs words as well as vectors.")
                % {"name": setting.name},
                _("Compare it without --answers and without retrieval.mode=dense."),
            )
        chunks = store.chunks(config.strategy).chunks
        return Subject(setting.name, agent, chunks, setting.ranking)

    def _another_index(self, setting: Setting, config: Config) -> tuple[StoreReader, Embedder]:
        from tutor.evaluation.indices import cut_again  # noqa: PLC0415 - Chroma, 0.5 s

        embedder = self.embedder
        if any(name.startswith("embedder.") for name in setting.changes):
            embedder, _why = make_embedder(config)
        folder = self.folder / sha256(setting.name.encode()).hexdigest()[:16]
        rmtree(folder, ignore_errors=True)  # what a run that was stopped left half made
        store = cut_again(
            folder,
            self.store,
            config,
            embedder,
            chunk_chars=setting.chunk_chars,
            progress=self.embedding,
        )
        course = Course(setting.name, config.notes_path, store)
        return self.resources.enter_context(open_course(config, course, embedder)), embedder


Ranking: TypeAlias = Callable[[str, Agent, int], list[Hit]]


def by_words(question: str, agent: Agent, k: int) -> list[Hit]:
    """BM25 alone."""
    ranked = _worded(question, agent, k)
    return _hits(agent, {LEXICAL: list(ranked)}, ranked)


def by_reciprocal_ranks(question: str, agent: Agent, k: int) -> list[Hit]:
    """Plain fusion of BM25 and dense cosines by their ranks (Cormack and others, 2009)."""
    vector = agent.embedder.embed_queries([question])[0]
    retrievers = {
        DENSE: list(_hybrid(agent).store.nearest(agent.strategy, vector, FUSED)),
        LEXICAL: list(_worded(question, agent, FUSED)),
    }
    fused: defaultdict[int, float] = defaultdict(float)
    for rows in retrievers.values():
        for rank, row in enumerate(rows, start=1):
            fused[row] += 1 / (FUSION_CONSTANT + rank)
    best = sorted(fused, key=lambda row: (-fused[row], row))[:k]
    return _hits(agent, retrievers, {row: fused[row] for row in best})


_RANKINGS: Mapping[str, Ranking] = {"words": by_words, "rrf": by_reciprocal_ranks}


def _hybrid(agent: Agent) -> Hybrid:
    assert agent.hybrid is not None  # noqa: S101 - `Workshop` refuses the setting otherwise
    return agent.hybrid


def _worded(question: str, agent: Agent, k: int) -> dict[int, float]:
    """The rows that share most with the question's words, best first, and their BM25."""
    retriever = _hybrid(agent).lexical(agent.strategy)
    if retriever is None:
        return {}
    scores = retriever.score(question).bm25
    best = np.argsort(-scores, kind="stable")[:k]
    return {int(row): float(scores[row]) for row in best if scores[row] > 0}


def _hits(
    agent: Agent, retrievers: Mapping[str, Sequence[int]], ranked: Mapping[int, float]
) -> list[Hit]:
    store = _hybrid(agent).store
    chunks = store.fetch(agent.strategy, list(ranked))
    return [
        Hit(
            chunk,
            store.sources[chunk.source_id],
            score,
            rank,
            {
                name: RetrieverScore(rows.index(row) + 1, score)
                for name, rows in retrievers.items()
                if row in rows
            },
        )
        for rank, (chunk, (row, score)) in enumerate(zip(chunks, ranked.items(), strict=True), 1)
    ]
