"""A course indexed once for all the tests that only read it."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

import pytest

from tests.course import Workspace, make_workspace

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture(scope="session")
def _indexed_once(tmp_path_factory: pytest.TempPathFactory) -> Workspace:
    workspace = make_workspace(tmp_path_factory.mktemp("course"))
    done = workspace.run("index")
    assert done.returncode == 0, done.stderr
    return workspace


@pytest.fixture
def indexed(_indexed_once: Workspace, tmp_path: Path) -> Workspace:
    """A fresh copy of an indexed course."""
    shutil.copytree(_indexed_once.root, tmp_path / "course")
    return Workspace(tmp_path / "course")


@pytest.fixture
def fresh(tmp_path: Path) -> Workspace:
    """A course that was never indexed."""
    return make_workspace(tmp_path / "course")
