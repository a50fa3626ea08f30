"""What every test stands on: English messages and a quiet, shareable embedder."""

from __future__ import annotations

import os
import shutil
import signal
from pathlib import Path

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    # What a shell starts in the background ignores Ctrl-C, and so would all that tests start.
    signal.signal(signal.SIGINT, signal.default_int_handler)
if hasattr(signal, "SIGHUP"):  # what `nohup` starts ignores this one
    signal.signal(signal.SIGHUP, signal.SIG_DFL)
os.environ.setdefault("OMP_WAIT_POLICY", "passive")
os.environ.setdefault("HF_HUB_OFFLINE", "1")


import pytest
from filelock import FileLock
from hypothesis import settings

from tests.course import Workspace, make_workspace
from tutor.i18n import set_language

# A machine may be busy: how long one example takes says nothing. New examples are looked for by
# people; continuous integration runs the same ones every time.
settings.register_profile("shared", deadline=None, derandomize="CI" in os.environ)
settings.load_profile("shared")


@pytest.fixture(autouse=True)
def _english() -> None:
    set_language("en")


@pytest.fixture(scope="session")
def _indexed_once(tmp_path_factory: pytest.TempPathFactory) -> Workspace:
    """An indexed course that nobody changes, one for all the processes of pytest-xdist."""
    shared = tmp_path_factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        shared = shared.parent
    workspace = Workspace(shared / "indexed-course")
    with FileLock(shared / "indexed-course.lock"):
        if not workspace.root.exists():
            made = make_workspace(tmp_path_factory.mktemp("course") / "course")
            done = made.run("index", TUTOR_READING_WORKERS="0", TUTOR_MAP_AFTER_INDEXING="true")
            assert done.returncode == 0, done.stderr
            made.root.rename(workspace.root)
    return workspace


@pytest.fixture
def indexed(_indexed_once: Workspace, tmp_path: Path) -> Workspace:
    """A copy of a course that was indexed once for all the tests."""
    shutil.copytree(_indexed_once.root, tmp_path / "course")
    return Workspace(tmp_path / "course")


@pytest.fixture
def fresh(tmp_path: Path) -> Workspace:
    """A course that was never indexed."""
    return make_workspace(tmp_path / "course")
