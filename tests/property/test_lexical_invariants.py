"""What holds for every text: terms are stable, evidence is bounded, adding passages is no harm."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from tutor.index.lexical import LexicalIndex
from tutor.text.language import Language, detect_language
from tutor.text.terms import passage_terms, question_terms

SPANISH: Language = "es"
ENGLISH: Language = "en"
LANGUAGES = st.sampled_from([SPANISH, ENGLISH])
TEXTS = st.text(max_size=120) | st.lists(
    st.sampled_from("red redes árbol A* C++ f(n) the learning x² de 3,5 k-means GAN".split()),
    max_size=12,
).map(" ".join)


@given(TEXTS, LANGUAGES)
def test_a_passage_is_found_by_each_of_its_own_terms(text: str, language: Language) -> None:
    terms = set(passage_terms(text, language))
    forms = question_terms(text, language)
    assert all(terms & set(form) for form in forms)
    assert terms <= {form for each in forms for form in each}


@given(st.lists(TEXTS, max_size=6), TEXTS)
@settings(deadline=None)
def test_evidence_is_bounded_and_there_is_none_without_a_shared_word(
    passages: list[str], question: str
) -> None:
    scores = LexicalIndex.build(passages).score(question)
    assert scores.evidence.shape == (len(passages),)
    assert ((scores.evidence >= 0) & (scores.evidence <= 2 + 1e-5)).all()
    assert (scores.bm25 <= sum(term.idf for term in scores.terms) + 1e-4).all()
    asked = {
        form for forms in question_terms(question, detect_language(question)) for form in forms
    }
    shares = [bool(asked & set(passage_terms(text, detect_language(text)))) for text in passages]
    assert ((scores.evidence > 0) == np.array(shares, bool)).all()


@given(st.lists(TEXTS, min_size=1, max_size=6), TEXTS)
@settings(deadline=None)
def test_the_order_of_passages_does_not_matter(passages: list[str], question: str) -> None:
    forward = LexicalIndex.build(passages).score(question)
    backward = LexicalIndex.build(passages[::-1]).score(question)
    np.testing.assert_allclose(forward.evidence, backward.evidence[::-1], atol=1e-4)
