"""The ways of finding and answering that an evaluation compares."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from tutor.errors import ConfigError
from tutor.i18n import _
from tutor.types import Strategy

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tutor.config import Config


@dataclass(frozen=True, slots=True)
class Setting:
    """A named variation of the settings in force: dotted names to values."""

    name: str
    changes: Mapping[str, object]

    def config(self, base: Config) -> Config:
        """The settings with this variation. Raises `ConfigError`."""
        return base.varied(self.changes)


def parse_settings(text: str) -> list[Setting]:
    """`fixed,semantic` or `k=2,k=4` or `fixed+k=8+retrieval.mode=dense,...` as settings.

    Raises `ConfigError` for an empty one or one that stands twice.
    """
    names = [name.strip() for name in text.split(",") if name.strip()]
    if len(names) != len(set(names)) or not names:
        raise ConfigError(
            _("`%(text)s` does not name settings to compare.") % {"text": text},
            _("For example: %(example)s") % {"example": "fixed,semantic or k=2,k=4,k=8"},
        )
    return [Setting(name, _changes(name)) for name in names]


def _changes(name: str) -> dict[str, object]:
    changes: dict[str, object] = {}
    for part in name.split("+"):
        key, equals, value = part.strip().partition("=")
        if not equals and key in {strategy.value for strategy in Strategy}:
            changes["strategy"] = key
        elif equals and key and value:
            changes[key.strip()] = value.strip()
        else:
            raise ConfigError(
                _("`%(part)s` is neither a strategy nor a setting with a value.")
                % {"part": part.strip()},
                _("For example: %(example)s") % {"example": "semantic+k=8"},
            )
    return changes
