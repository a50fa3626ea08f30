"""Accents that a PDF draws as characters of their own, put back on their letters.

TeX's older fonts draw an accent and then the letter (`canci´on`); some programs draw it after the
letter (`cancio´n`), and layout analysis can carry it off to the end of the line. Where both
neighbours could bear the accent, the habit of the document decides.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass

from tutor.ingest.cleaning.drifted_accents import composed, spaced_marks, with_known_words

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
_ASCII_TILDE = re.compile(r"[aeiouAEIOU]~[nN][aeiouAEIOUáéíóú]")
_ASCII_TILDE_AFTER = re.compile(r"(?<![^\W\d_])([^\W\d_]{0,20}[aeiouAEIOU][nN])~[aeiouAEIOUáéíóú]")
_TIE = re.compile(r"[^\W\d_]~[^\W\d_]")
_WORD = re.compile(r"[^\W\d_]+")
_CODE = re.compile(r"<-|://|\w\(|[\\={}$|]")
_MANY_TILDES = 5
"""From here on a text writes its ñ so, in code too."""
_TIED_WORDS = frozenset("un en con sin son tan aun bien quien según".split())
"""In sources of TeX a tie stands after these, as in `un~ejemplo`."""
_MAX_WORD = 40


@dataclass(frozen=True, slots=True)
class AccentHabit:
    """How often a text draws accents before their letters and how often after them."""

    before: int = 0
    after: int = 0
    tildes: int = 0
    """ASCII tildes between a vowel and `n`, as in `a~no`."""
    ties: int = 0
    """Other ASCII tildes between letters, such as TeX's ties."""

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
    tildes = len(_ASCII_TILDE.findall(text)) + sum(
        1 for word in _ASCII_TILDE_AFTER.findall(text) if word.lower() not in _TIED_WORDS
    )
    return AccentHabit(before, after, tildes, len(_TIE.findall(text)) - tildes)


def repaired_accents(text: str) -> str:
    """All the steps of this module in their order, and NFC. Lines keep their number."""
    text = spaced_marks(text)
    habit = accent_habit(text)
    repaired = "\n".join(_repaired_line(line, habit) for line in text.split("\n"))
    repaired = unicodedata.normalize("NFC", repaired)
    return with_known_words(repaired) if habit.before or habit.after else repaired


# --- One line ----------------------------------------------------------------------------------


def _repaired_line(line: str, habit: AccentHabit) -> str:
    if not _ANY_MARK.search(line):
        return line
    is_code = _CODE.search(line) is not None
    least_tildes = max(habit.ties, _MANY_TILDES if is_code else 0)
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
            side = _tilde_side(place, habit) if habit.tildes >= least_tildes else ""
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
            self.kept.append(composed(self.right, combining))
            return self.at + 2
        if side == "next over space":
            self.kept.append(composed(self.after_space, combining))
            return self.at + 3
        if side == "last":
            piece = self.kept.pop() or self.kept.pop()
            self.kept.append(piece[:-1] + composed(piece[-1], combining))
            return self.at + 1
        if side == "last over space":
            piece = self.kept.pop()
            self.kept.append(piece[:-2] + composed(piece[-2], combining))
            return self.at + 1
        self.kept.append(self.mark)
        return self.at + 1


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
        return _spanish_side(place) or _side_between_letters(place, habit, last)
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


def _spanish_side(place: _Place) -> str:
    """Where Spanish leaves no choice: `ñ` beside vowels (save before Portuguese `ão`), and `gü`."""
    after = place.line[place.at + 1 : place.at + 3].lower()
    if place.mark == "˜":
        if after[0] == "n":
            return "next"
        return "last" if place.left in "nN" and after not in ("ao", "ae", "oe") else ""
    is_diaeresis = place.mark == "¨" and place.left in "uU" and after[0] in "ei"
    return "last" if is_diaeresis and place.word_before()[-2:-1] in ("g", "G") else ""


def _tilde_side(place: _Place, habit: AccentHabit) -> str:
    """An ASCII tilde is an ñ's only between vowels and n inside a word."""
    vowels = _VOWELS + "áéíóúÁÉÍÓÚ"
    after = place.line[place.at + 1 : place.at + 3]
    if place.left and place.left in vowels and len(after) == 2:
        return "next" if after[0] in "nN" and after[1] in vowels and place.word_before() else ""
    word = place.word_before()
    is_tied = habit.ties > 1 or word.lower() in _TIED_WORDS
    if is_tied or len(word) < 2 or word[-1] not in "nN" or word[-2] not in vowels:
        return ""
    return "last" if after and after[0] in vowels else ""


def _inner_side(place: _Place) -> str:
    """Grave and circumflex mean other things too: only within a word in lower case."""
    word = place.word_before()
    if len(word) > 1 and word.isascii() and word[1:].islower() and place.right in _VOWELS:
        return "next" if place.right else ""
    starts = place.left in ("", " ") and place.mark == "`"
    if starts and place.right == "a" and place.line[place.at + 2 : place.at + 3] == " ":
        return "next" if place.follows(3) else ""
    return ""
