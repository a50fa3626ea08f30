"""The filter that options choose (`--week 3-5 --author Mora --doc redes`), and any in words."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from difflib import get_close_matches
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from tutor.errors import FilterError
from tutor.i18n import _, catalog, language
from tutor.model import Filter, Source, SourceId
from tutor.search.filters.phrases import keys_of
from tutor.search.filters.times import weeks_in

if TYPE_CHECKING:
    from gettext import NullTranslations

_MOST_NAMED = 8
"""Documents or authors that are named; of more, how many there are."""


@dataclass(frozen=True, slots=True)
class FilterChoice:
    """What was typed: weeks as `3-5,7`; authors and documents by name or a part of it."""

    weeks: str = ""
    authors: tuple[str, ...] = ()
    documents: tuple[str, ...] = ()


def chosen_filter(choice: FilterChoice, sources: Collection[Source]) -> Filter:
    """The filter, of the documents of a course.

    A name stands for everybody, or every document, that it fits. Raises `FilterError` where it
    fits nothing that there is, or where all conditions together leave no document.
    """
    chosen = Filter(
        weeks=_weeks(choice.weeks, sources),
        authors=tuple(sorted({one for said in choice.authors for one in _authors(said, sources)})),
        documents=tuple(
            sorted({one for said in choice.documents for one in _documents(said, sources)})
        ),
    )
    if not chosen.select(sources):
        raise FilterError(
            _("No document fits all of these conditions together."), _("Leave one of them out.")
        )
    return chosen


def _weeks(said: str, sources: Collection[Source]) -> tuple[int, ...]:
    if not said.strip():
        return ()
    weeks = weeks_in(said)
    known = sorted({source.week for source in sources if source.week is not None})
    if not known:
        raise FilterError(
            _("The notes of this course do not say of which week they are."),
            _("Name a document instead: --doc"),
        )
    if not weeks:
        raise FilterError(
            _("“%(said)s” is no week.") % {"said": said}, _("Write --week 5, 3-5 or 3,5.")
        )
    if not set(weeks) & set(known):
        raise FilterError(
            _("There are no notes of %(weeks)s.") % {"weeks": weeks_in_words(weeks, _say())},
            _("There are notes of %(weeks)s.") % {"weeks": weeks_in_words(known, _say())},
        )
    return tuple(weeks)


def _authors(said: str, sources: Collection[Source]) -> Sequence[str]:
    """The authors of whose names every word is said."""
    authors = sorted({author for source in sources for author in source.authors})
    words = set(keys_of(said))
    found = [author for author in authors if words and words <= set(keys_of(author))]
    if not found:
        raise FilterError(
            _("No notes are by “%(said)s”.") % {"said": said},
            _("There are notes by %(names)s.") % {"names": _nearest(said, authors)}
            if authors
            else _("The notes of this course do not say who wrote them."),
        )
    return found


def _documents(said: str, sources: Collection[Source]) -> Sequence[SourceId]:
    """The document of this path or title; else those of which it is a part."""
    words = " ".join(keys_of(said.strip().removesuffix(".pdf").removesuffix(".PDF")))
    named = [(source, _names(source)) for source in sources]
    exact = [source.id for source, names in named if words in names]
    found = exact or [
        source.id
        for source, names in named
        if words and any(f" {words} " in f" {name} " or words in names[0] for name in names)
    ]
    if not found:
        raise FilterError(
            _("There is no document “%(said)s”.") % {"said": said},
            _("There are: %(names)s.")
            % {"names": _nearest(said, sorted(source.path for source in sources))},
        )
    return found


def _names(source: Source) -> tuple[str, ...]:
    path = PurePosixPath(source.path)
    return tuple(
        " ".join(keys_of(name)) for name in (path.stem, str(path.with_suffix("")), source.title)
    )


def _nearest(said: str, names: Sequence[str]) -> str:
    """The names most like what was said, else the first ones."""
    keys = {" ".join(keys_of(name)): name for name in names}
    near = get_close_matches(" ".join(keys_of(said)), list(keys), n=5, cutoff=0.5)
    return some_of([keys[key] for key in near] or names, _say())


def _say() -> NullTranslations:
    return catalog(language())


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


def lacking(chosen: Filter, sources: Collection[Source]) -> tuple[str, ...]:
    """That there are no notes of what was chosen, and what there are; empty where there are any."""
    if chosen.select(sources):
        return ()
    named = in_words(chosen, {source.id: source for source in sources}, _say())
    told = _("There are no notes of %(weeks)s.") % {"weeks": named}
    return told, what_exists(chosen, sources, _say())


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
