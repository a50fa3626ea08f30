"""A question (and its conversation) -> hits."""
