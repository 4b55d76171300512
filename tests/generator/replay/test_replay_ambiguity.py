"""Exact counts of fitting models against enumeration of every model, on instances small enough to enumerate."""

import json
from collections.abc import Iterator
from itertools import combinations, product
from pathlib import Path

import pytest
from benchpress.modules.replay.ambiguity import (
    Rows,
    coordinated_pairs,
    count_acyclic,
    count_hidden_roots,
    count_ordered,
    local_alternatives,
    tables,
)
from hypothesis import given, settings
from hypothesis import strategies as st

Function = tuple[frozenset[int], tuple[int, ...]]
"""Functional support, and a value for every assignment of all variables."""


def packed(values: list[list[int]], clamped: list[list[int]]) -> Rows:
    variables = range(len(values[0]))
    return Rows(
        tuple(sum(row[v] << r for r, row in enumerate(values)) for v in variables),
        tuple(sum((1 - held[v]) << r for r, held in enumerate(clamped)) for v in variables),
    )


def fitting(values: list[list[int]], clamped: list[list[int]], target: int, most: int) -> list[Function]:
    """Every function of the other variables that needs at most `most` of them and fits, found by trying them all."""
    count = len(values[0])
    others = [v for v in range(count) if v != target]
    found = []
    for size in range(min(most, len(others)) + 1):
        for support in combinations(others, size):
            for table in product((0, 1), repeat=1 << size):
                function = tuple(
                    table[sum((a >> v & 1) << place for place, v in enumerate(support))] for a in range(1 << count)
                )
                needed = {v for v in support if any(function[a] != function[a ^ (1 << v)] for a in range(1 << count))}
                if needed != set(support):
                    continue
                rows = [sum(bit << v for v, bit in enumerate(row)) for row in values]
                if all(held[target] or function[a] == a >> target & 1 for a, held in zip(rows, clamped, strict=True)):
                    found.append((frozenset(support), function))
    return found


def acyclic(supports: dict[int, frozenset[int]]) -> bool:
    left = dict(supports)
    while left:
        ready = [v for v, parents in left.items() if not parents & set(left)]
        if not ready:
            return False
        for v in ready:
            del left[v]
    return True


def models(functions: dict[int, list[Function]]) -> Iterator[dict[int, Function]]:
    for chosen in product(*functions.values()):
        model = dict(zip(functions, chosen, strict=True))
        if acyclic({v: support for v, (support, _) in model.items()}):
            yield model


@st.composite
def instances(draw: st.DrawFn) -> tuple[list[list[int]], list[list[int]]]:
    """Rows of four variables; the last two follow a formula of the first ones, as in a problem."""
    rows = draw(st.integers(3, 9))
    bits = st.lists(st.integers(0, 1), min_size=4, max_size=4)
    values = draw(st.lists(bits, min_size=rows, max_size=rows))
    clamped = draw(st.lists(bits, min_size=rows, max_size=rows))
    for row, held in zip(values, clamped, strict=True):
        if not held[2]:
            row[2] = row[0] ^ row[1]
        if not held[3]:
            row[3] = row[2] & row[0]
    return values, clamped


@settings(max_examples=60)
@given(instances(), st.integers(1, 2))
def test_counts_equal_enumeration(instance: tuple[list[list[int]], list[list[int]]], most: int) -> None:
    values, clamped = instance
    table = tables(packed(values, clamped), most)
    functions = {v: fitting(values, clamped, v, most) for v in range(4)}
    for v in range(4):
        for support, count in table.by_support[v].items():
            members = frozenset(place for place in range(4) if support >> place & 1)
            assert count == sum(own == members for own, _ in functions[v])
        assert table.total(v, 0b1111) == len(functions[v])
    before = {2: 0b0011, 3: 0b0111}
    ordered = [f for f in models({v: functions[v] for v in (2, 3)}) if not f[2][0] - {0, 1} and not f[3][0] - {0, 1, 2}]
    assert count_ordered(table, before) == len(ordered)
    anything = {2: 0b1011, 3: 0b0111}
    hidden = list(models({v: functions[v] for v in (2, 3)}))
    assert count_acyclic(table, anything) == len(hidden)
    blocks = {2: 0b0001 | 0b1000, 3: 0b0101}  # variable 1 in a later block
    assert count_acyclic(table, blocks) == sum(f[2][0] <= {0, 3} and f[3][0] <= {0, 2} for f in hidden)


