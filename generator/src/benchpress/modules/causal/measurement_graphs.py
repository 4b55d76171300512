"""Graphs for measurement error: what is read with error, who confounds, which readings only look alike."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from benchpress.modules.causal.draft import Draft
from benchpress.streams import Stream

FILLERS = {
    "instrument": 3, "second_reading": 3, "broken": 2, "cause_of_outcome": 2, "effect_of_outcome": 2,
    "side_effect": 2, "report": 1, "behind": 1,
}  # fmt: skip
"""How often each kind of bystander is drawn; a report is made from the treatment's reading."""


@dataclass(slots=True)
class Sketch:
    """Variables by number: treatment 0, outcome 1, what is recorded in their place, confounders, controls."""

    draft: Draft
    seen: int = 0
    response: int = 1
    hidden: set[int] = field(default_factory=set)
    controls: set[int] = field(default_factory=set)
    readings: dict[int, int] = field(default_factory=dict)
    """Reading -> quantity, for the readings whose coefficient is 1."""
    lead: int | None = None
    """The confounder whose residual confounding gives the slope its direction."""

    def read(self, quantity: int) -> int:
        """A reading of a quantity, which itself is no longer recorded."""
        reading = self.draft.node(quantity)
        self.hidden.add(quantity)
        self.readings[reading] = quantity
        return reading


def structure(stream: Stream, knobs: Mapping[str, int], direction: str, variant: str) -> Sketch:
    """Who is read with error, who confounds, what stands around, for a slope that is to change in `direction`."""
    sketch = Sketch(Draft(2))
    draft = sketch.draft
    draft.arrow(0, 1)
    for _ in range(knobs["mediators"]):
        draft.chain(0, 1, 1)
    exact = direction == "unchanged" or stream.chance(1, 4)
    if not exact:
        sketch.seen = sketch.read(0)
    if stream.chance(1, 2) or direction == "unchanged":
        sketch.response = sketch.read(1)
    # A slope on the treatment itself errs only by a confounder that is not known exactly.
    distorted = direction != "unchanged" and (exact or direction != "attenuated")
    count = knobs["confounders"] if distorted or stream.chance(2, 3) else knobs["confounders"] - 1
    for turn in range(count):
        cause = draft.node()
        draft.arrow(cause, 0)
        draft.arrow(cause, 1)
        if direction == "unchanged" or (turn and stream.chance(1, 2)) or (not distorted and stream.chance(1, 2)):
            sketch.controls.add(cause)
            continue
        sketch.lead = cause if sketch.lead is None else sketch.lead
        if variant != "numeric" and distorted and stream.chance(1, 4):
            sketch.hidden.add(cause)
        else:
            sketch.controls.add(sketch.read(cause))
    for _ in range(knobs["idle_controls"]):
        idle = draft.node()
        draft.arrow(idle, 1)
        sketch.controls.add(sketch.read(idle) if stream.chance(1, 2) else idle)
    if variant == "trap":
        _spoil(stream, sketch)
    kinds = {kind: weight for kind, weight in FILLERS.items() if kind != "report" or sketch.seen}
    first = stream.weighted(("instrument", "second_reading"), (3, 1))
    while draft.count < knobs["nodes"] or first:
        _fill(stream, sketch, first or stream.weighted(list(kinds), list(kinds.values())))
        first = ""
    late = draft.below(0)

    def early(tail: int, head: int) -> bool:
        return not any(late >> end & 1 or end in sketch.readings for end in (tail, head))

    draft.thicken(stream, knobs["extra_edges"], early)
    if stream.chance(1, 2):
        _fill(stream, sketch, "instrument")
    return sketch


def _spoil(stream: Stream, sketch: Sketch) -> None:
    """A second reading that looks as good as the first: with an error in common, or coloured by the outcome."""
    draft = sketch.draft
    second = draft.node(0)
    if sketch.seen and stream.chance(2, 3):
        shared = draft.node()
        sketch.hidden.add(shared)
        draft.arrow(shared, sketch.seen)
        draft.arrow(shared, second)
    else:
        draft.arrow(1, second)


def _fill(stream: Stream, sketch: Sketch, kind: str) -> None:
    """One more bystander."""
    draft = sketch.draft
    match kind:
        case "instrument":
            draft.chain(draft.node(), 0, stream.below(2))
        case "second_reading":
            draft.node(0)
        case "broken":
            new = draft.node()
            draft.arrow(new, 0)
            draft.arrow(new, 1)
            sketch.controls.add(new)
        case "cause_of_outcome":
            draft.arrow(draft.node(), 1)
        case "effect_of_outcome":
            draft.node(1)
        case "side_effect":
            draft.node(0)
            draft.node(draft.count - 1)
        case "report":
            draft.node(sketch.seen)
        case _:
            heads = [number for number in range(2, draft.count) if number not in sketch.readings]
            draft.arrow(draft.node(), stream.choice(heads))
