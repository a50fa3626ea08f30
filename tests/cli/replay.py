"""Runs command lines one after another in one process, and tells what each of them printed.

A process of its own, because help texts take the language in which they are first imported; one
for all, because starting takes longer than most commands. Reads a JSON list of calls on standard
input and writes a JSON list of what came of them on standard output.
"""

from __future__ import annotations

import io
import json
import os
import sys
from contextlib import redirect_stderr, redirect_stdout
from typing import Any
from unittest import mock


def replayed(call: dict[str, Any]) -> dict[str, Any]:
    """What a command line prints, and the code it leaves with."""
    from tutor.cli.main import main

    output, errors, code = io.StringIO(), io.StringIO(), 0
    with (
        mock.patch.dict(os.environ, call["environment"]),
        mock.patch.object(sys, "stdin", io.StringIO(call["typed"])),
        redirect_stdout(output),
        redirect_stderr(errors),
    ):
        try:
            main(call["arguments"])
        except SystemExit as end:
            code = int(end.code or 0)
    return {"stdout": output.getvalue(), "stderr": errors.getvalue(), "code": code}


if __name__ == "__main__":
    print(json.dumps([replayed(call) for call in json.load(sys.stdin)]))
