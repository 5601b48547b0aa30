"""The command: it asks the rules, and says what they answer. Nothing imports it."""
