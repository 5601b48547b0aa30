"""Rules about the tags and labels that every resource has to carry."""
