"""What stands before a command's name, and the settings and the course that follow from it."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tutor.i18n import set_language

if TYPE_CHECKING:
    from tutor.config import Config
    from tutor.courses import Course


@dataclass(frozen=True, slots=True)
class Invocation:
    """What the command line says before the command's own options."""

    options: dict[str, Any]

    def config(self, **own: Any) -> Config:
        """The settings in force, with a command's own options on top. Raises `ConfigError`."""
        from tutor.config import current_folder, find_root, load_config  # noqa: PLC0415 - pydantic, 0.1 s

        options = {**self.options, **own}
        config = load_config(find_root(current_folder(), os.environ), os.environ, options)
        set_language(config.language)
        return config

    def course(self) -> tuple[Config, Course]:
        """The settings in force, and the course that they name. Raises `NotesError`, too."""
        from tutor.app import find_course  # noqa: PLC0415 - NumPy and more, after `--help`

        config = self.config()
        return config, find_course(config)
