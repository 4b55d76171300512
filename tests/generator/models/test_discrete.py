"""Discrete models: enumeration, tables and formulas against one another and against plain brute force."""

from fractions import Fraction
from itertools import combinations, product

import pytest
from benchpress.errors import UserError
from benchpress.models.discrete import Network
from benchpress.models.formulas import (
    average_effect,
    effect_among,
    front_door,
    g_formula,
    natural_direct_effect,
    natural_indirect_effect,
    standardised,
    wald_ratio,
)
from benchpress.models.structural import Mechanism, Potential, StructuralModel, monotone_model
from benchpress.models.table import Table
from benchpress.streams import Stream, derive

HALF = Fraction(1, 2)


def drawn(seed: int, names: str = "ABCDE", sizes: tuple[int, ...] = (2, 3, 2, 2, 3)) -> tuple[Network, Stream]:
    """A network of mixed sizes in random order."""
    draws = derive(b"tests", "discrete", seed)
    order = draws.shuffled(names)
    size = dict(zip(names, sizes, strict=True))
    parents = {name: tuple(up for up in order[:place] if draws.chance(1, 2)) for place, name in enumerate(order)}

    def row(count: int) -> tuple[Fraction, ...]:
        weights = [draws.between(1, 9) for _ in range(count)]
        return tuple(Fraction(weight, sum(weights)) for weight in weights)

    tables = {
        name: {state: row(size[name]) for state in product(*(range(size[up]) for up in above))}
        for name, above in parents.items()
    }
    return Network({name: parents[name] for name in names}, tables), draws


def brute(network: Network, event: dict[str, int], given: dict[str, int], do: dict[str, int]) -> Fraction:
    """P(event | given, do) by multiplying out the truncated factorisation over all states."""
    names = list(network.parents)
    whole = part = Fraction(0)
    for state in product(*(range(network.sizes[name]) for name in names)):
        values = dict(zip(names, state, strict=True))
        if any(values[name] != value for name, value in {**do, **given}.items()):
            continue
        weight = Fraction(1)
        for name, above in network.parents.items():
            if name not in do:
                weight *= network.tables[name][tuple(values[up] for up in above)][values[name]]
        whole += weight
        if all(values[name] == value for name, value in event.items()):
            part += weight
    return part / whole


@pytest.mark.parametrize("seed", range(25))
def test_probabilities_are_those_of_the_truncated_factorisation(seed: int) -> None:
    network, draws = drawn(seed)
    table = Table.of_network(network)
    for _ in range(5):
        names = draws.shuffled("ABCDE")
        values = {name: draws.below(network.sizes[name]) for name in names}
        event = {name: values[name] for name in names[: draws.between(1, 2)]}
        given = {name: values[name] for name in names[2 : draws.between(2, 3)]}
        do = {name: values[name] for name in names[3 : draws.between(3, 5)]}
        assert network.probability(event, given, do) == brute(network, event, given, do)
        assert network.probability(event, given) == table.probability(event, given) == brute(network, event, given, {})
        assert table.marginal(names[:3]).probability(event) == brute(network, event, {}, {})
        mean = network.expectation(names[0], given, do)
        sizes = range(network.sizes[names[0]])
        assert mean == sum(value * brute(network, {names[0]: value}, given, do) for value in sizes)


def test_the_json_form_is_read_back_exactly() -> None:
    network, _ = drawn(3)
    assert Network.from_json(network.to_json()) == network


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ({"A": {"parents": ["B"], "cpt": []}}, "a table of at least one row"),
        ({"A": {"parents": ["B"], "cpt": [{"given": [0], "p": ["1", "0"]}]}}, "unknown parent 'B'"),
        ({"A": {"parents": [], "cpt": [{"given": [], "p": ["0.5", "0.4"]}]}}, "do not sum to one"),
        ({"A": {"parents": [], "cpt": [{"given": [], "p": ["1.5", "-0.5"]}]}}, "do not sum to one"),
        ({"A": {"parents": []}}, "expected"),
        (
            {
                "A": {"parents": [], "cpt": [{"given": [], "p": ["0.5", "0.5"]}]},
                "B": {"parents": ["A"], "cpt": [{"given": [0], "p": ["1", "0"]}]},
            },
            "one row for every combination",
        ),
    ],
)
def test_a_broken_network_is_refused(value: dict[str, object], message: str) -> None:
    with pytest.raises(UserError, match=message):
        Network.from_json(value)


