"""Graphs with a selection variable for the selection bundle, built towards what a selected sample can tell."""

from collections.abc import Collection, Mapping

from benchpress.gate import Redraw
from benchpress.graphs.dag import Graph, latent_projection
from benchpress.graphs.selection import is_effect_recoverable, is_selection_adjustment_set, needed_external
from benchpress.modules.causal.mixed_sketch import Sketch, adjustable, takes
from benchpress.modules.causal.selection_study import tabled
from benchpress.streams import Stream

TRIES = 24
FILLERS = ("X>n", "Y>n", "n>X", "n>Y", "z>n", "n>z", "X>n n>Y", "m>n", "n>X n>Y")
"""Distractors: a new variable n beside treatment X, outcome Y, a covariate z and a mediator m."""


def draw_selection(
    stream: Stream, knobs: Mapping[str, int], kind: str, *, trap: bool
) -> tuple[Graph, list[str], list[str]]:
    """A graph, its places (S is the selection) and the unrecorded ones. Raises Redraw where none is of the kind.

    Kinds: `free`, the sample alone suffices; `needed`, something must be measured outside; `never`, no adjustment
    helps, but the causes of selection are recorded. Where the sample alone does not suffice, some cause of the
    selection bears on the outcome other than through the treatment.
    """
    for _ in range(TRIES):
        sketch, hidden = _built(stream, knobs, kind, trap)
        graph = sketch.graph()
        if len(tabled(graph, hidden, "S")) > knobs["tabled"]:
            continue
        seen = latent_projection(graph, hidden)
        recoverable = is_effect_recoverable(seen, ["X"], ["Y"], "S")
        if recoverable != (kind == "free"):
            continue
        bearing = graph.without_incoming(["X"]).ancestors(["Y"])
        if not recoverable and not any(one != "X" and one in bearing for one in graph.ancestors(["S"])):
            continue
        plain = is_selection_adjustment_set(seen, ["X"], ["Y"], (), "S")
        if kind == "free" and plain and stream.chance(1, 2):
            # Where the sample suffices, it should be for an adjustment, less often as it stands.
            continue
        sets = needed_external(seen, ["X"], ["Y"], "S")
        if (sets == ((),), bool(sets)) != {"free": (True, True), "needed": (False, True)}.get(kind, (False, False)):
            continue
        if kind != "never" or (weighable(graph, hidden, "S") and adjustable(seen, ["X"], "Y")):
            return graph, sketch.places, hidden
    raise Redraw(f"no graph of the kind {kind}")


def weighable(graph: Graph, hidden: Collection[str], selection: str) -> bool:
    """Whether everything that acts on the selection directly is recorded."""
    return not any(head == selection and tail in hidden for tail, head in graph.directed)


def _built(stream: Stream, knobs: Mapping[str, int], kind: str, trap: bool) -> tuple[Sketch, list[str]]:
    sketch = Sketch()
    sketch.places.append("S")
    covariate = sketch.new()
    mediators: list[str] = []
    if stream.chance(1, 2) and knobs["nodes"] > 5:
        mediators = [sketch.new()]
        sketch.add(("X", mediators[0]), (mediators[0], "Y"))
    if not mediators or stream.chance(1, 2):
        sketch.add(("X", "Y"))
    if kind == "free":
        _harmless(stream, sketch, covariate, trap)
    elif kind == "needed":
        _repairable(stream, sketch, covariate, knobs)
    else:
        _hopeless(stream, sketch, covariate, mediators)
    if trap and kind != "free":
        sketch.add(("X", "S"))
    _fill(stream, sketch, knobs, mediators, covariate)
    spare = [place for place in sketch.places[3:] if place not in mediators]
    return sketch, sorted(stream.sample(spare, max(0, min(knobs["unrecorded"], len(spare) - 2))))


def _harmless(stream: Stream, sketch: Sketch, covariate: str, trap: bool) -> None:
    """Selection by the treatment, its side effects, or what bears on the treatment alone; or by what bears on nothing
    although treatment and outcome have a common cause."""
    if stream.chance(1 if trap else 2, 3):
        apart = sketch.new()
        sketch.add((covariate, "X"), (covariate, "Y"), (apart, "S"))
        return
    how = stream.below(3)
    if how == 0 or trap:
        sketch.add(("X", "S"))
    if how == 1:
        sketch.add(("X", covariate), (covariate, "S"))
    elif how == 2 or trap:
        sketch.add((covariate, "X"), (covariate, "S"))


def _repairable(stream: Stream, sketch: Sketch, covariate: str, knobs: Mapping[str, int]) -> None:
    """Selection by a covariate that bears on the outcome, perhaps through another variable."""
    sketch.add((covariate, "Y"))
    if stream.chance(1, 2):
        sketch.add((covariate, "X"))
    if stream.chance(1, 2) and len(sketch.places) < knobs["nodes"]:
        between = sketch.new()
        sketch.add((covariate, between), (between, "S"))
    else:
        sketch.add((covariate, "S"))


def _hopeless(stream: Stream, sketch: Sketch, covariate: str, mediators: list[str]) -> None:
    """Selection by the outcome, perhaps beside a covariate, by its consequence, or by a mediator."""
    how = stream.below(4)
    if how == 0 or (how == 2 and not mediators):
        sketch.add(("Y", "S"), (covariate, "X"), (covariate, "Y"))
    elif how == 1:
        sketch.add(("Y", covariate), (covariate, "S"))
    elif how == 2:
        sketch.add((mediators[0], "S"), (covariate, "Y"))
    else:
        sketch.add(("Y", "S"), (covariate, "S"), (covariate, "Y"))


def _fill(stream: Stream, sketch: Sketch, knobs: Mapping[str, int], mediators: list[str], covariate: str) -> None:
    """Distractors up to the wanted size, more causes of selection, and more arrows; nothing comes after selection."""
    while len(sketch.places) < knobs["nodes"]:
        shape = stream.choice(FILLERS)
        if "m" in shape and not mediators:
            continue
        place = {"X": "X", "Y": "Y", "z": covariate, "m": (mediators or [""])[0]}
        arrows = [(arrow[0], arrow[2]) for arrow in shape.split()]
        if any(head != "n" and not takes(sketch, place[head]) for _, head in arrows):
            continue
        if any(tail != "n" and head != "n" and place[head] in sketch.above(place[tail]) for tail, head in arrows):
            continue
        fresh = sketch.new()
        place["n"] = fresh
        if all(place[head] not in sketch.above(place[tail]) for tail, head in arrows):
            sketch.add(*((place[tail], place[head]) for tail, head in arrows))
    extra = knobs["extra_edges"]
    for _ in range(4 * extra):
        tail, head = stream.sample(sketch.places[2:], 2)
        if tail != "S" and extra and takes(sketch, head) and head not in sketch.above(tail):
            if head == "S" and sketch.causes("S") >= knobs["causes_of_selection"]:
                continue
            extra -= (tail, head) not in sketch.arrows
            sketch.add((tail, head))
