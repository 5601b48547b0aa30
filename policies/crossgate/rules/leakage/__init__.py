"""Rules about secrets that stand where they can be read."""