def test_impossible_conditions_and_values_are_refused() -> None:
    network = Network.of({"A": (), "B": ("A",)}, {"A": [0], "B": [0, 1]})
    with pytest.raises(UserError, match="has probability zero"):
        network.probability({"B": 1}, {"A": 1})
    with pytest.raises(UserError, match="no value 2"):
        network.probability({"B": 2})
    with pytest.raises(UserError, match="no value 2"):
        network.probability({"B": 1}, None, {"A": 2})
    assert network.probability({"B": 1}, None, {"A": 1}) == 1
    assert network.probability({"A": 1}, {"A": 0}) == 0


def binary(draws: Stream, parents: dict[str, tuple[str, ...]]) -> Network:
    """A network of binary variables with positive probabilities in twentieths."""
    chances = {name: [Fraction(draws.between(1, 19), 20) for _ in range(2 ** len(up))] for name, up in parents.items()}
    return Network.of(parents, chances)


CHAIN: dict[str, tuple[str, ...]] = {"C": (), "X": ("C",), "M": ("X", "C"), "Y": ("X", "M", "C")}


@pytest.mark.parametrize("seed", range(15))
def test_formulas_give_what_enumeration_gives(seed: int) -> None:
    draws = derive(b"tests", "formulas", seed)
    network = binary(draws, CHAIN)
    table = Table.of_network(network, ["Y", "X", "C", "M"])
    assert average_effect(table, "X", "Y", ["C"]) == network.effect("X", "Y")
    # On the treated: by consistency, E[Y(0) | X = 1] weighs the strata of the treated.
    model = monotone_model(network)
    for group in (0, 1):
        among = [(Potential("X"), group)]
        wanted = model.expectation(Potential("Y", {"X": 1}), among) - model.expectation(Potential("Y", {"X": 0}), among)
        assert effect_among(table, "X", "Y", ["C"], group) == wanted
    at = {x: model.expectation(Potential("Y", {"X": x})) for x in (0, 1)}
    crossed = {
        (x, m): model.expectation(Potential("Y", {"X": x, "M": Potential("M", {"X": m})}))
        for x, m in product((0, 1), repeat=2)
    }
    assert natural_direct_effect(table, "X", "Y", ["M"], ["C"]) == crossed[1, 0] - at[0]
    assert natural_indirect_effect(table, "X", "Y", ["M"], ["C"]) == crossed[0, 1] - at[0]
    assert natural_indirect_effect(table, "X", "Y", ["M"], ["C"], total=True) == at[1] - crossed[1, 0]
    assert crossed[1, 1] == at[1]


@pytest.mark.parametrize("seed", range(10))
def test_the_front_door_formula_sees_through_a_latent_confounder(seed: int) -> None:
    draws = derive(b"tests", "front door", seed)
    parents: dict[str, tuple[str, ...]] = {"U": (), "X": ("U",), "M": ("X",), "Y": ("M", "U")}
    network = binary(draws, parents)
    table = Table.of_network(network, ["X", "M", "Y"])
    for value in (0, 1):
        assert front_door(table, "X", "Y", ["M"], value) == network.probability({"Y": 1}, None, {"X": value})


@pytest.mark.parametrize("seed", range(10))
def test_the_g_formula_gives_static_regimes_where_adjusting_does_not(seed: int) -> None:
    draws = derive(b"tests", "g-formula", seed)
    parents: dict[str, tuple[str, ...]] = {
        "U": (),
        "A0": (),
        "L1": ("A0", "U"),
        "A1": ("L1", "A0"),
        "Y": ("A0", "A1", "L1", "U"),
    }
    network = binary(draws, parents)
    table = Table.of_network(network, ["A0", "L1", "A1", "Y"])
    stages = [((), "A0"), (("L1",), "A1")]
    for regime in product((0, 1), repeat=2):
        truth = network.probability({"Y": 1}, None, {"A0": regime[0], "A1": regime[1]})
        assert g_formula(table, "Y", stages, regime) == truth
    naive = standardised(table, "Y", {"A0": 1, "A1": 1}, ["L1"])
    assert naive != network.probability({"Y": 1}, None, {"A0": 1, "A1": 1})
    with pytest.raises(UserError, match="one value for every treatment"):
        g_formula(table, "Y", stages, [1])