@settings(max_examples=15)
@given(instances())
def test_root_sets_are_summed_over(instance: tuple[list[list[int]], list[list[int]]]) -> None:
    values, clamped = instance
    functions = {v: fitting(values, clamped, v, 2) for v in range(4)}
    expected = sum(
        1 for roots in combinations(range(4), 2) for _ in models({v: functions[v] for v in range(4) if v not in roots})
    )
    assert count_hidden_roots(tables(packed(values, clamped), 2), 2) == expected


@settings(max_examples=30)
@given(instances())
def test_alternatives_and_coordinated_pairs_equal_enumeration(
    instance: tuple[list[list[int]], list[list[int]]],
) -> None:
    values, clamped = instance
    functions = {v: fitting(values, clamped, v, 2) for v in (2, 3)}
    true = {
        2: (frozenset({0, 1}), tuple((a & 1) ^ (a >> 1 & 1) for a in range(16))),
        3: (frozenset({0, 2}), tuple((a & 1) & (a >> 2 & 1) for a in range(16))),
    }
    table = tables(packed(values, clamped), 2)
    usable = {2: 0b1011, 3: 0b0111}
    parents = {2: 0b0011, 3: 0b0101}
    changed = [{v: model[v] != true[v] for v in (2, 3)} for model in models(functions)]
    alone = {v: sum(change[v] and not change[5 - v] for change in changed) for v in (2, 3)}
    assert local_alternatives(table, usable, parents) == alone
    assert coordinated_pairs(table, usable, parents) == sum(change[2] and change[3] for change in changed)


def test_the_toy_of_the_specification_has_nineteen_models() -> None:
    # Variables A, B, R1, R2; A = R1 xor R2 and B = A and R1; one world without, one with A assigned.
    values = [[0, 0, 0, 0], [1, 0, 0, 1], [1, 1, 1, 0], [0, 0, 1, 1], [1, 0, 0, 0], [0, 0, 0, 1]]
    clamped = [[0, 0, 0, 0]] * 4 + [[1, 0, 0, 0]] * 2
    table = tables(packed(values, clamped), 3, [0, 1])
    assert count_acyclic(table, {0: 0b1110, 1: 0b1101}) == 19


OFFICIAL = {"g02_ordered_n8": 3_936, "g03_hidden_n8": 5_248}
"""The published sample problem as counted independently when the format was specified."""


@pytest.mark.parametrize("name", OFFICIAL)
def test_the_published_sample_problem(name: str, outside: Path) -> None:
    lines = (outside / "replay" / "problems.jsonl").read_text().splitlines()
    problem = next(problem for problem in map(json.loads, lines) if problem["problem_id"] == name)
    names = problem["variables"]
    values, clamped = [], []
    for world in problem["worlds"]:
        if world["split"] == "train":
            values += [[row[v] for v in names] for row in world["rows"]]
            clamped += [[int(v in world["targets"]) for v in names] for _ in world["rows"]]
    endogenous = [names.index(v) for v in problem["endogenous"]]
    table = tables(packed(values, clamped), 4, endogenous)
    if problem["order"]:
        order = [names.index(v) for v in problem["order"]]
        count = count_ordered(table, {v: sum(1 << u for u in order[: order.index(v)]) for v in endogenous})
    else:
        count = count_acyclic(table, {v: 0xFF & ~(1 << v) for v in endogenous})
    assert count == OFFICIAL[name]
