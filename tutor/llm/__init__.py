"""Prompt -> tokens, from a model served by Ollama; and what that server has and does.

The one client of Ollama, on httpx: its own package, `ollama` (0.6.3), cannot send `truncate` and
`shift` with a chat, so that a prompt would be cut in silence; its streams cannot be ended while
the server is silent, as Esc does, and split JSON at U+0085; its lines may have any length.
Importing it takes 0.25 s of computing on top of httpx, in every `tutor ask` with a model.
"""

from tutor.llm.chat import OllamaChat
from tutor.llm.server import InstalledModel, ModelInfo, OllamaServer, PullProgress
