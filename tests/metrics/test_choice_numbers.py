"""Worked numbers of the choice track: debiasing, votes, skew and sensitivity, each computed outside this code."""

import random
import statistics
from typing import Any

import pytest
from benchpress.errors import UserError
from benchpress_evaluator.methods.debias import (
    cyclic_average,
    debias,
    global_prior,
    highest,
    lead,
    normalised,
    pride_distributions,
    question_prior,
    softmax,
)
from benchpress_evaluator.methods.ties import tie_break
from benchpress_evaluator.stats.choice_table import choice_table
from benchpress_evaluator.stats.comparison import mcnemar_exact
from benchpress_evaluator.stats.intervals import clopper_pearson
from benchpress_evaluator.stats.order_bias import Bias, measure_bias
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy import array

Q0 = [[0.50, 0.30, 0.15, 0.05], [0.40, 0.30, 0.20, 0.10], [0.55, 0.15, 0.20, 0.10], [0.45, 0.20, 0.25, 0.10]]
Q1 = [[0.30, 0.40, 0.20, 0.10], [0.60, 0.20, 0.10, 0.10], [0.35, 0.25, 0.30, 0.10], [0.40, 0.30, 0.10, 0.20]]
Q2 = [[0.70, 0.15, 0.10, 0.05], [0.50, 0.20, 0.10, 0.20], [0.40, 0.20, 0.30, 0.10], [0.30, 0.40, 0.20, 0.10]]
Q3 = [[0.40, 0.20, 0.15, 0.25], [0.45, 0.20, 0.25, 0.10], [0.40, 0.35, 0.15, 0.10], [0.60, 0.15, 0.15, 0.10]]
GOLD = "CBAD"


def close(values: Any) -> Any:
    return pytest.approx(values, rel=1e-6)


def rows(gold: str, parsed: str, picks: list[list[int | None]] | None = None) -> list[dict[str, Any]]:
    """One row a question; `-` is no answer."""
    return [
        {
            "id": f"q{number}",
            "gold": key,
            "parsed": None if letter == "-" else letter,
            "n_options": 4,
            "picks": picks[number] if picks else None,
        }
        for number, (key, letter) in enumerate(zip(gold, parsed, strict=True))
    ]


def bias(gold: str, parsed: str, picks: list[list[int | None]] | None = None) -> Bias:
    return measure_bias(choice_table(rows(gold, parsed, picks)), seed=42, resamples=500)


def biased(prior: list[float], content: list[float]) -> list[list[float]]:
    """Rotations of a model whose probability is prior of the label x content of the option printed there."""
    n = len(prior)
    return [normalised([prior[j] * content[(j + k) % n] for j in range(n)]) for k in range(n)]


# T1


def test_a_prior_that_multiplies_the_content_is_recovered_exactly() -> None:
    prior, content = [0.4, 0.3, 0.2, 0.1], [0.1, 0.6, 0.2, 0.1]
    found = biased(prior, content)
    assert found == [
        pytest.approx([0.1481481, 0.6666667, 0.1481481, 0.0370370], abs=1e-7),
        pytest.approx([0.7272727, 0.1818182, 0.0606061, 0.0303030], abs=1e-7),
        pytest.approx([0.4210526, 0.1578947, 0.1052632, 0.3157895], abs=1e-7),
        pytest.approx([0.1904762, 0.1428571, 0.5714286, 0.0952381], abs=1e-7),
    ]
    assert question_prior(found) == pytest.approx(prior, rel=1e-12)
    assert debias(found[0], prior) == pytest.approx(content, rel=1e-12)
    assert cyclic_average(found) == close([0.1066429, 0.5702894, 0.2115643, 0.1115035])


@st.composite
def prior_and_content(draw: Any) -> tuple[list[float], list[float]]:
    n = draw(st.integers(2, 26))
    weights = st.lists(st.floats(1e-6, 1.0), min_size=n, max_size=n)
    return normalised(draw(weights)), normalised(draw(weights))


@given(prior_and_content())
@settings(max_examples=200)
def test_recovery_holds_for_every_prior_and_number_of_options(case: tuple[list[float], list[float]]) -> None:
    prior, content = case
    found = biased(prior, content)
    assert question_prior(found) == pytest.approx(prior, rel=1e-9)
    assert debias(found[0], prior) == pytest.approx(content, rel=1e-9)


