"""Pages as read -> clean text. Everything here is pure."""

CLEANING_VERSION = 10
"""Raised whenever `clean` gives another text for the same pages."""
