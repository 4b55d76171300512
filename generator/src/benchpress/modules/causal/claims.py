"""An analyst's claims whose truth is drawn first, so that neither answer is the better guess."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from benchpress.gate import Redraw
from benchpress.modules.causal.bundle import Asked
from benchpress.streams import Stream
from benchpress.wording.sections import Params

TRIES = 40
"""How many claims of a kind are looked at before another kind is tried."""


def draw_claims(
    stream: Stream,
    pools: Mapping[str, Sequence[Params]],
    holds: Callable[[Params], bool],
    count: int,
    clear: Callable[[Params], bool] = lambda _: True,
) -> list[Params]:
    """`count` different claims in drawn order, each true or false by a fair coin; kinds vary as far as truth allows.

    `pools` gives the possible claims of every kind without their kind; `holds` judges a claim, and a claim that is not
    `clear` is left out: numbers and graph must not say different things about it. Raises Redraw where no kind offers
    the truth that the coin wants.
    """
    kinds = stream.shuffled(list(pools))
    orders = {kind: stream.shuffled(pools[kind])[:TRIES] for kind in kinds}
    chosen: list[Params] = []
    for turn in range(count):
        wanted = stream.chance(1, 2)
        around = [kinds[(turn + step) % len(kinds)] for step in range(len(kinds))]
        said = next(
            (
                claim
                for kind in around
                for claim in ({"kind": kind, **slots} for slots in orders[kind])
                if claim not in chosen and holds(claim) == wanted and clear(claim)
            ),
            None,
        )
        if said is None:
            raise Redraw(f"no claim that is {str(wanted).lower()}")
        chosen.append(said)
    return [{"id": f"CLAIM_{number}", **claim} for number, claim in enumerate(stream.shuffled(chosen), 1)]


def asked_claims(claims: Sequence[Mapping[str, Any]], question: str, skills: Mapping[str, str]) -> list[Asked]:
    """A true-or-false part for every claim; `skills` names the one behind each kind."""
    return [
        Asked(
            claim["id"],
            "verdict",
            question,
            {"vocabulary": ["true", "false"], "classes": {"true": ["correct", "yes"], "false": ["no"]}},
            ("claim_checking", skills[claim["kind"]]),
        )
        for claim in claims
    ]


def truth(holds: bool) -> str:
    """The word of the vocabulary."""
    return "true" if holds else "false"
