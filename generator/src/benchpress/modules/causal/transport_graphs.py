"""Graphs of two populations for the transport bundle, built towards what may move the effect."""

from collections.abc import Mapping

from benchpress.gate import Redraw
from benchpress.graphs.dag import Graph
from benchpress.graphs.identification import Source, transport
from benchpress.graphs.transport import minimal_s_admissible_sets
from benchpress.modules.causal.mixed_sketch import Sketch, takes, thicken
from benchpress.streams import Stream

KINDS = ("reweight", "same", "mediator", "unconfounded", "front_door", "stuck")
"""What moves the effect: reweighting by some covariates; nothing needed; the target's records of a mediator; its own
records without confounding; its own front door; nothing does."""

TRIES = 12
FILLERS = ("X>n", "Y>n", "n>X", "n>Y", "z>n", "m>n", "n>z", "X>n Y>n", "n>m")
"""Distractors: a new variable n beside treatment X, outcome Y, a covariate z and a mediator m."""


def draw_populations(stream: Stream, knobs: Mapping[str, int], kind: str) -> tuple[Graph, list[str], list[str]]:
    """A graph, its places and those that differ. Raises Redraw where none of the wanted kind is found."""
    for _ in range(TRIES):
        sketch, differing = _built(stream, knobs, kind)
        graph = sketch.graph()
        sets = minimal_s_admissible_sets(graph, differing, ["X"], ["Y"])
        moves = transport(graph, ["X"], ["Y"], [Source("source", ("X",), tuple(differing))]).identifiable
        empty = sets == ((),)
        if (bool(sets), empty, moves) == {
            "reweight": (True, False, True),
            "same": (True, True, True),
            "stuck": (False, False, False),
        }.get(kind, (False, False, True)):
            return graph, sketch.places, differing
    raise Redraw(f"no populations of the kind {kind}")


def _built(stream: Stream, knobs: Mapping[str, int], kind: str) -> tuple[Sketch, list[str]]:
    sketch = Sketch()
    covariate = sketch.new()
    differing = {covariate}
    sketch.add((covariate, "Y"))
    mediators = ["X"]
    longest = knobs["mediators"] if kind in ("mediator", "front_door") else stream.below(knobs["mediators"] + 1)
    for _ in range(min(longest, knobs["nodes"] - 3)):
        fresh = sketch.new()
        sketch.add((mediators[-1], fresh))
        mediators.append(fresh)
    sketch.add((mediators[-1], "Y"))
    inner = mediators[1:]
    if kind != "unconfounded":
        sketch.pairs.add(("X", "Y"))
    if kind == "same":
        sketch.arrows.discard((covariate, "Y"))
        sketch.add((covariate, "X"))
        if stream.chance(1, 2):
            differing.add("X")
    elif kind == "mediator":
        differing.add(stream.choice(inner))
    elif kind in ("unconfounded", "front_door"):
        differing.add(stream.choice(["Y", *inner]) if kind == "unconfounded" else "Y")
        if kind == "unconfounded" and stream.chance(1, 2):
            sketch.add((covariate, "X"))
    elif kind == "stuck":
        _stick(stream, sketch, inner, differing)
    if kind in ("reweight", "stuck") and len(sketch.places) < knobs["nodes"] and stream.chance(1, 2):
        # The covariate that may differ acts through another one: either can be reweighted by.
        between = sketch.new()
        sketch.arrows.discard((covariate, "Y"))
        sketch.add((covariate, between), (between, "Y"))
    if inner and kind not in ("front_door", "mediator") and stream.chance(1, 2):
        sketch.add(("X", "Y"))
    _fill(stream, sketch, knobs, inner, covariate)
    thicken(stream, sketch, knobs["extra_edges"], before=covariate)
    if stream.chance(1, 3) and kind != "same":
        differing.add(stream.choice(["X", *sketch.places[3:]]))
    return sketch, sorted(differing)


def _stick(stream: Stream, sketch: Sketch, inner: list[str], differing: set[str]) -> None:
    """The outcome may differ while confounded, or a mediator next to the treatment with which it shares a cause."""
    if inner and stream.chance(1, 2):
        sketch.pairs.add(("X", inner[0]))
        differing.add(inner[0])
        if stream.chance(1, 2):
            sketch.pairs.discard(("X", "Y"))
    else:
        differing.add("Y")
        sketch.add(("X", "Y"))


def _fill(stream: Stream, sketch: Sketch, knobs: Mapping[str, int], inner: list[str], covariate: str) -> None:
    """Distractors up to the wanted size."""
    while len(sketch.places) < knobs["nodes"]:
        shape = stream.choice(FILLERS)
        place = {"X": "X", "Y": "Y", "z": covariate, "m": stream.choice(inner or ["n"])}
        arrows = [(arrow[0], arrow[2]) for arrow in shape.split()]
        if place["m"] == "n" and "m" in shape:
            continue
        if all(head == "n" or takes(sketch, place[head]) for _, head in arrows):
            place["n"] = sketch.new()
            sketch.add(*((place[tail], place[head]) for tail, head in arrows))
