"""A printed problem as a solver sees it: columns of the training rows, and which variables each formula may use."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from benchpress.modules.replay.ambiguity import Rows, Support
from benchpress.modules.replay.prompts import read_prompt


@dataclass(frozen=True, slots=True)
class Observed:
    """What a prompt tells, packed. Variables are named by their places; `roots` is None where they are hidden."""

    variant: str
    names: tuple[str, ...]
    rows: Rows
    roots: tuple[int, ...] | None
    root_count: int
    usable: Mapping[int, Support]
    order: tuple[str, ...]
    """The disclosed total order; empty where none is disclosed."""
    most: int
    reference: Mapping[str, str]
    """The reference model of an Alt-SCM problem; empty in other settings."""

    @property
    def endogenous(self) -> list[int]:
        """Computed variables; every variable where the roots are hidden."""
        return [place for place in range(len(self.names)) if place not in (self.roots or ())]


def observe(prompt: str) -> Observed:
    """Read a printed problem. Raises ValueError where the prompt states none."""
    problem: dict[str, Any] = read_prompt(prompt)
    if not problem["variables"] or not problem["worlds"] or not problem["most_parents"]:
        raise ValueError("this prompt states no replay problem")
    names = tuple(problem["variables"])
    place = {name: index for index, name in enumerate(names)}
    columns, free = [0] * len(names), [0] * len(names)
    at = 0
    for world in problem["worlds"]:
        for row in world["rows"]:
            for index, name in enumerate(names):
                columns[index] |= row[name] << at
                free[index] |= (name not in world["targets"]) << at
            at += 1
    full = (1 << len(names)) - 1
    usable = {index: full & ~(1 << index) for index in range(len(names))}
    ordered = problem["variant"] in ("ordered", "alt_ordered")
    if problem["order"]:
        known = 0
        for block in [[name] for name in problem["order"]] if ordered else problem["order"]:
            known |= sum(1 << place[name] for name in block)
            usable |= {place[name]: known & ~(1 << place[name]) for name in block}
    roots = None if problem["roots"] is None else tuple(place[name] for name in problem["roots"])
    return Observed(
        problem["variant"],
        names,
        Rows(tuple(columns), tuple(free)),
        roots,
        problem.get("root_count", len(roots or ())),
        usable,
        tuple(problem["order"]) if ordered else (),
        problem["most_parents"],
        problem.get("reference", {}),
    )
