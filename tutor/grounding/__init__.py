"""Answer + passages -> which sentence is supported by which passage sentence."""

from tutor.grounding.markers import strip_markers
from tutor.grounding.remarks import declares_not_covered
from tutor.grounding.verification import Statement, Verdict, verify

__all__ = ["Statement", "Verdict", "declares_not_covered", "strip_markers", "verify"]
