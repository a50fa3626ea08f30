"""The README's example of an agent of LangChain's, run as a user runs it."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.ollama_double import ollama_double
from tutor.history import SessionStore

if TYPE_CHECKING:
    from tests.course import Workspace

REPO = Path(__file__).resolve().parents[2]
EXAMPLE = REPO / "scripts" / "langchain_agent.py"
CODE = EXAMPLE.read_text(encoding="utf-8").rpartition('"""\n')[2].strip()
QUESTIONS = ("¿Qué es una red neuronal artificial?", "¿Y cómo aprende?")
CALL = {"tool": "RAG_Sem_Tool", "arguments": {"question": QUESTIONS[0], "k": 1}}


def _said(messages: list[dict[str, str]]) -> str:
    """Looks the first question up and answers the second one from the conversation."""
    last = messages[-1]["content"]
    if last == QUESTIONS[0]:
        return json.dumps(CALL)
    return json.dumps({"answer": "Es un modelo." if last not in QUESTIONS else "Ajusta pesos."})


def _run(workspace: Workspace, **settings: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, EXAMPLE, *QUESTIONS],
        env=workspace.environment(**settings),
        cwd=workspace.root,
        capture_output=True,
        text=True,
        check=False,
    )


def test_the_example_searches_the_notes_answers_and_remembers(indexed: Workspace) -> None:
    with ollama_double(answer=_said) as double:
        done = _run(indexed, TUTOR_OLLAMA_HOST=double.host, TUTOR_OLLAMA_MODEL="good")
    assert done.stdout.splitlines() == ["Es un modelo.", "Ajusta pesos."], done.stderr
    first, second, third = (chat["messages"] for chat in double.chats)
    assert all(chat["format"]["anyOf"] for chat in double.chats)
    assert [message["role"] for message in second] == ["system", "user", "assistant", "user"]
    assert first[0]["content"] == second[0]["content"] == third[0]["content"]
    assert json.loads(second[2]["content"]) == CALL
    assert second[3]["content"].startswith("[RAG_Sem_Tool]\n[1] 09_SEMANA_AI_20250929_1.pdf, p. 1")
    said = [message["content"] for message in third[1:]]
    assert said == [QUESTIONS[0], "Es un modelo.", QUESTIONS[1]]
    with SessionStore(indexed.root / "stores" / "sessions.db") as sessions:
        (session,) = sessions.sessions()
        assert [turn.question for turn in sessions.history(session.id)] == list(QUESTIONS)


def test_without_a_server_or_an_index_the_example_says_what_to_do(indexed: Workspace) -> None:
    away = {"TUTOR_OLLAMA_HOST": "http://127.0.0.1:9", "TUTOR_OLLAMA_MODEL": "good"}
    told = [_run(indexed, **away)]
    (indexed.store / "manifest.json").unlink()
    told.append(_run(indexed, **away))
    for done, remedy in zip(told, ("ollama serve", "tutor index"), strict=True):
        assert done.returncode == 1
        assert remedy in done.stderr
        assert "Traceback" not in done.stderr


@pytest.mark.parametrize("readme", ["README.md", "README.es.md"])
def test_the_readme_shows_the_example_as_it_is(readme: str) -> None:
    assert f"```python\n{CODE}\n```" in (REPO / readme).read_text(encoding="utf-8")
