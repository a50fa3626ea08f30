"""Concepts by any name: that of the notes, one of other books, or what English words mean."""

from __future__ import annotations

from collections.abc import Iterator

from tutor.map.course_map import CourseMap
from tutor.map.model import Concept
from tutor.text.folding import folded
from tutor.text.other_names import called_otherwise
from tutor.text.terms import passage_terms, question_language, question_terms

_MOST = 200


def concepts_called(words: str, course: CourseMap) -> list[Concept]:
    """The concepts with these words, or what they mean, in a name: first those that are called so,
    or begin so. Where there is none, those with names alike.
    """
    wanted = folded(words).strip()
    terms = [set(forms) for forms in question_terms(words, question_language(words))]

    def fits(concept: Concept) -> Iterator[int]:
        for own in (concept.name, *concept.names):
            for called in (own, *called_otherwise(own)):
                if wanted in (name := folded(called)):
                    yield 2 * (name.startswith(wanted) + (name == wanted)) + (called == own)
            held = set(passage_terms(own, "es"))
            if terms and not any(map(held.isdisjoint, terms)):
                yield 3 * (len(held) <= len(terms))

    ranked = [(max(fits(one), default=-1), one) for one in course.concepts.values()]
    found = sorted((entry for entry in ranked if entry[0] >= 0), key=lambda entry: -entry[0])
    return [one for _rank, one in found[:_MOST]] or course.suggestions(words)
