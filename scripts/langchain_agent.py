"""An agent of LangChain's that searches the course and remembers the conversation.

python scripts/langchain_agent.py "¿Qué es una red neuronal?" "¿Y cómo aprende?"
"""

import os
import sys
from pathlib import Path
from typing import Any

from langchain.agents import create_agent
from langchain_core.messages import HumanMessage

from tutor.app import find_course, make_agent, make_embedder, open_course, open_sessions
from tutor.config import find_root, load_config
from tutor.errors import TutorError
from tutor.integrations.langchain import SessionHistory, TutorChatModel, course_tools
from tutor.llm import OllamaChat

try:
    config = load_config(find_root(Path.cwd(), os.environ), os.environ)
    course = find_course(config)
    embedder, _why = make_embedder(config)
    with open_course(config, course, embedder) as store, open_sessions(config) as sessions:
        tools = course_tools(make_agent(config, store, embedder))
        agent = create_agent(TutorChatModel(engine=OllamaChat(config.ollama)), tools)
        history = SessionHistory(sessions, sessions.create(course.name, config.language).id)
        for question in sys.argv[1:]:
            asked: list[Any] = [*history.messages, HumanMessage(question)]
            messages = agent.invoke({"messages": asked})["messages"]
            history.add_messages(messages[len(asked) - 1 :])
            print(messages[-1].text)
except TutorError as error:  # what failed, and what to do
    sys.exit(str(error))
