"""The course as a map: its concepts, sections, documents, authors and weeks."""
