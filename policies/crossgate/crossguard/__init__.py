"""The door to the live engine: the Analyzer service and its messages."""
