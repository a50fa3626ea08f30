"""Answer + passages -> which sentence is supported by which passage sentence."""
