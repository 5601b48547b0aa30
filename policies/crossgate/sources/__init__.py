"""The doors to files: what the engine wrote becomes a :class:`~crossgate.model.Stack`.

``load`` recognises a file by its content, never by its name. What a source cannot show, it counts: a stack that leaves
out unchanged resources knows that it does.
"""

from crossgate.sources._load import load
from crossgate.sources._source import Kind, Source, SourceError, Unjudged

__all__ = ["Kind", "Source", "SourceError", "Unjudged", "load"]
