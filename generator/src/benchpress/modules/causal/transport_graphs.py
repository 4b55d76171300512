"""Graphs of two populations for the transport bundle, built towards what may move the effect."""

from collections.abc import Mapping

from benchpress.gate import Redraw
from benchpress.graphs.dag import Graph
from benchpress.graphs.identification import Source, transport
from benchpress.graphs.transport import minimal_s_admissible_sets
from benchpress.modules.causal.mixed_sketch import Sketch, takes, thicken
from benchpress.streams import Stream

KINDS = ("reweight", "same", "mediator", "bound", "unconfounded", "front_door", "stuck")
"""What separates the outcome from the differences, and what moves the effect: covariates by reweighting; nothing is
needed; a mediator, whose response the target's records give; a mediator whose response they do not give; no set, but
the target's own records without confounding, or by its front door; no set, and nothing."""

TRIES = 12
FILLERS = ("X>n", "Y>n", "n>X", "n>Y", "z>n", "m>n", "n>z", "X>n Y>n", "n>m")
"""Distractors: a new variable n beside treatment X, outcome Y, a covariate z and a mediator m."""


def draw_populations(stream: Stream, knobs: Mapping[str, int], kind: str) -> tuple[Graph, list[str], list[str]]:
    """A graph, its places and those that differ. Raises Redraw where none of the wanted kind is found."""
    wanted = {
        "reweight": (True, False, True),
        "same": (True, True, True),
        "mediator": (True, False, True),
        "bound": (True, False, False),
        "stuck": (False, False, False),
    }.get(kind, (False, False, True))
    for _ in range(TRIES):
        sketch, differing = _built(stream, knobs, kind)
        graph = sketch.graph()
        sets = minimal_s_admissible_sets(graph, differing, ["X"], ["Y"], pretreatment=False)
        if (bool(sets), sets == ((),)) != wanted[:2]:
            continue
        if transport(graph, ["X"], ["Y"], [Source("source", ("X",), tuple(differing))]).identifiable == wanted[2]:
            return graph, sketch.places, differing
    raise Redraw(f"no populations of the kind {kind}")


def _built(stream: Stream, knobs: Mapping[str, int], kind: str) -> tuple[Sketch, list[str]]:
    sketch = Sketch()
    covariate = sketch.new()
    differing = {covariate}
    sketch.add((covariate, "Y"))
    inner = _mediators(stream, sketch, knobs, kind)
    if kind not in ("unconfounded", "bound") or (kind == "bound" and stream.chance(1, 2)):
        sketch.pairs.add(("X", "Y"))
    if kind == "same":
        sketch.arrows.discard((covariate, "Y"))
        sketch.add((covariate, "X"))
        if stream.chance(1, 2):
            differing.add("X")
    elif kind == "mediator":
        differing.add(stream.choice(inner))
    elif kind == "bound":
        sketch.pairs.add(("X", inner[0]))
        differing.add(inner[0])
    elif kind in ("unconfounded", "front_door"):
        differing.add("Y")
        if kind == "unconfounded" and stream.chance(1, 2):
            sketch.add((covariate, "X"))
    elif kind == "stuck":
        _stick(stream, sketch, inner, differing)
    if kind != "same":
        _detour(stream, sketch, knobs, covariate, inner)
    if inner and kind not in ("front_door", "mediator") and stream.chance(1, 2):
        sketch.add(("X", "Y"))
    _fill(stream, sketch, knobs, inner, covariate)
    thicken(stream, sketch, knobs["extra_edges"], before=covariate)
    if stream.chance(1, 3) and kind != "same":
        differing.add(stream.choice(["X", *sketch.places[3:]]))
    return sketch, sorted(differing)


def _mediators(stream: Stream, sketch: Sketch, knobs: Mapping[str, int], kind: str) -> list[str]:
    """A chain from treatment to outcome, which may be a single arrow."""
    chain = ["X"]
    needed = kind in ("mediator", "bound", "front_door")
    longest = knobs["mediators"] if needed else stream.below(knobs["mediators"] + 1)
    for _ in range(min(longest, knobs["nodes"] - 3)):
        fresh = sketch.new()
        sketch.add((chain[-1], fresh))
        chain.append(fresh)
    sketch.add((chain[-1], "Y"))
    return chain[1:]


def _detour(stream: Stream, sketch: Sketch, knobs: Mapping[str, int], covariate: str, inner: list[str]) -> None:
    """What makes holding the differing covariate fixed insufficient, or not the only way.

    It may act through another variable, which serves as well; a cause of it may bear on the outcome too, so that with
    the covariate held fixed the difference comes in by that cause.
    """
    end = "Y"
    if len(sketch.places) < knobs["nodes"] and stream.chance(1, 2):
        end = sketch.new()
        sketch.arrows.discard((covariate, "Y"))
        sketch.add((covariate, end), (end, "Y"))
    if len(sketch.places) < knobs["nodes"] and stream.chance(3, 5):
        beyond = stream.choice(["Y", end, *inner])
        if takes(sketch, beyond):
            above = sketch.new()
            sketch.add((above, covariate), (above, beyond))


def _stick(stream: Stream, sketch: Sketch, inner: list[str], differing: set[str]) -> None:
    """The outcome may differ while confounded, or shares a hidden cause with a mediator that may differ."""
    if inner and stream.chance(1, 2):
        sketch.pairs.discard(("X", "Y"))
        sketch.pairs |= {("X", inner[0]), (inner[-1], "Y")}
        differing.add(inner[0])
    else:
        differing.add("Y")
    if not inner or stream.chance(1, 2):
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
