"""Settings -> working parts: the only place that picks implementations."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tutor.answering import Agent
from tutor.chunking import CHUNKING_VERSION
from tutor.courses import choose_course
from tutor.embedding import choose_embedder
from tutor.i18n import _
from tutor.store import VectorSpace, open_store

if TYPE_CHECKING:
    from tutor.config import Config
    from tutor.courses import Course
    from tutor.llm import OllamaChat
    from tutor.ports import Embedder
    from tutor.store import StoreReader


def make_embedder(config: Config) -> tuple[Embedder, str]:
    """The configured embedder, and in one line which it is and why. Raises `EmbedderError`."""
    settings = config.embedder
    return choose_embedder(
        settings.kind,
        settings.model,
        settings.device,
        config.ollama.host,
        allow_download=settings.allow_download,
        batch_size=settings.batch_size,
    )


def find_course(config: Config) -> Course:
    """The configured course. Raises `NotesError`."""
    return choose_course(config.notes_path, config.stores_path, config.course)


def open_course(config: Config, course: Course, embedder: Embedder) -> StoreReader:
    """The course's index, opened for asking. Raises `StoreError`."""
    space = VectorSpace(embedder.identity, embedder.dim, CHUNKING_VERSION)
    return open_store(course.store, space, config.chroma)


def make_agent(config: Config, store: StoreReader, embedder: Embedder) -> Agent:
    """An agent over an open index; with a language model where one answers and is wanted.

    Raises `EngineError` when a model is demanded and cannot be had.
    """
    model, why_not = _chat_model(config)
    return Agent(
        store=store,
        embedder=embedder,
        strategy=config.strategy,
        k=config.k,
        model=model,
        why_no_model=why_not,
        prompt_budget=config.ollama.num_ctx - config.ollama.num_predict,
    )


def _chat_model(config: Config) -> tuple[OllamaChat | None, str]:
    """The model to answer with, or none and the reason in one line."""
    if config.engine == "extractive":
        return None, ""
    from tutor.llm import OllamaChat  # noqa: PLC0415 - httpx, 0.15 s, not needed without Ollama

    model = OllamaChat(config.ollama)
    error = model.why_not()
    if error is None:
        return model, ""
    if config.engine == "ollama":
        raise error
    return None, _("Answering without a language model: %(why)s %(remedy)s") % {
        "why": error.message,
        "remedy": error.remedy,
    }
