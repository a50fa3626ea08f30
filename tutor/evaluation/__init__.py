"""How well questions are answered, in numbers with intervals."""
