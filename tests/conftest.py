"""What every test stands on: English messages and a quiet, shareable embedder."""

from __future__ import annotations

import os

os.environ.setdefault("OMP_WAIT_POLICY", "passive")
os.environ.setdefault("HF_HUB_OFFLINE", "1")

import pytest
from hypothesis import settings

from tutor.i18n import set_language

# A machine may be busy: how long one example takes says nothing. New examples are looked for by
# people; continuous integration runs the same ones every time.
settings.register_profile("shared", deadline=None, derandomize="CI" in os.environ)
settings.load_profile("shared")


@pytest.fixture(autouse=True)
def _english() -> None:
    set_language("en")
