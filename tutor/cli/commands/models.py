"""`tutor models`: what the Ollama server has, and what of it is in memory."""

from __future__ import annotations

from typing import Any

import click

from tutor.cli import diagnostics
from tutor.cli.invocation import Invocation
from tutor.cli.output import table, write, write_json
from tutor.config import OllamaConfig
from tutor.errors import command as typed
from tutor.i18n import _
from tutor.listening import same_model
from tutor.llm import OllamaServer
from tutor.presentation.amounts import size


@click.command(
    name="models", help=_("List the language models of the Ollama server, and those in memory.")
)
@click.option("--json", "as_json", is_flag=True, help=_("Print the list as JSON."))
@click.pass_obj
def command(invocation: Invocation, as_json: bool) -> None:
    settings = invocation.config().ollama
    record = _record(settings, OllamaServer(settings))
    if as_json:
        write_json(record)
        return
    models = record["models"]
    if models:
        write(_table(models))
    if not any(model["configured"] for model in models):
        told = _("The model `%(model)s` is not on the Ollama server.")
        diagnostics.warning(told % {"model": settings.model})
        get = typed("pull", settings.model)
        diagnostics.remedy(_("Fetch it: %(command)s") % {"command": get})


def _record(settings: OllamaConfig, server: OllamaServer) -> dict[str, Any]:
    version = server.version()
    models = [
        {
            "name": listed.model.name,
            "configured": same_model(listed.model.name, settings.model),
            "bytes": listed.model.size,
            "modified": listed.model.modified,
            "parameters": listed.model.parameters,
            "quantization": listed.model.quantization,
            "context_tokens": listed.info.context_tokens or None,
            "capabilities": sorted(listed.info.capabilities),
            "in_memory": {
                "bytes": loaded.size,
                "vram_bytes": loaded.size_vram,
                "context_tokens": loaded.context_tokens or None,
            }
            if (loaded := listed.loaded)
            else None,
        }
        for listed in server.listed({})
    ]
    return {"host": server.host, "version": version, "models": models}


def _table(models: list[dict[str, Any]]) -> str:
    rows = [[_("Model"), _("Size"), _("Parameters"), _("Quantization"), _("Context"), _("Memory")]]
    rows += [
        [
            f"{'*' if model['configured'] else ' '} {model['name']}",
            size(model["bytes"]),
            model["parameters"],
            model["quantization"],
            model["context_tokens"] or "",
            size(model["in_memory"]["bytes"]) if model["in_memory"] else "-",
        ]
        for model in models
    ]
    return table(rows)
