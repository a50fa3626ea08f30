"""The picture of a latency run: each stage's times, fixed beside semantic."""

from __future__ import annotations

from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from tutor.evaluation.latency import RETRIEVING, Temperature
from tutor.i18n import _
from tutor.types import Strategy

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from tutor.evaluation.latency import Measurement, Mode

COLOURS = {Strategy.FIXED: "#0072b2", Strategy.SEMANTIC: "#d55e00"}
"""Two colours of Okabe and Ito's palette, apart for the colour-blind, too."""
WIDTH = 0.36


def plot(path: Path, measurements: Sequence[Measurement]) -> bool:
    """Draw the warm retrievals as SVG; False where there is nothing to draw or no matplotlib."""
    panels = {mode: _by_stage(measurements, mode) for mode in RETRIEVING}
    panels = {mode: stages for mode, stages in panels.items() if stages}
    if not panels or find_spec("matplotlib") is None:
        return False
    from matplotlib.figure import Figure  # noqa: PLC0415 - 0.5 s, and no part of every set-up

    figure = Figure(figsize=(9, 3.6 * len(panels)), layout="constrained")
    axes = figure.subplots(len(panels), squeeze=False)[:, 0]
    for axis, (mode, stages) in zip(axes, panels.items(), strict=True):
        _draw(axis, mode, stages)
    figure.savefig(path, format="svg", metadata={"Date": None})
    return True


def _by_stage(
    measurements: Sequence[Measurement], mode: Mode
) -> dict[str, dict[Strategy, list[float]]]:
    """Milliseconds over all k and repetitions of the course itself, on its first device."""
    found: dict[str, dict[Strategy, list[float]]] = {}
    device = measurements[0].subject.device if measurements else ""
    for one in measurements:
        subject = one.subject
        wanted = subject.mode is mode and subject.device == device and not one.chunks
        if wanted and subject.strategy and one.temperature is Temperature.WARM and one.unit == "s":
            stages = found.setdefault(one.stage, {})
            stages.setdefault(subject.strategy, []).append(1000 * one.value)
    return found


def _draw(axis: Any, mode: Mode, stages: dict[str, dict[Strategy, list[float]]]) -> None:
    """Boxes from the quartiles with whiskers at the 5th and the 95th percentile."""
    for offset, strategy in zip((-0.5, 0.5), Strategy, strict=True):
        drawn = [
            (place, times[strategy])
            for place, times in enumerate(stages.values())
            if strategy in times
        ]
        if not drawn:
            continue
        colour = COLOURS[strategy]
        axis.boxplot(
            [values for _place, values in drawn],
            positions=[place + offset * (WIDTH + 0.04) for place, _values in drawn],
            widths=WIDTH,
            whis=(5, 95),
            showfliers=False,
            patch_artist=True,
            boxprops={"facecolor": colour, "alpha": 0.35, "edgecolor": colour},
            medianprops={"color": colour, "linewidth": 2},
            whiskerprops={"color": colour},
            capprops={"color": colour},
        )
        axis.plot([], [], color=colour, linewidth=6, alpha=0.5, label=strategy.value)
    axis.set_yscale("log")
    axis.yaxis.set_major_formatter("{x:g}")
    axis.yaxis.set_minor_formatter("{x:g}")
    axis.tick_params(axis="y", which="minor", labelsize="x-small")
    axis.set_xticks(range(len(stages)), list(stages))
    axis.set_ylabel(_("ms (5 %, quartiles, 95 %)"))
    axis.set_title(mode.value)
    axis.grid(visible=True, axis="y", alpha=0.3)
    axis.legend(frameon=False)
