"""What is remembered of the choices of whoever studies here, from one start to the next."""

from __future__ import annotations

import json
from contextlib import suppress
from enum import StrEnum
from pathlib import Path

from tutor.config import Config
from tutor.files import write_whole
from tutor.model import AnswerLength, Strategy

FILE_NAME = "app.json"
"""In the folder of all stores."""
_CHOICES: dict[str, type[StrEnum]] = {"strategy": Strategy, "length": AnswerLength}
"""Settings that are chosen in the app, too."""


class Preferences:
    """Words kept by name. A file that cannot be read or written is as good as none."""

    def __init__(self, stores: Path) -> None:
        self._path = stores / FILE_NAME
        self._kept = self._read()

    def _read(self) -> dict[str, str]:
        with suppress(OSError, ValueError):
            kept = json.loads(self._path.read_text(encoding="utf-8"))
            if isinstance(kept, dict):
                return {k: v for k, v in kept.items() if isinstance(v, str)}
        return {}

    def get(self, name: str) -> str:
        """What was kept; empty where nothing was."""
        return self._kept.get(name, "")

    def applied_to(self, config: Config) -> Config:
        """The settings with the index, length and model chosen last, unless they say others."""
        chosen = {
            name: kept
            for name, kind in _CHOICES.items()
            if (kept := self.get(name)) in {*kind} and name not in config.model_fields_set
        }
        if (model := self.get("model")) and "model" not in config.ollama.model_fields_set:
            chosen["ollama.model"] = model
        return config.varied(chosen)

    def keep(self, name: str, value: str) -> None:
        """Keep it for the next start, beside what other processes have kept meanwhile."""
        in_file = self._read()
        self._kept = {**self._kept, **in_file, name: value}
        if in_file.get(name) != value:
            with suppress(OSError):
                self._path.parent.mkdir(parents=True, exist_ok=True)
                write_whole(self._path, json.dumps(self._kept))
