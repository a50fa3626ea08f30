"""Question or options -> filter: the weeks, days, authors and documents that are asked."""

from tutor.search.filters.chosen import (
    FilterChoice,
    chosen_filter,
    in_words,
    lacking,
    some_of,
    what_exists,
)
from tutor.search.filters.recognition import (
    LONGEST_QUESTION,
    Recognised,
    Recogniser,
    subject_words,
)

__all__ = [
    "LONGEST_QUESTION",
    "FilterChoice",
    "Recognised",
    "Recogniser",
    "chosen_filter",
    "in_words",
    "lacking",
    "some_of",
    "subject_words",
    "what_exists",
]
