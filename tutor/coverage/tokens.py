"""Words as they are written."""

from __future__ import annotations

import re

TOKEN = re.compile(r"[^\W_](?:[\w.+*#\-]*[\w+*#])?")
"""A word, a number or a name such as `C++`, `A*`, `k-means` or `3.14`."""
