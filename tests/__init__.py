"""A package, since `google-search-results` installs a `tests` that would win over a namespace."""
