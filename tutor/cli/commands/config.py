"""`tutor config`."""

from __future__ import annotations

import os

import click
import tomlkit

from tutor.cli.invocation import Invocation
from tutor.cli.output import write, write_json
from tutor.config import config_file, current_folder, find_root, setting_names
from tutor.i18n import _
from tutor.text.terminal import escaped, one_line

SECRET = "**********"  # noqa: S105 - what stands for a key that is set


@click.group(name="config", help=_("Show the settings in force, or where they are read from."))
def command() -> None:
    """Settings."""


@command.command(help=_("Show every setting and its present value, as lines for tutor.toml."))
@click.option("--json", "as_json", is_flag=True, help=_("Print the settings as JSON."))
@click.pass_obj
def show(invocation: Invocation, as_json: bool) -> None:
    from tutor.tui.keys import check_keys  # noqa: PLC0415 - Textual, 0.2 s

    config = invocation.config()
    check_keys(config.tui.keys)
    record = config.model_dump(mode="json")
    if as_json:
        write_json(record)
        return
    write(f"# {one_line(_file())}")
    section = ""
    for name in setting_names():
        head, _dot, key = name.rpartition(".")
        if head != section:
            section = head
            write(f"\n[{section}]")
        value = (record[head] if head else record)[key]
        unset = value is None or value == SECRET
        write(f"# {key} =" if unset else f"{key} = {_toml(value)}")


@command.command(help=_("Print where the settings file is, or would be."))
def path() -> None:
    write(_file())


def _file() -> str:
    return str(config_file(find_root(current_folder(), os.environ), os.environ))


def _toml(value: object) -> str:
    """A value as a line of TOML has it."""
    if isinstance(value, dict):
        table = tomlkit.inline_table()
        table.update(value)
        return escaped(table.as_string())
    return escaped(tomlkit.item(value).as_string())
