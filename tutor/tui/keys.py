"""The names under which the app's keys can be changed."""

from __future__ import annotations

import difflib
import importlib
import pkgutil
from collections.abc import Iterable, Iterator, Mapping

from textual.dom import DOMNode

from tutor.errors import ConfigError
from tutor.i18n import _
from tutor.tui import screens, widgets
from tutor.tui.base import named_bindings


def check_keys(keys: Mapping[str, str], app: type[DOMNode]) -> None:
    """Raises `ConfigError` for a name that no key of the app has."""
    known = set(binding_names(app))
    for name in keys:
        if name not in known:
            close = difflib.get_close_matches(name, known, n=1)
            remedy = (
                _("Did you mean `%(name)s`?") % {"name": close[0]}
                if close
                else _("The names are: %(names)s") % {"names": ", ".join(sorted(known))}
            )
            raise ConfigError(_("tui.keys: no key is called `%(name)s`.") % {"name": name}, remedy)


def binding_names(app: type[DOMNode]) -> Iterator[str]:
    """Of every screen and widget; imports them all, which takes a moment."""
    yield from _names([app])
    for package in (screens, widgets):
        for module in pkgutil.iter_modules(package.__path__, f"{package.__name__}."):
            members = vars(importlib.import_module(module.name)).values()
            yield from _names(one for one in members if isinstance(one, type))


def _names(classes: Iterable[type]) -> Iterator[str]:
    for one in classes:
        if issubclass(one, DOMNode):
            yield from (binding.id for binding in named_bindings(one) if binding.id)
