#!/usr/bin/env python3
"""Measure how long answers take: `tutor bench`, run from a checkout.

scripts/latency.py [--questions 24] [--repetitions 5] ...
"""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from tutor.cli.main import main

if __name__ == "__main__":
    main(["bench", *sys.argv[1:]])
