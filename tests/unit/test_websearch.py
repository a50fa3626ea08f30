"""SerpAPI over a real connection to a double, and its results as Markdown."""

from __future__ import annotations

import logging
import socket
import traceback
from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from pydantic import SecretStr

from tests.serpapi_double import GOOD_KEY, SCRIPTS, SerpApiDouble, serpapi
from tutor.config import WebConfig
from tutor.errors import ExitCode, WebSearchError
from tutor.i18n import language, set_language
from tutor.model import WebResult
from tutor.web import SerpApi, as_markdown
from tutor.web.results import clean, clean_link, same_page

if TYPE_CHECKING:
    from markdown_it.token import Token


@pytest.fixture(autouse=True)
def _english() -> Iterator[None]:
    before = language()
    set_language("en")
    yield
    set_language(before)


@pytest.fixture(scope="module")
def server() -> Iterator[SerpApiDouble]:
    with serpapi() as double:
        yield double


def _web(url: str, *, key: str = GOOD_KEY, results: int = 5, timeout_s: float = 10) -> SerpApi:
    return SerpApi(WebConfig(api_key=SecretStr(key), url=url, results=results, timeout_s=timeout_s))


def _failure(web: SerpApi, query: str) -> WebSearchError:
    with pytest.raises(WebSearchError) as caught:
        web.search(query, "es")
    return caught.value


def test_results_are_ranked_and_complete(server: SerpApiDouble) -> None:
    found = _web(server.url).search("valid transformer", "es")
    assert [result.rank for result in found] == [1, 2, 3]
    assert found[0] == WebResult(
        1,
        "Transformer (modelo de aprendizaje automático)",
        "Un transformador es una arquitectura basada en la atención.",
        "https://es.wikipedia.org/wiki/Transformador_(aprendizaje)",
        "Wikipedia",
    )
    assert (found[2].snippet, found[2].source) == ("", "example.org")


@pytest.mark.parametrize(("code", "country"), [("es", "es"), ("en", "us")])
def test_the_request_names_engine_language_country_and_number(
    server: SerpApiDouble, code: str, country: str
) -> None:
    _web(server.url, results=3).search("valid  ¿qué\n es\x1b[31m C&A?\x00 ", code)
    asked = server.asked[-1]
    assert asked["q"] == "valid ¿qué es C&A?"
    assert (asked["engine"], asked["num"], asked["output"]) == ("google", "3", "json")
    assert (asked["hl"], asked["gl"]) == (code, country)


def test_no_more_results_than_configured(server: SerpApiDouble) -> None:
    assert len(_web(server.url, results=2).search("valid", "es")) == 2


def test_an_answer_box_and_a_knowledge_graph_come_first(server: SerpApiDouble) -> None:
    found = _web(server.url).search("box perceptrón", "es")
    assert [result.rank for result in found] == [1, 2, 3, 4, 5]
    assert found[0].snippet == "1958 Frank Rosenblatt built it. one two"
    assert (found[1].title, found[1].source) == ("Perceptrón", "Wikipedia")
    assert found[2].title.startswith("Transformer")


def test_a_box_without_a_link_and_a_graph_without_a_text_are_left_out(
    server: SerpApiDouble,
) -> None:
    assert _web(server.url).search("boxless", "es") == _web(server.url).search("valid", "es")


def test_a_compressed_reply_is_read(server: SerpApiDouble) -> None:
    assert len(_web(server.url).search("gzip", "es")) == 3


@pytest.mark.parametrize("query", ["empty", "none"])
def test_nothing_found_is_no_error(server: SerpApiDouble, query: str) -> None:
    assert _web(server.url).search(query, "es") == []


def test_hostile_results_are_cleaned_or_left_out(server: SerpApiDouble) -> None:
    found = _web(server.url).search("hostile", "es")
    assert [result.link for result in found] == ["https://two.example/a", "https://three.example/"]
    assert found[0].title == "Bold here gpj.exe"
    assert found[0].snippet == "](http://evil.example) b"
    assert (len(found[0].source), found[0].source[-1]) == (80, "…")
    assert len(found[1].title) <= 200
    assert len(found[1].snippet) == 600


