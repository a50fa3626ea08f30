"""Question or options -> filter: the weeks, days, authors and documents that are asked."""

from tutor.filters.chosen import FilterChoice, chosen_filter
from tutor.filters.recognition import Recognised, Recogniser
from tutor.filters.wording import in_words, what_exists

__all__ = [
    "FilterChoice",
    "Recognised",
    "Recogniser",
    "chosen_filter",
    "in_words",
    "what_exists",
]
