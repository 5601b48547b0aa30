"""Rules about data that strangers can read or write."""
