"""A question in another language than most notes finds what answers it in either."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.stores import LOCAL
from tests.unit.test_retrieval import NOTES, SPACE, ask, build, hybrid_over
from tutor.embedding import BundledEmbedder
from tutor.index.store import StoreReader, open_store

ENGLISH = {
    "race.pdf": "This week the network of students will train for the race. The training is on "
    "Monday, and all of you can come.",
    "exam.pdf": "The exam of the course is written, and it takes two hours. You can bring your "
    "notes with you, but not a phone.",
}


@pytest.fixture(scope="module")
def embedder() -> BundledEmbedder:
    return BundledEmbedder()


@pytest.fixture(scope="module")
def course(
    tmp_path_factory: pytest.TempPathFactory, embedder: BundledEmbedder
) -> Iterator[StoreReader]:
    """Spanish notes, and two in English."""
    store = tmp_path_factory.mktemp("stores") / "course"
    build(store, embedder, notes=NOTES | ENGLISH)
    with open_store(store, SPACE, LOCAL) as opened:
        yield opened


@pytest.mark.parametrize(
    ("question", "path"),
    [
        ("How is a neural network trained?", "redes.pdf"),
        ("On which day is the exam?", "curso.pdf"),
        ("How long does the exam take?", "exam.pdf"),
    ],
)
def test_an_english_question_finds_what_answers_it(
    course: StoreReader, embedder: BundledEmbedder, question: str, path: str
) -> None:
    assert ask(question, course, embedder, hybrid_over(course))[0].source.path == path
