"""The replay page: the track's own report over every setting, with what too few items would tell left out."""

from benchpress_evaluator.publishing.describe import Release
from benchpress_evaluator.publishing.leaderboard import board
from benchpress_evaluator.publishing.pages import pages
from benchpress_evaluator.stats.metric import Settings
from results_by_hand import answer, results

QUICK = Settings(resamples=200)


def submission(entrant: str, number: int, bundle: str, variant: str = "original", **metrics: float | None):
    legal = bool(metrics.get("legal"))
    return answer(
        entrant, f"{bundle}-{variant}-{number:012x}", bool(metrics.get("heldout_exact")), bundle=bundle,
        variant=variant, metrics=metrics, status="ok" if legal else "invalid_answer",
    )  # fmt: skip


def pool(entrant: str, bundle: str, fitting: int, exact: int, total: int = 24, variant: str = "original"):
    """`fitting` submissions fit the training worlds, `exact` of them everything, four are illegal."""
    rows = []
    for number in range(total):
        if number >= total - 4:
            figures = {"legal": 0.0, "train_exact": None, "heldout_exact": None, "parent_shd": None}
        else:
            figures = {"legal": 1.0, "train_exact": float(number < fitting), "heldout_exact": float(number < exact)}
            figures["parent_shd"] = 2.0
        rows.append(submission(entrant, number, bundle, variant, **figures))
    return rows


def figures(rows, *, sealed: bool):
    release = Release("v1", "replay", "Replay", "current", "2026-01-01", sealed=sealed)
    page = pages(board(results(rows), release, {}, QUICK))["replay"]
    (table,) = page.tables
    assert (table.source, table.attribution) == ("own", "")
    return page.settings, {(one.slug, one.setting, one.metric): (one.value, one.n) for one in table.figures}


def test_illegal_submissions_count_as_zero_and_conditional_rates_are_over_those_that_meet_the_condition() -> None:
    rows = pool("alpha", "ordered", fitting=20, exact=10, total=44)
    settings, found = figures(rows, sealed=True)
    assert settings == ("ordered/original",)
    place = ("alpha", "ordered/original")
    assert found[*place, "valid"] == (round(40 / 44, 4), 44)
    assert found[*place, "train_exact"] == (round(20 / 44, 4), 44)
    assert found[*place, "heldout_exact"] == (round(10 / 44, 4), 44)
    assert found[*place, "heldout_exact_given_train_exact"] == (0.5, 20)
    # The mean over the 40 legal ones would tell of the other 4.
    assert (*place, "parent_shd") not in found
    assert figures(rows, sealed=False)[1][*place, "parent_shd"] == (2.0, 40)
    assert not any("root" in metric or metric == "n_valid" for _, _, metric in found)


def test_a_rate_over_too_few_items_leaves_a_public_set_alone() -> None:
    rows = pool("alpha", "ordered", fitting=19, exact=10)
    name = ("alpha", "ordered/original", "heldout_exact_given_train_exact")
    assert name not in figures(rows, sealed=True)[1]
    assert figures(rows, sealed=False)[1][name] == (round(10 / 19, 4), 19)
    assert figures(pool("alpha", "ordered", fitting=5, exact=1), sealed=False)[1][name] == (None, 5)


def test_the_ladder_goes_from_the_most_disclosed_to_the_least() -> None:
    rows = [
        *pool("alpha", "hidden_roots", 20, 10),
        *pool("alpha", "ordered", 20, 10, variant="counterexample"),
        *pool("alpha", "alt_hidden", 20, 10),
        *pool("alpha", "ordered", 20, 10),
    ]
    assert figures(rows, sealed=False)[0] == (
        "ordered/original", "ordered/counterexample", "hidden_roots/original", "alt_hidden/original",
    )  # fmt: skip