@pytest.mark.parametrize(
    ("query", "words", "remedy"),
    [
        ("badkey", "does not accept the key", "SERPAPI_API_KEY"),
        ("badkey200", "does not accept the key", "SERPAPI_API_KEY"),
        ("deleted", "does not accept the key", "web.api_key"),
        ("quota", "used up", "plan"),
        ("hourly", "Too many searches", "Wait a little"),
        ("outoforder", "out of order (HTTP status 503)", "later"),
        ("down", "out of order (HTTP status 502)", "later"),
        ("errornumber", "out of order (HTTP status 500)", "later"),
        ("refused", "refused the question (HTTP 400: Unsupported value x for ***.)", "web.url"),
        ("failed", "The web search failed: Proxy timeout.", "later"),
        ("html", "makes no sense", "web.url"),
        ("nothing", "makes no sense", "web.url"),
        ("deep", "makes no sense", "web.url"),
        ("bytes", "makes no sense", "web.url"),
        ("list", "makes no sense", "web.url"),
        ("null", "makes no sense", "web.url"),
        ("otherwise", "makes no sense", "web.url"),
        ("text", "makes no sense", "web.url"),
        ("numbers", "makes no sense", "web.url"),
        ("cut", "failed", "Try again"),
        ("endless", "too long", "web.url"),
        ("hangup", "cannot be reached", "network"),
        ("redirect", "failed", "Try again"),
    ],
)
def test_each_failure_has_its_words_and_its_remedy(
    server: SerpApiDouble, query: str, words: str, remedy: str
) -> None:
    failure = _failure(_web(server.url), query)
    assert words in failure.message
    assert remedy in failure.remedy
    assert failure.exit_code is ExitCode.WEB


@pytest.mark.parametrize("query", ["silent", "slow"])
def test_a_reply_that_takes_too_long_is_given_up(server: SerpApiDouble, query: str) -> None:
    failure = _failure(_web(server.url, timeout_s=0.3), query)
    assert "did not answer within 0.3 seconds" in failure.message
    assert "web.timeout_s" in failure.remedy


def test_no_network_is_said_with_the_address() -> None:
    with socket.create_server(("127.0.0.1", 0)) as unused:
        address = f"http://127.0.0.1:{unused.getsockname()[1]}"
    failure = _failure(_web(address), "valid")
    assert failure.message == f"The web search cannot be reached at {address}."


def test_a_service_that_speaks_no_tls_is_told_apart(server: SerpApiDouble) -> None:
    failure = _failure(_web(server.url.replace("http:", "https:")), "valid")
    assert "No secure connection" in failure.message


