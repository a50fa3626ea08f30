"""The bundled Punkt against NLTK's own implementation, fed with the same learned parameters.

Digits are left out: the bundled Punkt adds a rule for abbreviations before numbers.
"""

from __future__ import annotations

import random
import re
from typing import TYPE_CHECKING

import pytest
from punkt import PunktSentenceTokenizer as BundledTokenizer

from tutor.text.language import Language
from tutor.text.sentences import punkt_parameters

if TYPE_CHECKING:
    from nltk.tokenize.punkt import PunktSentenceTokenizer

WORDS: dict[Language, str] = {
    "es": "El la Una red neuronal aprende de los datos Sr. Dra. etc. p. ej. Fig. el Pérez García"
    " J. S. EE.UU. según Según pero Pero (véase nota) x y es máx. aprox. «texto» al. no. No",
    "en": "The the A model learns from its data Mr. Dr. etc. e.g. i.e. Smith J. S. Bach but But"
    ' however However (see note) U.S. al. no. No it It "text" approx. Fig. vs. is',
}


def nltk_tokenizer(language: Language) -> PunktSentenceTokenizer:
    from nltk.tokenize.punkt import PunktParameters, PunktSentenceTokenizer  # and scikit-learn

    ours = punkt_parameters(language)
    parameters = PunktParameters()
    parameters.abbrev_types = set(ours.abbrev_types)
    parameters.collocations = set(ours.collocations)
    parameters.sent_starters = set(ours.sent_starters)
    parameters.ortho_context.update(ours.ortho_context)
    return PunktSentenceTokenizer(parameters)


def random_text(language: Language, seed: int) -> str:
    chosen = random.Random(seed)
    words = WORDS[language].split()
    marks = ["", "", "", "", ",", ".", ".", "?", "!", ";"]
    text = " ".join(chosen.choice(words) + chosen.choice(marks) for _ in range(400))
    return re.sub(r"\.\.+", ".", text)


@pytest.mark.parametrize("language", ["es", "en"])
@pytest.mark.parametrize("seed", range(10))
def test_the_bundled_punkt_decides_as_nltk_does(language: Language, seed: int) -> None:
    text = random_text(language, seed)
    bundled = BundledTokenizer(punkt_parameters(language))
    expected = list(nltk_tokenizer(language).span_tokenize(text))
    assert len(expected) > 50
    assert list(bundled.span_tokenize(text)) == expected
