"""Selection: published diagrams, cells added by hand, and miskeys."""

from collections.abc import Sequence
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np
import pytest
from benchpress.gate import Key
from benchpress.graphs.dag import Graph
from benchpress.modules.causal import checks_selection_pair
from benchpress.modules.causal.checks_latent import Mixed
from benchpress.modules.causal.checks_selection import Search
from benchpress.modules.causal.selection import BUNDLE
from benchpress.modules.causal.selection_study import Study
from solved import items, modal_share, solved


def share(of: str, given: str, *values: str) -> dict[str, Any]:
    bits = ["".join(state) for state in product("01", repeat=len(given))]
    return {"of": of, "given": list(given), "rows": [[state, value] for state, value in zip(bits, values, strict=True)]}


def cells(names: str, shares: Sequence[dict[str, Any]]) -> dict[str, Fraction]:
    """The product of shares in every state of `names`."""
    found = {}
    for state in map("".join, product("01", repeat=len(names))):
        found[state] = Fraction(1)
        for one in shares:
            value = Fraction(dict(one["rows"])["".join(state[names.index(name)] for name in one["given"])])
            found[state] *= value if state[names.index(one["of"])] == "1" else 1 - value
    return found


def counted(names: str, shares: Sequence[dict[str, Any]], kept: str, **fixed: str) -> dict[str, Any]:
    """The states of `kept` with their weights among the cases with `fixed` values."""
    total: dict[str, Fraction] = {}
    for state, weight in cells(names, shares).items():
        if all(state[names.index(name)] == value for name, value in fixed.items()):
            left = "".join(state[names.index(name)] for name in kept)
            total[left] = total.get(left, Fraction(0)) + weight
    return {"columns": list(kept), "rows": [[state, str(weight)] for state, weight in sorted(total.items())]}


def problem(arrows: str, *shares: dict[str, Any], unmeasured: str = "", outside: str = "") -> dict[str, Any]:
    """The study of a model: all recorded variables counted, and the shares of `outside` or the chances of selection."""
    directed = sorted([arrow[0], arrow[1]] for arrow in arrows.split())
    names = "".join(sorted({name for edge in directed for name in edge}))
    kept = "".join(name for name in names if name not in (*unmeasured, "S"))
    return {
        "graph": {"nodes": list(names), "directed": directed, "bidirected": []},
        "unmeasured": sorted(unmeasured),
        "roles": {"treatment": "X", "outcome": "Y", "selection": "S"},
        "sample": counted(names, shares, kept, S="1"),
        **(
            {"outside": counted(names, shares, outside)}
            if outside
            else {"chances": [one for one in shares if one["of"] == "S"]}
        ),
    }


X, Z = share("X", "", "0.5"), share("Z", "", "0.5")
# Bareinboim, Tian, Pearl 2014, figure 1: selection by the treatment does no harm, by the outcome it does.
BY_TREATMENT = problem("XY XS", share("S", "X", "0.2", "0.8"), X, share("Y", "X", "0.3", "0.7"))
BY_OUTCOME = problem("XY YS", share("S", "Y", "0.2", "0.8"), X, share("Y", "X", "0.4", "0.8"))
# Correa and Bareinboim 2017: a confounder that drives selection must be known for everybody.
CONFOUNDED = (
    share("S", "Z", "0.2", "0.8"),
    share("X", "Z", "0.2", "0.8"),
    share("Y", "XZ", "0.1", "0.4", "0.3", "0.9"),
    Z,
)
BY_CONFOUNDER = problem("ZX ZY XY ZS", *CONFOUNDED)
WITH_SHARES = problem("ZX ZY XY ZS", *CONFOUNDED, outside="Z")
# Selection is a common effect of the treatment and of Z, which bears on the outcome.
COMMON = (share("S", "XZ", "0.2", "0.4", "0.4", "0.8"), X, share("Y", "XZ", "0.1", "0.3", "0.4", "0.8"), Z)
COLLIDER = problem("XY XS ZS ZY", *COMMON)
COLLIDER_WITH_SHARES = problem("XY XS ZS ZY", *COMMON, outside="Z")


@pytest.mark.parametrize(
    ("params", "recoverable", "needed", "effect", "contrast"),
    [
        (BY_TREATMENT, "yes", [[]], "2/5", "2/5"),
        # Selected with X = 1: .64 against .04; with X = 0: .32 against .12.
        (BY_OUTCOME, "no", [["IMPOSSIBLE"]], "2/5", Fraction(64, 68) - Fraction(32, 44)),
        # Everybody: .5 * .2 + .5 * .5. Selected with X = 1, Z = 0 and 1: .02, .32; with X = 0: .08, .08.
        (BY_CONFOUNDER, "no", [["Z"]], "7/20", Fraction(6 + 288, 340) - Fraction(1, 4)),
        (WITH_SHARES, "no", [["Z"]], "7/20", Fraction(6 + 288, 340) - Fraction(1, 4)),
        # Everybody: .5 * .3 + .5 * .5. Among the selected Z = 1 holds of two thirds for either X.
        (COLLIDER, "no", [["Z"]], "2/5", Fraction(3, 10) / 3 + Fraction(2, 3) / 2),
        (COLLIDER_WITH_SHARES, "no", [["Z"]], "2/5", Fraction(3, 10) / 3 + Fraction(2, 3) / 2),
    ],
)
def test_published_diagrams(
    params: dict[str, Any], recoverable: str, needed: list[list[str]], effect: str, contrast: str | Fraction
) -> None:
    keys = BUNDLE.first(params)
    assert keys["RECOVERABLE"].gold == recoverable
    assert [keys["NEEDED_EXTERNAL"].gold, *keys["NEEDED_EXTERNAL"].accept] == needed
    assert Fraction(keys["EFFECT"].gold) == Fraction(effect)
    assert Fraction(keys["SAMPLE_CONTRAST"].gold) == Fraction(contrast)
    assert all(BUNDLE.second(params, keys).values())


