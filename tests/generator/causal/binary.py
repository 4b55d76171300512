"""Binary networks for tests: written by hand, and summed cell by cell in fractions without any code under test."""

from collections.abc import Iterator, Mapping
from fractions import Fraction
from itertools import product
from typing import Any


def entry(of: str, given: str, *values: str) -> dict[str, Any]:
    """The chances of `of` for every state of its one-letter causes, the last varying fastest."""
    states = [format(at, f"0{len(given)}b") if given else "" for at in range(len(values))]
    return {"of": of, "given": list(given), "rows": [list(row) for row in zip(states, values, strict=True)]}


def network(*tables: dict[str, Any]) -> dict[str, Any]:
    """Graph and chances as params have them."""
    return {
        "graph": {
            "nodes": sorted(table["of"] for table in tables),
            "directed": sorted([cause, table["of"]] for table in tables for cause in table["given"]),
            "bidirected": [],
        },
        "probabilities": sorted(tables, key=lambda table: table["of"]),
    }


def cells(params: Mapping[str, Any]) -> Iterator[tuple[dict[str, int], Fraction]]:
    """Every state of all variables with its probability, from chances or from a printed joint distribution."""
    if "joint" in params:
        for bits, value in params["joint"]["rows"]:
            yield dict(zip(params["joint"]["columns"], map(int, bits), strict=True)), Fraction(value)
        return
    names = [table["of"] for table in params["probabilities"]]
    for bits in product((0, 1), repeat=len(names)):
        state = dict(zip(names, bits, strict=True))
        share = Fraction(1)
        for table in params["probabilities"]:
            under = "".join(str(state[cause]) for cause in table["given"])
            one = Fraction(dict(table["rows"])[under])
            share *= one if state[table["of"]] else 1 - one
        yield state, share


def chance(params: Mapping[str, Any], event: Mapping[str, int], given: Mapping[str, int] | None = None) -> Fraction:
    """P(event | given) by adding cells."""
    condition = (given or {}).items()
    whole = both = Fraction(0)
    for state, share in cells(params):
        if all(state[name] == value for name, value in condition):
            whole += share
            if all(state[name] == value for name, value in event.items()):
                both += share
    return both / whole
