"""The ways of finding and answering that an evaluation compares: as they are typed, and ready to be
asked, as agents of the product over the index that each needs.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from functools import reduce
from hashlib import sha256
from pathlib import Path
from shutil import rmtree
from typing import Any

import numpy as np

from tutor.answer import Agent, find
from tutor.app import make_agent, make_embedder, open_course
from tutor.config import Config
from tutor.config.loading import write_values
from tutor.courses import Course
from tutor.embedding.embedder import Embedder
from tutor.errors import ConfigError
from tutor.i18n import _
from tutor.index.store import StoreReader
from tutor.ingest.chunking import MAX_CHARS
from tutor.model import Chunk, Hit, Strategy, Turn
from tutor.search.hybrid import LEXICAL, Hybrid
from tutor.search.retrieval import as_hits

WORDS = "words"
CHUNK = "chunk"
CANDIDATES = "fixed,semantic,fixed+retrieval.mode=dense,semantic+retrieval.mode=dense"
"""What is compared for a suggestion where nobody says what."""
CHUNK_SIZES = range(100, 8001)
"""Characters; a smaller chunk holds no sentence, a larger one more than embedders read."""
_COMPARABLE = ("strategy", "k", "engine", CHUNK)
_COMPARABLE_SECTIONS = ("retrieval.", "embedder.", "ollama.", "persona.")


@dataclass(frozen=True, slots=True)
class Setting:
    """A named variation of the settings in force: dotted names to values.

    `chunk_chars` is the longest chunk (None: that of the index), `words` ranks by BM25 alone;
    neither is a setting of the product.
    """

    name: str
    changes: Mapping[str, object]
    chunk_chars: int | None = None
    words: bool = False

    @property
    def is_configurable(self) -> bool:
        """Whether the settings file can say it."""
        return not (self.chunk_chars or self.words)

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
        raise _nonsense(_("`%(text)s` does not name settings to compare.") % {"text": text})
    return [_setting(name) for name in names]


def _setting(name: str) -> Setting:
    changes: dict[str, object] = {}
    for part in name.split("+"):
        key, value = _change(part)
        if key in changes:
            wrong = _("`%(name)s` sets `%(key)s` twice.") % {"name": name, "key": key}
            raise _nonsense(wrong)
        changes[key] = value
    size = str(changes.pop(CHUNK, ""))
    if size and not (size.isascii() and size.isdigit() and int(size[:9]) in CHUNK_SIZES):
        limits = {"low": CHUNK_SIZES.start, "high": CHUNK_SIZES.stop - 1}
        raise ConfigError(
            _("`%(part)s` is no size of chunks.") % {"part": f"{CHUNK}={size}"},
            _("Give a number of characters from %(low)d to %(high)d.") % limits,
        )
    words = bool(changes.pop(WORDS, False))
    return Setting(name, changes, int(size) if size else None, words)


def _change(part: str) -> tuple[str, str]:
    key, _equals, value = (piece.strip() for piece in part.partition("="))
    if not value and key in {strategy.value for strategy in Strategy}:
        return "strategy", key
    if part == WORDS:
        return part, part
    if not (key and value):
        wrong = _("`%(part)s` is neither a strategy nor a setting with a value.") % {"part": part}
        raise _nonsense(wrong)
    if key not in _COMPARABLE and not key.startswith(_COMPARABLE_SECTIONS):
        names = ", ".join((*_COMPARABLE, *(f"{name}*" for name in _COMPARABLE_SECTIONS)))
        raise ConfigError(
            _("`%(key)s` cannot be compared on one index.") % {"key": key},
            _("These can: %(names)s") % {"names": names},
        )
    return key, value


def _nonsense(message: str) -> ConfigError:
    example = "fixed,semantic+k=8,semantic+retrieval.mode=dense"
    return ConfigError(message, _("For example: %(example)s") % {"example": example})


def write_settings(path: Path, setting: Setting, config: Config) -> Mapping[str, object]:
    """Put a setting into the settings file, all its other lines and comments kept.

    `config` are the settings in force. Returns what was written. Raises `ConfigError`.
    """
    if not setting.is_configurable:
        raise ConfigError(
            _("`%(name)s` needs another kind of index, which no setting makes.")
            % {"name": setting.name},
            _("Compare settings without `chunk` and `words`."),
        )
    values: Any = config.varied(setting.changes).model_dump(mode="json")
    changes = {
        name: reduce(lambda section, key: section[key], name.split("."), values)
        for name in setting.changes
    }
    write_values(path, changes)
    return changes


@dataclass(frozen=True, slots=True)
class ReadySetting:
    """A setting, ready to be asked. `chunks` are all that its index holds."""

    name: str
    agent: Agent
    chunks: Sequence[Chunk]
    words: bool = False

    def search(self, question: str, history: Sequence[Turn], k: int) -> tuple[str, list[Hit]]:
        """What is searched for, and the first `k` passages, as the product finds them.

        Words alone take the place of its ranking, not of what it searches for.
        """
        hybrid = self.agent.hybrid
        if not self.words or hybrid is None:
            inquiry, hits = find(question, self.agent, history, k)
            return inquiry.searched, hits
        inquiry, _hits = find(question, self.agent, history, 1)
        return inquiry.searched, ranked_by_words(inquiry.searched, hybrid, self.agent.strategy, k)


def ranked_by_words(question: str, hybrid: Hybrid, strategy: Strategy, k: int) -> list[Hit]:
    """The first `k` passages by BM25 alone."""
    store, lexical = hybrid.store, hybrid.lexical_of(strategy)
    scores = lexical.score(question).bm25 if lexical else np.zeros(0, np.float32)
    best = [int(row) for row in np.argsort(-scores, kind="stable")[:k] if scores[row] > 0]
    scored = zip(store.fetch(strategy, best), map(float, scores[best]), strict=True)
    return as_hits(store, scored, LEXICAL)


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
    embedding: Callable[[int], None]

    def subject(self, setting: Setting) -> ReadySetting:
        """The setting, ready. Raises what making its parts raises, and `ConfigError`."""
        config = self.config.varied(setting.changes)
        if not self.answers:  # without answers no model is asked for
            config = config.varied({"engine": "extractive"})
        store, embedder = self.store, self.embedder
        if setting.needs_index:
            store, embedder = self._another_index(setting, config)
        agent = make_agent(config, store, embedder)
        if setting.words and (self.answers or agent.hybrid is None):
            raise ConfigError(
                _("`%(name)s` ranks passages only, and needs words as well as vectors.")
                % {"name": setting.name},
                _("Compare it without --answers and without retrieval.mode=dense."),
            )
        chunks = store.chunks(config.strategy).chunks
        return ReadySetting(setting.name, agent, chunks, setting.words)

    def _another_index(self, setting: Setting, config: Config) -> tuple[StoreReader, Embedder]:
        from tutor.evaluation.indices import cut_again  # noqa: PLC0415 - Chroma, 0.5 s

        embedder = self.embedder
        if any(name.startswith("embedder.") for name in setting.changes):
            embedder, _why = make_embedder(config)
        folder = self.folder / sha256(setting.name.encode()).hexdigest()[:16]
        rmtree(folder, ignore_errors=True)  # what a run that was stopped left half made
        chars = setting.chunk_chars or MAX_CHARS
        cut_again(folder, self.store, config, embedder, chars=chars, progress=self.embedding)
        course = Course(setting.name, config.notes_path, folder)
        return self.resources.enter_context(open_course(config, course, embedder)), embedder
