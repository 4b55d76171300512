"""The choice track's tables over whole result frames: pairs on common questions, gates, and the published page."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from benchpress.publication import OrderBias
from benchpress_evaluator.publishing.describe import Release
from benchpress_evaluator.publishing.export import export
from benchpress_evaluator.publishing.leaderboard import board
from benchpress_evaluator.publishing.order_bias import order_bias_page
from benchpress_evaluator.records import ScoredItem
from benchpress_evaluator.stats import METRICS
from benchpress_evaluator.stats.choice_table import Cell, choice_tables
from benchpress_evaluator.stats.matrix import Condition
from benchpress_evaluator.stats.metric import Settings
from results_by_hand import answer, results

QUICK = Settings(resamples=300)
OPEN = Release("v1", "choice", "Choice", "demo", "2026-02-01", sealed=False)
SEALED = Release("v1", "choice", "Choice", "current", "2026-02-01", sealed=True)


def condition(
    gold: str,
    given: str,
    *,
    entrant: str = "alpha",
    method: str = "direct",
    bundle: str = "colours",
    picks: Sequence[Sequence[int | None]] | None = None,
    run: int = 1,
) -> list[ScoredItem]:
    """One answer a question: a letter, `-` for none, `g` for gated, `p` for pending."""
    rows = []
    for number, (key, letter) in enumerate(zip(gold, given, strict=True)):
        more: dict[str, Any] = {}
        if picks is not None:
            more["extra"] = {"picks": list(picks[number]), "source_indexes": [0, 1, 2, 3], "rotations": 4}
        status = {"-": "invalid_answer", "g": "gated", "p": "pending"}.get(letter, "ok")
        rows.append(
            answer(
                entrant,
                f"choice-{bundle}-{number:03d}",
                [letter == key],
                status=status,
                run=run,
                bundle=bundle,
                method=method,
                given=[None if letter == "-" else letter],
                key=key,
                part_type="choice",
                **more,
            )
        )
    return rows


def table(name: str, frame: pd.DataFrame, settings: Settings = QUICK) -> list[dict[str, Any]]:
    return METRICS.get(name)(frame, settings).frame.to_dict("records")


def test_right_wrong_and_abstained_are_apart() -> None:
    (row,) = table("choice_accuracy", results(condition("AABBCCDD", "AAABCA-D")))
    assert [row[name] for name in ("n", "right", "wrong", "abstained")] == [8, 5, 2, 1]
    assert row["accuracy"] == 5 / 8
    assert row["accuracy_conditional"] == 5 / 7


def test_pending_and_gated_questions_are_in_no_figure() -> None:
    (row,) = table("choice_accuracy", results(condition("AAAA", "AgpB")))
    assert (row["n"], row["right"]) == (2, 1)


def test_the_label_set_is_that_of_the_benchmark_for_every_condition() -> None:
    narrow, wide = condition("ABAB", "ABAB"), condition("ABAB", "ABAD", entrant="beta")
    found = choice_tables(results([*narrow, *wide]), QUICK)
    assert {one.labels for one in found.values()} == {4}
    declared = Settings(resamples=300, options={row.item_id: 6 for row in narrow})
    assert {one.labels for one in choice_tables(results(narrow), declared).values()} == {6}


def test_a_method_without_rotations_has_no_sensitivity() -> None:
    turned = condition("BB", "AB", method="cyclic_permutation", picks=[[0, 1, 2, 3], [1, 1, 1, 1]])
    rows = table("order_sensitivity", results([*condition("BB", "AB"), *turned]))
    by_method = {row["method"]: row for row in rows}
    assert by_method["cyclic_permutation"]["order_rstd"] == pytest.approx(0.2165064, abs=5e-8)
    assert by_method["cyclic_permutation"]["flip_rate"] == 0.5
    assert by_method["direct"]["order_rstd"] is None or pd.isna(by_method["direct"]["order_rstd"])


def test_pairs_are_on_the_questions_that_both_were_scored_on() -> None:
    #                gold   ABCDABCDAB
    one = condition("ABCDABCDAB", "ABCDABCDAB", method="direct")
    other = condition("ABCDABCDAB", "BACDggggAC", method="pride")
    (row,) = table("choice_pairs", results([*one, *other]))
    assert (row["a_method"], row["b_method"], row["n"]) == ("direct", "pride", 6)
    assert (row["accuracy_a"], row["accuracy_b"]) == (1.0, 0.5)
    assert row["difference"] == 0.5
    assert (row["only_a"], row["only_b"]) == (3, 0)
    # Exact: twice the chance of none out of three.
    assert row["p_mcnemar"] == pytest.approx(0.25)
    assert row["agreement"] == 0.5


def test_agreement_is_about_picks_and_counts_only_questions_both_read() -> None:
    rows = [*condition("AAAA", "BC-D"), *condition("AAAA", "BD-D", entrant="beta")]
    (row,) = table("choice_pairs", results(rows))
    assert (row["both_read"], row["agreement"]) == (3, pytest.approx(2 / 3))


def test_pairs_share_the_model_or_the_method_and_holm_is_over_them() -> None:
    gold = "ABCDABCDABCDABCDABCD"
    rows = [
        *condition(gold, gold, entrant="alpha", method="direct"),
        *condition(gold, "B" * 20, entrant="alpha", method="two_stage"),
        *condition(gold, gold[::-1], entrant="beta", method="direct"),
        *condition(gold, gold, entrant="beta", method="two_stage"),
    ]
    found = table("choice_pairs", results(rows))
    assert len(found) == 4
    assert all(row["a"] == row["b"] or row["a_method"] == row["b_method"] for row in found)
    least = min(found, key=lambda row: row["p_mcnemar"])
    assert least["p_holm"] == pytest.approx(min(1, 4 * least["p_mcnemar"]))


def test_the_run_that_counts_is_the_first_unless_said_otherwise() -> None:
    frame = results([*condition("AB", "AB", run=1), *condition("AB", "BA", run=2)])
    cell = Cell("colours", Condition("alpha", "direct"))
    assert choice_tables(frame, QUICK)[cell].right.all()
    assert not choice_tables(frame, Settings(runs="latest"))[cell].right.any()


def test_agreement_of_repeated_runs_is_about_picks() -> None:
    rows = [
        *condition("AAAAA", "ABCD-", run=1),
        *condition("AAAAA", "ABCAA", run=2),
        *condition("AAAAA", "ABDDA", run=3),
        *condition("AAAAA", "AAAAA", entrant="beta"),
    ]
    (row,) = table("run_agreement", results(rows))
    assert (row["entrant"], row["runs"], row["n"]) == ("alpha", 3, 4)
    # Of four questions that all three read, pairs of runs agree on 3, 3 and 2; all three on the first two.
    assert row["agreement"] == pytest.approx((3 + 3 + 2) / 3 / 4)
    assert (row["unanimous"], row["unanimous_low"]) == (0.5, pytest.approx(0.0675860, abs=5e-8))


def test_results_without_multiple_choice_give_empty_tables() -> None:
    frame = results([answer("alpha", "i", True)])
    for name in (
        "choice_accuracy",
        "mad",
        "recall_rstd",
        "order_sensitivity",
        "order_bias",
        "choice_pairs",
        "run_agreement",
    ):
        assert table(name, frame) == []
    assert order_bias_page(board(frame, OPEN, {}, QUICK)) is None


def test_the_published_page_has_every_figure_with_its_interval(tmp_path: Path) -> None:
    gold = "ABCD" * 10
    turned = condition(gold, gold, method="cyclic_permutation", picks=[[0, 1, 2, 3]] * 40)
    frame = results([*condition(gold, "A" * 38 + "-g"), *turned])
    files = export(frame, OPEN, {}, None, None, tmp_path, settings=QUICK)
    path = tmp_path / "v1" / "order_bias.json"
    assert path in files
    page = OrderBias.model_validate_json(path.read_bytes())
    rotated, direct = page.rows
    assert (direct.n, direct.right, direct.wrong, direct.abstained, direct.gated) == (39, 10, 28, 1, 1)
    assert direct.accuracy.method == "Clopper-Pearson"
    assert (direct.flip_rate, direct.order_rstd) == (None, None)
    assert direct.slug == "alpha"
    assert rotated.slug == "alpha--cyclic_permutation"
    assert (rotated.flip_rate, rotated.flip_rate_high) == (1.0, 1.0)
    for name in ("mad", "recall_rstd", "order_rstd", "flip_rate"):
        low, value, high = (getattr(rotated, f"{name}{end}") for end in ("_low", "", "_high"))
        assert low <= value <= high


def test_a_sealed_version_publishes_no_figure_of_a_few_questions() -> None:
    assert order_bias_page(board(results(condition("ABCD" * 4, "ABCD" * 4)), SEALED, {}, QUICK)) is None
    many = condition("ABCD" * 10, "ABCD" * 9 + "---D", bundle="many")
    page = order_bias_page(board(results(many), SEALED, {}, QUICK))
    assert page is not None
    (row,) = page.rows
    assert row.benchmark == "many"
    # Which three were not answered is a result: what rests on the other 37 stays, and so does their number.
    assert (row.mad, row.recall_rstd, row.accuracy_conditional, row.abstained) == (None, None, None, None)
    assert row.accuracy.value == pytest.approx(37 / 40)
