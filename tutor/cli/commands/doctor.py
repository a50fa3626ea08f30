"""`tutor doctor`."""

from __future__ import annotations

from dataclasses import asdict

import click

from tutor.cli.invocation import Invocation
from tutor.cli.output import Styled, write, write_json
from tutor.doctor import Severity, run_checks
from tutor.errors import ExitCode
from tutor.i18n import _
from tutor.text.terminal import one_line

_MARKS = {
    Severity.PASS: ("✓", "green"),
    Severity.WARN: ("!", "yellow"),
    Severity.FAIL: ("✗", "red"),
}


@click.command(
    name="doctor",
    help=_("Check what tutor needs. Leaves with code 1 when something has to be mended."),
)
@click.option("--json", "as_json", is_flag=True, help=_("Print the results as JSON."))
@click.pass_obj
def command(invocation: Invocation, as_json: bool) -> ExitCode:
    config = invocation.config()
    results = []
    for result in run_checks(config):
        results.append(result)
        if as_json:
            continue
        mark, colour = _MARKS[result.severity]
        write(Styled(mark, colour), f" {one_line(f'{result.name}: {result.message}')}")
        if result.remedy:
            write(f"    → {one_line(result.remedy)}")
    if as_json:
        write_json([asdict(result) for result in results])
    failed = any(result.severity is Severity.FAIL for result in results)
    return ExitCode.FAILURE if failed else ExitCode.OK
