"""What screens and widgets ask of the app: these go up until somebody handles them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from textual.message import Message

from tutor.errors import TutorError
from tutor.model import Citation


@dataclass
class WorkFailed(Message):
    """Something failed that its reader has to know."""

    error: TutorError


@dataclass
class PageWanted(Message):
    """The page behind a citation is to be shown; `siblings` are all citations of that answer."""

    citation: Citation
    siblings: Sequence[Citation]


@dataclass
class PdfWanted(Message):
    """A page of a PDF of the notes is to be opened in the system's viewer."""

    path: str
    page: int


@dataclass
class TextWanted(Message):
    """A long text is to be read on a screen of its own."""

    title: str
    text: str


@dataclass
class CommentWanted(Message):
    """A rating of a saved turn is to be kept, with a comment unless it is 0 (taken back)."""

    turn: int
    rating: int
