"""Graphs for the front-door bundle, built towards which door is to be open."""

from collections.abc import Mapping

from benchpress.gate import Redraw
from benchpress.graphs.dag import Graph
from benchpress.graphs.frontdoor import frontdoor_sets
from benchpress.graphs.identification import c_components
from benchpress.modules.causal.mixed_sketch import Sketch, adjustable, takes, thicken
from benchpress.streams import Stream

TRIES = 20
MOST = 5
"""A collider's shares are conditioned on at most this many variables, so that they fit on a few lines."""

FILLERS = ("X>n", "n>Y", "Y>n", "n>m", "m>n", "X>n Y>n", "m>n Y>n", "n>X")
"""Distractors: a new variable n beside treatment X, outcome Y and some mediator m."""


COLLIDER = "collider"
TRAPS = ("tie", COLLIDER)
"""What misleads where adjustment works: a confounder that is no cause of X, or a variable that must be left alone."""


def draw_front_door(
    stream: Stream, knobs: Mapping[str, int], kind: str
) -> tuple[Graph, list[str], tuple[tuple[str, ...], ...]]:
    """A graph of the wanted kind, its places and its front-door sets. Raises Redraw where none is found."""
    trap = stream.choice(TRAPS) if kind in ("back", "both") and stream.chance(knobs["misleading"], 100) else ""
    if trap == COLLIDER and knobs["nodes"] < 5:
        trap = "tie"
    for _ in range(TRIES):
        sketch = _built(stream, knobs, kind, trap)
        if trap == COLLIDER and len({"X", "Y"} | {tail for tail, head in sketch.arrows if head in ("X", "Y")}) > MOST:
            continue
        graph = sketch.graph()
        front = frontdoor_sets(graph, "X", "Y")
        back = adjustable(graph, ["X"], "Y")
        if (bool(front), back) == {"front": (True, False), "back": (False, True), "both": (True, True)}.get(
            kind, (False, False)
        ) and (front or back or _separable(graph)):
            return graph, sketch.places, front
    raise Redraw(f"no graph with {kind} open")


def _separable(graph: Graph) -> bool:
    """Whether no path of hidden causes joins X to a variable that it acts on directly, so that its effects follow."""
    component = next(part for part in c_components(graph) if "X" in part)
    return not any(tail == "X" and head in component for tail, head in graph.directed)


def _built(stream: Stream, knobs: Mapping[str, int], kind: str, trap: str) -> Sketch:
    sketch = Sketch()
    if trap == COLLIDER:
        # Its ties stand from the start, so that treatment and outcome take no more causes than its shares can bear.
        sketch.pairs |= {("X", COLLIDER), ("Y", COLLIDER)}
    wanted = knobs["nodes"] - (trap == COLLIDER)
    room = wanted - 2 - (kind != "front")
    channels: list[list[str]] = []
    for at in range(min(knobs["channels"], max(1, room - 1))):
        left = room - sum(map(len, channels)) - (min(knobs["channels"], room - 1) - at - 1)
        channels.append(_channel(sketch, stream.between(1, max(1, min(2, left)))))
    spare = [one for one in channels if len(one) > 1]
    if kind in ("front", "neither"):
        sketch.pairs.add(("X", "Y"))
    else:
        confounder = sketch.new()
        if trap == "tie":
            sketch.pairs.add((confounder, "X"))
        else:
            sketch.add((confounder, "X"))
        far = stream.chance(1, 3) and len(sketch.places) < wanted
        end = sketch.new() if far else confounder
        sketch.add((end, "Y"), *([(confounder, end)] if far else []))
    if kind == "back" and (stream.chance(1, 2) or len(sketch.places) >= wanted):
        sketch.add(("X", "Y"))
    elif kind in ("back", "neither"):
        _spoil_all(sketch, channels[0], "X")
    elif kind == "front" and stream.chance(1, 3) and len(sketch.places) < wanted:
        _spoil_all(sketch, channels[0], "Y")
    for _ in range(knobs["spoiled"]):
        if spare and len(sketch.places) < wanted:
            _spoil_one(stream, sketch, stream.choice(spare))
    _fill(stream, sketch, wanted, [one for channel in channels for one in channel])
    thicken(stream, sketch, knobs["extra_edges"])
    sketch.places += [COLLIDER] if trap == COLLIDER else []
    return sketch


def _channel(sketch: Sketch, length: int) -> list[str]:
    """A directed path from treatment to outcome over new mediators."""
    made, last = [], "X"
    for _ in range(length):
        fresh = sketch.new()
        sketch.add((last, fresh))
        made.append(fresh)
        last = fresh
    sketch.add((last, "Y"))
    return made


def _spoil_all(sketch: Sketch, channel: list[str], end: str) -> None:
    """A recorded cause of all mediators of a channel, and of X so that none is usable or of Y so that it is needed."""
    cause = sketch.new()
    sketch.add(*((cause, one) for one in channel), (cause, end))


def _spoil_one(stream: Stream, sketch: Sketch, channel: list[str]) -> None:
    """A common cause that makes one mediator of a channel unusable and leaves another."""
    first, last = channel[0], channel[-1]
    how = stream.below(4)
    if how == 0 and not sketch.ties(first) and not sketch.ties(last):
        sketch.pairs.add((first, last))
        return
    ends = {0: (first, last), 1: (first, last), 2: ("X", last), 3: (last, "Y")}[how]
    if all(takes(sketch, end) for end in ends):
        cause = sketch.new()
        sketch.add(*((cause, end) for end in ends))


def _fill(stream: Stream, sketch: Sketch, wanted: int, mediators: list[str]) -> None:
    """Distractors up to the wanted size."""
    while len(sketch.places) < wanted:
        shape = stream.choice(FILLERS)
        place = {"X": "X", "Y": "Y", "m": stream.choice(mediators)}
        arrows = [(arrow[0], arrow[2]) for arrow in shape.split()]
        if all(head == "n" or takes(sketch, place[head]) for _, head in arrows):
            place["n"] = sketch.new()
            sketch.add(*((place[tail], place[head]) for tail, head in arrows))
