"""The append-only log of every call made for a version: sealed for private versions, in clear for public items.

`codec` says what a segment looks like in bytes, `segment` reads and writes one, `journal` is all of them together.
The format is specified in docs/formats.md.
"""

from benchpress_evaluator.journal.journal import Journal
from benchpress_evaluator.journal.segment import SegmentHead, Writer

__all__ = ["Journal", "SegmentHead", "Writer"]
