"""Settings of a pack: levels, parameters, exemptions."""
