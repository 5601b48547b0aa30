"""Baseline: every rule of the other packs. What the command uses when told nothing."""

from crossgate.pack import union
from crossgate.packs import network_policy, public_access, required_tags, secret_leakage

PACK = union(
    "baseline",
    "Every rule of the shipped packs",
    [public_access.PACK, secret_leakage.PACK, network_policy.PACK, required_tags.PACK],
)
