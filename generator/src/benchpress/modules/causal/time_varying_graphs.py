"""Graphs of treatments in several periods; every covariate precedes the last treatment, no hidden cause acts on one."""

from collections.abc import Mapping

from benchpress.graphs.dag import Graph
from benchpress.streams import Stream

MOST = 5
"""The outcome's shares are conditioned on at most this many variables, so that they fit on a few lines."""


def draw_periods(
    stream: Stream, knobs: Mapping[str, int], *, feedback: bool, lookalike: bool
) -> tuple[Graph, list[str]]:
    """A graph on A0, A1, ... (treatments), L0, L1, ... (covariates), Y, and these places.

    With `feedback` a treatment acts on a covariate that also bears on the outcome, so that standardising in one step
    is wrong; without it is right. A `lookalike` has an arrow from a treatment to a covariate that does no harm, or
    feedback through another covariate only.
    """
    last = knobs["treatments"] - 1
    count = max(knobs["covariates"], 1 + lookalike)
    periods = _periods(stream, count, last, feedback, lookalike)
    causes: dict[str, set[str]] = {f"A{at}": set() for at in range(last + 1)}
    causes |= {f"L{at}": set() for at in range(count)}
    causes["Y"] = {f"A{last}"}
    ties: set[tuple[str, str]] = set()
    for at in range(last):
        if stream.chance(1, 2):
            causes[f"A{at + 1}"].add(f"A{at}")
    # The last covariate carries the feedback; a harmless one has no way to the outcome but through treatments.
    carrier = count - 1
    harmless = 0 if lookalike and not feedback else None
    for at in range(count):
        own, period = causes[f"L{at}"], periods[at]
        earlier = [one for one in range(at) if one != harmless]
        if earlier and at != harmless and stream.chance(2, 3) and (at != carrier or last < 3):
            own.add(f"L{earlier[-1]}")
        if period and (at == harmless or (feedback and (at == carrier or stream.chance(1, 2)))):
            own.add(f"A{period - 1}")
        steered = causes[f"A{period}"]
        if len(steered) < 3:
            steered.add(f"L{at}")
    if lookalike and feedback:
        causes[f"L{carrier}"] = {f"L{carrier - 1}"}
        causes[f"L{carrier - 1}"].add(f"A{periods[carrier - 1] - 1}")
    _towards_outcome(stream, causes, ties, knobs["hidden"], [at for at in reversed(range(count)) if at != harmless])
    places = list(causes)
    arrows = sorted((cause, place) for place in places for cause in causes[place])
    return Graph(tuple(places), tuple(arrows), tuple(sorted(ties))), places


def _towards_outcome(
    stream: Stream, causes: dict[str, set[str]], ties: set[tuple[str, str]], hidden: int, covariates: list[int]
) -> None:
    """What bears on the outcome: the first of `covariates` by a hidden cause, every treatment, and more."""
    ties.add((f"L{covariates[0]}", "Y"))
    for treatment in [name for name in causes if name.startswith("A")]:
        if not any(treatment in causes[name] for name in _needed(causes, ties) if name.startswith("L")):
            causes["Y"].add(treatment)
    for at in covariates:
        name = f"L{at}"
        tied = len(ties) < hidden and stream.chance(1, 2)
        fresh = {name, *causes[name]} if tied else {name}
        if len(_needed(causes, ties) | fresh) > MOST or stream.chance(1, 3) or (name, "Y") in ties:
            continue
        if tied:
            ties.add((name, "Y"))
        else:
            causes["Y"].add(name)
    for treatment in stream.shuffled([name for name in causes if name.startswith("A")]):
        if len(_needed(causes, ties) | {treatment}) <= MOST and stream.chance(1, 2):
            causes["Y"].add(treatment)


def _periods(stream: Stream, count: int, last: int, feedback: bool, lookalike: bool) -> list[int]:
    """The treatment that each covariate precedes, in time order; the last covariate comes after a treatment.

    So do the last two where feedback runs from one to the other, and all where the first has a harmless arrow.
    """
    late = 2 if lookalike and feedback else 1
    first = 1 if lookalike and not feedback else 0
    return sorted([*(stream.between(first, last) for _ in range(count - late)), *[last] * late])


def _needed(causes: Mapping[str, set[str]], ties: set[tuple[str, str]]) -> set[str]:
    """What the outcome's shares are conditioned on."""
    needed = set(causes["Y"])
    for first, _ in ties:
        needed |= {first, *causes[first]}
    return needed
