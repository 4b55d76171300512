"""Bounds: the exact linear programme against scipy, response types against closed forms and published bounds."""

from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from benchpress.errors import UserError
from benchpress.models.causation import (
    Evidence,
    benefit_bounds,
    harm_bounds,
    necessity_bounds,
    sufficiency_bounds,
)
from benchpress.models.response_types import Event, Outcome, response_types, type_bounds
from benchpress.models.simplex import minimum
from benchpress.streams import Stream, derive
from scipy.optimize import linprog

XY = {"X": (), "Y": ("X",)}


@pytest.mark.parametrize("seed", range(60))
def test_the_exact_programme_has_the_optimum_of_scipy(seed: int) -> None:
    draws = derive(b"tests", "simplex", seed)
    width, height = draws.between(3, 20), draws.between(1, 8)
    rows = [[1] * width, *([draws.below(3) for _ in range(width)] for _ in range(height))]
    point = [draws.below(6) for _ in range(width)]
    whole = sum(point) or 1
    totals = [Fraction(sum(a * b for a, b in zip(row, point, strict=True)), whole) for row in rows]
    if draws.chance(1, 5):
        totals[-1] += draws.between(1, 3)
    objective = [draws.between(-3, 3) for _ in range(width)]
    peer = linprog(objective, A_eq=np.array(rows), b_eq=np.array(totals, dtype=float))
    found = minimum(objective, rows, totals)
    assert (found is None) == (peer.status == 2)
    if found is not None:
        assert float(found) == pytest.approx(peer.fun, abs=1e-9)


def test_redundant_and_empty_programmes() -> None:
    assert minimum([1, 0], [[1, 1], [2, 2]], [1, 2]) == 0
    assert minimum([1, 0], [[1, 1], [2, 2]], [1, 3]) is None
    assert minimum([1, 1], [[1, -1]], [Fraction(-1, 3)]) == Fraction(1, 3)
    with pytest.raises(ValueError, match="no finite optimum"):
        minimum([-1, 0], [[1, -1]], [0])


def population(draws: Stream) -> dict[tuple[int, int, int], Fraction]:
    """Shares of the kinds (X, Y(0), Y(1)) in a random population; some kinds are absent."""
    weights = {kind: draws.below(5) for kind in product((0, 1), repeat=3)}
    weights[1, 0, 1] += 1
    weights[0, 0, 1] += 1
    whole = sum(weights.values())
    return {kind: Fraction(weight, whole) for kind, weight in weights.items()}


def share(kinds: dict[tuple[int, int, int], Fraction], **wanted: int) -> Fraction:
    places = {"x": 0, "y0": 1, "y1": 2}

    def meets(kind: tuple[int, int, int]) -> bool:
        return all(
            (kind[1 + kind[0]] if name == "y" else kind[places[name]]) == value for name, value in wanted.items()
        )

    return sum((weight for kind, weight in kinds.items() if meets(kind)), Fraction(0))


@pytest.mark.parametrize("data", ["both", "experiment", "observation"])
@pytest.mark.parametrize("seed", range(25))
def test_closed_form_bounds_are_those_of_the_programme_and_hold_the_truth(seed: int, data: str) -> None:
    kinds = population(derive(b"tests", "causation", seed))
    joint = tuple(tuple(share(kinds, x=x, y=y) for y in (0, 1)) for x in (0, 1))
    risks = share(kinds, y1=1), share(kinds, y0=1)
    known: list[tuple[Event, Fraction]] = []
    if data != "observation":
        known += [([Outcome("Y", 1, {"X": x})], risks[1 - x]) for x in (0, 1)]
    if data != "experiment":
        known += [([Outcome("X", x), Outcome("Y", y)], joint[x][y]) for x in (0, 1) for y in (0, 1)]
    evidence = Evidence(
        *((None, None) if data == "observation" else risks),
        None if data == "experiment" else joint,  # type: ignore[arg-type]
    )
    helped = [Outcome("Y", 1, {"X": 1}), Outcome("Y", 0, {"X": 0})]
    harmed = [Outcome("Y", 0, {"X": 1}), Outcome("Y", 1, {"X": 0})]
    assert benefit_bounds(evidence) == type_bounds(XY, known, [(1, helped)])
    assert harm_bounds(evidence) == type_bounds(XY, known, [(1, harmed)])
    low, high = benefit_bounds(evidence)
    assert low <= share(kinds, y0=0, y1=1) <= high
    if data != "experiment":
        cases = [Outcome("X", 1), Outcome("Y", 1), Outcome("Y", 0, {"X": 0})]
        controls = [Outcome("X", 0), Outcome("Y", 0), Outcome("Y", 1, {"X": 1})]
        assert necessity_bounds(evidence) == type_bounds(XY, known, [(1 / joint[1][1], cases)])
        assert sufficiency_bounds(evidence) == type_bounds(XY, known, [(1 / joint[0][0], controls)])
        low, high = necessity_bounds(evidence)
        assert low <= share(kinds, x=1, y0=0, y1=1) / joint[1][1] <= high


