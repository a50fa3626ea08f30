"""The command `tutor`: chooses language and settings, loads the command that is asked for."""

from __future__ import annotations

import atexit
import gc
import importlib
import os
import sys
from collections.abc import MutableMapping, Sequence
from io import TextIOWrapper
from pathlib import Path

import click

from tutor import __version__
from tutor.cli import diagnostics
from tutor.cli.invocation import Invocation
from tutor.ending import told_to_end
from tutor.errors import ExitCode, TutorError, reason_of
from tutor.i18n import LANGUAGES, _, set_language

_OBJECTS_BETWEEN_COLLECTIONS = 50_000
"""What is imported stays: looking through it for garbage after every 700 objects, as Python does,
takes 5 % of a cold question."""
_FOREIGN = ("CHROMA_", "LANGCHAIN_", "LANGSMITH_", "OTEL_", "POSTHOG_")
"""Beginnings of the names that tell libraries of ours where to send traces and texts to."""
_THIS_MACHINE = ("localhost", "127.0.0.1", "::1")
_NO_SCREEN = frozenset({"dumb", "unknown"})


class _Commands(click.Group):
    """Commands that are imported when they are called, so that `--help` stays quick."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return [name for name, _summary in command_summaries()]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in self.list_commands(ctx):
            return None
        module = importlib.import_module(f"tutor.cli.commands.{cmd_name}")
        return _in_our_words(module.command)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section(_("Commands")):
            formatter.write_dl(command_summaries())


def _in_our_words(command: click.Command) -> click.Command:
    """The usage line in the reader's language; the library has its own in English."""
    command.options_metavar = _("[OPTIONS]")
    if isinstance(command, click.Group):
        command.subcommand_metavar = _("COMMAND [ARGS]...")
        for below in command.commands.values():
            _in_our_words(below)
    return command


def command_summaries() -> list[tuple[str, str]]:
    """Every command, and what it does."""
    return [
        ("ask", _("Ask a question and get an answer with its pages.")),
        ("bench", _("Measure how long each stage of an answer takes.")),
        ("cards", _("Make cards from the notes, list, export and import them.")),
        ("chat", _("Hold a conversation about the notes.")),
        ("config", _("Show the settings in force, or where they are read from.")),
        ("doctor", _("Check what tutor needs, and how to mend what is missing.")),
        ("eval", _("Measure how well questions are answered.")),
        ("exam", _("Sit an exam on the cards.")),
        ("index", _("Bring the index up to date with the notes.")),
        ("map", _("Show the course as a map: concepts, how they hang together, and where.")),
        ("models", _("List the language models on the Ollama server.")),
        ("pull", _("Fetch a language model to the Ollama server.")),
        ("search", _("Show the passages nearest to a question.")),
        ("sessions", _("List, show, rename, delete and export saved conversations.")),
        ("stats", _("Count documents, pages and chunks of the index.")),
        ("study", _("Review the cards that are due.")),
    ]


def build() -> click.Group:
    """The command, with its texts in the language chosen before."""

    @click.group(
        cls=_Commands,
        invoke_without_command=True,
        context_settings={"help_option_names": ["-h", "--help"]},
        help=_(
            "Answers questions from your own course notes, on your own machine.\n\n"
            "Without a command: opens the app."
        ),
    )
    @click.option("--lang", type=click.Choice(LANGUAGES), help=_("Language of the interface."))
    @click.option("--course", metavar=_("NAME"), help=_("Course: a folder of PDFs in the notes."))
    @click.version_option(
        __version__,
        prog_name="tutor",
        message="%(prog)s %(version)s",
        help=_("Show the version and leave."),
    )
    @click.pass_context
    def tutor(ctx: click.Context, lang: str | None, course: str | None) -> None:
        ctx.obj = Invocation({"language": lang, "course": course})
        if ctx.invoked_subcommand is None:
            _start(ctx.obj)

    _in_our_words(tutor)
    return tutor


