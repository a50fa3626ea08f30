"""Keywords are whole words, and neither case nor accents matter."""

from __future__ import annotations

import unicodedata

from hypothesis import given
from hypothesis import strategies as st

from tutor.answer.routing import COMMANDS, fired_keyword, route
from tutor.model import Route, Strategy

NOUNS = ("web", "internet", "google", "online")
LETTERS = "abcdefghijklmnopqrstuvwxyzáéíóúüñ0123456789_"
PLURALS = {"s", "es", "és"}
letters = st.text(LETTERS, min_size=1, max_size=6)
spanish = st.text(LETTERS + " ¿?¡!,;:.-«»()\nABCÁÉÑ", max_size=60)
keywords = st.sampled_from(NOUNS)


@given(keywords, letters, letters, spanish)
def test_a_keyword_inside_a_longer_word_never_fires(
    keyword: str, before: str, after: str, rest: str
) -> None:
    found = fired_keyword(rest, NOUNS)
    longer = [before + keyword, before + keyword + after]
    if after not in PLURALS:
        longer.append(keyword + after)
    for word in longer:
        assert fired_keyword(f"{word} | {rest}", NOUNS) == found


@given(keywords, spanish, spanish)
def test_a_keyword_between_spaces_always_fires(keyword: str, before: str, after: str) -> None:
    assert fired_keyword(f"{before} {keyword} {after}", NOUNS)


@given(st.lists(st.one_of(keywords, st.just("investígalo"), spanish), max_size=6).map(" ".join))
def test_case_and_accents_never_matter(question: str) -> None:
    asked = (*NOUNS, "investiga")
    found = fired_keyword(question, asked)
    bare = "".join(
        c for c in unicodedata.normalize("NFD", question) if not unicodedata.combining(c)
    )
    for same in (question.upper(), question.title(), unicodedata.normalize("NFD", question), bare):
        assert fired_keyword(same, asked) == found


@given(st.text(max_size=80), st.sampled_from(Strategy), st.none() | st.sampled_from(Route))
def test_any_text_is_routed_and_nothing_is_lost(
    question: str, strategy: Strategy, forced: Route | None
) -> None:
    found = route(question, strategy=strategy, web_keywords=NOUNS, forced=forced)
    if not found.rule.startswith("command:"):
        assert found.question == question.strip()
        assert found.route in {forced, Route.WEB, Route(strategy.value)}


@given(st.sampled_from(sorted(COMMANDS)), spanish, st.sampled_from(Strategy))
def test_a_slash_word_leaves_the_question_as_it_was(
    word: str, question: str, strategy: Strategy
) -> None:
    found = route(f"/{word} {question}", strategy=strategy, web_keywords=NOUNS, forced=Route.WEB)
    assert found.question == question.strip()
    assert found.route == (COMMANDS[word] or Route(strategy.value))
