"""Structures that are put together from small patterns around fixed variables.

A gadget lists arrows between one-letter names. The letters of the fixed variables mean those; every other letter is a
new variable, unrecorded where it is `U` or `V` (unless one of these is fixed).
"""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass

from benchpress.streams import Stream

Gadget = tuple[str, ...]

HIDDEN = "UV"


@dataclass(frozen=True, slots=True)
class Built:
    """Direct causes of each numbered variable (the fixed ones first), and which of them nobody records."""

    causes: list[set[int]]
    hidden: frozenset[int]
    letters: str
    """The letter of each variable, as its gadget has it."""


def build(
    stream: Stream,
    fixed: str,
    arrows: Collection[tuple[int, int]],
    plan: Sequence[Sequence[Gadget]],
    fillers: Sequence[Gadget],
    nodes: int,
    *,
    recorded_only: bool = False,
    most: Sequence[int],
) -> Built:
    """One gadget of each pool of `plan` in turn, then fillers until there are at least `nodes` variables.

    A gadget that would give a fixed variable more direct causes than `most` allows it is passed over, and so is one
    with unrecorded variables under `recorded_only`.
    """
    unrecorded = set(HIDDEN) - set(fixed)
    causes: list[set[int]] = [set() for _ in fixed]
    for tail, head in arrows:
        causes[head].add(tail)
    hidden: list[int] = []
    every = fixed
    waiting = list(plan)
    while waiting or len(causes) < nodes:
        pool = waiting.pop(0) if waiting else fillers
        fitting = [
            gadget
            for gadget in pool
            if all(
                len(causes[at]) + sum(arrow[2] == letter for arrow in gadget) <= most[at]
                for at, letter in enumerate(fixed)
            )
            and not (recorded_only and any(letter in arrow for arrow in gadget for letter in unrecorded))
        ]
        gadget = stream.choice(fitting) if fitting else (f"{fixed[-1]}>a",)
        letters = sorted({end for arrow in gadget for end in (arrow[0], arrow[2])} - set(fixed))
        every += "".join(letters)
        place = {letter: at for at, letter in enumerate(fixed)}
        for letter in letters:
            place[letter] = len(causes)
            if letter in unrecorded:
                hidden.append(len(causes))
            causes.append(set())
        for arrow in gadget:
            causes[place[arrow[2]]].add(place[arrow[0]])
    return Built(causes, frozenset(hidden), every)


def thicken(
    stream: Stream,
    causes: list[set[int]],
    extra: int,
    free: Sequence[int],
    allowed: Callable[[int, int], bool] = lambda *_: True,
) -> None:
    """Up to `extra` further arrows among the `free` variables where `allowed`, none into one that has three causes."""
    for _ in range(4 * extra):
        if extra and len(free) > 1:
            tail, head = stream.sample(free, 2)
            if (
                allowed(tail, head)
                and len(causes[head]) < 3
                and tail not in causes[head]
                and not leads(causes, head, tail)
            ):
                causes[head].add(tail)
                extra -= 1


def leads(causes: Sequence[set[int]], start: int, goal: int) -> bool:
    """Whether `start` is `goal` or acts on it."""
    return start == goal or any(leads(causes, start, cause) for cause in causes[goal])
