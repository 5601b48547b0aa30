"""Rules about databases that strangers can reach."""
