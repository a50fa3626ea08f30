"""What is stored of a course, and how it is built."""
