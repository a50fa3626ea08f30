"""One module per command; each is imported only when it is called."""
