"""Graphs of treatments in several periods; every covariate precedes the last treatment, no hidden cause acts on one."""

from collections.abc import Mapping, Sequence

from benchpress.gate import Redraw
from benchpress.graphs.adjustment import is_adjustment_set, minimal_adjustment_sets
from benchpress.graphs.dag import Graph
from benchpress.streams import Stream

KINDS = ("all", "some", "none")
"""Which covariates one step may standardise over: all of them, some but not all, none that would give the effect."""

MOST = 5
"""The outcome's shares are conditioned on at most this many variables, so that they fit on a few lines."""

TRIES = 20


def draw_periods(stream: Stream, knobs: Mapping[str, int], kind: str, *, lookalike: bool) -> tuple[Graph, list[str]]:
    """A graph on A0, A1, ... (treatments), L0, L1, ... (covariates), Y, and these places.

    Every treatment bears on the outcome, directly or through covariates; the plain comparison is confounded. A
    `lookalike` has an arrow from a treatment to a covariate that does no harm, or feedback through another covariate
    only. Raises Redraw where none is found.
    """
    treatments = [f"A{at}" for at in range(knobs["treatments"])]
    for _ in range(TRIES):
        causes, ties = _built(stream, knobs, kind, lookalike)
        if len(_needed(causes, ties)) > MOST:
            continue
        places = list(causes)
        arrows = sorted((cause, place) for place in places for cause in causes[place])
        graph = Graph(tuple(places), tuple(arrows), tuple(sorted(ties)))
        confounded = not is_adjustment_set(graph, treatments, ["Y"], [])
        if confounded and kind_of(graph, treatments, "Y") == kind:
            return graph, places
    raise Redraw(f"no graph in which one step may standardise over {kind}")


def kind_of(graph: Graph, treatments: Sequence[str], y: str) -> str:
    """Which of KINDS a graph is."""
    covariates = [name for name in graph.nodes if name not in (*treatments, y)]
    if is_adjustment_set(graph, treatments, [y], covariates):
        return "all"
    return "some" if minimal_adjustment_sets(graph, treatments, [y]) else "none"


Causes = dict[str, set[str]]
Ties = set[tuple[str, str]]


def _built(stream: Stream, knobs: Mapping[str, int], kind: str, lookalike: bool) -> tuple[Causes, Ties]:
    """The causes of every place and the hidden ties, built towards a kind."""
    last = knobs["treatments"] - 1
    count = max(knobs["covariates"], 1 + (lookalike or kind == "some"))
    affected = kind != "all"
    periods = _periods(stream, count, last, affected, lookalike)
    causes: Causes = {f"A{at}": set() for at in range(last + 1)}
    causes |= {f"L{at}": set() for at in range(count)}
    causes["Y"] = {f"A{last}"}
    for at in range(last):
        if stream.chance(1, 2):
            causes[f"A{at + 1}"].add(f"A{at}")
    # The last covariate carries the feedback; a harmless one has no way to the outcome but through treatments.
    carrier = count - 1
    confounder = stream.below(carrier) if kind == "some" else carrier
    harmless = 0 if lookalike and not affected else None
    causes[f"A{periods[confounder]}"].add(f"L{confounder}")
    for at in range(count):
        own, period = causes[f"L{at}"], periods[at]
        earlier = [one for one in range(at) if one != harmless]
        if earlier and at != harmless and stream.chance(1, 2) and (at != carrier or last < 3):
            own.add(f"L{stream.choice(earlier[-2:])}")
        if period and (at == harmless or (affected and (at == carrier or (kind == "none" and stream.chance(1, 2))))):
            own.add(f"A{period - 1}")
        steered = causes[f"A{period}"]
        if at != carrier and len(steered) < 3 and stream.chance(3, 4):
            steered.add(f"L{at}")
    if lookalike and kind == "none":
        causes[f"L{carrier}"] = {f"L{carrier - 1}"}
        causes[f"L{carrier - 1}"].add(f"A{periods[carrier - 1] - 1}")
    tied = stream.choice((carrier, confounder)) if last < 3 else confounder
    ties: Ties = {(f"L{tied}", "Y")}
    causes["Y"] |= {f"L{one}" for one in (carrier, confounder) if one != tied or last > 2 or stream.chance(1, 2)}
    _towards_outcome(stream, causes, ties, knobs["hidden"], [at for at in range(count) if at != harmless])
    return causes, ties


def _towards_outcome(stream: Stream, causes: Causes, ties: Ties, hidden: int, covariates: list[int]) -> None:
    """What else bears on the outcome: every treatment, and more."""
    treatments = [name for name in causes if name.startswith("A")]
    for treatment in treatments:
        if not _bears(causes, treatment):
            causes["Y"].add(treatment)
    for at in reversed(covariates):
        name = f"L{at}"
        if (name, "Y") in ties or name in causes["Y"]:
            continue
        tied = len(ties) < hidden and stream.chance(1, 2)
        fresh = {name, *causes[name]} if tied else {name}
        if len(_needed(causes, ties) | fresh) > MOST or stream.chance(1, 3):
            continue
        if tied:
            ties.add((name, "Y"))
        else:
            causes["Y"].add(name)
    for treatment in stream.shuffled(treatments):
        if len(_needed(causes, ties) | {treatment}) <= MOST and stream.chance(1, 2):
            causes["Y"].add(treatment)


def _bears(causes: Causes, treatment: str) -> bool:
    """Whether a directed path leads from a treatment to the outcome that meets no other one."""
    seen, todo = {"Y"}, ["Y"]
    while todo:
        for cause in sorted(causes[todo.pop()] - seen):
            if cause == treatment:
                return True
            seen.add(cause)
            if cause.startswith("L"):
                todo.append(cause)
    return False


def _periods(stream: Stream, count: int, last: int, affected: bool, lookalike: bool) -> list[int]:
    """The treatment that each covariate precedes, in time order; the last covariate comes after a treatment.

    So do the last two where feedback runs from one to the other, and all where the first has a harmless arrow.
    """
    late = 2 if lookalike and affected else 1
    first = 1 if lookalike and not affected else 0
    return sorted([*(stream.between(first, last) for _ in range(count - late)), *[last] * late])


def _needed(causes: Mapping[str, set[str]], ties: Ties) -> set[str]:
    """What the outcome's shares are conditioned on."""
    needed = set(causes["Y"])
    for first, _ in ties:
        needed |= {first, *causes[first]}
    return needed
