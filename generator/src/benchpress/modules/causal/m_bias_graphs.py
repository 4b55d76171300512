"""Graphs for M-bias: M-structures among confounders and bystanders, and two regressions that compare as wanted."""

from collections.abc import Mapping
from dataclasses import dataclass

from benchpress.graphs.adjustment import causal_mask
from benchpress.graphs.dag import Graph, bits
from benchpress.graphs.separation import reachable
from benchpress.modules.causal.draft import Draft
from benchpress.streams import Stream

KINDS = ("without_exact", "with_exact", "without_less", "with_less", "same")
"""Which of the two regressions gives the total effect or, where neither does, comes closer."""

FILLERS = {
    "mediator": 2, "collider": 2, "instrument": 5, "precision": 2, "consequence": 2, "shadow": 2, "confounder": 1,
}  # fmt: skip
"""How often each kind of bystander is drawn; a shadow is an effect of a variable before the treatment."""


RULES = {"instrument": 5, "unrecorded": 4, "parents": 1}
"""Why the recorded causes of the treatment are no answer: one bears on nothing else, or one that matters is not
recorded; seldom they may be the answer."""


@dataclass(frozen=True, slots=True)
class Sketch:
    """Variables by number: treatment 0, outcome 1, colliders before the treatment, arms and confounders, unrecorded.

    Where `guarded`, the recorded causes of the treatment must not be an answer.
    """

    draft: Draft
    colliders: list[int]
    closers: list[int]
    hidden: set[int]
    guarded: bool


def structure(stream: Stream, knobs: Mapping[str, int], kind: str, blocked: bool) -> Sketch:
    """M-structures with bystanders; where `blocked`, an unrecorded confounder leaves no adjustment set."""
    draft = Draft(2)
    colliders: list[int] = []
    arms: list[int] = []
    hidden: set[int] = set()
    steps = knobs["arm_steps"]
    for turn in range(knobs["m_structures"]):
        left = draft.node() if not turn or stream.chance(1, 2) else stream.choice(arms)
        right = draft.node()
        middle = draft.node()
        for start, end in ((left, 0), (left, middle), (right, middle), (right, 1)):
            length = 1 if steps and stream.chance(1, 4) else 0
            steps -= length
            if draft.possible(start, end):
                arms += draft.chain(start, end, length)
        arms += [left, right]
        colliders.append(middle)
    if kind in ("with_exact", "without_less", "with_less") and not blocked:
        for end in stream.choice(((0,), (1,), (0, 1))):
            draft.arrow(colliders[0], end)
    confounders: list[int] = []
    rule = stream.weighted(list(RULES), list(RULES.values()))
    if blocked:
        hidden.add(_confound(stream, draft, "confounder")[0])
    elif rule == "unrecorded":
        pair = _confound(stream, draft, "chain")
        first = next(one for one in pair if draft.joined(one, 0))
        hidden.add(first)
        confounders += [one for one in pair if one != first]
    elif stream.chance(1, 2):
        confounders += _confound(stream, draft, stream.choice(("confounder", "chain")))[:1]
    if rule == "instrument":
        draft.arrow(draft.node(), 0)
    if stream.chance(2, 3):
        draft.arrow(0, 1)
    else:
        draft.chain(0, 1, 1)
    for _ in range(knobs["mediators"]):
        draft.chain(0, 1, 1)
    while draft.count < knobs["nodes"]:
        _fill(stream, draft, stream.weighted(list(FILLERS), list(FILLERS.values())), colliders)
    side = (0, 1)
    draft.thicken(stream, knobs["extra_edges"], lambda tail, head: head not in side and tail not in side)
    optional = stream.sample(arms, min(len(arms), knobs["unrecorded"]))
    hidden |= {number for number in optional if stream.chance(2, 3)}
    return Sketch(draft, colliders, [*arms, *confounders], hidden, rule != "parents")


def _confound(stream: Stream, draft: Draft, shape: str) -> list[int]:
    """A common cause of treatment and outcome, and the step in between on one side of a chain."""
    cause = draft.node()
    near, far = stream.shuffled((0, 1))
    draft.arrow(cause, near)
    return [cause, *draft.chain(cause, far, 1 if shape == "chain" else 0)]


def _fill(stream: Stream, draft: Draft, filler: str, colliders: list[int]) -> None:
    """One more bystander."""
    match filler:
        case "mediator":
            draft.chain(0, 1, 1)
        case "collider":
            draft.node(0, 1)
        case "consequence":
            draft.node(stream.choice((0, 1)))
        case "shadow":
            parent = stream.choice(range(2, draft.count))
            new = draft.node(parent)
            if parent in colliders:
                colliders.append(new)
        case "confounder":
            _confound(stream, draft, "confounder")
        case _:
            draft.arrow(draft.node(), 0 if filler == "instrument" else 1)


def comparison(stream: Stream, sketch: Sketch, size: int, kind: str, trap: bool) -> tuple[int, list[int]] | None:
    """A candidate and a baseline set that compare as `kind` says; None where there are none or the sketch is guessed.

    In a trap a candidate that helps is a collider, and one that harms touches treatment or outcome.
    """
    draft = sketch.draft
    graph = draft.graph([str(number).rjust(2, "0") for number in range(draft.count)])
    causal = causal_mask(graph, 1, 2)
    cut = graph.without_edges((a, b) for a, b in graph.directed if a == "00" and causal >> int(b) & 1)
    if sketch.guarded and _parents_answer(sketch, cut):
        return None
    later = draft.below(0) | draft.below(1) | sum(1 << number for number in sketch.hidden)
    before = [number for number in range(2, draft.count) if not later >> number & 1]
    candidates = [number for number in (before if trap else sketch.colliders) if number in before]
    if trap:
        candidates = [number for number in candidates if _deceptive(draft, number, kind)]
    for candidate in stream.shuffled(candidates):
        for _ in range(12):
            base = [
                number
                for number in stream.shuffled(before)
                if number != candidate and stream.chance(1, 2 if number in sketch.closers else 5)
            ][:size]
            small = sum(1 << number for number in base)
            large = small | 1 << candidate
            good, better = not reachable(cut, 1, small) & 2, not reachable(cut, 1, large) & 2
            if good and better:
                found = "same"
            elif good or better:
                found = "without_exact" if good else "with_exact"
            else:
                moves = reachable(graph, 1, small) >> candidate & 1 and reachable(graph, 2, small | 1) >> candidate & 1
                found = "less" if moves else "same"
            if kind.endswith(found):
                return candidate, base
    return None


def _parents_answer(sketch: Sketch, cut: Graph) -> bool:
    """Whether the recorded causes of the treatment are a minimal adjustment set; `cut` has no causal path's start."""
    parents = sketch.draft.parents[0] & ~sum(1 << number for number in sketch.hidden)
    if reachable(cut, 1, parents) & 2:
        return False
    return all(reachable(cut, 1, parents & ~(1 << number)) & 2 for number in bits(parents))


def _deceptive(draft: Draft, number: int, kind: str) -> bool:
    if kind.startswith("with_"):
        return draft.parents[number].bit_count() > 1
    return draft.joined(number, 0) or draft.joined(number, 1)
