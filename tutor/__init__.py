"""A study companion that answers from your own course notes, on your own machine."""

__version__ = "0.1.0"
