"""Which parts are picked for which settings."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tutor.app import find_course, make_embedder
from tutor.config import load_config
from tutor.embedding import choice
from tutor.index.store.manifest import FILE_NAME, find_manifest

if TYPE_CHECKING:
    import pytest

    from tests.course import Workspace


def test_an_index_keeps_its_precision_on_another_processor(
    indexed: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(choice, "multiplies_bytes", lambda: True)
    config = load_config(indexed.root, {"TUTOR_EMBEDDER_KIND": "bundled"})
    course = find_course(config)
    exact = find_manifest(course.store).recipe.space.embedder
    assert "-int8" not in exact
    assert make_embedder(config, course)[0].identity == exact
    assert "-int8" in make_embedder(config)[0].identity
    in_8_bits = config.varied({"embedder.precision": "int8"})
    assert "-int8" in make_embedder(in_8_bits, course)[0].identity
    (course.store / FILE_NAME).write_text("{")  # told by who opens it
    assert "-int8" in make_embedder(config, course)[0].identity
