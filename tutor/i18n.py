"""The reader's language: Spanish unless another is chosen. Message ids are the English texts."""

from __future__ import annotations

import gettext
import os
from pathlib import Path

DOMAIN = "tutor"
DEFAULT_LANGUAGE = "es"
LANGUAGES = ("es", "en")
LOCALES = Path(__file__).parent / "locales"

_language = DEFAULT_LANGUAGE
_catalog: gettext.NullTranslations = gettext.NullTranslations()


def catalog(code: str) -> gettext.NullTranslations:
    """The texts in a given language: answers speak the question's, whatever the interface does.

    Use `catalog(code).gettext("…")`, which the message collector recognises.
    """
    return gettext.translation(DOMAIN, LOCALES, [code], fallback=True)


def set_language(code: str) -> None:
    """Choose the language of every user-facing text, the command line library's own included."""
    global _catalog, _language  # noqa: PLW0603 - the process-wide setting, as in gettext itself
    _language = code
    _catalog = catalog(code)
    os.environ["LANGUAGE"] = code
    gettext.bindtextdomain(DOMAIN, str(LOCALES))
    gettext.textdomain(DOMAIN)


def language() -> str:
    """The language chosen last."""
    return _language


def _(message: str) -> str:
    """`message` in the reader's language."""
    return _catalog.gettext(message)


def N_(text: str) -> str:  # noqa: N802 - gettext's own name
    """Mark a text for the message catalog that is translated when it is shown."""
    return text


def ngettext(singular: str, plural: str, n: int) -> str:
    """The form of the message that fits the number `n`, in the reader's language."""
    return _catalog.ngettext(singular, plural, n)


def plural(one: str, several: str, n: int, **values: object) -> str:
    """The form of the message that fits `n`, with it and other values in place."""
    return ngettext(one, several, n) % {"n": n, **values}


set_language(os.environ.get("TUTOR_LANG", DEFAULT_LANGUAGE))