def test_a_dead_proxy_is_told_apart(server: SerpApiDouble, monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.create_server(("127.0.0.1", 0)) as unused:
        proxy = f"http://127.0.0.1:{unused.getsockname()[1]}"
    for name in ("no_proxy", "NO_PROXY"):
        monkeypatch.delenv(name, raising=False)
    for name in ("http_proxy", "HTTP_PROXY"):
        monkeypatch.setenv(name, proxy)
    assert "proxy" in _failure(_web(server.url), "valid").message


@pytest.mark.parametrize("key", ["", "  \n"])
def test_without_a_key_nothing_leaves_the_machine(server: SerpApiDouble, key: str) -> None:
    before = len(server.asked)
    web = _web(server.url, key=key)
    failure = _failure(web, "valid")
    assert "no key" in failure.message
    assert "SERPAPI_API_KEY" in failure.remedy
    assert "api_key below [web]" in failure.remedy
    assert str(web.why_not()) == str(failure)
    assert len(server.asked) == before
    assert _web(server.url).why_not() is None


@pytest.mark.parametrize("query", ["", " \n\x00\u200b", "\x1b[31m"])
def test_an_empty_question_is_not_sent(server: SerpApiDouble, query: str) -> None:
    before = len(server.asked)
    assert "nothing to search" in _failure(_web(server.url), query).message
    assert len(server.asked) == before


@pytest.mark.parametrize("key", ["wrong", "clé" + "x" * 20, "a\udcffb", "two\nlines"])
def test_a_key_that_is_none_is_a_bad_key(server: SerpApiDouble, key: str) -> None:
    assert "does not accept the key" in _failure(_web(server.url, key=key), "valid").message


@pytest.mark.parametrize("query", [*SCRIPTS, "cut", "endless", "hangup", "redirect", "slow"])
def test_the_key_is_in_no_error_log_or_output(
    server: SerpApiDouble,
    query: str,
    caplog: pytest.LogCaptureFixture,
    capfd: pytest.CaptureFixture[str],
) -> None:
    caplog.set_level(logging.DEBUG)
    web = _web(server.url, timeout_s=0.3 if query == "slow" else 10)
    shown = [repr(web)]
    chained: list[BaseException | None] = []
    try:
        shown.append(repr(web.search(query, "es")))
    except WebSearchError as error:
        shown += traceback.format_exception(error)
        shown += [repr(error), repr(error.args)]
        chained = [error.__cause__, error.__context__]
    shown += [caplog.text, *capfd.readouterr()]
    assert GOOD_KEY not in "\n".join(shown)
    assert not any(chained)
    assert server.asked[-1]["api_key"] == GOOD_KEY


def test_the_logs_of_others_are_heard_again_afterwards(
    server: SerpApiDouble, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    _web(server.url).search("valid", "es")
    logging.getLogger("urllib3.connectionpool").debug("heard")
    assert caplog.messages == ["heard"]


@given(st.text(max_size=300), st.integers(2, 50))
def test_cleaned_text_is_short_visible_and_stays_as_it_is(text: str, longest: int) -> None:
    cleaned = clean(text, longest)
    assert len(cleaned) <= longest
    assert cleaned.isprintable()
    assert cleaned == cleaned.strip()


@pytest.mark.parametrize(
    ("text", "cleaned"),
    [
        ("a < b y c > d, x<y", "a < b y c > d, x<y"),
        ("<scr<b>ipt>alert(1)</scr</b>ipt>x", "x"),
        ("<scr\u200bipt>alert(1)</script>x", "x"),
        ("<!-- no -->sí<br/>no", "síno"),
        ("Pe&ntilde;a &amp; Cía &lt;b&gt;x&lt;/b&gt;", "Peña & Cía x"),
        ("<img src=x onerror=alert(1)", ""),
        ("n\u0303 a" + 20 * "\u0301", "ñ á" + 5 * "\u0301"),
        ("\u009b31mrojo\x9dtítulo\x07 \x1bP1$r\x1b\\fin\x1b", "rojo fin"),
        ("a\u2028b\tc\xa0d", "a b c d"),
        (None, ""),
        (3, ""),
    ],
)
def test_texts_lose_what_is_no_text(text: object, cleaned: str) -> None:
    assert clean(text, 200) == cleaned


def test_cleaning_hostile_texts_takes_bounded_time() -> None:
    for part in ("<!--", "<script>", "<a ", "<" * 7, "\x1b]", "<a<b", "&lt;", "<a b=<"):
        assert len(clean(part * 200_000, 600)) <= 600


@pytest.mark.parametrize(
    ("link", "cleaned"),
    [
        ("https://es.wikipedia.org/wiki/Regla_de_L'Hôpital", None),
        ("https://example.org/a?b=c|d&e=%20#f", None),
        ("http://[::1]:8080/x", None),
        ("HTTP://Example.ORG", "http://example.org"),
        ("https://пример.рф/ж", "https://xn--e1afmkfd.xn--p1ai/ж"),
        ("javascript:alert(1)", ""),
        ("data:text/html,x", ""),
        ("file:///etc/passwd", ""),
        ("//example.org", ""),
        ("https://", ""),
        ("https://a..b/", ""),
        ("https://good.example@evil.example/", ""),
        ("https://example.org:99999/", ""),
        ("http://[bad", ""),
        ("https://example.org/a b", ""),
        ("https://example.org/\u202ea", ""),
        ("https://example.org/\x1b[31m", ""),
        ('https://example.org/"onclick', ""),
        ("https://example.org/" + "a" * 3000, ""),
        (None, ""),
        (["https://example.org"], ""),
    ],
)
def test_only_links_that_can_be_followed_safely_are_kept(link: object, cleaned: str | None) -> None:
    assert clean_link(link) == (link if cleaned is None else cleaned)


@given(st.text() | st.text("htps:/.@[]\\#?%x1a ").map("http://{}".format))
def test_any_link_is_kept_or_refused_and_never_fails(link: str) -> None:
    cleaned = clean_link(link)
    assert cleaned == "" or cleaned.startswith(("http://", "https://"))
    assert clean_link(cleaned) == cleaned
    assert isinstance(same_page(cleaned), str)


def _links(markdown: str) -> tuple[list[str], list[Token]]:
    tokens = MarkdownIt("gfm-like").parse(markdown)
    inner = [child for token in tokens for child in token.children or ()]
    return [str(t.attrs["href"]) for t in inner if t.type == "link_open"], tokens + inner


def test_markdown_shows_number_title_link_source_and_snippet() -> None:
    result = WebResult(2, "Redes", "Una red neuronal.", "https://a.example/x_(y)", "A")
    assert as_markdown([result]) == (
        "**[W2] [Redes](https://a.example/x_%28y%29)** — A\n\nUna red neuronal."
    )
    assert as_markdown([]) == ""
    assert as_markdown([result, result]).count("\n\n**[W2]") == 1


PIECES = (
    "[ ] ( ) ! * ** _ ` ``` ~~ < > | \\ # - + 1. 2) = & &lt; $ : . / @ www. http:// mailto:"
    " evil.example a@evil.example [x](http://evil.example) ![x](y) <b> <http://e.org> [W1]: x"
    " palabra ftp://e.org &#60;b&#62; \\\\ --- :-- e.org/x"
)
SPACES = (" ", "\n", "\n\n", "    ")
MARKUP = st.lists(st.sampled_from((*PIECES.split(), *SPACES)), max_size=12).map("".join)


@given(MARKUP, MARKUP, MARKUP)
def test_markup_in_results_makes_no_link_and_no_formatting(
    title: str, snippet: str, source: str
) -> None:
    link = "https://a.example/x"
    result = WebResult(1, title, snippet, link, source)
    links, tokens = _links(as_markdown([result]))
    assert links == [link]
    kinds = {token.type for token in tokens}
    assert kinds <= {
        *("paragraph_open", "paragraph_close", "inline", "text", "text_special"),
        *("strong_open", "strong_close", "link_open", "link_close"),
    }
    assert sum(token.type == "strong_open" for token in tokens) == 1
