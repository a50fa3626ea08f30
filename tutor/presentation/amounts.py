"""Numbers, durations, sizes, pages and lengths as people say them."""

from __future__ import annotations

from tutor.i18n import _, language
from tutor.model import AnswerLength

_STEP = 1000


def size(n: int) -> str:
    """A number of bytes in decimal units, as Ollama's own command shows them."""
    value = float(n)
    for unit in ("B", "kB", "MB", "GB"):
        if value < _STEP:
            return f"{value:.0f} {unit}" if unit != "GB" else f"{value:.1f} {unit}"
        value /= _STEP
    return f"{value:.1f} TB"


def decimal(value: float, digits: int) -> str:
    """A number with so many decimals, and the decimal sign of the reader's language."""
    text = f"{value:.{digits}f}"
    return text.replace(".", ",") if language() == "es" else text


def counted(phrase: str, n: int) -> str:
    """A phrase with its number in place."""
    return phrase % {"n": n}


def length_told(length: AnswerLength) -> str:
    """How long answers are."""
    return {
        AnswerLength.SHORT: _("short answers"),
        AnswerLength.NORMAL: _("answers of normal length"),
        AnswerLength.LONG: _("long answers"),
    }[length]


def duration(seconds: float) -> str:
    """A duration as people say it."""
    if seconds < 60:
        return _("%(s)d s") % {"s": round(seconds)}
    minutes, rest = divmod(round(seconds), 60)
    return _("%(m)d min %(s)02d s") % {"m": minutes, "s": rest}


def pages(first: int, last: int) -> str:
    """`p. 3` or `pp. 3-4`."""
    if first == last:
        return _("p. %(page)d") % {"page": first}
    return _("pp. %(first)d-%(last)d") % {"first": first, "last": last}
