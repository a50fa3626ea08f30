"""Sentences of the notes -> cards that a language model writes, each looked at a second time."""
