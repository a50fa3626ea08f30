"""Hits -> an answer made of the notes' own sentences, without a language model."""

from tutor.extractive.answer import Quote, best_sentences, compose, quote_answer

__all__ = ["Quote", "best_sentences", "compose", "quote_answer"]
