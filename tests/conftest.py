"""What every test stands on: English messages and a quiet, shareable embedder."""

from __future__ import annotations

import os
import pickle
import shutil
import signal
from pathlib import Path
from typing import Any

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    # What a shell starts in the background ignores Ctrl-C, and so would all that tests start.
    signal.signal(signal.SIGINT, signal.default_int_handler)
if hasattr(signal, "SIGHUP"):  # what `nohup` starts ignores this one
    signal.signal(signal.SIGHUP, signal.SIG_DFL)
os.environ.setdefault("OMP_WAIT_POLICY", "passive")
os.environ.setdefault("HF_HUB_OFFLINE", "1")


import pytest
from hypothesis import settings
from xdist.scheduler import LoadFileScheduling

from tests.course import REPO, Workspace, index_with_map, make_workspace
from tests.once import made_once
from tutor.i18n import set_language
from tutor.ingest.cleaning.document import clean
from tutor.ingest.reading.document import read_pdf
from tutor.model import CleanText, Document, source_id

_WITH_TORCH = (
    "test_embedding_directory.py",
    "test_embedding_transformer.py",
)
_EXAMPLES = 40
"""Random examples of a property, where Hypothesis takes 100: more of them belong to people."""

# A machine may be busy: how long one example takes says nothing. New examples are looked for by
# people; continuous integration runs the same ones every time.
settings.register_profile(
    "shared", deadline=None, derandomize="CI" in os.environ, max_examples=_EXAMPLES
)
settings.load_profile("shared")


class _TorchTogether(LoadFileScheduling):
    """Whole files for each process; those that need PyTorch, 15 s to import, go to one."""

    def _split_scope(self, nodeid: str) -> str:
        file: str = super()._split_scope(nodeid)
        return "with torch" if Path(file).name in _WITH_TORCH else file


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> _TorchTogether | None:
    """How files are shared out, if they are."""
    return _TorchTogether(config, log) if config.getoption("dist") == "loadfile" else None


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The file that takes longest comes first: begun near the end, it would be waited for."""
    items.sort(key=lambda item: item.path.name != "test_setup_scripts.py")


@pytest.fixture(autouse=True)
def _english() -> None:
    set_language("en")


@pytest.fixture(scope="session")
def _indexed_once(tmp_path_factory: pytest.TempPathFactory) -> Workspace:
    """An indexed course that nobody changes, one for all the processes of pytest-xdist."""

    def make(root: Path) -> None:
        index_with_map(make_workspace(root))

    return Workspace(made_once(tmp_path_factory, "indexed-course", make))


@pytest.fixture(scope="session")
def sample_documents(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Document]:
    """The documents of the sample course as they are read, not cleaned, by their file names."""

    def read(file: Path) -> None:
        paths = sorted((REPO / "notes").glob("*.pdf"))
        read = {path.name: read_pdf(path, source_id(path.name), ocr="off") for path in paths}
        file.write_bytes(pickle.dumps(read))

    file = made_once(tmp_path_factory, "sample-documents", read)
    documents: dict[str, Document] = pickle.loads(file.read_bytes())
    return documents


@pytest.fixture(scope="session")
def sample_texts(sample_documents: dict[str, Document]) -> dict[str, CleanText]:
    """The texts of the sample course by their file names."""
    return {name: clean(document) for name, document in sample_documents.items()}


@pytest.fixture
def indexed(_indexed_once: Workspace, tmp_path: Path) -> Workspace:
    """A copy of a course that was indexed once for all the tests."""
    shutil.copytree(_indexed_once.root, tmp_path / "course")
    return Workspace(tmp_path / "course")


@pytest.fixture
def fresh(tmp_path: Path) -> Workspace:
    """A course that was never indexed."""
    return make_workspace(tmp_path / "course")