def test_the_wald_ratio_is_the_effect_among_compliers_not_everybodys() -> None:
    # Half compliers with effect 1, half never-takers with effect -1: the ratio is 1, the average effect 0.
    model = StructuralModel(
        {"z": (HALF, HALF), "kind": (HALF, HALF)},
        {
            "Z": Mechanism(("z",), lambda z: z),
            "X": Mechanism(("Z", "kind"), lambda z, kind: z if kind else 0),
            "Y": Mechanism(("X", "kind"), lambda x, kind: x if kind else 1 - x),
        },
    )
    rows = [
        [z, x, y, model.probability([(Potential("Z"), z), (Potential("X"), x), (Potential("Y"), y)])]
        for z, x, y in product((0, 1), repeat=3)
    ]
    assert wald_ratio(Table.from_rows(["Z", "X", "Y", "p"], rows), "Z", "X", "Y") == 1
    assert model.expectation(Potential("Y", {"X": 1})) - model.expectation(Potential("Y", {"X": 0})) == 0
    flat = Table.from_rows(["Z", "X", "Y", "n"], [[0, 0, 0, 1], [1, 0, 0, 1], [0, 1, 1, 1], [1, 1, 1, 1]])
    with pytest.raises(UserError, match="does not change"):
        wald_ratio(flat, "Z", "X", "Y")


@pytest.mark.parametrize("seed", range(10))
def test_a_structural_model_has_the_distributions_of_its_network(seed: int) -> None:
    network, draws = drawn(seed, "ABC", (2, 3, 2))
    model = monotone_model(network)
    for state in product(*(range(network.sizes[name]) for name in "ABC")):
        event = dict(zip("ABC", state, strict=True))
        assert model.probability([(Potential(name), value) for name, value in event.items()]) == network.probability(
            event
        )
    x, y = draws.sample("ABC", 2)
    for value in range(network.sizes[x]):
        assert model.probability([(Potential(y, {x: value}), 1)]) == network.probability({y: 1}, None, {x: value})


def test_counterfactuals_of_one_unit_agree_with_what_it_did() -> None:
    model = StructuralModel(
        {"u": (HALF, HALF), "v": (Fraction(1, 4), Fraction(3, 4))},
        {
            "X": Mechanism(("u",), lambda u: u),
            "M": Mechanism(("X", "v"), lambda x, v: x & v),
            "Y": Mechanism(("M", "u"), lambda m, u: m | u),
        },
    )
    for x, y in product((0, 1), repeat=2):
        seen = [(Potential("X"), x), (Potential("Y"), y)]
        if model.probability(seen):
            assert model.probability([(Potential("Y", {"X": x}), y)], seen) == 1
    # Those with X = 1 have u = 1, so Y stays 1 without X; nobody in the whole population is sure of it.
    assert model.probability([(Potential("Y", {"X": 0}), 1)], [(Potential("X"), 1)]) == 1
    assert model.probability([(Potential("Y", {"X": 0}), 1)]) == HALF
    with pytest.raises(UserError, match="probability zero"):
        model.probability([(Potential("X"), 1)], [(Potential("Y"), 0), (Potential("X"), 1)])


@pytest.mark.parametrize(
    ("noises", "mechanisms", "message"),
    [
        ({"u": (HALF,)}, {}, "do not sum to one"),
        ({}, {"X": Mechanism(("Q",), lambda q: q)}, "unknown inputs"),
        ({}, {"X": Mechanism(("Y",), int), "Y": Mechanism(("X",), int)}, "form a cycle"),
    ],
)
def test_a_broken_structural_model_is_refused(noises: object, mechanisms: object, message: str) -> None:
    with pytest.raises(UserError, match=message):
        StructuralModel(noises, mechanisms)  # type: ignore[arg-type]


def test_tables_refuse_what_is_no_distribution() -> None:
    with pytest.raises(UserError, match="occurs twice"):
        Table.from_rows(["A", "n"], [[0, 1], [0, 2]])
    with pytest.raises(UserError, match="no rows"):
        Table.from_rows(["A", "n"], [])
    with pytest.raises(UserError, match="must not be negative"):
        Table.from_rows(["A", "n"], [[0, 1], [1, -1]])
    with pytest.raises(UserError, match="unknown variable 'Q'"):
        Table.from_rows(["A", "n"], [[0, 1]]).probability({"Q": 0})
    with pytest.raises(UserError, match="probability zero"):
        Table.from_rows(["A", "B", "n"], [[0, 0, 1], [1, 1, 0]]).mean("B", {"A": 1})


def test_conditioning_a_table_is_what_the_conditional_probabilities_say() -> None:
    network, _ = drawn(7)
    table = Table.of_network(network)
    part = table.given({"B": 2, "A": 1})
    assert part.names == tuple(name for name in table.names if name not in "AB")
    for one, other in combinations(part.names, 2):
        assert part.probability({one: 1}, {other: 0}) == table.probability({one: 1}, {other: 0, "A": 1, "B": 2})
