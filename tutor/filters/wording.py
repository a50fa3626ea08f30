"""A filter in words, and what a course has that could be asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence
    from datetime import date
    from gettext import NullTranslations

    from tutor.types import Filter, Source, SourceId

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


def what_exists(sources: Collection[Source], say: NullTranslations) -> str:
    """The weeks and authors of a course, in one sentence; empty where it has neither."""
    weeks = sorted({source.week for source in sources if source.week is not None})
    authors = sorted({author for source in sources for author in source.authors})
    parts = []
    if weeks:
        parts.append(weeks_in_words(weeks, say))
    if authors:
        parts.append(say.gettext("notes by %(names)s") % {"names": some_of(authors, say)})
    return say.gettext("The course has %(what)s.") % {"what": "; ".join(parts)} if parts else ""


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
