"""The test harness: the real Pulumi engine without a cloud, for our tests and for those of pack authors.

Parts that stand in for something are named so: :mod:`~crossgate.testing.echo_provider` for a cloud's provider,
:mod:`~crossgate.testing.language_host` for ``pulumi-language-python``. Everything else is the real thing.
"""
