"""Identification: textbook diagrams, hidden causes enumerated, and both kinds of witnesses."""

from fractions import Fraction
from itertools import product
from typing import Any

import pytest
from benchpress.gate import Key
from benchpress.graphs.dag import Graph
from benchpress.graphs.identification import is_identifiable
from benchpress.modules.causal import checks_latent, checks_models
from benchpress.modules.causal.identification import BUNDLE
from solved import items, modal_share, solved


def diagram(arrows: str, pairs: str) -> dict[str, Any]:
    directed = sorted([arrow[0], arrow[1]] for arrow in arrows.split())
    bidirected = sorted(sorted(pair) for pair in pairs.split())
    nodes = sorted({name for edge in (*directed, *bidirected) for name in edge})
    return {"nodes": nodes, "directed": directed, "bidirected": bidirected}


NAPKIN = diagram("WR RX XY", "WX WY")
FRONT = diagram("XM MY", "XY")
BOW = diagram("XY", "XY")
SPLIT = diagram("XZ ZY WX", "XY WZ")

# Chances of each variable being 1, by its causes and hidden causes (lower case) in the order of the key.
NAPKIN_MODEL = {
    ("W", "ab"): "1346",
    ("R", "W"): "28",
    ("X", "Ra"): "1538",
    ("Y", "Xb"): "2496",
}
HIDDEN = {"a": Fraction(1, 2), "b": Fraction(1, 2)}


def spelt_out(model: dict[tuple[str, str], str], do: dict[str, int]) -> dict[tuple[int, ...], Fraction]:
    """The distribution of the observed variables in code-point order, with hidden fair coins, by enumeration."""
    names = sorted(name for name, _ in model)
    whole: dict[tuple[int, ...], Fraction] = {}
    for bits in product((0, 1), repeat=len(names) + len(HIDDEN)):
        state = dict(zip([*names, *HIDDEN], bits, strict=True))
        weight = Fraction(1, 2 ** len(HIDDEN))
        for (name, causes), digits in model.items():
            at = int("".join(str(state[cause]) for cause in causes), 2)
            one = Fraction(do[name]) if name in do else Fraction(int(digits[at]), 10)
            weight *= one if state[name] else 1 - one
        key = tuple(state[name] for name in names)
        whole[key] = whole.get(key, Fraction(0)) + weight
    return whole


def napkin() -> dict[str, Any]:
    rows = [["".join(map(str, state)), str(share)] for state, share in spelt_out(NAPKIN_MODEL, {}).items()]
    return {
        "graph": NAPKIN,
        "roles": {"treatment": "X", "outcome": "Y"},
        "joint": {"columns": sorted("WRXY"), "rows": sorted(rows)},
        "queries": [{"x": ["X"], "y": "Y"}, {"x": ["W"], "y": "Y"}, {"x": ["W"], "y": "X"}],
    }


def test_the_napkin_gives_the_effect_of_the_model_behind_its_table() -> None:
    """Shpitser and Pearl's napkin; effects from X and from W on X are identifiable, from W on Y as well."""
    params = napkin()
    keys = BUNDLE.first(params)
    y = sorted("WRXY").index("Y")
    done = [sum(p for state, p in spelt_out(NAPKIN_MODEL, {"X": x}).items() if state[y]) for x in (0, 1)]
    assert Fraction(keys["EFFECT"].gold) == done[1] - done[0]
    assert keys["C_COMPONENT"].gold == ["Y"]
    assert all(BUNDLE.second(params, keys).values())


@pytest.mark.parametrize(
    ("graph", "x", "y", "expected"),
    [
        (NAPKIN, ["X"], "Y", True),
        (FRONT, ["X"], "Y", True),
        (BOW, ["X"], "Y", False),
        # Shpitser and Pearl 2006, figure 1 (a) to (c): bow arcs, one above a mediator, one on an instrument.
        (diagram("ZX XY", "XY"), ["X"], "Y", False),
        (diagram("XZ ZY", "XZ"), ["X"], "Y", False),
        (diagram("XY XZ", "XZ"), ["X"], "Y", True),
        (diagram("XZ ZY", "XY ZY"), ["X"], "Y", False),
        (SPLIT, ["X"], "Y", True),
        (SPLIT, ["W"], "Y", True),
        (SPLIT, ["X", "W"], "Y", True),
    ],
)
def test_textbook_diagrams(graph: dict[str, Any], x: list[str], y: str, expected: bool) -> None:
    assert checks_models.identifiable(checks_latent.Mixed(graph), x, y, 1) is expected
    assert is_identifiable(Graph.from_json(graph), x, [y]) is expected


@pytest.mark.parametrize(
    ("part", "value"),
    [
        ("IDENTIFIABLE_1", "no"),
        ("C_COMPONENT", ["W", "X", "Y"]),
        ("EFFECT", "0.3"),
        ("NAIVE_EFFECT", "0.3"),
    ],
)
def test_a_miskey_is_refused(part: str, value: Any) -> None:
    params = napkin()
    keys = {**BUNDLE.first(params), part: Key(value)}
    assert [one for one, right in BUNDLE.second(params, keys).items() if not right] == [part]


def test_two_models_of_a_bow_agree_on_what_is_seen_and_differ_in_the_effect() -> None:
    graph = checks_latent.Mixed(BOW)
    assert checks_models.told_apart(graph, ["X"], "Y", {"X", "Y"}, {"Y"})
    assert not checks_models.told_apart(graph, [], "Y", {"X", "Y"}, {"Y"})


@pytest.mark.parametrize("variant", BUNDLE.variants)
@pytest.mark.parametrize("level", [1, 5, 10])
def test_the_exact_solver_needs_only_the_prompt(variant: str, level: int) -> None:
    made = items("identification", variant, level, 50)
    assert solved(made) == 1
    assert len({item.prompt for item in made}) == len(made)


def test_no_verdict_is_a_good_guess() -> None:
    made = [item for variant in BUNDLE.variants for item in items("identification", variant, 5, 40)]
    assert modal_share(made) <= 0.65
    assert solved(made, "naive") <= 0.1
    assert solved(made, "adjust_all") <= 0.2


def test_adjustments_that_the_diagram_refuses_are_wrong_in_the_table_too() -> None:
    judged = 0
    for item in items("identification", "analyst", 5, 40):
        columns, roles = item.params["joint"]["columns"], item.params["roles"]
        cells = {state: Fraction(share) for state, share in item.params["joint"]["rows"]}
        gold = {part.id: part.gold for part in item.parts}

        def share(fixed: dict[str, str], cells: dict[str, Fraction] = cells, columns: list[str] = columns) -> Fraction:
            at = [(columns.index(name), value) for name, value in fixed.items()]
            return sum((one for state, one in cells.items() if all(state[i] == v for i, v in at)), Fraction(0))

        for claim in item.params["claims"]:
            if claim["kind"] != "adjust" or gold[claim["id"]] == "true" or not set(claim["zset"]) <= set(columns):
                continue
            adjusted = Fraction(0)
            for values in product("01", repeat=len(claim["zset"])):
                stratum = dict(zip(claim["zset"], values, strict=True))
                for x, sign in (("1", 1), ("0", -1)):
                    among = {**stratum, roles["treatment"]: x}
                    adjusted += sign * share(stratum) * share({**among, roles["outcome"]: "1"}) / share(among)
            assert abs(adjusted - Fraction(gold["EFFECT"])) >= Fraction(1, 100)
            judged += 1
    assert judged >= 10
