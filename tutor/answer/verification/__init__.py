"""Answer + passages -> which sentence is supported by which passage sentence."""

from tutor.answer.verification.markers import strip_markers
from tutor.answer.verification.remarks import declares_not_covered
from tutor.answer.verification.verify import CheckedSentence, Verdict, verify

__all__ = ["CheckedSentence", "Verdict", "declares_not_covered", "strip_markers", "verify"]
