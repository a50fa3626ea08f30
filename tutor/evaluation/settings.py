"""The ways of finding and answering that an evaluation compares."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from tutor.errors import ConfigError
from tutor.evaluation.rankings import PRODUCT, RANKINGS
from tutor.i18n import _
from tutor.types import Strategy

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from tutor.config import Config

CHUNK = "chunk"
FORM = "form"
RANKING = "ranking"
FORMS = ("reading", "index")
CHUNK_SIZES = range(100, 8001)
"""Characters; a smaller chunk holds no sentence, a larger one more than embedders read."""
_COMPARABLE = ("strategy", "k", "engine", "followups", CHUNK, FORM, RANKING)
_COMPARABLE_SECTIONS = ("retrieval.", "embedder.", "ollama.", "persona.")


@dataclass(frozen=True, slots=True)
class Setting:
    """A named variation of the settings in force: dotted names to values.

    `chunk_chars` is the longest chunk (None: that of the index), `form` the form of the text that
    is embedded, `ranking` a key of `RANKINGS`; none is a setting of the product.
    """

    name: str
    changes: Mapping[str, object]
    chunk_chars: int | None = None
    form: str = FORMS[0]
    ranking: str = PRODUCT

    def config(self, base: Config) -> Config:
        """The settings with this variation. Raises `ConfigError`."""
        return base.varied(self.changes)

    @property
    def is_configurable(self) -> bool:
        """Whether the settings file can say it."""
        return self.has_own_index and self.ranking == PRODUCT

    @property
    def has_own_index(self) -> bool:
        """Whether the course's index has what it needs, as far as chunks and their form go."""
        return self.chunk_chars is None and self.form == FORMS[0]


def parse_settings(text: str) -> list[Setting]:
    """`fixed,semantic` or `k=2,k=4` or `fixed+k=8+retrieval.mode=dense,...` as settings.

    Raises `ConfigError` for an empty one or one that stands twice.
    """
    names = ["+".join(part.strip() for part in name.split("+")) for name in text.split(",")]
    names = [name for name in names if name]
    if len(names) != len(set(names)) or not names:
        raise ConfigError(
            _("`%(text)s` does not name settings to compare.") % {"text": text},
            _("For example: %(example)s") % {"example": "fixed,semantic or k=2,k=4,k=8"},
        )
    return [_setting(name) for name in names]


def _setting(name: str) -> Setting:
    changes: dict[str, object] = {}
    for part in name.split("+"):
        key, value = _change(part)
        if key in changes:
            raise ConfigError(
                _("`%(name)s` sets `%(key)s` twice.") % {"name": name, "key": key},
                _("For example: %(example)s") % {"example": "semantic+k=8"},
            )
        changes[key] = value
    chunk_chars = _chunk_chars(str(changes.pop(CHUNK))) if CHUNK in changes else None
    form = _one_of(FORM, changes.pop(FORM, FORMS[0]), FORMS)
    ranking = _one_of(RANKING, changes.pop(RANKING, PRODUCT), RANKINGS)
    return Setting(name, changes, chunk_chars, form, ranking)


def _change(part: str) -> tuple[str, str]:
    key, _equals, value = (piece.strip() for piece in part.partition("="))
    if not value and key in {strategy.value for strategy in Strategy}:
        return "strategy", key
    if not (key and value):
        raise ConfigError(
            _("`%(part)s` is neither a strategy nor a setting with a value.") % {"part": part},
            _("For example: %(example)s") % {"example": "semantic+k=8"},
        )
    if key not in _COMPARABLE and not key.startswith(_COMPARABLE_SECTIONS):
        names = ", ".join((*_COMPARABLE, *(f"{name}*" for name in _COMPARABLE_SECTIONS)))
        raise ConfigError(
            _("`%(key)s` cannot be compared on one index.") % {"key": key},
            _("These can: %(names)s") % {"names": names},
        )
    return key, value


def _chunk_chars(value: str) -> int:
    if value.isascii() and value.isdigit() and int(value[:9]) in CHUNK_SIZES:
        return int(value)
    raise ConfigError(
        _("`%(part)s` is no size of chunks.") % {"part": f"{CHUNK}={value}"},
        _("Give a number of characters from %(low)d to %(high)d.")
        % {"low": CHUNK_SIZES.start, "high": CHUNK_SIZES.stop - 1},
    )


def _one_of(key: str, value: object, known: Collection[str]) -> str:
    if value in known:
        return str(value)
    raise ConfigError(
        _("`%(part)s` is not known.") % {"part": f"{key}={value}"},
        _("It must be one of: %(expected)s.") % {"expected": ", ".join(known)},
    )
