"""A tie is broken by a key of the question's content: no option's place, letter or model has a say in it."""

from collections.abc import Collection
from hashlib import blake2b

NAMESPACE = "choicebench-tiebreak-v1"
"""The published protocol, so that the same tie falls the same way wherever it is followed."""


def tie_break(seed: int, benchmark: str, question: str, method: str, tied: Collection[int]) -> int:
    """One of the `tied` source indexes, each equally likely over questions and seeds."""
    ordered = sorted(tied)
    if len(ordered) == 1:
        return ordered[0]
    text = "|".join([NAMESPACE, str(seed), benchmark, question, method, ",".join(map(str, ordered))])
    return ordered[int.from_bytes(blake2b(text.encode(), digest_size=8).digest(), "big") % len(ordered)]