def test_nothing_helps_where_what_drives_selection_and_outcome_is_unrecorded() -> None:
    params = problem("ZX ZY XY ZS", *CONFOUNDED, unmeasured="Z", outside="X")
    study = Study(params, Graph.from_json(params["graph"]))
    assert (study.recoverable, study.needed) == (False, ())
    search = Search(params)
    assert (search.recoverable(), search.needed()) == (False, [])


def test_a_table_and_shares_say_what_the_whole_table_says() -> None:
    """BY_CONFOUNDER with Z counted alone: selection leaves the shares of X and Y under their causes as they are."""
    shares = [one for one in CONFOUNDED if one["of"] in "XY"]
    for whole in (BY_CONFOUNDER, WITH_SHARES):
        params = {**whole, "sample": counted("SXYZ", CONFOUNDED, "Z", S="1"), "shares": shares}
        keys = BUNDLE.first(params)
        assert keys == BUNDLE.first(whole)
        assert all(BUNDLE.second(params, keys).values())


@pytest.mark.parametrize(
    ("arrows", "found"),
    [
        ("X>Y X>S", False),
        ("X>Y Y>S", True),
        # Bareinboim and Tian 2015: the treatment drives selection, and a confounder drives the treatment.
        ("Z>X Z>Y X>Y X>S", True),
        ("X>M M>Y M>S", True),
        ("Z>X X>Y Z>S", False),
    ],
)
def test_two_models_that_agree_on_the_selected(arrows: str, found: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    directed = [arrow.split(">") for arrow in arrows.split()]
    graph = Mixed({"nodes": sorted({name for edge in directed for name in edge}), "directed": directed})
    assert checks_selection_pair.differ(graph, "X", "Y", "S") == found
    # Two models that do not differ are no proof.
    monkeypatch.setattr(checks_selection_pair, "TILT", np.array([1.0, 1.0]))
    assert not checks_selection_pair.differ(graph, "X", "Y", "S")


def test_claims_of_independence_are_as_true_of_the_figures_as_of_the_graph() -> None:
    judged = {"true": 0, "false": 0}
    for item in items("selection", "analyst", 5, 40):
        params = item.params
        columns = params["sample"]["columns"]
        names = [*columns, *(one["of"] for one in params.get("shares", ()))]
        letters = dict(zip(names, "abcdefghijklmn", strict=False))
        shares = [
            {**one, "of": letters[one["of"]], "given": [letters[name] for name in one["given"]]}
            for one in params.get("shares", ())
        ]
        sample = dict(params["sample"]["rows"])
        weights = {
            state: weight * Fraction(sample[state[: len(columns)]])
            for state, weight in cells("".join(letters.values()), shares).items()
        }
        for claim in params["claims"]:
            if claim["kind"] != "independent":
                continue
            a, b = (names.index(claim[end]) for end in "ab")
            n = {
                (i, j): sum(weight for state, weight in weights.items() if (state[a], state[b]) == (i, j))
                for i, j in product("01", repeat=2)
            }
            apart = n["1", "1"] / (n["1", "0"] + n["1", "1"]) - n["0", "1"] / (n["0", "0"] + n["0", "1"])
            gold = next(part.gold for part in item.parts if part.id == claim["id"])
            assert apart == 0 if gold == "true" else abs(apart) >= Fraction(1, 100)
            judged[gold] += 1
    assert min(judged.values()) >= 5


@pytest.mark.parametrize(
    ("part", "value"),
    [
        ("RECOVERABLE", "yes"),
        ("NEEDED_EXTERNAL", []),
        ("NEEDED_EXTERNAL", ["IMPOSSIBLE"]),
        ("EFFECT", "0.3"),
        ("SAMPLE_CONTRAST", "0.35"),
    ],
)
def test_a_miskey_is_refused(part: str, value: Any) -> None:
    keys = {**BUNDLE.first(BY_CONFOUNDER), part: Key(value)}
    assert [one for one, right in BUNDLE.second(BY_CONFOUNDER, keys).items() if not right] == [part]


@pytest.mark.parametrize("variant", BUNDLE.variants)
@pytest.mark.parametrize("level", [1, 5, 10])
def test_the_exact_solver_needs_only_the_prompt(variant: str, level: int) -> None:
    made = items("selection", variant, level, 50)
    assert solved(made) == 1
    assert len({item.prompt for item in made}) == len(made)


def test_no_verdict_is_a_good_guess() -> None:
    made = [item for variant in BUNDLE.variants for item in items("selection", variant, 5, 100)]
    assert modal_share(made) <= 0.65
    assert solved(made, "naive") <= 0.3
    assert solved(made, "adjust_all") <= 0.3
