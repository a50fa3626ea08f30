"""A filter in words, and what a course has that could be asked for."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from datetime import date
from typing import TYPE_CHECKING

from tutor.model import Filter, Source, SourceId

if TYPE_CHECKING:
    from gettext import NullTranslations


_MOST_NAMED = 8
"""Documents or authors that are named; of more, how many there are."""


def in_words(chosen: Filter, sources: Mapping[SourceId, Source], say: NullTranslations) -> str:
    """What a filter keeps, as `weeks 3-5; notes by Ana Mora`, in the language of `say`."""
    parts = []
    if chosen.weeks:
        parts.append(weeks_in_words(chosen.weeks, say))
    if chosen.dates:
        parts.append(", ".join(_days(first, last) for first, last in chosen.dates))
    if chosen.authors:
        parts.append(say.gettext("notes by %(names)s") % {"names": some_of(chosen.authors, say)})
    if chosen.documents:
        paths = sorted(sources[one].path for one in chosen.documents if one in sources)
        parts.append(some_of(paths, say))
    return "; ".join(parts)


def what_exists(missed: Filter, sources: Collection[Source], say: NullTranslations) -> str:
    """What there is instead of what a filter asked for; empty where nothing is known.

    Weeks are those of the authors and documents that it asked for, if there are any.
    """
    rest = replace(missed, weeks=(), dates=())
    others = [source for source in sources if rest.passes(source)] or sources
    weeks = sorted({source.week for source in others if source.week is not None})
    days = sorted({source.date for source in others if source.date is not None})
    authors = sorted({author for source in sources for author in source.authors})
    found = []
    if weeks and (missed.weeks or missed.dates):
        weeks_said = weeks_in_words(weeks, say)
        found.append(say.gettext("There are notes of %(weeks)s.") % {"weeks": weeks_said})
    if days and missed.dates:
        found.append(
            say.gettext("The first are of %(first)s, the last of %(last)s.")
            % {"first": days[0].isoformat(), "last": days[-1].isoformat()}
        )
    if authors and missed.authors:
        found.append(
            say.gettext("There are notes by %(names)s.") % {"names": some_of(authors, say)}
        )
    return " ".join(found)


def weeks_in_words(weeks: Sequence[int], say: NullTranslations) -> str:
    """`week 5`, `weeks 1-3, 7`."""
    runs: list[list[int]] = []
    for week in sorted(weeks):
        if runs and week == runs[-1][-1] + 1:
            runs[-1].append(week)
        else:
            runs.append([week])
    shown = ", ".join(str(run[0]) if len(run) == 1 else f"{run[0]}-{run[-1]}" for run in runs)
    return say.ngettext("week %(weeks)s", "weeks %(weeks)s", len(weeks)) % {"weeks": shown}


def _days(first: date, last: date) -> str:
    return first.isoformat() if first == last else f"{first.isoformat()} - {last.isoformat()}"


def some_of(names: Sequence[str], say: NullTranslations) -> str:
    """The first names; how many there are besides."""
    shown = ", ".join(names[:_MOST_NAMED])
    more = len(names) - _MOST_NAMED
    if more <= 0:
        return shown
    return say.ngettext("%(names)s and %(n)d more", "%(names)s and %(n)d more", more) % {
        "names": shown,
        "n": more,
    }
