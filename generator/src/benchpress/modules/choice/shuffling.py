"""An order of options that depends on nothing but the question: the same on every machine, at every time."""

import hashlib

from benchpress.canonical import canonical_bytes
from benchpress.modules.choice.question import Question
from benchpress.streams import Stream

FORMAT = "benchpress.choice.order/1"


def shuffled(question: Question) -> Question:
    """`question` with its options in a uniformly drawn order; the draw is keyed by benchmark and question alone."""
    key = hashlib.sha256(canonical_bytes([FORMAT, question.benchmark, question.id])).digest()
    return question.permuted(Stream(key).shuffled(range(len(question.options))))