def test_monotonicity_is_one_more_known_probability_and_fixes_the_benefit() -> None:
    kinds = {kind: weight for kind, weight in population(derive(b"tests", "monotone")).items() if kind[1:] != (1, 0)}
    kinds = {kind: weight / sum(kinds.values()) for kind, weight in kinds.items()}
    known: list[tuple[Event, Fraction]] = [([Outcome("Y", 1, {"X": x})], share(kinds, **{f"y{x}": 1})) for x in (0, 1)]
    known.append(([Outcome("Y", 0, {"X": 1}), Outcome("Y", 1, {"X": 0})], Fraction(0)))
    helped = [Outcome("Y", 1, {"X": 1}), Outcome("Y", 0, {"X": 0})]
    point = share(kinds, y1=1) - share(kinds, y0=1)
    assert type_bounds(XY, known, [(1, helped)]) == (point, point)


def test_instrument_bounds_are_those_of_balke_and_pearl() -> None:
    # Balke and Pearl 1997 (JASA 92), the Lipid study: the average effect lies between 0.392 and 0.780.
    seen = {
        (0, 0, 0): "0.919", (1, 0, 0): "0.081", (0, 1, 0): "0", (1, 1, 0): "0",
        (0, 0, 1): "0.315", (1, 0, 1): "0.073", (0, 1, 1): "0.139", (1, 1, 1): "0.473",
    }  # fmt: skip
    known: list[tuple[Event, Fraction]] = [
        ([Outcome("X", x, {"Z": z}), Outcome("Y", y, {"Z": z})], Fraction(chance)) for (y, x, z), chance in seen.items()
    ]
    parents = {"X": ("Z",), "Y": ("X",)}
    effect = [(1, [Outcome("Y", 1, {"X": 1})]), (-1, [Outcome("Y", 1, {"X": 0})])]
    low, high = type_bounds(parents, known, effect)
    assert (low, high) == (Fraction("0.392"), Fraction("0.780"))


def test_the_instrumental_inequality_shows_as_no_population_at_all() -> None:
    known: list[tuple[Event, Fraction]] = [
        ([Outcome("X", 1, {"Z": z}), Outcome("Y", z, {"Z": z})], Fraction(9, 10)) for z in (0, 1)
    ]
    with pytest.raises(UserError, match="no population"):
        type_bounds({"X": ("Z",), "Y": ("X",)}, known, [(1, [Outcome("Y", 1, {"X": 1})])])


def test_response_types_are_counted_by_the_functions_they_are() -> None:
    assert len(list(response_types({"X": ("Z",), "Y": ("X",)}))) == 16
    assert len(list(response_types({"Y": ("X", "W")}))) == 16
    assert len(list(response_types({"Y": ("X",)}, {"X": 3, "Y": 2}))) == 8
    assert len(list(response_types({"X": (), "Y": ("X",)}, {"Y": 3}))) == 18


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((Fraction(1, 2), None, None), "both experimental risks"),
        ((None, None, None), "give experimental risks"),
        ((Fraction(3, 2), Fraction(1, 2), None), "cannot be"),
        ((Fraction(1, 2), Fraction(1, 2), ((Fraction(1), Fraction(1)), (Fraction(0), Fraction(0)))), "cannot be"),
        ((None, None, ((Fraction(1), Fraction(1)), (Fraction(0), Fraction(0)))), "do not sum to one"),
    ],
)
def test_impossible_evidence_is_refused(arguments: tuple[object, ...], message: str) -> None:
    with pytest.raises(UserError, match=message):
        Evidence(*arguments)  # type: ignore[arg-type]


def test_undefined_probabilities_of_causation_are_refused() -> None:
    nobody = ((Fraction(0), Fraction(1)), (Fraction(0), Fraction(0)))
    with pytest.raises(UserError, match="nobody has X = 1"):
        necessity_bounds(Evidence(None, None, nobody))
    with pytest.raises(UserError, match="nobody has X = 0"):
        sufficiency_bounds(Evidence(None, None, nobody))
    trial = Evidence(Fraction(1, 2), Fraction(1, 4), None)
    for bounds in (necessity_bounds, sufficiency_bounds):
        with pytest.raises(UserError, match="observed probabilities"):
            bounds(trial)
    with pytest.raises(UserError, match="no response type"):
        type_bounds({"Y": ("X",)}, [], [(1, [Outcome("Y", 1)])])
