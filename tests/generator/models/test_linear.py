"""Exact linear models against matrix algebra in numpy, against simulation, and against each other's results."""

from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest
from benchpress.errors import UserError
from benchpress.graphs.dag import Graph
from benchpress.models.elimination import eliminate
from benchpress.models.linear import LinearModel
from benchpress.models.simulation import Simulation, simulate
from benchpress.streams import Stream, derive


def drawn(seed: int, nodes: int = 7) -> tuple[LinearModel, Stream]:
    draws = derive(b"tests", "linear", seed)
    names = [f"V{number}" for number in range(nodes)]
    order = draws.shuffled(names)
    pairs = list(combinations(order, 2))
    graph = Graph(
        tuple(names),
        tuple(pair for pair in pairs if draws.chance(45, 100)),
        tuple(pair for pair in pairs if draws.chance(15, 100)),
    )
    model = LinearModel.of(
        graph,
        {
            edge: Fraction(draws.choice((-1, 1)) * draws.between(2, 15), draws.choice((4, 10)))
            for edge in graph.directed
        },
        {node: Fraction(draws.between(16, 40), 4) for node in names},
        {pair: Fraction(draws.between(-5, 5), 10) for pair in graph.bidirected},
        {node: draws.between(-4, 4) for node in names},
    )
    return model, draws


def matrices(model: LinearModel) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """I - B, the noise covariance and the intercepts in floating point, built here from the definition."""
    index = model.graph.index
    arrows = np.eye(len(index))
    for (tail, head), value in model.coefficients.items():
        arrows[index[head], index[tail]] -= float(value)
    noise = np.diag([float(model.variances[node]) for node in index])
    for (a, b), value in model.error_covariances.items():
        noise[index[a], index[b]] = noise[index[b], index[a]] = float(value)
    return arrows, noise, np.array([float(model.intercepts.get(node, 0)) for node in index])


def simulated(model: LinearModel, seed: int, **options: object) -> Simulation:
    return simulate(
        model.graph.nodes,
        model.coefficients,
        model.variances,
        model.error_covariances,
        seed,
        intercepts=model.intercepts,
        **options,  # type: ignore[arg-type]
    )


@pytest.mark.parametrize("seed", range(25))
def test_covariances_effects_and_regressions_are_those_of_matrix_algebra(seed: int) -> None:
    model, draws = drawn(seed)
    arrows, noise, shifts = matrices(model)
    inverse = np.linalg.inv(arrows)
    covariance = inverse @ noise @ inverse.T
    assert np.allclose(np.array(model.covariance_matrix(), dtype=float), covariance)
    names = model.graph.nodes
    index = model.graph.index
    means = inverse @ shifts
    assert np.allclose([float(model.mean(node)) for node in names], means)
    x, y, *rest = draws.shuffled(names)
    assert float(model.total_effect(x, y)) == pytest.approx(inverse[index[y], index[x]])
    on = [x, *rest[: draws.below(4)]]
    places = [index[name] for name in on]
    weights = np.linalg.solve(covariance[np.ix_(places, places)], covariance[places, index[y]])
    assert [float(model.regression(y, on)[name]) for name in on] == pytest.approx(weights.tolist())
    given = on[1:]
    inner = [index[name] for name in given]
    outer = [index[x], index[y]]
    schur = covariance[np.ix_(outer, outer)]
    if inner:
        cross = covariance[np.ix_(inner, outer)]
        schur = schur - cross.T @ np.linalg.solve(covariance[np.ix_(inner, inner)], cross)
    assert float(model.partial_covariance(x, y, given)) == pytest.approx(schur[0, 1])
    assert float(model.partial_covariance(x, x, given)) == pytest.approx(schur[0, 0])
    correlation = schur[0, 1] ** 2 / schur[0, 0] / schur[1, 1]
    assert float(model.squared_partial_correlation(x, y, given)) == pytest.approx(correlation)


