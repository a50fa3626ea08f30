"""Words too frequent to tell one text from another, without accents and in lower case.

The lists are those of bm25s; the few words added are those with which students ask.
"""

from __future__ import annotations

from bm25s.stopwords import STOPWORDS_EN_PLUS, STOPWORDS_SPANISH

from tutor.text.folding import folded
from tutor.text.language import Language

STOP_WORDS: dict[Language, frozenset[str]] = {
    "es": frozenset(
        [
            *map(folded, STOPWORDS_SPANISH),
            *"""cada cuales cuanta cuantas cuanto cuantos cuya cuyo hace hacer hacen segun sirve
            cuentame define defineme describe dime explica explicame""".split(),
        ]
    ),
    "en": frozenset([*STOPWORDS_EN_PLUS, "define", "describe", "explain", "tell", "whose"]),
}
STOP_WORDS_OF_BOTH = STOP_WORDS["es"] | STOP_WORDS["en"]