# T2


def test_one_question_on_which_every_method_differs() -> None:
    mean, prior = cyclic_average(Q0), question_prior(Q0)
    assert mean == close([0.25, 0.2625, 0.275, 0.2125])
    assert prior == close([0.4810534134, 0.2324785788, 0.2007080612, 0.0857599466])
    own = debias(Q0[0], prior or [])
    assert own == close([0.2839693, 0.3525600, 0.2041837, 0.1592870])
    assert (highest(Q0[0]), highest(mean or []), highest(own)) == ([0], [2], [1])
    assert bias("A", "A", [[0, 1, 2, 3]]).flip_rate.value == 1


# T3


def test_the_global_prior_is_the_arithmetic_mean_of_priors() -> None:
    priors = [question_prior(Q0) or [], question_prior(Q1) or []]
    assert priors[1] == close([0.4184409529, 0.2922953186, 0.1643697368, 0.1248939917])
    prior = global_prior(priors)
    assert prior == close([0.4497471832, 0.2623869487, 0.1825388990, 0.1053269691])
    found = debias([0.45, 0.35, 0.12, 0.08], prior)
    assert found == close([0.2667167, 0.3555757, 0.1752395, 0.2024681])
    assert highest(found) == [1]
    seen = softmax([-0.9, -1.1, -2.2, -2.6])
    assert seen == close([0.4397642, 0.3600484, 0.1198497, 0.0803377])
    assert debias(seen, prior) == close([0.2594108, 0.3640452, 0.1741880, 0.2023561])


# T4


def test_a_failed_rotation_is_left_out_and_not_imputed() -> None:
    assert question_prior([*Q0[:3], None]) == close([0.4897528, 0.2433832, 0.1857362, 0.0811277])
    # Rotation 3 prints canonical option 0 at place 1: without it the mean of option 0 is that of three rotations.
    assert cyclic_average([*Q0[:3], None]) == close(
        normalised([(0.50 + 0.10 + 0.20) / 3, (0.30 + 0.40 + 0.10) / 3, (0.15 + 0.30 + 0.55) / 3, 0.40 / 3])
    )
    assert question_prior([None] * 4) is None
    assert cyclic_average([None] * 4) is None


# T5


def test_three_options() -> None:
    found = [[0.6, 0.3, 0.1], [0.5, 0.2, 0.3], [0.7, 0.2, 0.1]]
    prior = question_prior(found) or []
    assert cyclic_average(found) == close([0.3666667, 0.30, 0.3333333])
    assert prior == close([0.6143208, 0.2366188, 0.1490605])
    assert debias(found[0], prior) == close([0.3350079, 0.4348816, 0.2301105])


# T6


@pytest.mark.parametrize(
    ("calibrated", "letters", "accuracy", "rstd"),
    [({0, 1}, "CBAD", 1.0, 0.0), ({2, 3}, "BBAD", 0.75, 43.3012702)],
)
def test_pride_as_published_counts_its_calibration_questions_by_the_cyclic_average(
    calibrated: set[int], letters: str, accuracy: float, rstd: float
) -> None:
    found = pride_distributions([Q0, Q1, Q2, Q3], calibrated)
    answers = "".join("ABCD"[highest(one or [])[0]] for one in found)
    assert answers == letters
    figures = bias(GOLD, answers)
    assert figures.accuracy.value == accuracy
    assert figures.recall_rstd.value == pytest.approx(rstd, abs=1e-7)


def test_default_and_cyclic_beside_it() -> None:
    default = "".join("ABCD"[highest(one[0])[0]] for one in (Q0, Q1, Q2, Q3))
    cyclic = "".join("ABCD"[highest(cyclic_average(one) or [])[0]] for one in (Q0, Q1, Q2, Q3))
    assert (default, cyclic) == ("ABAA", "CBAD")
    figures = bias(GOLD, default)
    assert (figures.accuracy.value, figures.recall_rstd.value) == (0.5, 50.0)
    figures = bias(GOLD, cyclic)
    assert (figures.accuracy.value, figures.recall_rstd.value) == (1.0, 0.0)


# T7