@pytest.mark.parametrize("seed", range(25))
def test_conditional_and_counterfactual_means_are_those_of_the_joint_normal(seed: int) -> None:
    model, draws = drawn(seed)
    arrows, noise, shifts = matrices(model)
    index = model.graph.index
    inverse = np.linalg.inv(arrows)
    covariance, means = inverse @ noise @ inverse.T, inverse @ shifts
    x, y, *rest = draws.shuffled(model.graph.nodes)
    evidence = {name: Fraction(draws.between(-9, 9), 2) for name in (x, *rest[: draws.between(1, 4)])}
    seen = [index[name] for name in evidence]
    gap = np.array([float(value) for value in evidence.values()]) - means[seen]
    weights = np.linalg.solve(covariance[np.ix_(seen, seen)], gap)
    assert float(model.conditional_mean(y, evidence)) == pytest.approx(
        means[index[y]] + covariance[index[y], seen] @ weights
    )
    # The twin network: the factual and the counterfactual variables share their noises.
    cut = arrows.copy()
    cut[index[x]] = 0
    cut[index[x], index[x]] = 1
    spread = np.linalg.inv(cut)
    fixed, kept = shifts.copy(), np.eye(len(index))
    fixed[index[x]] = 3
    kept[index[x], index[x]] = 0
    cross = spread @ kept @ noise @ inverse.T
    twin = (spread @ fixed)[index[y]] + cross[index[y], seen] @ weights
    assert float(model.counterfactual(y, {x: Fraction(3)}, evidence)) == pytest.approx(twin)


@pytest.mark.parametrize("seed", range(10))
def test_a_fully_observed_unit_has_its_own_noises_back(seed: int) -> None:
    model, draws = drawn(seed)
    noise = {node: Fraction(draws.between(-20, 20), 3) for node in model.graph.nodes}
    unit = model.predict(noise)
    assert model.abduct(unit) == noise
    x, y = draws.sample(model.graph.nodes, 2)
    assert model.counterfactual(y, {x: Fraction(7)}, unit) == model.predict(noise, {x: Fraction(7)})[y]
    moved = model.counterfactual(y, {x: unit[x] + 1}, unit) - unit[y]
    assert moved == model.total_effect(x, y)


@pytest.mark.parametrize("seed", range(10))
def test_an_intervention_is_a_model_of_its_own(seed: int) -> None:
    model, draws = drawn(seed)
    x, z, y = draws.sample(model.graph.nodes, 3)
    changed = model.intervene({x: Fraction(5), z: Fraction(-1)})
    assert changed.mean(y) == model.mean(y, {x: Fraction(5), z: Fraction(-1)})
    assert changed.covariance(x, x) == 0
    by_step = model.mean(y, {x: Fraction(6), z: Fraction(-1)}) - changed.mean(y)
    assert by_step == model.total_effect(x, y, held=[z])


@pytest.mark.parametrize("seed", range(15))
def test_a_simulation_stays_within_its_own_errors_of_the_exact_model(seed: int) -> None:
    model, draws = drawn(seed, 9)
    sample = simulated(model, seed)
    trial_of, y, *rest = draws.shuffled(model.graph.nodes)
    given = rest[:3]
    estimate, error = sample.coefficient(y, trial_of, given)
    assert abs(estimate - model.coefficient(y, trial_of, given)) < 6 * error
    assert sample.regression(y, [trial_of, *given])[trial_of] == pytest.approx(estimate)
    trial = simulated(model, seed, randomised=[trial_of])
    estimate, error = trial.coefficient(y, trial_of)
    assert abs(estimate - model.total_effect(trial_of, y)) < 6 * error
    spread = float(model.covariance(y, y)) ** 0.5
    assert abs(sample.mean[sample.nodes.index(y)] - float(model.mean(y))) < 6 * spread / 1000


def test_independence_scores_are_standard_normal_where_independence_holds() -> None:
    graph = Graph.of("A->B B->C")
    model = LinearModel.of(graph, {("A", "B"): 1, ("B", "C"): -2})
    scores = np.array([simulated(model, seed).independence_score("A", "C", ["B"]) for seed in range(2000)])
    # 2,000 draws: mean within 5 / sqrt(2000), variance within 5 sqrt(2 / 2000), no draw beyond 5.
    assert abs(scores.mean()) < 0.12
    assert abs(scores.var() - 1) < 0.16
    assert abs(scores).max() < 5
    assert abs(simulated(model, 1).independence_score("A", "C")) > 100


