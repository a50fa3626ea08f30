"""What can go wrong in a way that a person can mend: what failed, and what to type next."""

from __future__ import annotations

import os
import re
import shlex
from enum import IntEnum

from tutor.i18n import N_, _
from tutor.text.terminal import one_line


class ExitCode(IntEnum):
    """Exit codes of the commands; documented in the README."""

    OK = 0
    FAILURE = 1
    USAGE = 2
    CONFIG = 3
    NOTES = 4
    STORE = 5
    ENGINE = 6
    EMBEDDER = 7
    PARTIAL = 8
    """The work was done, but some files had to be left out."""
    WEB = 9
    """The web search failed or has no key."""
    HUNG_UP = 129
    """The terminal was closed."""
    INTERRUPTED = 130
    TERMINATED = 143


def command(arguments: str, *values: object) -> str:
    """A command of ours as its reader can type it; `values` follow the arguments, quoted, on the
    same line whatever they hold.

    The start script says how it was called.
    """
    called = os.environ.get("TUTOR_COMMAND", "tutor")
    return " ".join((called, arguments, *(shlex.quote(one_line(str(value))) for value in values)))


NO_HOME = N_("No such home folder")
COMMON_REASONS = (
    N_("Permission denied"),
    N_("Operation not permitted"),
    N_("No such file or directory"),
    N_("Is a directory"),
    N_("Not a directory"),
    N_("No space left on device"),
    N_("Disk quota exceeded"),
    N_("Read-only file system"),
    N_("Input/output error"),
    N_("Too many open files"),
    N_("File name too long"),
    N_("Cannot allocate memory"),
)
"""What systems say most often, for the message catalog."""


def reason_of(error: Exception) -> str:
    """Why the system refused, in the reader's language if it is a common reason."""
    said: str | None = getattr(error, "strerror", None)
    return _(said) if said else str(error) or type(error).__name__


_SURROGATES = re.compile("[\ud800-\udfff]")


class TutorError(Exception):
    """A failure with a remedy, both in the reader's language.

    `message` says what failed, `remedy` what to do or type next. Both are valid Unicode, whatever
    names of files they hold, since they are shown, sent and stored.
    """

    exit_code: ExitCode = ExitCode.FAILURE

    def __init__(self, message: str, remedy: str = "") -> None:
        self.message = _SURROGATES.sub("\ufffd", message)
        self.remedy = _SURROGATES.sub("\ufffd", remedy)
        super().__init__(self.message, self.remedy)

    def __str__(self) -> str:
        return f"{self.message}\n{self.remedy}" if self.remedy else self.message

    @property
    def in_one_line(self) -> str:
        """Both, one after the other."""
        return f"{self.message} {self.remedy}".strip()


class ConfigError(TutorError):
    """Something in `tutor.toml`, the environment or the options makes no sense."""

    exit_code = ExitCode.CONFIG


class OptionError(ConfigError):
    """An option of the command line has a value that its setting cannot have."""

    exit_code: ExitCode = ExitCode.USAGE


class QuestionError(TutorError):
    """A question asks nothing."""

    exit_code = ExitCode.USAGE


class NotesError(TutorError):
    """The notes folder or the course is missing or empty."""

    exit_code = ExitCode.NOTES


class UnreadablePdf(TutorError):
    """One PDF cannot be read. `reason` is a short stable code such as `encrypted`."""

    exit_code = ExitCode.NOTES

    def __init__(self, reason: str, message: str, remedy: str = "") -> None:
        super().__init__(message, remedy)
        self.reason = reason

    def __reduce__(self) -> tuple[type[UnreadablePdf], tuple[str, str, str]]:
        return (type(self), (self.reason, self.message, self.remedy))


class StoreError(TutorError):
    """The index is missing, broken, locked or of another kind than configured."""

    exit_code = ExitCode.STORE


class MapError(StoreError):
    """The map of a course cannot be made or read."""


class MapQueryError(TutorError):
    """A query of the map is not allowed, makes no sense, or takes too long."""

    exit_code = ExitCode.USAGE


class EmbedderError(TutorError):
    """The embedder cannot be loaded or does not answer."""

    exit_code = ExitCode.EMBEDDER


class EngineError(TutorError):
    """The language model's server is missing, refuses, or breaks off."""

    exit_code = ExitCode.ENGINE


class ContextOverflowError(EngineError):
    """The prompt is longer than the context window. Lengths are in tokens, 0 where unknown."""

    def __init__(
        self, message: str, remedy: str = "", *, prompt_tokens: int = 0, context_tokens: int = 0
    ) -> None:
        super().__init__(message, remedy)
        self.prompt_tokens = prompt_tokens
        self.context_tokens = context_tokens


class WebSearchError(TutorError):
    """The web search has no key, no network, no quota, or an answer that makes no sense."""

    exit_code = ExitCode.WEB


class FilterError(TutorError):
    """A week, an author or a document was asked for that the course does not have."""

    exit_code = ExitCode.USAGE


class SessionError(TutorError):
    """A saved conversation is missing, or their file cannot be read or written."""


class StudyError(TutorError):
    """A card is missing, or the file of all cards cannot be read or written, or an import."""
