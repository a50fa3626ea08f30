"""Prompt -> tokens, from a model served by Ollama; and what that server has and does."""

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
