"""Question + passages -> whether the notes cover it, decided before anything is generated."""

from tutor.coverage.calibrating import calibrate, refreshed
from tutor.coverage.calibration import (
    COVERAGE_VERSION,
    Calibration,
    Scale,
    calibration_name,
    read_calibration,
)
from tutor.coverage.judging import judge
from tutor.coverage.reading import TextReader
from tutor.coverage.signals import DEPTH

__all__ = [
    "COVERAGE_VERSION",
    "DEPTH",
    "Calibration",
    "Scale",
    "TextReader",
    "calibrate",
    "calibration_name",
    "judge",
    "read_calibration",
    "refreshed",
]
