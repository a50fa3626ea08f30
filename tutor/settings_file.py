"""The settings file as something that is written to, all its other lines and comments kept."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tutor.errors import ConfigError
from tutor.files import write_whole
from tutor.i18n import _


def write_values(path: Path, changes: Mapping[str, object]) -> None:
    """Put settings, by their dotted names, into the file; it is made where there is none.

    Raises `ConfigError`; the file is then as it was.
    """
    import tomlkit  # noqa: PLC0415 - only needed when something is written
    from tomlkit.exceptions import TOMLKitError  # noqa: PLC0415

    try:
        text = path.read_text(encoding="utf-8-sig") if path.exists() else ""
        document: Any = tomlkit.parse(text)
        for name, value in changes.items():
            *sections, key = name.split(".")
            table = document
            for section in sections:
                if section not in table:
                    table[section] = tomlkit.table()
                table = table[section]
            table[key] = value
        write_whole(path, tomlkit.dumps(document))
    except (OSError, TOMLKitError, TypeError, UnicodeDecodeError) as error:
        raise ConfigError(
            _("The settings file %(path)s cannot be changed: %(reason)s.")
            % {"path": path, "reason": getattr(error, "strerror", None) or error},
            _("Write the settings into it yourself: %(changes)s")
            % {"changes": ", ".join(f"{k} = {v!r}" for k, v in changes.items())},
        ) from error
