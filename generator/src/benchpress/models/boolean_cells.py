"""The second opinion on a Boolean model: every cell computed by itself, as a reader would do it by hand.

It shares no code with the bit-parallel evaluator: its own reading of a formula into nested lists, its own operators,
its own order of evaluation (a value is asked for when it is needed), its own counting. Slow on purpose: an item's key
stands only where both agree. It takes formulas that are known to be well formed, nested some hundreds deep at most.
"""

from collections.abc import Mapping, Sequence
from itertools import product
from typing import Any

Tree = str | list[Any]


def tree(text: str) -> Tree:
    """A formula as nested lists, operator first: ``(xor A (not B))`` is ``["xor", "A", ["not", "B"]]``."""
    words = text.replace("(", " ( ").replace(")", " ) ").split()
    position = 0

    def expression() -> Tree:
        nonlocal position
        word = words[position]
        position += 1
        if word != "(":
            return word
        items: list[Any] = []
        while words[position] != ")":
            items.append(expression())
        position += 1
        return items[0] if len(items) == 1 else items

    result = expression()
    if position != len(words):
        raise ValueError(f"text after the formula in {text!r}")
    return result


def value_of(formula: Tree, known: Mapping[str, int]) -> int:
    """The value of a formula where every variable has a value."""
    if isinstance(formula, str):
        return known[formula]
    operator, *arguments = formula
    values = [value_of(argument, known) for argument in arguments]
    match operator:
        case "not":
            return 1 - values[0]
        case "and":
            return min(values)
        case "or":
            return max(values)
        case "xor":
            return sum(values) % 2
        case "iff":
            return int(len(set(values)) == 1)
    raise ValueError(f"no operator {operator!r}")


def names_in(formula: Tree) -> set[str]:
    """The variables that a formula mentions."""
    if isinstance(formula, str):
        return {formula}
    return set().union(*(names_in(argument) for argument in formula[1:]))


def parents_by_flipping(formula: Tree) -> set[str]:
    """The variables whose flip changes the value under some assignment of the others."""
    names = sorted(names_in(formula))
    found = set()
    for values in product((0, 1), repeat=len(names)):
        known = dict(zip(names, values, strict=True))
        for name in names:
            if value_of(formula, known) != value_of(formula, {**known, name: 1 - known[name]}):
                found.add(name)
    return found


def replayed_row(mechanisms: Mapping[str, Tree], targets: Mapping[str, Any], row: Mapping[str, int]) -> dict[str, int]:
    """One row under one intervention: targets at their assigned values, other roots as observed, the rest computed."""
    values: dict[str, int] = {}

    def compute(name: str) -> int:
        if name not in values:
            if name in targets:
                values[name] = row[name] if targets[name] == "assigned" else int(targets[name])
            elif name not in mechanisms:
                values[name] = row[name]
            else:
                values[name] = value_of(mechanisms[name], {need: compute(need) for need in names_in(mechanisms[name])})
        return values[name]

    for name in row:
        compute(name)
    return values


def replay_metrics(
    worlds: Sequence[Mapping[str, Any]], mechanisms: Mapping[str, str], gold: Mapping[str, str]
) -> dict[str, float | bool]:
    """The replay and structure metrics of a legal model, cell by cell and edge by edge."""
    trees = {name: tree(text) for name, text in mechanisms.items()}
    result: dict[str, float | bool] = {}
    for split in ("train", "heldout"):
        cells = right = worlds_scored = worlds_exact = 0
        for world in worlds:
            if world["split"] != split:
                continue
            here = here_right = 0
            for row in world["rows"]:
                replayed = replayed_row(trees, world["targets"], row)
                for name in trees:
                    if name not in world["targets"]:
                        here += 1
                        here_right += replayed[name] == row[name]
            cells += here
            right += here_right
            if here:
                worlds_scored += 1
                worlds_exact += here == here_right
        result[f"{split}_exact"] = cells > 0 and right == cells
        result[f"{split}_cell_accuracy"] = right / cells if cells else 0.0
        result[f"{split}_world_exact"] = worlds_exact / worlds_scored if worlds_scored else 0.0
    result["heldout_all_exact"] = result["heldout_exact"]
    result["heldout_exact"] = result["train_exact"] and result["heldout_exact"]
    mine = {(parent, child) for child, formula in trees.items() for parent in parents_by_flipping(formula)}
    true = {(parent, child) for child, text in gold.items() for parent in parents_by_flipping(tree(text))}
    result["parents_exact"] = mine == true
    result["parent_f1"] = 2 * len(mine & true) / (len(mine) + len(true)) if mine or true else 1.0
    pairs = {tuple(sorted(edge)) for edge in mine | true}
    result["parent_shd"] = sum(((a, b) in mine, (b, a) in mine) != ((a, b) in true, (b, a) in true) for a, b in pairs)
    return result
