"""Accents that a PDF draws as characters of their own, put back on their letters.

TeX's older fonts draw an accent and then the letter (`canci´on`); some programs draw it after the
letter (`cancio´n`), and layout analysis can carry it off to the end of the line. Where both
neighbours could bear the accent, the habit of the document decides.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass

_VOWELS = "aeiouAEIOU"
_MARKS: dict[str, tuple[str, str]] = {
    "´": ("\u0301", _VOWELS + "ıyY"),
    "ˊ": ("\u0301", _VOWELS + "ıyY"),
    "ˋ": ("\u0300", _VOWELS + "ı"),
    "`": ("\u0300", _VOWELS),
    "¨": ("\u0308", _VOWELS + "ıy"),
    "˜": ("\u0303", "nNaoAO"),
    "~": ("\u0303", "nN"),
    "ˆ": ("\u0302", _VOWELS + "ı"),
    "¸": ("\u0327", "cCsS"),
    "˚": ("\u030a", "aAuU"),
    "ˇ": ("\u030c", "cCsSzZrReEnNdDtT"),
    "˝": ("\u030b", "oOuU"),
    "˘": ("\u0306", "aAgGuU"),
}
_ANY_MARK = re.compile("[" + "".join(_MARKS) + "]")
_ACUTE = "´ˊ"
_WEAK = "cnszCNSZ"
"""Consonants that bear an acute in Polish names."""

_VOTE = re.compile(r"([^\W\d_])[´ˊ¨](?=([^\W\d_]))")
_ASCII_TILDE = re.compile(r"[^\W\d_][aeiou]~n[aeiou]")
_WORD = re.compile(r"[^\W\d_]+")
_CODE = re.compile(r"<-|://|\w\(|[\\={}$|]")
_LONE_ACUTE = re.compile(r"(?: |^)[´ˊ](?= |$)")
_SPLIT_WORD = re.compile(r"(?<![^\W\d_])([^\W\d_]{1,12}) (?=([áéíóúüñÁÉÍÓÚÜÑ][^\W\d_]{1,20}))")
_SPLIT_BY_ACUTE = re.compile(
    r"(?<![^\W\d_])([^\W\d_]{1,12}) ´ ([aeiouAEIOU][^\W\d_]{1,20})(?![^\W\d_])"
)
_MANY_TILDES = 5
"""From here on a text writes its ñ so, in code too."""
_MAX_WORD = 40
_MAX_DRIFT = 200

# On the wrong side: no language puts these marks on these letters before these vowels.
_WRONG_SIDE = (
    (re.compile("([bdfghjklmnpqrstvwxzBDFGHJKLMNPQRSTVWXZ])\u0301(?=[aeiouıAEIOU])"), "´"),
    (re.compile("([bcdfghjklmnpqrstvzBCDFGHJKLMNPQRSTVZ])\u0308(?=[aeiouıAEIOU])"), "¨"),
    (re.compile("([aeiuAEIU\u00e1\u00e9\u00ed\u00fa])\u0303(?=[nN][aeiouáéíóúAEIOUÁÉÍÓÚ])"), "˜"),
)
_PRECOMPOSED_WRONG_SIDE = re.compile("[ĺŕńśźḿṕḱǵẃĹŔŃŚŹḾṔḰǴẂ](?=[aeiouıAEIOU])")
_SPACED_MARK = re.compile("(?:(?<=[ \n])|\\A) ?([\u0301\u0303\u0308])(?=[^\\W\\d_])")
_SPACING = {"\u0301": "´", "\u0303": "˜", "\u0308": "¨"}


@dataclass(frozen=True, slots=True)
class AccentHabit:
    """How often a text draws accents before their letters and how often after them."""

    before: int = 0
    after: int = 0
    tildes: int = 0
    """ASCII tildes between a vowel and `n`, as in `a~no`."""

    @property
    def is_before(self) -> bool:
        """Before, as TeX does, unless the text says otherwise."""
        return self.before >= self.after

    @property
    def is_plainly_before(self) -> bool:
        """Before, beyond doubt."""
        return self.before > 2 and self.before > 10 * self.after


def accent_habit(text: str) -> AccentHabit:
    """Count the accents between two letters of which one alone can bear them."""
    before = after = 0
    for match in _VOTE.finditer(text):
        left, right = (char in _VOWELS + "ı" for char in match.groups())
        before += right and not left
        after += left and not right and match[2] not in "sS"
    return AccentHabit(before, after, len(_ASCII_TILDE.findall(text)))


def repaired_accents(text: str) -> str:
    """All the steps of this module in their order, and NFC. Lines keep their number."""
    text = spaced_marks(text)
    habit = accent_habit(text)
    repaired = "\n".join(_repaired_line(line, habit) for line in text.split("\n"))
    repaired = unicodedata.normalize("NFC", repaired)
    return _by_vocabulary(repaired) if habit.before or habit.after else repaired


def spaced_marks(text: str) -> str:
    """Combining marks that follow the wrong letter or none, as the spacing accents they were."""
    if not any(mark in text for mark in _SPACING) and not _PRECOMPOSED_WRONG_SIDE.search(text):
        return text
    text = _SPACED_MARK.sub(lambda match: _SPACING[match[1]], text)
    text = _PRECOMPOSED_WRONG_SIDE.sub(lambda match: unicodedata.normalize("NFD", match[0]), text)
    for pattern, mark in _WRONG_SIDE:
        text = pattern.sub(rf"\1{mark}", text)
    return text


# --- One line ----------------------------------------------------------------------------------


def _repaired_line(line: str, habit: AccentHabit) -> str:
    if not _ANY_MARK.search(line):
        return line
    is_code = _CODE.search(line) is not None
    lone_grave = line.count("`") == 1 and not is_code
    kept: list[str] = []
    done = 0
    for match in _ANY_MARK.finditer(line):
        at, mark = match.start(), match[0]
        if at < done:
            continue
        kept.append(line[done:at])
        done = at
        if mark == "`" and not lone_grave:
            continue
        place = _Place(line, at, kept)
        if mark == "~":
            side = "" if is_code and habit.tildes < _MANY_TILDES else _tilde_side(place)
        elif mark in "`ˆ":
            side = _inner_side(place)
        else:
            side = _side(place, habit)
        done = place.put(side)
    kept.append(line[done:])
    return "".join(kept)


class _Place:
    """An accent in its line, with the letters around it. Letters before it are repaired already."""

    __slots__ = ("at", "kept", "left", "line", "mark", "right", "targets")

    def __init__(self, line: str, at: int, kept: list[str]) -> None:
        self.line, self.at, self.kept = line, at, kept
        self.mark = line[at]
        self.targets = _MARKS[self.mark][1]
        self.left = kept[-1][-1:] if kept[-1] else ""
        if not self.left and len(kept) > 1:
            self.left = kept[-2][-1:]
        self.right = line[at + 1 : at + 2]

    @property
    def after_space(self) -> str:
        """The character after the space that follows the accent, else nothing."""
        return self.line[self.at + 2 : self.at + 3] if self.right == " " else ""

    @property
    def before_space(self) -> str:
        """The character before the space that precedes the accent; a line break for none."""
        return self.kept[-1][-2:-1] or "\n"

    def follows(self, offset: int) -> bool:
        """Whether a letter stands at this offset from the accent."""
        return self.line[self.at + offset : self.at + offset + 1].isalpha()

    def word_before(self) -> str:
        """The letters that end just before the accent, at most `_MAX_WORD`."""
        start = max(0, self.at - _MAX_WORD)
        piece = self.line[start : self.at]
        words = _WORD.findall(piece)
        return words[-1] if words and piece.endswith(words[-1]) else ""

    def is_quoted(self) -> bool:
        """Whether the same accent stands at both ends of the word, as a quotation mark."""
        window = self.line[self.at + 1 : self.at + _MAX_WORD]
        word = _WORD.match(window)
        if word and window[word.end() : word.end() + 1] == self.mark:
            return not (self.left.isalpha() or window[word.end() + 1 : word.end() + 2].isalpha())
        start = self.at - len(self.word_before()) - 1
        return (
            0 <= start < self.at - 1
            and self.line[start] == self.mark
            and not (self.line[start - 1 : start].isalpha() or self.right.isalpha())
        )

    def put(self, side: str) -> int:
        """Write the letter with its accent, or the accent as it is; where to go on reading."""
        combining = _MARKS[self.mark][0]
        if side == "next":
            self.kept.append(_composed(self.right, combining))
            return self.at + 2
        if side == "next over space":
            self.kept.append(_composed(self.after_space, combining))
            return self.at + 3
        if side == "last":
            piece = self.kept.pop() or self.kept.pop()
            self.kept.append(piece[:-1] + _composed(piece[-1], combining))
            return self.at + 1
        if side == "last over space":
            piece = self.kept.pop()
            self.kept.append(piece[:-2] + _composed(piece[-2], combining))
            return self.at + 1
        self.kept.append(self.mark)
        return self.at + 1


def _composed(letter: str, mark: str) -> str:
    return unicodedata.normalize("NFC", ("i" if letter == "ı" else letter) + mark)


def _side(place: _Place, habit: AccentHabit) -> str:
    """Which letter the accent belongs to: `next` or `last`, perhaps `over space`, or none."""
    if "ı" in (place.left, place.right, place.after_space):
        return _side_of_dotless_i(place)
    if place.left.isdigit() or place.is_quoted():
        return ""
    if place.left.isalpha():
        return _side_after_letter(place, habit)
    if place.right and place.right in place.targets:
        alone = not place.follows(2)
        return "next" if not alone or (habit.is_plainly_before and place.mark in "´¨") else ""
    over = place.left == " " and place.right.isalpha() and place.before_space in place.targets
    return "last over space" if over and habit.after and place.mark in _ACUTE + "˜¨" else ""


def _side_of_dotless_i(place: _Place) -> str:
    if "ı" not in place.targets:
        return ""
    if place.right == "ı":
        return "next"
    return "last" if place.left == "ı" else "next over space"


def _side_after_letter(place: _Place, habit: AccentHabit) -> str:
    last = place.left in place.targets
    if place.right.isalpha():
        return _side_between_letters(place, habit, last)
    spaced = bool(place.after_space) and place.after_space in place.targets and place.follows(3)
    if spaced and habit.is_before and (habit.before or not last):
        return "next over space"
    # A single letter with an accent is a derivative or a variable's prime; an index has `E´`.
    is_word = len(place.word_before()) > 1 or (len(place.line) == 2 and place.left.isupper())
    if last and is_word and place.mark in _ACUTE + "¨˜":
        return "last" if place.mark != "˜" or place.left in "nN" else ""
    return ""


def _side_between_letters(place: _Place, habit: AccentHabit, last: bool) -> str:
    following = place.right in place.targets
    if place.mark == "˜" and place.right not in "nN" and place.left not in "nN":
        following = following and place.line[place.at + 1 : place.at + 3] in ("ao", "ae", "oe")
    if following and last:
        return "next" if habit.is_before else "last"
    if following:
        return "next"
    if not last:
        return ""
    if place.mark in _ACUTE:
        if (
            place.right in "sS"
            and not place.follows(2)
            and (place.left.isupper() or not habit.after)
        ):
            return ""  # An apostrophe: `it´s`, `los PC´s`.
        if place.right in _WEAK and habit.before > 2 and not habit.after:
            return "next"
    return "last"


def _tilde_side(place: _Place) -> str:
    """An ASCII tilde is an ñ's only between vowels and n inside a word."""
    vowels = _VOWELS + "áéíóúÁÉÍÓÚ"
    after = place.line[place.at + 1 : place.at + 3]
    if place.left and place.left in vowels and len(after) == 2:
        return "next" if after[0] in "nN" and after[1] in vowels and place.word_before() else ""
    word = place.word_before()
    if len(word) > 1 and word[-1] in "nN" and word[-2] in vowels and after[:1] in vowels:
        return "last" if after else ""
    return ""


