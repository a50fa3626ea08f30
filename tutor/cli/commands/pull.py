"""`tutor pull`: lets the Ollama server fetch a model."""

from __future__ import annotations

from contextlib import closing

import click

from tutor.cli import diagnostics
from tutor.cli.invocation import Invocation
from tutor.cli.output import write
from tutor.i18n import _
from tutor.listening import same_model
from tutor.llm import OllamaServer
from tutor.presentation.amounts import pull_text
from tutor.text.terminal import one_line


@click.command(
    name="pull", help=_("Fetch a model to the Ollama server; without a name, the configured one.")
)
@click.argument("model", required=False, metavar=_("[MODEL]"))
@click.pass_obj
def command(invocation: Invocation, model: str | None) -> None:
    settings = invocation.config().ollama
    wanted = model or settings.model
    # Closing ends the connection, also on Ctrl-C, upon which the server stops fetching.
    with diagnostics.ProgressLine() as line, closing(OllamaServer(settings).pull(wanted)) as steps:
        for step in steps:
            line.show(pull_text(wanted, step))
    write(_("The model `%(model)s` is ready.") % {"model": one_line(wanted)})
    if not same_model(wanted, settings.model):
        diagnostics.line(
            _("To answer with it: TUTOR_OLLAMA_MODEL=%(model)s, or `ollama.model` in tutor.toml")
            % {"model": one_line(wanted)}
        )
