"""Questions about a course as a whole, answered from its map."""
