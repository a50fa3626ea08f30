"""Pictures of a run: measures by setting with their intervals, and how long each stage takes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tutor.errors import StoreError
from tutor.evaluation.labels import label
from tutor.evaluation.measures import ANSWERING, RETRIEVAL, RUBRIC
from tutor.i18n import _

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from matplotlib.figure import Figure

    from tutor.evaluation.comparison import Comparison

FORMATS = ("svg", "png")
_INCHES_PER_MEASURE = 0.35
_DPI = 150
# Colours that people with any colour vision tell apart (Okabe and Ito, 2008).
_COLOURS = ("#0072B2", "#E69F00", "#009E73", "#CC79A7", "#56B4E9", "#D55E00", "#000000")


def draw(folder: Path, comparison: Comparison, subtitle: str, form: str = "svg") -> list[Path]:
    """Draw both pictures; returns the files. Raises `StoreError` when they cannot be written."""
    import matplotlib  # noqa: PLC0415 - 0.4 s, for reports only

    pictures: list[tuple[str, Callable[[Comparison, str], Figure | None]]] = [
        ("measures", measures_figure),
        ("seconds", seconds_figure),
    ]
    written = []
    with matplotlib.rc_context({"svg.hashsalt": "tutor", "svg.fonttype": "none"}):
        for name, make in pictures:
            figure = make(comparison, subtitle)
            if figure is not None:
                written.append(_saved(figure, folder / f"{name}.{form}"))
    return written


def measures_figure(comparison: Comparison, subtitle: str) -> Figure | None:
    """Every measure that lies between 0 and 1 as a point with its 95 % interval, per setting."""
    measures = [name for name in comparison.measures((*RETRIEVAL, *ANSWERING)) if name != RUBRIC]
    if not measures:
        return None
    figure, axes = _figure(2.0 + _INCHES_PER_MEASURE * len(measures))
    width = 0.6 / len(comparison.settings)
    for number, setting in enumerate(comparison.settings):
        averages = [(row, comparison.average(setting, name)) for row, name in enumerate(measures)]
        averages = [(row, average) for row, average in averages if average.n]
        axes.errorbar(
            [average.estimate for _row, average in averages],
            [row + width * (number - (len(comparison.settings) - 1) / 2) for row, _a in averages],
            xerr=[
                [max(0.0, average.estimate - average.low) for _row, average in averages],
                [max(0.0, average.high - average.estimate) for _row, average in averages],
            ],
            fmt="o",
            markersize=4,
            capsize=2,
            color=_COLOURS[number % len(_COLOURS)],
            label=setting,
        )
    axes.set_yticks(range(len(measures)), [label(name) for name in measures])
    axes.invert_yaxis()
    axes.set_xlim(-0.02, 1.02)
    axes.set_xlabel(_("average with its 95 % interval"))
    return _titled(figure, axes, _("Measures by setting"), subtitle)


def seconds_figure(comparison: Comparison, subtitle: str) -> Figure | None:
    """How the milliseconds of each stage are distributed: quartiles, whiskers from 5 to 95 %."""
    stages = comparison.stages()
    if not stages:
        return None
    figure, axes = _figure(2.0 + _INCHES_PER_MEASURE * len(stages) * len(comparison.settings))
    width = 0.7 / len(comparison.settings)
    for number, setting in enumerate(comparison.settings):
        colour = _COLOURS[number % len(_COLOURS)]
        found = [list(comparison.values(setting, stage).values()) for stage in stages]
        rows = [row for row, values in enumerate(found) if values]
        boxes = axes.boxplot(
            [[1000 * value for value in found[row]] for row in rows],
            positions=[row + width * (number - (len(comparison.settings) - 1) / 2) for row in rows],
            widths=0.8 * width,
            orientation="horizontal",
            whis=(5, 95),
            showfliers=False,
            patch_artist=True,
            boxprops={"facecolor": colour, "alpha": 0.5},
            medianprops={"color": "black"},
            manage_ticks=False,
        )
        boxes["boxes"][0].set_label(setting)
    axes.set_yticks(range(len(stages)), [label(stage) for stage in stages])
    axes.invert_yaxis()
    axes.set_xscale("log")
    axes.xaxis.set_major_formatter("{x:g}")
    axes.set_xlabel(_("milliseconds: median, quartiles, 5 to 95 %"))
    return _titled(figure, axes, _("Time by stage"), subtitle)


def _figure(height: float) -> tuple[Figure, Any]:
    """A figure that no window shows: the backend is Agg whatever is configured."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg  # noqa: PLC0415 - see `draw`
    from matplotlib.figure import Figure  # noqa: PLC0415

    figure = Figure(figsize=(8.0, height), layout="constrained")
    FigureCanvasAgg(figure)
    return figure, figure.add_subplot()


def _titled(figure: Figure, axes: Any, title: str, subtitle: str) -> Figure:
    axes.set_title(f"{title}\n{_plain(subtitle)}", fontsize="medium", loc="left", wrap=True)
    axes.grid(axis="x", alpha=0.3)
    figure.legend(loc="outside lower center", ncols=3)
    return figure


def _plain(text: str) -> str:
    """Dollar signs would begin a formula."""
    return text.replace("$", r"\$")


def _saved(figure: Figure, path: Path) -> Path:
    metadata: dict[str, Any] = {"Date": None} if path.suffix == ".svg" else {}
    try:
        figure.savefig(path, dpi=_DPI, metadata=metadata)
    except OSError as error:
        raise StoreError(
            _("The picture %(path)s cannot be written: %(reason)s.")
            % {"path": path, "reason": error.strerror or type(error).__name__},
            _("Make room or choose another folder with --out."),
        ) from error
    return path
