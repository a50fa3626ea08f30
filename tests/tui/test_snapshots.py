"""Pictures of the app, compared with those that were looked at and found good.

After a change that is meant: `pytest tests/tui/test_snapshots.py --snapshot-update`, and look at
what has changed in `__snapshots__`.
"""

from __future__ import annotations

import asyncio
import re
import shutil
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from difflib import unified_diff
from functools import cache
from html import unescape
from typing import TYPE_CHECKING, TypeAlias

import pytest
from syrupy.extensions.single_file import SingleFileSnapshotExtension, WriteMode

from tests.course import Workspace
from tests.ollama_double import Model, ollama_double
from tests.pdfs import one_column
from tests.scripted import ScriptedModel
from tests.tui.scenes import EVERY, INVENTED, RATE, SOME
from tests.tui.stage import staged
from tutor.database import utc_now
from tutor.doctor import CheckResult, Severity
from tutor.i18n import set_language
from tutor.index.store.manifest import read_manifest, write_manifest
from tutor.model import Answer
from tutor.presentation.answers import figures_text
from tutor.tui.screens.compare import summary_text

if TYPE_CHECKING:
    from syrupy.assertion import SnapshotAssertion
    from syrupy.types import SerializedData
    from textual.content import Content

    from tutor.tui.workspace.comparing import Half

Look: TypeAlias = tuple[str, str, str]
"""Size, theme and language."""

SIZES = {"narrow": (80, 24), "wide": (150, 45)}
MODELS = {
    "good": Model(),
    "embeds": Model(capabilities=("embedding",), context=512),
    "loads": Model(size=1_300_000_000, context=131_072),
}
TAKEN = {
    ("narrow", "dark", "es"): EVERY,
    ("wide", "light", "en"): EVERY,
    ("narrow", "light", "en"): SOME,
    ("wide", "dark", "es"): SOME,
}


class Picture(SingleFileSnapshotExtension):
    file_extension = "svg"
    _write_mode = WriteMode.TEXT

    def diff_lines(
        self, serialized_data: SerializedData, snapshot_data: SerializedData
    ) -> Iterator[str]:
        """The lines of the screen that differ, with the style of each piece."""
        before, now = lines_of(str(snapshot_data)), lines_of(str(serialized_data))
        return unified_diff(before, now, lineterm="", n=0)


def lines_of(svg: str) -> list[str]:
    styles = dict(re.findall(r"\.(terminal-r\d+) \{ (.*?) \}", svg))
    lines: dict[float, list[str]] = {}
    piece = re.compile(r'<text class="(\S+)".*? y="(.*?)".*?>(.*?)</text>', re.DOTALL)
    for style, y, text in piece.findall(svg):
        lines.setdefault(float(y), []).append(f"{unescape(text)}{{{styles.get(style, '')}}}")
    return ["".join(pieces) for _y, pieces in sorted(lines.items())]


@pytest.fixture
def picture(snapshot: SnapshotAssertion) -> SnapshotAssertion:
    return snapshot.use_extension(Picture)


@pytest.fixture(scope="module")
def pictures(
    _indexed_once: Workspace, tmp_path_factory: pytest.TempPathFactory
) -> Callable[[Look], dict[str, str]]:
    """Every picture of a size, a theme and a language, taken in one go by the first that asks."""

    @cache
    def taken(look: Look) -> dict[str, str]:
        size, theme, language = look
        root = tmp_path_factory.mktemp("pictures") / "course"
        shutil.copytree(_indexed_once.root, root)
        made_today(Workspace(root))
        (root / "notes" / "más").mkdir()
        one_column(root / "notes" / "más" / "a.pdf", ("La fuerza es masa por aceleración.",))
        (root / "notes" / "07_SEMANA_AI_20250915_1.pdf").unlink()

        model = ScriptedModel([RATE], [f"{RATE} {INVENTED}"])
        model.name = "good"

        async def scenario() -> dict[str, str]:
            set_language(language)
            with ollama_double(models=MODELS) as server:
                app = staged(
                    Workspace(root),
                    model,
                    language=language,
                    TUTOR_TUI_THEME=theme,
                    TUTOR_OLLAMA_HOST=server.host,
                    TUTOR_OLLAMA_MODEL="good",
                )
                async with app.run_test(size=SIZES[size]) as pilot:
                    return {scene.__name__: await scene(pilot, app) for scene in TAKEN[look]}

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("tutor.tui.screens.health.run_checks", checked)
            patch.setattr("tutor.tui.screens.compare.summary_text", timeless_summary)
            patch.setattr("tutor.tui.widgets.turn.figures_text", timeless_figures)
            return asyncio.run(scenario())

    return taken


def made_today(course: Workspace) -> None:
    """Date the index of a course anew: it may have been made before midnight."""
    manifest = read_manifest(course.store)
    assert manifest
    write_manifest(course.store, replace(manifest, created=utc_now().isoformat(timespec="seconds")))


def timeless_figures(
    answer: Answer | None, told_s: float | None = None, written_s: float | None = None
) -> list[str]:
    if answer:
        answer = replace(answer, timings={"embed_query": 0.021, "search": 0.003})
    times = (None if seconds is None else 0.1 for seconds in (told_s, written_s))
    return figures_text(answer, *times)


def timeless_summary(halves: Sequence[Half]) -> Content:
    for half in halves:
        half.seconds = 0.3
    return summary_text(halves)


def checked(*_given: object) -> list[CheckResult]:
    """Results that are the same on every machine."""
    return [
        CheckResult("python", Severity.PASS, "tutor 1.0, Python 3.11"),
        CheckResult("ollama", Severity.WARN, "Ollama no contesta.", "ollama serve"),
        CheckResult("store default", Severity.FAIL, "No cabe.", "tutor index --rebuild"),
    ]


@pytest.mark.parametrize(
    ("look", "scene"),
    [
        pytest.param(
            look,
            scene.__name__,
            id="-".join((scene.__name__.strip("_"), *look)),
            marks=() if scenes is EVERY else pytest.mark.slow,
        )
        for look, scenes in TAKEN.items()
        for scene in scenes
    ],
)
def test_a_screen_looks_as_it_did(
    look: Look,
    scene: str,
    pictures: Callable[[Look], dict[str, str]],
    picture: SnapshotAssertion,
) -> None:
    assert pictures(look)[scene] == picture
