"""Pages as read -> clean text. Everything here is pure."""

CLEANING_VERSION = 15
"""Raised whenever the same pages get another text from `clean`, or another record of metadata."""