@pytest.mark.parametrize(
    ("right", "n", "low", "high"),
    [
        (0, 10, 0, 0.3084971),
        (3, 10, 0.0667395, 0.6524529),
        (5, 10, 0.1870860, 0.8129140),
        (10, 10, 0.6915029, 1),
        (2, 5, 0.0527450, 0.8533672),
        (2, 4, 0.0675860, 0.9324140),
        (700, 1000, 0.6705383, 0.7282789),
    ],
)
def test_exact_intervals_of_shares(right: int, n: int, low: float, high: float) -> None:
    assert clopper_pearson(right, n) == pytest.approx((low, high), abs=5e-8)
    figures = bias("A" * n, "A" * right + "B" * (n - right))
    assert (figures.accuracy.low, figures.accuracy.high) == pytest.approx((low, high), abs=5e-8)


# T8


def test_accuracy_skew_and_spread_of_recall() -> None:
    found = bias("AABBCCDD", "AAABCA-D")
    assert (found.right, found.wrong, found.abstained, found.n) == (5, 2, 1, 8)
    assert found.accuracy.value == 0.625
    assert found.accuracy_conditional.value == close(0.7142857)
    assert found.mad.value == close(14.2857143)
    assert found.recalls == (100, 50, 50, 100)
    assert found.recall_rstd.value == 25.0


def test_skew_is_over_the_declared_labels_whether_or_not_they_occur() -> None:
    # Of five declared labels E is neither keyed nor answered: the deviations are 25, 25, 0, 0 and 0 points.
    table = choice_table(rows("ABCD", "AACD"), labels=5)
    assert measure_bias(table, resamples=200).mad.value == pytest.approx(10.0)
    four = measure_bias(choice_table(rows("ABCD", "AACD")), resamples=200)
    assert four.mad.value == pytest.approx(12.5)


def test_nothing_answered_is_unknown_and_not_zero() -> None:
    found = bias("AB", "--")
    assert found.accuracy.value == 0
    for figure in (found.accuracy_conditional, found.mad, found.recall_rstd, found.order_rstd, found.flip_rate):
        assert (figure.value, figure.low, figure.high, figure.n) == (None, None, None, 0)


# T9

ALWAYS_A: list[int | None] = [0, 1, 2, 3]
ALWAYS_B: list[int | None] = [1, 1, 1, 1]


@pytest.mark.parametrize(
    ("gold", "picks", "places", "rstd", "flip"),
    [
        ("B", [ALWAYS_A], (1, 0, 0, 0), 0.4330127, 1),
        ("B", [ALWAYS_B], (1, 1, 1, 1), 0, 0),
        ("C", [ALWAYS_B], (0, 0, 0, 0), 0, 0),
        ("BB", [ALWAYS_A, ALWAYS_B], (1, 0.5, 0.5, 0.5), 0.2165064, 0.5),
        ("B", [[1, 1, 1, None]], (1, 1, None, 1), 0, 0),
    ],
)
def test_sensitivity_to_the_order_of_options(
    gold: str, picks: list[list[int | None]], places: tuple[float | None, ...], rstd: float, flip: float
) -> None:
    found = bias(gold, gold, picks)
    assert found.place_recalls == places
    assert found.order_rstd.value == pytest.approx(rstd, abs=5e-8)
    assert found.flip_rate.value == flip


def test_picks_are_source_indexes_and_the_key_is_a_place() -> None:
    # Printed order of the source indexes is 7, 3, 5: the key at place 1 is source index 3, picked under each rotation.
    row = {"id": "q", "gold": "B", "parsed": "B", "source_indexes": [7, 3, 5], "picks": [3, 3, 3]}
    assert measure_bias(choice_table([row]), resamples=100).place_recalls == (1, 1, 1)


def test_a_question_that_occurs_twice_is_refused() -> None:
    with pytest.raises(UserError, match="q0 occurs twice"):
        choice_table([*rows("A", "A"), *rows("B", "B")])


