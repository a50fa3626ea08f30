"""Asking from the terminal: quotes with their pages, or an honest refusal."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.ollama_double import ollama_double
from tests.serpapi_double import GOOD_KEY, serpapi

if TYPE_CHECKING:
    from tests.course import Workspace


def _one_line(text: str) -> str:
    return " ".join(text.split())


def test_the_first_question_builds_the_index_and_is_answered(fresh: Workspace) -> None:
    done = fresh.run("ask", "¿Qué es una red neuronal?")
    assert done.returncode == 0, done.stderr
    assert "Una red neuronal artificial es un modelo de cálculo" in _one_line(done.stdout)
    assert "Redes neuronales — 09_SEMANA_AI_20250929_1.pdf, p. 1" in _one_line(done.stdout)
    assert "3/3 files" in done.stderr or "Indexing 3 files" in done.stderr
    assert "without a language model" in done.stderr


@pytest.mark.parametrize("strategy", ["fixed", "semantic"])
def test_every_sentence_is_quoted_exactly_with_its_page(indexed: Workspace, strategy: str) -> None:
    record = indexed.json_here("ask", "¿Qué calcula la retropropagación?", "--strategy", strategy)
    assert record["route"] == strategy
    assert record["model"] == "extractive"
    assert not record["abstained"]
    assert "regla de la cadena" in record["answer"]
    assert record["citations"]
    chunks = {passage["chunk_id"]: passage["text"] for passage in record["passages"]}
    covered = record["answer"]
    for citation in record["citations"]:
        assert citation["quote"] == citation["sentence"]
        assert citation["quote"] in chunks[citation["chunk_id"]]
        assert citation["first_page"] == citation["last_page"] == 1
        covered = covered.replace(citation["sentence"], "")
    assert not covered.strip()


def test_the_length_of_answers_is_chosen(indexed: Workspace) -> None:
    question = "¿Qué es una red neuronal?"
    quoted = [
        len(indexed.json_here("ask", question, "--length", length)["citations"])
        for length in ("short", "normal", "long")
    ]
    assert quoted[0] == 1
    assert quoted == sorted(quoted)
    done = indexed.run_here("chat", typed=f"/corta\n{question}\n/larga\n/salir\n")
    assert "From now on: short answers." in done.stderr
    assert "From now on: long answers." in done.stderr
    assert done.stdout.count("— ") == 1  # one source
    assert indexed.run_here("ask", question, "--length", "huge").returncode == 2


@pytest.mark.parametrize(
    "question",
    [
        "¿Cuál es la receta de la tortilla de patatas?",
        "asdf qwerty zxcv",
    ],
)
def test_what_the_notes_do_not_cover_is_refused(indexed: Workspace, question: str) -> None:
    record = indexed.json_here("ask", question)
    assert record["abstained"], record["answer"]
    assert record["answer"].startswith(("The notes do not cover this.", "Los apuntes no"))
    assert "/web" not in record["answer"]  # there is no key for it
    assert record["citations"] == []


def test_a_foreign_question_of_everyday_words_is_not_answered(indexed: Workspace) -> None:
    record = indexed.json_here("ask", "¿Quién ganó el mundial de fútbol de 1998?")
    assert record["abstained"] or record["answer"].startswith("Los apuntes no dicen exactamente")


def test_a_refusal_names_the_web_search_where_there_is_a_key(indexed: Workspace) -> None:
    done = indexed.run_here("ask", "asdf qwerty zxcv", SERPAPI_API_KEY="k")
    assert done.stdout.rstrip().endswith("/web.")


def test_a_model_on_ollama_answers_and_its_sentences_are_cited(indexed: Workspace) -> None:
    with ollama_double() as server:
        address = {"TUTOR_OLLAMA_HOST": server.host, "TUTOR_OLLAMA_MODEL": "good"}
        done = indexed.run_here("ask", "¿Qué es una red neuronal?", **address)
    assert done.returncode == 0, done.stderr
    shown = _one_line(done.stdout)
    assert "Una red neuronal es un modelo formado por capas. [" in shown
    assert "Redes neuronales — 09_SEMANA_AI_20250929_1.pdf, p. 1" in shown
    assert "[9]" not in shown
    (chat,) = server.chats
    assert "Una red neuronal artificial es" in chat["messages"][-1]["content"]
    assert chat["truncate"] is False


def test_the_web_is_asked_only_when_the_question_says_so(indexed: Workspace) -> None:
    with serpapi() as service:
        address = {"TUTOR_WEB_URL": service.url, "SERPAPI_API_KEY": GOOD_KEY}
        done = indexed.run_here("ask", "valid en internet: ¿qué es una red neuronal?", **address)
        assert done.returncode == 0, done.stderr
        assert "left your machine" in done.stderr
        assert "[W1]" in done.stdout
        assert GOOD_KEY not in done.stdout + done.stderr
        asked = len(service.asked)
        indexed.run_here("ask", "¿Qué es una red neuronal?", **address)
        assert len(service.asked) == asked


def test_the_record_tells_everything_that_happened(indexed: Workspace) -> None:
    record = indexed.json_here("ask", "--route", "fixed", "¿Qué es una red neuronal?")
    assert record["routing"] == [{"route": "fixed", "rule": "option"}]
    assert record["answerability"]["answerable"] is True
    assert record["answerability"]["evidence"] >= record["answerability"]["threshold"]
    assert record["ending"] == "complete"
    assert record["unsupported"] == []
    assert {"dense"} <= record["passages"][0]["retrievers"].keys()


def test_a_model_that_dies_in_mid_answer_says_so(indexed: Workspace) -> None:
    with ollama_double() as server:
        address = {"TUTOR_OLLAMA_HOST": server.host, "TUTOR_OLLAMA_MODEL": "dies"}
        done = indexed.run_here("ask", "¿Qué es una red neuronal?", **address)
    assert done.returncode == 6
    assert "Una red neuronal" in done.stdout
    assert "broke off" in done.stderr


def test_output_into_a_closed_pipe_is_no_traceback(indexed: Workspace) -> None:
    process = indexed.start("search", "red neuronal")
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdout.close()
    errors = process.stderr.read()
    process.stderr.close()
    process.wait()
    assert "Traceback" not in errors


def test_a_question_is_asked_of_the_documents_that_it_names(indexed: Workspace) -> None:
    done = indexed.run_here("ask", "¿Qué mide la ganancia de información en la semana 7?")
    assert done.returncode == 0, done.stderr
    assert "Searching only: week 7 (1 document)." in done.stderr
    assert "“en la semana 7”" in done.stderr
    assert "07_SEMANA_AI_20250915_1.pdf" in done.stdout
    record = indexed.json_here("ask", "¿Qué es una neurona, en la clase del 29/09?")
    assert record["filter"]["dates"] == [["2025-09-29", "2025-09-29"]]
    assert {one["file"] for one in record["passages"]} == {"09_SEMANA_AI_20250929_1.pdf"}
    assert not record["abstained"]


def test_a_week_without_notes_is_told_and_nothing_else_is_searched(indexed: Workspace) -> None:
    record = indexed.json_here("ask", "¿Qué es una red neuronal en la semana 3?")
    assert record["abstained"]
    assert record["filter"]["matching_documents"] == 0
    assert "passages" not in record
    assert "7-9" in record["answer"]


def test_options_filter_a_search_and_outweigh_the_question(indexed: Workspace) -> None:
    record = indexed.json_here(
        "search", "¿Qué es un árbol en la semana 7?", "--week", "8-9", "--k", "9"
    )
    assert record["filter"]["weeks"] == [8, 9]
    assert {hit["file"][:2] for hit in record["hits"]} == {"08", "09"}
    dense = indexed.run_here("search", "árbol", "--doc", "Redes", TUTOR_RETRIEVAL_MODE="dense")
    assert "09_SEMANA_AI_20250929_1.pdf" in dense.stdout
    assert "07_SEMANA_AI_20250915_1.pdf" not in dense.stdout
    talk = indexed.run_here("chat", "--week", "8", typed="¿Qué es un centroide?\n")
    assert "Searching only: week 8" in talk.stderr


@pytest.mark.parametrize(
    ("option", "value", "there_is"),
    [("--week", "3", "7-9"), ("--week", "x", "--week 5"), ("--doc", "nada", "07_SEMANA")],
)
def test_an_option_that_fits_no_document_says_what_there_is(
    indexed: Workspace, option: str, value: str, there_is: str
) -> None:
    done = indexed.run_here("ask", "¿Qué es una red?", option, value)
    assert done.returncode == 2
    assert there_is in done.stderr
    assert not done.stdout


def test_a_keyword_for_the_web_is_not_looked_for_in_the_notes(indexed: Workspace) -> None:
    plain = indexed.json_here("ask", "qué es la silueta de un punto")
    asked = indexed.json_here(
        "ask", "investiga en internet y en la web qué es la silueta de un punto"
    )
    assert asked["route"] == "fixed"
    assert asked["answerability"] == plain["answerability"]
    assert asked["answer"] == plain["answer"]


@pytest.mark.parametrize("command", ["ask", "search"])
@pytest.mark.parametrize(
    ("arguments", "why"),
    [(("",), "There is no question"), (("  ",), "no question"), (("x", "--k", "0"), "cannot be 0")],
)
def test_a_question_without_words_and_an_impossible_option_make_no_sense(
    indexed: Workspace, command: str, arguments: tuple[str, ...], why: str
) -> None:
    done = indexed.run_here(command, *arguments)
    assert done.returncode == 2
    assert why in done.stderr
    assert not done.stdout