def _inner_side(place: _Place) -> str:
    """Grave and circumflex mean other things too: only within a word in lower case."""
    word = place.word_before()
    if len(word) > 1 and word.isascii() and word[1:].islower() and place.right in _VOWELS:
        return "next" if place.right else ""
    starts = place.left in ("", " ") and place.mark == "`"
    if starts and place.right == "a" and place.line[place.at + 2 : place.at + 3] == " ":
        return "next" if place.follows(3) else ""
    return ""


# --- With the document's own words -------------------------------------------------------------


def _by_vocabulary(text: str) -> str:
    """Join words that an accent's space has split, and place accents that drifted off their word.

    Evidence is the rest of the text: the joined or accented word must occur in it.
    """
    known = frozenset(word.lower() for word in _WORD.findall(text))
    text = _SPLIT_BY_ACUTE.sub(lambda match: _rejoined(match, known), text)
    text = _SPLIT_WORD.sub(
        lambda match: match[1] if (match[1] + match[2]).lower() in known else match[0], text
    )
    if "´" not in text:
        return text
    accented = {word.translate(_UNACCENTED): word for word in sorted(known)}
    return "\n".join(
        _lone_acutes_placed(line, accented) if "´" in line else line for line in text.split("\n")
    )


def _rejoined(match: re.Match[str], known: frozenset[str]) -> str:
    left, right = match.groups()
    right = _composed(right[0], "\u0301") + right[1:]
    if (left + right).lower() in known:
        return left + right
    return f"{left} {right}" if right.lower() in known else match[0]


def _lone_acutes_placed(line: str, accented: dict[str, str]) -> str:
    """Put an acute that stands alone back on a capital to its left; else drop it."""
    *heads, tail = _LONE_ACUTE.split(line)
    return "".join([_with_capital_accent(head, accented) for head in heads] + [tail]).lstrip(" ")


def _with_capital_accent(head: str, accented: dict[str, str]) -> str:
    """The last word that lacks an accent on a capital gets it."""
    start = max(0, len(head) - _MAX_DRIFT)
    for match in reversed(list(_WORD.finditer(head, start))):
        word = match[0]
        plain = word.lower()
        known = accented.get(plain, plain)
        if known == plain and plain.endswith("ion"):
            known = plain[:-2] + "ón"
        spelled = "".join(
            new.upper() if old.isupper() else new for old, new in zip(word, known, strict=False)
        )
        if len(known) == len(word) and any(
            old != new and old.isupper() for old, new in zip(word, spelled, strict=True)
        ):
            return head[: match.start()] + spelled + head[match.end() :]
    return head


_UNACCENTED = str.maketrans("áéíóú", "aeiou")
