"""Prompt -> tokens, from a model served by Ollama; and what that server has and does.

There are two clients of Ollama. Embeddings (`tutor.embedding.served`) are made with its own
package, `ollama`; answers, and what models there are, are asked for with httpx here: the package
(0.6.3) cannot send `truncate` and `shift` with a chat, so that a prompt would be cut in silence;
its streams cannot be ended while the server is silent, as Esc does; its lines may have any
length; it fails to show a model of a server that tells no `model_info`, and meets JSON of another
shape with a bare `TypeError`. On top of httpx, importing it takes 0.2 s of computing, and `tutor
ask` looks its model up first.
"""

from tutor.llm.chat import OllamaChat
from tutor.llm.server import InstalledModel, ModelInfo, OllamaServer, PullProgress, RunningModel

__all__ = [
    "InstalledModel",
    "ModelInfo",
    "OllamaChat",
    "OllamaServer",
    "PullProgress",
    "RunningModel",
]
