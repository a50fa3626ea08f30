"""Which setting to use for a course, by a stated rule, and how to put it into the settings file."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tutor.errors import ConfigError
from tutor.evaluation.measures import HEADLINE
from tutor.i18n import _
from tutor.settings_file import write_values

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from tutor.config import Config
    from tutor.evaluation.comparison import Comparison, Difference
    from tutor.evaluation.settings import Setting
    from tutor.evaluation.statistics import Interval

CANDIDATES = "fixed,semantic,fixed+retrieval.mode=dense,semantic+retrieval.mode=dense"
"""What is compared where nobody says what."""


@dataclass(frozen=True, slots=True)
class Suggestion:
    """The setting to use. `best` has the highest mean; `ties` are not shown to be worse than it.

    `chosen` is one of the ties: the one in force, else the fastest. `over_present` is its
    difference from the one in force, None where that is the same or was not compared.
    """

    chosen: str
    best: str
    average: Interval
    ties: tuple[str, ...]
    over_present: Difference | None


def suggest(comparison: Comparison, present: str | None) -> Suggestion | None:
    """The best setting for these cases; None where no case tells.

    The best is the setting with the highest mean of `HEADLINE`; those whose difference from it is
    not shown are ties. Among ties the `present` one stays, or else the fastest one is taken.
    """
    averages = {
        name: comparison.average(name, HEADLINE)
        for name in comparison.settings
        if comparison.values(name, HEADLINE)
    }
    if not averages:
        return None
    best = max(averages, key=lambda name: averages[name].estimate)
    ties = tuple(
        name
        for name in averages
        if name == best or comparison.difference(HEADLINE, best, name).better is None
    )
    chosen = present if present in ties else min(ties, key=lambda name: _pace(comparison, name))
    over = None
    if present in averages and present != chosen:
        over = comparison.difference(HEADLINE, chosen, present)
    return Suggestion(chosen, best, averages[chosen], ties, over)


def write_settings(path: Path, setting: Setting, config: Config) -> Mapping[str, object]:
    """Put a setting into the settings file, all its other lines and comments kept.

    `config` has the setting's values. Returns what was written. Raises `ConfigError`.
    """
    if not setting.is_configurable:
        raise ConfigError(
            _("`%(name)s` needs another kind of index, which no setting makes.")
            % {"name": setting.name},
            _("Compare settings without `chunk` and `form`."),
        )
    changes = {name: _value(config, name) for name in setting.changes}
    write_values(path, changes)
    return changes


def _value(config: Config, name: str) -> object:
    """A setting's value as TOML knows it."""
    found: Any = config.model_dump(mode="json", exclude={"root"})
    for part in name.split("."):
        found = found[part]
    return found


def _pace(comparison: Comparison, setting: str) -> float:
    seconds = sorted(comparison.values(setting, "retrieval_s").values())
    return seconds[len(seconds) // 2] if seconds else float("inf")
