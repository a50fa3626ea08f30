"""Texts of any origin, made safe to be shown; at the bottom, so that everything can use it."""
