"""Question or options -> filter: the weeks, days, authors and documents that are asked."""

from tutor.search.filters.chosen import FilterChoice, chosen_filter
from tutor.search.filters.recognition import Recognised, Recogniser
from tutor.search.filters.wording import in_words, what_exists

__all__ = [
    "FilterChoice",
    "Recognised",
    "Recogniser",
    "chosen_filter",
    "in_words",
    "what_exists",
]
