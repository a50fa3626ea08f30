"""Weeks of the course as a question names them: `en la semana 5`, `weeks three to five`."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from tutor.filters.text import Found, before, material_before
from tutor.types import Filter

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_SPANISH = (
    "uno dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince"
    " dieciseis diecisiete dieciocho diecinueve veinte"
)
_ENGLISH = (
    "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen"
    " sixteen seventeen eighteen nineteen twenty"
)
_NUMERALS = {
    word: number
    for words in (_SPANISH, _ENGLISH)
    for number, word in enumerate(words.split(), start=1)
}
_WORDED = rf"(?:{'|'.join(_NUMERALS)})(?!\w)"
_LISTED = rf"(?:\d{{1,2}}(?![\d%]|\.\d)|{_WORDED})"
_NUMBER = rf"(?:\d{{1,2}}(?![\d%]|[.,]\d)|{_WORDED})"
_AGAIN = r"(?:(?:en|de|in|of)\s+)?(?:(?:la|las|the)\s+)?(?:(?:semanas?|weeks?)\s+)?"
_TO = r"(?:\s*[-\u2010-\u2015]\s*|\s+(?:a|hasta|to|through|thru|till|until)\s+)"
_AND = r"(?:\s*[,/&]\s*(?:(?:y|e|o|u|and|or)\s+)?|\s+(?:y|e|o|u|and|or)\s+)"
_NAMED_AGAIN = r"(?:(?:en|de|in|of)\s+)?(?:(?:la|the)\s+(?:(?:semana|week)\s+)?|(?:semana|week)\s+)"
_ENDS = r"(?=\s*(?:[?.;:!)\]]|\Z))"
_MANY = rf"{_LISTED}(?:(?:{_TO}|{_AND}){_AGAIN}{_LISTED})*"
_ONE = rf"{_NUMBER}(?:{_TO}{_AGAIN}{_NUMBER}|{_AND}{_NAMED_AGAIN}{_NUMBER}|{_AND}{_NUMBER}{_ENDS})*"
_NUMBERED = r"(?:(?:numero|number|nro\.?|num\.?|no\.|n[º°o]\.?)\s*|#\s*)?"
_LEAD = (
    r"(?P<lead>antes\s+de|before|hasta|until|up\s+to|a\s+partir\s+de|desde|since"
    r"|despues\s+de|after|entre|between|en|de|durante|in|from|of|during)\s+"
)
_WEEKS = re.compile(
    rf"(?<!\w)(?:{_LEAD})?(?:(?:la|las|the)\s+)?"
    rf"(?:(?:semanas|weeks)\s+{_NUMBERED}(?P<many>{_MANY})"
    rf"|(?:semana|week)[\s-]+{_NUMBERED}(?P<one>{_ONE}))(?!\w)"
    rf"(?:['’]s?(?!\w))?(?:\s+(?:del\s+curso|de\s+clases?|of\s+(?:the\s+)?(?:course|class))(?!\w))?"
    rf"(?:\s+(?:notes|class(?:es)?|lectures?|slides|material)(?!\w))?"
)
_ITEM = re.compile(_LISTED)
_RANGE = re.compile(r"[-\u2010-\u2015]|\b(?:a|hasta|to|through|thru|till|until)\b")
_NOT_WANTED = re.compile(
    r"(?<!\w)(?:excepto|salvo|menos|sin(?:\s+contar)?|fuera|except(?:\s+for)?|without|outside"
    r"|no|not)\s+(?:(?:la|las|the|lo)\s+)?\Z"
)
_NOT_ALONE = re.compile(
    r"(?<!\w)(?:para|por|for|by|cada|every|each|una|un|one|an?|esta|this|cualquier|any)\s+\Z"
)
"""Before a week that no preposition leads: `para la semana 5`, `una semana 7 días`."""
_SOMETHING_ELSE = re.compile(r"\s+(?:del?|of)\s+\w")
"""`la semana 5 del embarazo` is no week of the course."""
_TOLD = re.compile(
    r"\b(?:vimos|vio|visto|di(?:jo|jeron|ce|cen|mos)|hablo|hablamos|habla|explic\w+|trat\w+"
    r"|estudi\w+|mencion\w+|ense\w+|saw|seen|said|says?|explain\w*|cover\w*|discuss\w*|learn\w*"
    r"|taught|talk\w*)\b"
)
_SCHEDULE = re.compile(
    r"\b(?:entreg\w+|examen(?:es)?|parcial(?:es)?|quiz(?:zes)?|venc\w+|feriados?|cronograma"
    r"|deadlines?|due|exams?|midterms?|homework|syllabus)\b"
)
"""What happens in a week is told by the course's programme, which is of another one."""


def find_weeks(text: str, known: Sequence[int]) -> Iterator[Found]:
    """The weeks that a folded question names; `known` are those of the course, ascending."""
    if not known or _SCHEDULE.search(text):
        return
    for match in _WEEKS.finditer(text):
        if _is_wanted(match, text) and (weeks := _weeks(match, known)):
            yield Found(_start(match, text), match.end(), Filter(weeks=weeks))


def weeks_in(text: str) -> list[int]:
    """The weeks of `3-5, 7` or `3 a 5`, ascending; empty where it is nothing of the kind."""
    return _listed(text) if re.fullmatch(rf"\s*{_MANY}\s*", text) else []


def _is_wanted(match: re.Match[str], text: str) -> bool:
    """Whether it is weeks of the course that are asked about, and not all but these."""
    start = match.start()
    if before(_NOT_WANTED, text, start):
        return False
    if match["lead"] is None and before(_NOT_ALONE, text, start):
        return False
    if not _SOMETHING_ELSE.match(text, match.end()):
        return True
    return _start(match, text) < start or _TOLD.search(text) is not None


def _start(match: re.Match[str], text: str) -> int:
    """Where the words begin that name the weeks: `los apuntes de` belongs to them."""
    if match["lead"] is None:
        extended = material_before(text, match.start())
    elif match["lead"] in {"de", "of", "from", "in", "en"}:
        extended = material_before(text, match.end("lead") + 1)
    else:
        extended = None
    return match.start() if extended is None else extended


def _weeks(match: re.Match[str], known: Sequence[int]) -> tuple[int, ...]:
    listed = match["many"] or match["one"]
    lead = " ".join((match["lead"] or "").split())
    weeks = _listed(listed)
    if len(weeks) == 2 and lead in {"entre", "between"}:
        return tuple(range(weeks[0], weeks[1] + 1))
    if len(weeks) != 1:
        return tuple(weeks)
    (week,) = weeks
    bounds = {
        "antes de": range(1, week),
        "before": range(1, week),
        "hasta": range(1, week + 1),
        "until": range(1, week + 1),
        "up to": range(1, week + 1),
        "a partir de": range(week, max(known) + 1),
        "desde": range(week, max(known) + 1),
        "since": range(week, max(known) + 1),
        "despues de": range(week + 1, max(known) + 1),
        "after": range(week + 1, max(known) + 1),
    }
    return tuple(bounds[lead]) or (week,) if lead in bounds else (week,)


def _listed(text: str) -> list[int]:
    weeks: set[int] = set()
    end, previous = 0, 0
    for item in _ITEM.finditer(text):
        number = _NUMERALS.get(item[0]) or int(item[0])
        if weeks and _RANGE.search(text, end, item.start()):
            low, high = sorted((previous, number))
            weeks.update(range(low, high + 1))
        weeks.add(number)
        end, previous = item.end(), number
    return sorted(weeks)