def plainly(held: list[dict[str, Any]], labels: str) -> tuple[float, float, float, float]:
    """MAD, spread of recalls, spread over places and flip rate, straight from their definitions."""
    read = [row for row in held if row["parsed"] is not None]
    deviations = []
    for label in labels:
        answered = sum(row["parsed"] == label for row in read)
        keyed = sum(row["gold"] == label for row in read)
        deviations.append(abs(answered - keyed) / len(read) * 100)
    recalls = []
    for label in labels:
        with_key = [row for row in read if row["gold"] == label]
        if with_key:
            recalls.append(100 * sum(row["parsed"] == label for row in with_key) / len(with_key))
    places: dict[int, list[bool]] = {}
    flips = []
    for row in held:
        gold, n = labels.index(row["gold"]), row["n_options"]
        for k, pick in enumerate(row["picks"]):
            if pick is not None:
                (printed,) = (place for place in range(n) if (place + k) % n == gold)
                places.setdefault(printed, []).append(pick == gold)
        seen = [pick for pick in row["picks"] if pick is not None]
        if len(seen) > 1:
            flips.append(len(set(seen)) > 1)
    order = [sum(right) / len(right) for right in places.values()]
    return statistics.mean(deviations), statistics.pstdev(recalls), statistics.pstdev(order), statistics.mean(flips)


def drawn_rows(seed: int, count: int) -> list[dict[str, Any]]:
    """Questions with two to seven options, some unread, some rotations lost."""
    draw = random.Random(seed)
    made = []
    for number in range(count):
        n = draw.randint(2, 7)
        made.append(
            {
                "id": f"q{number:03d}",
                "gold": "ABCDEFG"[draw.randrange(n)],
                "parsed": None if draw.random() < 0.1 else "ABCDEFG"[min(draw.randrange(n), draw.randrange(n))],
                "n_options": n,
                "picks": [None if draw.random() < 0.1 else draw.randrange(n) for _ in range(n)],
            }
        )
    return made


@pytest.mark.parametrize("seed", range(5))
def test_figures_follow_their_definitions_on_questions_of_every_size(seed: int) -> None:
    held = drawn_rows(seed, 60)
    found = measure_bias(choice_table(held, labels=7), resamples=100)
    figures = (found.mad, found.recall_rstd, found.order_rstd, found.flip_rate)
    assert [figure.value for figure in figures] == pytest.approx(plainly(held, "ABCDEFG"))


def test_bootstrapped_intervals_are_those_of_another_bootstrap() -> None:
    held = drawn_rows(9, 80)
    found = measure_bias(choice_table(held, labels=7), seed=1, resamples=4000)
    draw = random.Random(2)
    drawn = [plainly(draw.choices(held, k=len(held)), "ABCDEFG")[:3] for _ in range(2000)]
    for place, figure in enumerate((found.mad, found.recall_rstd, found.order_rstd)):
        values = sorted(one[place] for one in drawn)
        # Quantiles of 2,000 draws: within a tenth of the whole range.
        slack = (values[-1] - values[0]) / 10
        assert (figure.low, figure.high) == pytest.approx((values[50], values[1949]), abs=slack)
    assert found.mad_sd == pytest.approx(statistics.pstdev(one[0] for one in drawn), rel=0.1)


# T10


def test_exact_mcnemar() -> None:
    found = mcnemar_exact(array([1, 8, 15, 0, 0]), array([1, 2, 5, 6, 0]))
    assert found == pytest.approx([1.0, 0.109375, 0.0413895, 0.03125, 1.0], abs=5e-8)


# T11


def test_ties_fall_by_content_and_follow_the_published_protocol() -> None:
    assert tie_break(42, "mmlu", "q1", "cyclic_permutation", {0, 2}) == 2
    assert tie_break(42, "mmlu", "q2", "cyclic_permutation", {2, 0}) == 2
    assert tie_break(43, "mmlu", "q1", "cyclic_permutation", [2, 0]) == 2


def test_ties_favour_no_option() -> None:
    counts = [0, 0, 0]
    for number in range(3000):
        counts[[1, 4, 6].index(tie_break(42, "b", f"q{number}", "m", [6, 1, 4]))] += 1
    # Six standard deviations of a third of 3,000.
    assert all(abs(count - 1000) < 6 * (3000 * 2 / 9) ** 0.5 for count in counts)


def test_equal_up_to_rounding_is_a_tie() -> None:
    seen = softmax([-0.1, -1.5, -2.0, -2.5])
    flat = debias(seen, seen)
    assert highest(flat) == [0, 1, 2, 3]
    assert lead([0.5, 0.2, 0.3]) == pytest.approx(0.2)
