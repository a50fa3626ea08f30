#!/usr/bin/env python3
"""Rebuild the indices of every course from its PDFs, from the shell or from cron.

    scripts/rebuild_indices.py [--course NAME] [--strategy fixed|semantic] [--update]

Without --update everything is read and embedded anew; with it, only what changed. Sets up like
`./scripts/tutor`. Exit codes are those of `tutor index`: 0 done, 8 some PDFs were left out.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

START = Path(__file__).resolve().parent / "tutor"


def main(arguments: list[str]) -> int:
    if {"-h", "--help"} & set(arguments):
        print(__doc__)
        return 0
    update = "--update" in arguments
    options = [argument for argument in arguments if argument != "--update"]
    if not any(argument.startswith("--course") for argument in options):
        options.append("--all")
    if not update:
        options.append("--rebuild")
    return subprocess.call([sys.executable, str(START), "index", *options])


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
