"""Graphs for the confounding bundle: motifs that open back-door paths, close them, or merely look as if they did."""

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import count as count_up

from benchpress.streams import Stream

MOTIFS: dict[str, tuple[int, tuple[str, ...]]] = {
    "confounder": (1, ("a>X", "a>Y")),
    "chain": (2, ("a>b", "a>X", "b>Y")),
    "back_chain": (2, ("a>b", "b>X", "a>Y")),
    "mediator": (1, ("X>a", "a>Y")),
    "m_structure": (3, ("a>X", "a>c", "b>c", "b>Y")),
    "butterfly": (3, ("a>X", "a>c", "b>c", "b>Y", "c>X", "c>Y")),
    "collider": (1, ("X>a", "Y>a")),
    "instrument": (1, ("a>X",)),
    "precision": (1, ("a>Y",)),
    "consequence": (1, ("Y>a",)),
    "side_effect": (1, ("X>a",)),
}
"""Motif -> how many new variables it brings and its arrows; X and Y are treatment and outcome."""

WEIGHTS = {
    "open": {"confounder": 5, "chain": 4, "back_chain": 4, "butterfly": 2},
    "closed": {"m_structure": 3, "mediator": 3},
    "filler": {
        "mediator": 4, "collider": 3, "instrument": 2, "precision": 2, "consequence": 2, "side_effect": 1,
        "m_structure": 2,
    },
}  # fmt: skip
"""How often each motif is drawn: to open a back-door path, to leave none open, to fill up with distractors."""


@dataclass(frozen=True, slots=True)
class Skeleton:
    """Arrows between numbered variables (0 treatment, 1 outcome), how many there are, and which to leave unrecorded."""

    arrows: list[tuple[int, int]]
    count: int
    unrecorded: set[int]


def structure(stream: Stream, knobs: Mapping[str, int], variant: str, kind: str) -> Skeleton:
    """A trap hides both arms of an M-structure; where no set is to exist, a whole opening motif stays unrecorded."""
    arrows: set[tuple[int, int]] = set()
    count, unrecorded = 2, set()
    plan = [] if kind == "nothing" else [stream.weighted(*_options("open", 2)) for _ in range(knobs["opening_motifs"])]
    openers = len(plan)
    if kind == "nothing":
        plan = [stream.weighted(*_options("closed", knobs["nodes"] - count))]
    if variant == "trap":
        plan.append("m_structure")
    for turn in count_up():
        if turn >= len(plan) and count >= knobs["nodes"]:
            break
        motif = plan[turn] if turn < len(plan) else stream.weighted(*_options("filler", knobs["nodes"] - count))
        size, shape = MOTIFS[motif]
        place = {"X": 0, "Y": 1, **{letter: count + at for at, letter in enumerate("abc"[:size])}}
        arrows |= {(place[arrow[0]], place[arrow[2]]) for arrow in shape}
        if kind == "impossible" and turn == 0:
            unrecorded |= set(range(count, count + size))
        if variant == "trap" and turn == len(plan) - 1:
            unrecorded |= {place["a"], place["b"]}
        count += size
    if stream.chance(3, 4) or not _reaches(arrows, 0, 1):
        arrows.add((0, 1))
    _add_extra(stream, arrows, count, knobs["extra_edges"] if openers else knobs["extra_edges"] // 3)
    spare = [number for number in range(2, count) if number not in unrecorded]
    wanted = max(0, min(knobs["unrecorded"] - len(unrecorded), len(spare) - 2))
    return Skeleton(sorted(arrows), count, unrecorded | set(stream.sample(spare, wanted)))


def _options(pool: str, room: int) -> tuple[list[str], list[int]]:
    """Motifs of a pool that bring at most `room` variables, with their weights."""
    fitting = {motif: weight for motif, weight in WEIGHTS[pool].items() if MOTIFS[motif][0] <= max(room, 1)}
    return list(fitting), list(fitting.values())


def _add_extra(stream: Stream, arrows: set[tuple[int, int]], count: int, extra: int) -> None:
    """Up to `extra` more arrows between the other variables, along a drawn causal order."""
    for _ in range(4 * extra):
        if extra == 0:
            return
        a, b = stream.sample(range(count), 2)
        if (a < 2 and b < 2) or (a, b) in arrows or (b, a) in arrows or _reaches(arrows, b, a):
            continue
        arrows.add((a, b))
        extra -= 1


def _reaches(arrows: set[tuple[int, int]], start: int, goal: int) -> bool:
    seen, todo = {start}, [start]
    while todo:
        here = todo.pop()
        for a, b in arrows:
            if a == here and b not in seen:
                seen.add(b)
                todo.append(b)
    return goal in seen
