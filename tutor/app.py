"""Settings -> working parts: the only place that picks implementations."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager, suppress
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING

from tutor.config import Config
from tutor.courses import Course, choose_course
from tutor.embedding import choose_embedder
from tutor.embedding.embedder import Embedder
from tutor.errors import StoreError
from tutor.i18n import _
from tutor.index.lexical import LexicalIndex, lexical_name
from tutor.index.store import StoreReader, VectorSpace, find_manifest, open_store, read_manifest
from tutor.ingest.chunking import CHUNKING_VERSION
from tutor.listening import no_answer, nothing_listens
from tutor.model import Strategy
from tutor.web import SerpApi

if TYPE_CHECKING:
    from tutor.answer import Agent
    from tutor.answer.answerability import Reference
    from tutor.history import SessionStore
    from tutor.llm import OllamaChat
    from tutor.map.course_map import CourseMap
    from tutor.search.hybrid import Hybrid


def make_embedder(config: Config, course: Course | None = None) -> tuple[Embedder, str]:
    """The configured embedder, and in one line which it is and why. Raises `EmbedderError`.

    Where the settings leave the precision open, it is that of the course's index: notes that are
    shared by two machines would be indexed anew on each, if one computes in 8 bits only.
    """
    embedder, why = choose_embedder(config.embedder, config.ollama)
    if course is None or config.embedder.precision != "auto":
        return embedder, why
    with suppress(StoreError):  # who opens the index tells what is wrong with it
        if manifest := read_manifest(course.store):
            exact = config.embedder.model_copy(update={"precision": "float32"})
            other, its_why = choose_embedder(exact, config.ollama)
            if manifest.recipe.space.embedder == other.identity != embedder.identity:
                return other, its_why
    return embedder, why


def find_course(config: Config) -> Course:
    """The configured course. Raises `NotesError`."""
    return choose_course(config.notes_path, config.stores_path, config.course)


def open_course(config: Config, course: Course, embedder: Embedder) -> StoreReader:
    """The course's index, opened for asking. Raises `StoreError`."""
    space = VectorSpace(embedder.identity, embedder.dim, CHUNKING_VERSION)
    return open_store(course.store, space, config.chroma)


def read_course(config: Config, course: Course) -> StoreReader:
    """The course's index, to be read and not asked: no embedder is needed. Raises `StoreError`."""
    return StoreReader(course.store, find_manifest(course.store), config.chroma)


def make_agent(
    config: Config,
    store: StoreReader,
    embedder: Embedder,
    stopped: Callable[[], bool] = lambda: False,
) -> Agent:
    """An agent over an open index; with a language model where one answers and is wanted.

    It makes the map of the course at need, unless `stopped()`.
    Raises `EngineError` when a model is demanded and cannot be had.
    """
    # 0.15 s, not needed by commands that answer nothing
    from tutor.answer import Agent  # noqa: PLC0415
    from tutor.answer.tokens import load_counter  # noqa: PLC0415
    from tutor.embedding.cross_encoder import load_cross_encoder  # noqa: PLC0415
    from tutor.search.filters import Recogniser  # noqa: PLC0415

    model, why_not = _chat_model(config)
    lexical = _lexical_indexes(store)
    return Agent(
        store=store,
        embedder=embedder,
        strategy=config.strategy,
        k=config.k,
        hybrid=make_hybrid(config, store, lexical),
        reference=cache(lambda strategy: _reference(store, strategy, lexical(strategy))),
        cross_encoder=load_cross_encoder,
        model=model,
        why_no_model=why_not,
        quotes_on_failure=config.engine == "auto",
        max_answer_tokens=config.ollama.num_predict,
        length=config.length,
        counter=load_counter(_token_counts(config), config.ollama.model),
        personas=config.persona.model_dump(),
        course_map=None if store.words_only else partial(_open_map, store, stopped),
        web=SerpApi(config.web),
        web_keywords=config.routing.web_keywords,
        recogniser=Recogniser(store.sources.values()),
    )


def make_hybrid(
    config: Config,
    store: StoreReader,
    lexical: Callable[[Strategy], LexicalIndex | None] | None = None,
) -> Hybrid | None:
    """The parts of hybrid retrieval, as configured; None for plain dense retrieval.

    An index without vectors has these parts in any case.
    `lexical` opens a strategy's index of words; the store's are opened where it is not given.
    """
    from tutor.search.hybrid import Hybrid  # noqa: PLC0415 - not needed while indexing

    settings = config.retrieval
    if settings.mode == "dense" and not store.words_only:
        return None
    lexical = lexical or _lexical_indexes(store)
    if store.words_only:  # loaded now: its files go when the vectors come
        for strategy in Strategy:
            lexical(strategy)
    return Hybrid(store, lexical)


def _open_map(store: StoreReader, stopped: Callable[[], bool]) -> AbstractContextManager[CourseMap]:
    from tutor.map.course_map import open_map  # noqa: PLC0415 - 0.1 s, few questions are of the map

    return open_map(store, stopped=stopped)


def _reference(
    store: StoreReader, strategy: Strategy, lexical: LexicalIndex | None
) -> Reference | None:
    from tutor.answer.answerability import Reference, by_words  # noqa: PLC0415 - as in `make_agent`

    if lexical is None:
        return None
    if store.words_only:
        return by_words(lexical)
    return Reference(store.dense(strategy).background, lexical)


def _lexical_indexes(store: StoreReader) -> Callable[[Strategy], LexicalIndex | None]:
    """Opens each of a store's indexes of words once."""
    return cache(lambda strategy: store.derived(lexical_name(strategy), LexicalIndex.load))


def remember_counter(config: Config, agent: Agent) -> None:
    """Keep what was learned of the model's tokens for the next start."""
    if agent.model:
        from tutor.answer.tokens import save_counter  # noqa: PLC0415 - as in `make_agent`

        save_counter(_token_counts(config), config.ollama.model, agent.counter)


def open_sessions(config: Config) -> SessionStore:
    """The saved conversations. Raises `SessionError`."""
    from tutor.history import FILE_NAME, SessionStore  # noqa: PLC0415 - not needed by `ask`

    return SessionStore(config.stores_path / FILE_NAME)


def _token_counts(config: Config) -> Path:
    return config.stores_path / "token_counts.json"


def _chat_model(config: Config) -> tuple[OllamaChat | None, str]:
    """The model to answer with, or none and the reason in one line."""
    if config.engine == "extractive":
        return None, ""
    host = config.ollama.host
    if nothing_listens(host):
        error = no_answer(host)
    else:
        from tutor.llm import OllamaChat  # noqa: PLC0415 - httpx, 0.15 s, not needed without Ollama

        model = OllamaChat(config.ollama)
        reason = model.why_not()
        if reason is None:
            return model, ""
        error = reason
    if config.engine == "ollama":
        raise error
    return None, _("Answering without a language model: %(why)s %(remedy)s") % {
        "why": error.message,
        "remedy": error.remedy,
    }
