"""Where settings come from: the project's folder, its file, the environment, the command line.

What is written to the file leaves its other lines and comments as they are.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tutor.config.settings import (
    Config,
    Layer,
    advice_on_name,
    merge_values,
    no_home_folder,
    put_value,
    setting_names,
    validated,
)
from tutor.errors import ConfigError, OptionError, reason_of
from tutor.files import from_home, write_whole
from tutor.i18n import _

FILE_NAME = "tutor.toml"
PREFIX = "TUTOR_"
RESERVED_VARIABLES = frozenset(
    {"TUTOR_ROOT", "TUTOR_LANG", "TUTOR_COMMAND", "TUTOR_CONFIG", "TUTOR_TORCH", "TUTOR_LIVE_MODEL"}
)

_OTHER_VARIABLES = {
    "OLLAMA_HOST": "ollama.host",
    "SERPAPI_API_KEY": "web.api_key",
    "TUTOR_LANG": "language",
}
"""Names that other programs or the set-up know, too."""


def current_folder() -> Path:
    """Where the command was called. Raises `ConfigError` if that folder has been deleted."""
    try:
        return Path.cwd()
    except FileNotFoundError:
        raise ConfigError(
            _("The current folder no longer exists."), _("Go to another one: cd FOLDER")
        ) from None


def find_root(start: Path, environ: Mapping[str, str]) -> Path:
    """The project folder: `TUTOR_ROOT`, else the nearest one upwards with settings or notes.

    Raises `ConfigError` where `TUTOR_ROOT` names no path.
    """
    if named := environ.get("TUTOR_ROOT"):
        return _named_path("TUTOR_ROOT", named)
    for folder in (start, *start.parents):
        if (folder / FILE_NAME).is_file() or (folder / "notes").is_dir():
            return folder
    return start


def config_file(root: Path, environ: Mapping[str, str]) -> Path:
    """Where the settings file is, or would be. Raises `ConfigError`, as `find_root` does."""
    named = environ.get("TUTOR_CONFIG")
    return _named_path("TUTOR_CONFIG", named) if named else root / FILE_NAME


def _named_path(variable: str, path: str) -> Path:
    try:
        return from_home(path).absolute()
    except FileNotFoundError:
        names = {"origin": _("the environment"), "key": variable, "value": path}
        raise ConfigError(
            _("%(origin)s: `%(key)s` cannot be %(value)r.") % names, no_home_folder()
        ) from None


def load_config(root: Path, environ: Mapping[str, str], options: Layer | None = None) -> Config:
    """The settings in force.

    `options` are the command line's, nested like the file, `None` meaning "not given".
    Raises `ConfigError`; for an option, `OptionError`.
    """
    path = config_file(root, environ)
    merged: dict[str, Any] = {}
    for origin, layer in (
        (str(path), _read_file(path, named="TUTOR_CONFIG" in environ)),
        (_("the environment"), _from_environment(environ)),
    ):
        try:
            merge_values(merged, layer)
            validated(merged, root, origin)
        except RecursionError:
            raise _not_toml(path, _("it is nested too deeply")) from None
    merge_values(merged, options or {})
    try:
        return validated(merged, root, _("the command line"))
    except ConfigError as error:
        raise OptionError(error.message, error.remedy) from error


def _read_file(path: Path, *, named: bool) -> Layer:
    try:
        text = path.read_text(encoding="utf-8-sig")
        return tomllib.loads(text)
    except FileNotFoundError:
        if not named:
            return {}
        raise ConfigError(
            _("The settings file %(path)s does not exist.") % {"path": path},
            _("Create it or unset TUTOR_CONFIG."),
        ) from None
    except OSError as error:
        raise ConfigError(
            _("The settings file %(path)s cannot be read: %(reason)s.")
            % {"path": path, "reason": reason_of(error)},
            _("Check that it is a file and that you may read it."),
        ) from error
    except UnicodeDecodeError as error:
        raise _not_toml(path, _("it is not written in UTF-8")) from error
    except tomllib.TOMLDecodeError as error:
        raise _not_toml(path, _where(str(error), text)) from error
    except RecursionError:
        raise _not_toml(path, _("it is nested too deeply")) from None


def _where(reason: str, text: str) -> str:
    """The place that the library's message, which is English, names."""
    if place := re.search(r"at line (\d+), column (\d+)", reason):
        return _("line %(line)s, column %(column)s") % {"line": place[1], "column": place[2]}
    return _("line %(line)s, the last one") % {"line": text.rstrip().count("\n") + 1}


def _not_toml(path: Path, reason: str) -> ConfigError:
    return ConfigError(
        _("%(path)s is not valid TOML: %(reason)s") % {"path": path, "reason": reason},
        _('Mend that line; texts need quotation marks, as in: language = "en"'),
    )


def _from_environment(environ: Mapping[str, str]) -> Layer:
    known = {PREFIX + name.replace(".", "_").upper(): name for name in setting_names()}
    layer: dict[str, Any] = {}
    for variable, name in _OTHER_VARIABLES.items():
        if value := environ.get(variable):
            put_value(layer, name, value)
    for variable, value in environ.items():
        if variable in known:
            put_value(layer, known[variable], value)
        elif variable.startswith(PREFIX) and variable not in RESERVED_VARIABLES:
            raise ConfigError(
                _("The environment variable %(name)s is not a setting of tutor.")
                % {"name": variable},
                advice_on_name(variable, known),
            )
    return layer


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
            put_value(document, name, value)
        write_whole(path, tomlkit.dumps(document))
    except (OSError, TOMLKitError, TypeError, UnicodeDecodeError) as error:
        raise ConfigError(
            _("The settings file %(path)s cannot be changed: %(reason)s.")
            % {"path": path, "reason": reason_of(error)},
            _("Write the settings into it yourself: %(changes)s")
            % {"changes": ", ".join(f"{k} = {v!r}" for k, v in changes.items())},
        ) from error
