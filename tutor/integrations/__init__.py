"""The same parts for other frameworks."""