def test_the_sampled_covariance_has_the_spread_of_real_samples() -> None:
    # Against 2,000 samples of 50 rows drawn the long way: same mean and variance of a sample covariance.
    graph = Graph.of("A->B", "A<->B")
    model = LinearModel.of(graph, {("A", "B"): Fraction(1, 2)}, {"A": 1, "B": 2}, {("A", "B"): Fraction(1, 2)})
    fast = np.array([simulated(model, seed, size=50).covariance[0, 1] for seed in range(2000)])
    generator = np.random.default_rng(1)
    noise = generator.multivariate_normal([0, 0], [[1, 0.5], [0.5, 2]], (2000, 50))
    a = noise[:, :, 0]
    b = noise[:, :, 1] + a / 2
    slow = ((a - a.mean(1, keepdims=True)) * (b - b.mean(1, keepdims=True))).sum(1) / 49
    assert fast.mean() == pytest.approx(slow.mean(), abs=0.03)
    assert fast.var() == pytest.approx(slow.var(), rel=0.15)


def test_two_stage_least_squares_finds_the_effect_that_regression_misses() -> None:
    graph = Graph.of("Z->X X->Y W->Z W->Y", "X<->Y")
    coefficients = {("Z", "X"): 2, ("X", "Y"): 3, ("W", "Z"): 1, ("W", "Y"): 1}
    model = LinearModel.of(graph, coefficients, None, {("X", "Y"): Fraction(1, 2)})
    assert model.instrument_ratio("Y", "X", "Z", ["W"]) == 3
    assert model.instrument_ratio("Y", "X", "Z") != 3
    estimate, error = simulated(model, 4).two_stage_least_squares("Y", "X", "Z", ["W"])
    assert abs(estimate - 3) < 6 * error
    assert error < 0.01


def test_the_same_seed_gives_the_same_numbers_and_another_seed_others() -> None:
    model, _ = drawn(1)
    assert np.array_equal(simulated(model, 5).covariance, simulated(model, 5).covariance)
    assert not np.array_equal(simulated(model, 5).covariance, simulated(model, 6).covariance)


def test_elimination_is_exact_on_numbers_that_floats_cannot_hold() -> None:
    matrix = [[10**20 + 1, 10**20], [10**20, 10**20 - 1]]
    rest, determinant = eliminate(matrix, 1)
    assert determinant == 10**20 + 1
    assert rest == [[(10**20 + 1) * (10**20 - 1) - 10**40]]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"coefficients": {}}, "one coefficient for every directed edge"),
        ({"variances": {"A": 1}}, "one noise variance for every node"),
        ({"variances": {"A": 1, "B": -1}}, "negative"),
        ({"error_covariances": {}}, "one noise covariance for every bidirected edge"),
        ({"error_covariances": {("A", "B"): 2}}, "too large"),
        ({"variances": {"A": 0, "B": 1}}, "too large"),
        ({"intercepts": {"C": 1}}, "intercept"),
    ],
)
def test_an_impossible_model_is_refused(change: dict[str, object], message: str) -> None:
    graph = Graph.of("A->B", "A<->B")
    given = {
        "coefficients": {("A", "B"): 1},
        "variances": {"A": 1, "B": 1},
        "error_covariances": {("B", "A"): Fraction(1, 2)},
        **change,
    }
    with pytest.raises(UserError, match=message):
        LinearModel.of(graph, **given)  # type: ignore[arg-type]


def test_wrong_questions_are_refused() -> None:
    model = LinearModel.of(Graph.of("A->B B->C D->C"), {("A", "B"): 1, ("B", "C"): 1, ("D", "C"): 1})
    with pytest.raises(UserError, match="unknown variable 'Q'"):
        model.covariance("A", "Q")
    with pytest.raises(UserError, match="must not be among"):
        model.partial_covariance("A", "B", ["A"])
    with pytest.raises(UserError, match="no partial covariance"):
        model.instrument_ratio("C", "A", "D")
    with pytest.raises(UserError, match="linear combination"):
        model.intervene({"A": Fraction(1)}).coefficient("C", "A", ["B"])
