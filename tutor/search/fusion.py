"""How the evidence of the retrievers is added up.

Ranks are not fused but scores, since a rank hides that a retriever has nothing to say: the words
of a question in another language than the notes are rare in them or missing, their share of the
question is small then, and the best of such passages gets little for being first. What vectors
say of language alone is taken off again.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from tutor.model import Vectors

if TYPE_CHECKING:
    from numpy.typing import NDArray


LEXICAL_WEIGHT = 2.0
"""What all the question's words are worth, in standard deviations of its cosines."""
SENTENCE_WEIGHT = 2.0
"""What the best sentence's cosine counts where the whole chunk's counts 1."""
HEADING_WEIGHT = 0.9
"""What the title and the headings over a chunk count by their cosine, where the chunk counts 1."""
OWN_LANGUAGE = 1.0
"""What passages in the question's language are ahead by where most speak another, whatever they
say, in standard deviations of the question's cosines. E5 models put texts of one language nearer to
each other; by more than this such passages are lost where they do hold the answer."""
LEAST_SPREAD = 1e-3
"""Of a course with hardly any chunks, or chunks that hardly differ."""


def spread(background: Vectors, vector: Vectors) -> float:
    """How much the cosines of a question differ over the course: their standard deviation.

    `background` has shape (m, dim). It makes the weights hold for every embedder: cosines of E5
    models lie within 0.1, those of others over a range of 1.
    """
    if not len(background):
        return 1.0
    # Not `@`: on a busy machine its threads wait longer for each other than one takes for all.
    return max(float(np.std(np.einsum("ij,j->i", background, vector))), LEAST_SPREAD)


def meaning(
    cosines: NDArray[np.float32], sentences: NDArray[np.float32], headings: NDArray[np.float32]
) -> NDArray[np.float32]:
    """Chunk and best sentence together, on the scale of cosines, shape (n,).

    What stands over it raises or lowers this as far as it is nearer or farther than most; NaN,
    where nothing does, counts as what is usual.
    """
    combined = (cosines + SENTENCE_WEIGHT * sentences) / (1 + SENTENCE_WEIGHT)
    known = headings[~np.isnan(headings)]
    if len(known):
        usual = known.mean()
        apart = np.nan_to_num(headings - usual)
        combined = combined + HEADING_WEIGHT / (1 + SENTENCE_WEIGHT) * apart
    return combined.astype(np.float32, copy=False)


def fused(
    means: NDArray[np.float32],
    lexical: NDArray[np.float32],
    favoured: NDArray[np.bool_],
    deviation: float,
) -> NDArray[np.float32]:
    """Meaning and words together: a cosine, raised by the evidence of the words.

    That of passages `favoured` by their language alone is lowered by as much.
    """
    ahead = LEXICAL_WEIGHT * lexical - OWN_LANGUAGE * favoured
    return (means + deviation * ahead).astype(np.float32, copy=False)