def _start(invocation: Invocation) -> None:
    """Open the app on a terminal; elsewhere index and converse in plain lines."""
    config = invocation.config()
    if can_show_app():
        from tutor.tui.app import run as run_app  # noqa: PLC0415 - Textual, 0.3 s

        run_app(config)
    else:
        from tutor.cli.commands.chat import index_and_converse  # noqa: PLC0415 - NumPy and more

        index_and_converse(config, is_named=bool(invocation.options["course"]))


def can_show_app() -> bool:
    """Whether all streams are a terminal that can do more than print lines.

    The app reads standard input, and the library draws on standard error.
    """
    streams = (sys.stdin, sys.stdout, sys.stderr)
    return all(stream.isatty() for stream in streams) and os.environ.get("TERM") not in _NO_SCREEN


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line and leave with a documented exit code."""
    gc.set_threshold(_OBJECTS_BETWEEN_COLLECTIONS)
    # NumPy's threads cost 0.05 s in each process; the large products are ONNX Runtime's.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    atexit.register(gc.freeze)  # to look through it all for garbage once more takes up to 0.4 s
    arguments = list(sys.argv[1:] if arguments is None else arguments)
    close_environment(os.environ)
    _prepare_streams()
    set_language(_language(arguments))
    try:
        with told_to_end(_leave):
            code = build().main(arguments, prog_name="tutor", standalone_mode=False)
    except click.ClickException as error:
        diagnostics.usage_error(error)
        code = ExitCode.USAGE
    except TutorError as error:
        diagnostics.failure(error)
        code = error.exit_code
    except (KeyboardInterrupt, click.Abort):
        diagnostics.line(_("Stopped."))
        code = ExitCode.INTERRUPTED
    except BrokenPipeError:
        # The reader of our output has left; say nothing more, at exit neither.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        code = ExitCode.FAILURE
    except OSError as error:  # a file or folder that nobody expected to fail
        diagnostics.failure(_refused_by_system(error))
        code = ExitCode.FAILURE
    sys.exit(int(code or ExitCode.OK))


def _prepare_streams() -> None:
    """Let no byte that is no text end a command, and an input that was closed be at its end."""
    if isinstance(sys.stdout, TextIOWrapper):
        # Names of files need not be valid Unicode; in JSON such an escape is the right one.
        sys.stdout.reconfigure(errors="backslashreplace")
    if sys.stdin is None:
        sys.stdin = Path(os.devnull).open(encoding="utf-8")  # noqa: SIM115 - read until the end
    elif isinstance(sys.stdin, TextIOWrapper):
        sys.stdin.reconfigure(errors="replace")


def close_environment(environ: MutableMapping[str, str]) -> None:
    """Take out what would make a library send data elsewhere than the settings of tutor say, and
    have no proxy asked for servers of this machine.

    To be called before any library is imported. Processes that are started later inherit it.
    """
    for name in [name for name in environ if name.upper().startswith(_FOREIGN)]:
        del environ[name]
    named = environ.get("no_proxy") or environ.get("NO_PROXY") or ""
    hosts = [host for part in named.split(",") if (host := part.strip())]
    if "*" not in hosts:
        hosts += [host for host in _THIS_MACHINE if host not in hosts]
    environ["no_proxy"] = environ["NO_PROXY"] = ",".join(hosts)


def _leave(code: int) -> None:
    """Let a signal end a command as an exception does, so that it ends what it has started and
    saves what it has.
    """
    raise SystemExit(ExitCode(code))


def _refused_by_system(error: OSError) -> TutorError:
    where = f": {error.filename}" if error.filename else ""
    return TutorError(
        _("The system refused: %(reason)s%(where)s") % {"reason": reason_of(error), "where": where},
        _("Check that the file or folder may be read and written, and that the disk has room."),
    )


def _language(arguments: Sequence[str]) -> str:
    """The language, before anything is parsed: `--help` needs it, too."""
    for position, argument in enumerate(arguments):
        name, _equals, value = argument.partition("=")
        if name == "--lang":
            value = value or "".join(arguments[position + 1 : position + 2])
            if value in LANGUAGES:
                return value
    chosen = os.environ.get("TUTOR_LANG", "")
    return chosen if chosen in LANGUAGES else LANGUAGES[0]
