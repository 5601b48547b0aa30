"""Rules about who can reach what over the network."""
