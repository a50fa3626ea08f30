"""How events, pages and amounts are put into words, whatever the front end."""
