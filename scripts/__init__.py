"""What a clone is set up, tested and maintained with; nothing here goes into the package."""
