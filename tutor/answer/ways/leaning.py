"""What a question means that names no subject: the one of the question before."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tutor.answer.ways.forms import CourseQuestion, Way, forms_of
from tutor.answer.ways.subjects import Subject, subject_of
from tutor.map.words import key_of
from tutor.model import SourceId, Turn
from tutor.text.folding import fold
from tutor.text.stopwords import STOP_WORDS

if TYPE_CHECKING:
    from tutor.index.store import StoreReader
    from tutor.map.course_map import CourseMap

MOST_WORDS = 5
"""Of the name of a concept in a question."""

_POINTING = re.compile(r"(?:eso|esto|ello|it|that|this|them|those|these)?")
_WORD = re.compile(r"[^\W_][\w*+#-]*")


def next_to(subject: Subject, side: str, course: CourseMap) -> tuple[SourceId | None, bool]:
    """The lesson `before` the first, or `after` the last one, that treats a subject, and `False`;
    where that is the first or the last of the course this one, and `True`.
    """
    order = [key for key, node in course.documents.items() if not node.superseded]
    about = [order.index(one) for one in subject.titled or subject.lessons[:1] if one in order]
    if not about:
        return None, False
    here = min(about) if side == "before" else max(about)
    place = here + (-1 if side == "before" else 1)
    inside = 0 <= place < len(order)
    return order[place if inside else here], not inside


@dataclass(frozen=True, slots=True)
class Referent:
    """What the words of a question mean after `turns`, the earlier ones, oldest first."""

    turns: Sequence[Turn]
    course: CourseMap
    store: StoreReader

    def subject(self, said: str) -> Subject | None:
        """What these words name; of "eso", or of no words, what was spoken of last."""
        if _POINTING.fullmatch(fold(said)):
            return self._last()
        return subject_of(said, self.course, self.store)

    def form(self, form: CourseQuestion) -> CourseQuestion | None:
        """The form as it is to be told; `None` where it leans on nothing of the kind."""
        if not form.leans:
            return form
        before = next(iter(forms_of(self.turns[-1].question)), None) if self.turns else None
        if form.way is Way.PLACES and before and before.way is Way.COUNT and not before.subjects:
            return CourseQuestion(Way.COUNT, (), "authors")
        return None if form.bare and before is None else form

    def _last(self) -> Subject | None:
        for place in range(len(self.turns) - 1, -1, -1):
            turn = self.turns[place]
            earlier = Referent(self.turns[:place], self.course, self.store)
            asked = [form for form in forms_of(turn.question) if form.subjects or form.leans]
            for form in asked:
                found = earlier.subject(form.subjects[0] if form.subjects else "")
                if found:
                    return earlier.told_of(found, form)
            named = self._named(turn.question)
            if named or turn.standalone == turn.question:
                return named
        return None

    def told_of(self, subject: Subject, form: CourseQuestion) -> Subject:
        """What the answer to a question of this form is about: the lesson after, or the subject."""
        if form.way is not Way.AROUND:
            return subject
        lesson, _ends = next_to(subject, form.detail, self.course)
        if lesson is None:
            return subject
        title = self.store.sources[lesson].title
        return Subject(title, frozenset([frozenset(key_of(title))]), None, (lesson,), {})

    def _named(self, question: str) -> Subject | None:
        """The longest name of a concept in a question, the last of equals; else of a lesson."""
        words = [match.span() for match in _WORD.finditer(question)]
        spans = [
            (words[start][0], words[start + length - 1][1])
            for length in range(min(MOST_WORDS, len(words)), 0, -1)
            for start in range(len(words) - length, -1, -1)
        ]
        names = (question[start:end] for start, end in spans)
        known = next((name for name in names if self.course.concept(name)), None)
        if known:
            return subject_of(known, self.course, self.store)
        said = [question[slice(*span)] for span in words]
        content = [
            word for word in said if not any(fold(word) in few for few in STOP_WORDS.values())
        ]
        told = (subject_of(word, self.course, self.store) for word in reversed(content))
        return next((subject for subject in told if subject and subject.titled), None)
