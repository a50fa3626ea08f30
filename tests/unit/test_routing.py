"""Which tool answers a question, and by which rule."""

from __future__ import annotations

import pytest

from tutor.answer.routing import asked_at_home, route, without_keywords
from tutor.config import RoutingConfig
from tutor.model import Route, Strategy

KEYWORDS = ("web", "internet", "investiga", "investigar", "busca en línea")


def _routed(question: str, forced: Route | None = None) -> tuple[str, Route, str]:
    found = route(question, strategy=Strategy.FIXED, web_keywords=KEYWORDS, forced=forced)
    return found.question, found.route, found.rule


@pytest.mark.parametrize(
    ("question", "rule"),
    [
        ("Busca en INTERNET qué es un transformer", "keyword:internet"),
        ("¿Qué dice la web?", "keyword:web"),
        ("Mira en varias webs", "keyword:web"),
        ("Investiga quién inventó el perceptrón", "keyword:investiga"),
        ("¿Puedes investigar esto?", "keyword:investiga"),
        ("Investigue usted, por favor.", "keyword:investiga"),
        ("Quiero que investigues el tema", "keyword:investiga"),
        ("Sigue investigando", "keyword:investiga"),
        ("«investígalo»", "keyword:investiga"),
        ("investígamelo ya", "keyword:investiga"),
        ("¿Podrías investigarlo?", "keyword:investiga"),
        ("Vosotros, investigad", "keyword:investiga"),
        ("INVESTÍGALO", "keyword:investiga"),
        ("Inve\u00adstiga", "keyword:investiga"),
        ("Investi\u0301galo", "keyword:investiga"),
        ("busca  en\nlinea la fecha", "keyword:busca en línea"),
        ("búscalo en línea", "keyword:busca en línea"),
        ("busque en línea", "keyword:busca en línea"),
        ("Buscando en la web o en internet", "keyword:web"),
    ],
)
def test_a_keyword_sends_a_question_to_the_web(question: str, rule: str) -> None:
    assert _routed(question) == (question, Route.WEB, rule)


@pytest.mark.parametrize(
    "question",
    [
        "¿Qué es la investigación operativa?",
        "¿Quién es el investigador principal?",
        "¿Qué se investigó en 1956?",
        "¿Qué investigan los lingüistas?",
        "¿Cuándo es el webinar?",
        "¿Qué es una interfaz web-based?",
        "¿Qué hay en web.xml?",
        "¿Qué son las telarañas (cobwebs)?",
        "¿Qué es internetworking?",
        "¿Cómo se busca en una línea?",
        "¿Qué es la búsqueda en línea recta?",
        "web_app y miweb",
        "",
        "   ",
    ],
)
def test_other_questions_go_to_the_strategy_in_force(question: str) -> None:
    assert _routed(question) == (question.strip(), Route.FIXED, "strategy")


@pytest.mark.parametrize(
    ("typed", "question", "route_", "rule"),
    [
        ("/web ¿Qué es Go?", "¿Qué es Go?", Route.WEB, "command:/web"),
        ("  /WEB: Go", "Go", Route.WEB, "command:/web"),
        ("\ufeff/web Go", "Go", Route.WEB, "command:/web"),
        ("/fijo Go", "Go", Route.FIXED, "command:/fijo"),
        ("/fixed Go", "Go", Route.FIXED, "command:/fixed"),
        ("/semantico Go", "Go", Route.SEMANTIC, "command:/semantico"),
        ("/semántico Go", "Go", Route.SEMANTIC, "command:/semantico"),
        ("/semantic\tGo", "Go", Route.SEMANTIC, "command:/semantic"),
        ("/notas ¿qué es internet?", "¿qué es internet?", Route.FIXED, "command:/notas"),
        ("/notes what is the web?", "what is the web?", Route.FIXED, "command:/notes"),
        ("/web", "", Route.WEB, "command:/web"),
        ("/web  ", "", Route.WEB, "command:/web"),
    ],
)
def test_a_slash_word_forces_the_route_and_is_taken_away(
    typed: str, question: str, route_: Route, rule: str
) -> None:
    assert _routed(typed) == (question, route_, rule)


@pytest.mark.parametrize("typed", ["/help", "/webinar hoy", "/web.archive.org", "a /fijo b", "/"])
def test_other_slash_words_stay(typed: str) -> None:
    assert _routed(typed) == (typed, Route.FIXED, "strategy")


def test_the_option_outweighs_keywords_and_a_slash_word_the_option() -> None:
    assert _routed("qué es internet", Route.SEMANTIC) == (
        "qué es internet",
        Route.SEMANTIC,
        "option",
    )
    assert _routed("/fijo qué es internet", Route.WEB)[1:] == (Route.FIXED, "command:/fijo")


def test_the_longest_keyword_at_the_first_place_names_the_rule() -> None:
    found = route(
        "busca en línea y en internet",
        strategy=Strategy.FIXED,
        web_keywords=("internet", "busca", "busca en línea"),
    )
    assert found.rule == "keyword:busca en línea"


@pytest.mark.parametrize("keywords", [(), ("",), ("  ",), ("\u200b",), ("\u0301",)])
def test_keywords_without_a_letter_never_fire(keywords: tuple[str, ...]) -> None:
    found = route("qué es internet", strategy=Strategy.SEMANTIC, web_keywords=keywords)
    assert (found.route, found.rule) == (Route.SEMANTIC, "strategy")


def test_a_keyword_is_text_and_no_pattern() -> None:
    for keyword, question in (("c++", "busca c++ fuera"), (".*", "todo .* aquí")):
        found = route(question, strategy=Strategy.FIXED, web_keywords=(keyword,))
        assert found.rule == f"keyword:{keyword}"
    assert route("nada", strategy=Strategy.FIXED, web_keywords=(".*",)).rule == "strategy"


def test_the_usual_keywords_know_the_words_of_both_languages() -> None:
    keywords = RoutingConfig().web_keywords
    for question in (
        "Búscalo en línea",
        "Investiga el origen del término",
        "Look it up online, please",
        "Search the web for the paper",
    ):
        found = route(question, strategy=Strategy.SEMANTIC, web_keywords=keywords)
        assert found.route is Route.WEB


@pytest.mark.parametrize(
    ("typed", "left"),
    [
        ("investiga en la web qué es un transformer", "qué es un transformer"),
        ("¿Qué es PCA? Búscalo en internet", "¿Qué es PCA?"),
        ("busca en internet qué es la entropía", "qué es la entropía"),
        ("¿me puedes buscar en la web y en internet qué es PCA?", "¿qué es PCA?"),
        ("Busca qué es PCA en internet", "qué es PCA"),
        ("look up on the internet what PCA is", "what PCA is"),
        ("cómo busca en internet un agente", "cómo busca un agente"),
        ("what does the web say about PCA", "what does say about PCA"),
        ("qué es PCA", "qué es PCA"),
        ("internet", ""),
    ],
)
def test_a_question_that_stays_at_home_loses_what_sends_it_to_the_web(
    typed: str, left: str
) -> None:
    assert without_keywords(typed, RoutingConfig().web_keywords) == left


@pytest.mark.parametrize(
    ("typed", "asked"),
    [
        ("busca en internet", ""),
        ("investiga en la web", ""),
        ("internet", "internet"),
        ("¿Qué es internet?", "¿Qué es internet?"),
        ("busca en internet qué es eso", "qué es eso"),
    ],
)
def test_the_notes_are_asked_what_is_left_and_a_keyword_where_it_is_the_subject(
    typed: str, asked: str
) -> None:
    assert asked_at_home(typed, RoutingConfig().web_keywords) == asked
