"""Blocks of the notes -> cards, without a language model."""

from tutor.study.making.course import course_cards

__all__ = ["course_cards"]
