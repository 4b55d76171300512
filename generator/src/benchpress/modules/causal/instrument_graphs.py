"""Graphs for instruments: a candidate with ways of its own to the outcome, other instruments and bystanders."""

from collections.abc import Mapping
from dataclasses import dataclass

from benchpress.modules.causal.draft import Draft
from benchpress.streams import Stream

FILLERS = {
    "instrument": 3, "chained": 2, "proxy": 2, "broken": 2, "behind": 2, "cause_of_outcome": 2, "mediator": 2,
    "consequence": 2, "shadow": 2,
}  # fmt: skip
"""How often each kind of bystander is drawn; `behind` is a cause of the candidate, a shadow an effect of anything."""


@dataclass(frozen=True, slots=True)
class Sketch:
    """Variables by number: treatment 0, outcome 1, the candidate, the unrecorded ones."""

    draft: Draft
    candidate: int
    hidden: set[int]


def structure(stream: Stream, knobs: Mapping[str, int], verdict: str, fixable: bool, trap: bool) -> Sketch:
    """A candidate with the ways to the outcome that `verdict` names, all of which can be closed where `fixable`.

    In a trap the ways are long, and a candidate without any has one that a collider closes.
    """
    draft = Draft(2)
    hidden = {draft.node()}
    draft.arrow(2, 0)
    draft.arrow(2, 1)
    if stream.chance(3, 4):
        draft.arrow(0, 1)
    else:
        draft.chain(0, 1, 1)
    for _ in range(knobs["mediators"]):
        draft.chain(0, 1, 1)
    candidate = draft.node()
    if stream.chance(1, 4):
        source = draft.node()
        draft.arrow(source, candidate)
        draft.arrow(source, 0)
    else:
        draft.chain(candidate, 0, stream.below(2))
    ways = {"none": [], "both": ["exclusion", "exogeneity"]}.get(verdict, [verdict])
    if ways:
        ways += [stream.choice(ways) for _ in range(max(0, knobs["violations"] - len(ways)))]
    stubborn = len(ways) if fixable else stream.below(len(ways) or 1)
    for turn, way in enumerate(ways):
        _open_way(stream, draft, hidden, candidate, way, knobs["longest"], turn == stubborn, trap)
    if stream.chance(1, 1 if trap else 3) and (not ways or fixable):
        # A way that a collider closes, unless somebody conditions on it.
        rival = draft.node()
        hidden.add(rival)
        draft.arrow(rival, 1)
        draft.node(candidate, rival)
    if ways and stream.chance(1, 2):
        _fill(stream, draft, hidden, candidate, stream.choice(("instrument", "chained", "proxy")))
    while draft.count < knobs["nodes"]:
        _fill(stream, draft, hidden, candidate, stream.weighted(list(FILLERS), list(FILLERS.values())))
    ends = (0, 1)
    draft.thicken(stream, knobs["extra_edges"], lambda tail, head: tail not in ends and head not in ends)
    return Sketch(draft, candidate, hidden)


def _open_way(
    stream: Stream,
    draft: Draft,
    hidden: set[int],
    candidate: int,
    way: str,
    longest: int,
    stubborn: bool,
    trap: bool,
) -> None:
    """A way from the candidate to the outcome; a stubborn one has nothing recorded on it that would close it."""
    steps = stream.between(1, max(1, longest))
    if way == "exclusion":
        if stubborn and not trap and stream.chance(1, 2):
            draft.arrow(candidate, 1)
            return
        middle = draft.chain(candidate, 1, steps)
        if stubborn and stream.chance(1, 2):
            hidden.update(middle)
        elif stubborn:
            # Conditioning on any step would open the way by which an unrecorded variable acts on step and outcome.
            rival = draft.node()
            hidden.add(rival)
            draft.arrow(rival, 1)
            for step in middle:
                draft.arrow(rival, step)
        return
    source = draft.node()
    made = draft.chain(source, candidate, stream.below(2)) + draft.chain(source, 1, steps - 1 + trap)
    if stubborn:
        hidden.update((source, *made))


def _fill(stream: Stream, draft: Draft, hidden: set[int], candidate: int, filler: str) -> None:
    """One more bystander."""
    match filler:
        case "instrument":
            draft.arrow(draft.node(), 0)
        case "chained":
            draft.chain(draft.node(), 0, 1)
        case "proxy":
            source = draft.node()
            draft.arrow(source, 0)
            draft.node(source)
            if stream.chance(1, 2):
                hidden.add(source)
        case "broken":
            new = draft.node()
            draft.arrow(new, 0)
            draft.arrow(new, 1)
        case "behind":
            draft.arrow(draft.node(), candidate)
        case "cause_of_outcome":
            draft.arrow(draft.node(), 1)
        case "mediator":
            draft.chain(0, 1, 1)
        case "consequence":
            draft.node(stream.choice((0, 1)))
        case _:
            draft.node(stream.choice(range(2, draft.count)))
