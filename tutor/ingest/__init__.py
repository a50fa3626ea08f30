"""PDF -> Document -> text, chunks and sentences."""
