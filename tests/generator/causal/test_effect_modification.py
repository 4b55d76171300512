"""Effect modification: a published table, hand-made tables on either scale, and generated items in fractions."""

from fractions import Fraction
from typing import Any

import networkx as nx
import pytest
from benchpress.gate import Key
from benchpress.modules.causal.effect_modification import BUNDLE
from binary import cells, chance, entry, network
from solved import items, modal_share, solved


def problem(*tables: dict[str, Any], unmeasured: str = "") -> dict[str, Any]:
    roles = {"treatment": "T", "outcome": "Y", "covariate": "V"}
    return {**network(*tables), "roles": roles, "unmeasured": sorted(unmeasured)}


# Charig and others 1986 (BMJ 292), large or small against method; the notes on pitfalls give 0.0537 and 0.0480.
SIZE = Fraction(343, 700)
STONES = problem(
    entry("V", "", str(SIZE)),
    entry("T", "V", str(Fraction(87, 357)), str(Fraction(263, 343))),
    entry("Y", "TV", str(Fraction(234, 270)), str(Fraction(55, 80)), str(Fraction(81, 87)), str(Fraction(192, 263))),
)
# The effect is 0.2 for everybody; the risks differ: a ratio of 3 and one of 1.4.
ADDITIVE = problem(entry("V", "", "0.5"), entry("T", "V", "0.3", "0.6"), entry("Y", "TV", "0.1", "0.5", "0.3", "0.7"))
# The treatment doubles every risk: differences 0.1 and 0.4.
DOUBLING = problem(entry("V", "", "0.5"), entry("T", "V", "0.3", "0.6"), entry("Y", "TV", "0.1", "0.4", "0.2", "0.8"))
# M modifies, its effect V does so as a relative; D is affected by the treatment.
RELATIVE = problem(
    entry("M", "", "0.5"),
    entry("V", "M", "0.2", "0.8"),
    entry("A", "", "0.4"),
    entry("T", "AM", "0.2", "0.5", "0.4", "0.7"),
    entry("D", "T", "0.3", "0.6"),
    entry("Y", "MT", "0.2", "0.3", "0.2", "0.7"),
)


def test_the_published_effects() -> None:
    keys = BUNDLE.first(STONES)
    assert round(float(Fraction(keys["ATE"].gold)), 4) == 0.0537
    assert round(float(Fraction(keys["ATT"].gold)), 4) == 0.0480
    assert all(BUNDLE.second(STONES, keys).values())


@pytest.mark.parametrize(
    ("params", "average", "treated", "modifiers", "scale"),
    [
        (ADDITIVE, "0.2", "0.2", [], "ratio"),
        # Among the treated V is 1 in two cases of three.
        (DOUBLING, "0.25", "0.3", ["V"], "difference"),
        # Among the treated M is 1 with the odds 0.58 to 0.28.
        (RELATIVE, "0.3", str(Fraction("0.1") + Fraction("0.4") * Fraction(58, 86)), ["M", "V"], "both"),
    ],
)
def test_hand_made_tables(params: dict[str, Any], average: str, treated: str, modifiers: list[str], scale: str) -> None:
    keys = BUNDLE.first(params)
    assert (keys["ATE"].gold, Fraction(keys["ATT"].gold)) == (average, Fraction(treated))
    assert (keys["MODIFIERS"].gold, keys["SCALE_VERDICT"].gold) == (modifiers, scale)
    assert all(BUNDLE.second(params, keys).values())


@pytest.mark.parametrize(
    ("part", "value"),
    [("ATE", "0.3"), ("ATT", "0.25"), ("MODIFIERS", []), ("SCALE_VERDICT", "both")],
)
def test_a_miskey_is_refused(part: str, value: Any) -> None:
    keys = {**BUNDLE.first(DOUBLING), part: Key(value)}
    assert [one for one, right in BUNDLE.second(DOUBLING, keys).items() if not right] == [part]


@pytest.mark.parametrize(("variant", "level"), [("base", 2), ("trap", 5), ("numeric", 4)])
def test_keys_by_adding_cells_in_fractions(variant: str, level: int) -> None:
    """Given all that the treatment does not affect, the potential outcomes are the observed ones."""
    for item in items("effect_modification", variant, level, 2):
        params, gold = item.params, {part.id: part.gold for part in item.parts}
        t, y = params["roles"]["treatment"], params["roles"]["outcome"]
        graph = nx.DiGraph([tuple(edge) for edge in params["graph"]["directed"]])
        graph.add_nodes_from(params["graph"]["nodes"])
        before = sorted(set(graph) - {t} - nx.descendants(graph, t))
        weights: dict[tuple[int, ...], list[Fraction]] = {}
        for state, share in cells(params):
            entry_of = weights.setdefault(tuple(state[name] for name in before), [Fraction(0)] * 4)
            entry_of[2 * state[t] + state[y]] += share
        effect = {
            key: one[3] / (one[2] + one[3]) - one[1] / (one[0] + one[1]) for key, one in weights.items() if sum(one)
        }
        treated = {key: one[2] + one[3] for key, one in weights.items()}
        everybody = {key: sum(one) for key, one in weights.items()}

        def average(weight: dict[tuple[int, ...], Any], effect: Any = effect) -> Fraction:
            return sum((weight[key] * effect[key] for key in effect), Fraction(0)) / sum(weight.values())

        assert Fraction(gold["ATE"]) == average(everybody)
        assert Fraction(gold["ATT"]) == average(treated)
        modifiers = []
        for at, name in enumerate(before):
            parts = [{key: share * (key[at] == bit) for key, share in everybody.items()} for bit in (0, 1)]
            if average(parts[0]) != average(parts[1]) and name not in params["unmeasured"]:
                modifiers.append(name)
        assert gold["MODIFIERS"] == modifiers
        assert chance(params, {t: 1}) == sum(treated.values())


@pytest.mark.parametrize("variant", BUNDLE.variants)
@pytest.mark.parametrize("level", [1, 5, 10])
def test_the_exact_solver_needs_only_the_prompt(variant: str, level: int) -> None:
    made = items("effect_modification", variant, level, 50)
    assert solved(made) == 1
    assert len({item.prompt for item in made}) == len(made)


def test_no_verdict_is_a_good_guess() -> None:
    made = [item for variant in BUNDLE.variants for item in items("effect_modification", variant, 5, 40)]
    assert modal_share(made) <= 0.65
    assert solved(made, "naive") <= 0.1
