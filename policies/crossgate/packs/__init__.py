"""The shipped policy packs, one table each."""
