"""The calibration baselines read the printed prompt; the figures of a pool count illegal answers as zero."""

import json

import pytest
from benchpress.items import Item, PartResult
from benchpress.models.boolean_cells import replay_metrics
from benchpress.modules.replay.reference import SOLVERS
from benchpress.modules.replay.report import summarise
from benchpress.parts.mechanisms import MECHANISMS
from hypothesis import given, settings
from hypothesis import strategies as st
from replay_samples import CELLS, formulas, item


def judged(text: str, found: Item) -> PartResult:
    return MECHANISMS.score(MECHANISMS.read(text, found.parts[0], found), found.parts[0], found)


@pytest.mark.parametrize(("bundle", "variant"), CELLS)
def test_symbolic_search_fits_every_shown_world_and_is_right_where_one_model_is_left(bundle: str, variant: str) -> None:
    for level in (2, 5):
        found = item(bundle, variant, level)
        result = judged(SOLVERS["symbolic"](found.prompt), found)
        assert result.metrics is not None
        assert result.metrics["train_exact"]
        if variant == "counterexample" or bundle.startswith("alt"):
            assert result.correct


@pytest.mark.parametrize("bundle", ["ordered", "block_order", "hidden_order", "hidden_roots"])
def test_score_search_keeps_to_the_rules_of_each_setting(bundle: str) -> None:
    for index in range(3):
        found = item(bundle, level=3, index=index)
        first, again = (SOLVERS["score_search"](found.prompt) for _ in range(2))
        assert first == again
        result = judged(first, found)
        assert result.metrics is not None
        assert result.metrics["legal"]
        assert result.metrics["train_cell_accuracy"] > 0.75  # type: ignore[operator]


@pytest.mark.parametrize("name", SOLVERS)
def test_a_solver_refuses_prompts_of_other_modules(name: str) -> None:
    with pytest.raises(ValueError, match="no replay problem"):
        SOLVERS[name]("Which set of nodes blocks every back-door path?\nVariables: X, Y, Z")


@settings(max_examples=40)
@given(st.data())
def test_both_evaluators_agree_on_wrong_answers_too(data: st.DataObject) -> None:
    found = item("ordered", level=4, index=data.draw(st.integers(0, 2)))
    gold, order = found.parts[0].gold["mechanisms"], found.params["order"]
    changed = data.draw(st.sampled_from(sorted(gold)))
    usable = order[: order.index(changed)]
    answer = {**gold, changed: data.draw(formulas(usable))}
    metrics = judged(json.dumps({"mechanisms": answer}), found).metrics
    assert metrics is not None
    for name, value in replay_metrics(found.params["worlds"], answer, gold).items():
        assert metrics[name] == pytest.approx(value), name


def test_figures_of_a_pool_count_an_illegal_answer_as_zero() -> None:
    good = {"legal": True, "train_exact": True, "heldout_exact": True, "heldout_world_exact": 1.0, "parent_shd": 0}
    close = {"legal": True, "train_exact": True, "heldout_exact": False, "heldout_world_exact": 0.5, "parent_shd": 3}
    illegal = {"legal": False, "train_exact": False, "heldout_exact": False, "heldout_world_exact": 0.0}
    figures = summarise([good] * 5 + [close] * 5 + [{**illegal, "parent_shd": None}] * 10)
    assert (figures["n_valid"].value, figures["n_valid"].n) == (10, 20)
    assert figures["heldout_world_exact"].value == pytest.approx(0.375)
    assert figures["heldout_exact"].value == pytest.approx(0.25)
    assert (figures["parent_shd"].value, figures["parent_shd"].n) == (1.5, 10)
    given_train = figures["heldout_exact given train_exact"]
    assert (given_train.value, given_train.n) == (0.5, 10)
    few = summarise([good] * 5 + [{**illegal, "parent_shd": None}] * 15)
    assert (few["heldout_exact given train_exact"].value, few["heldout_exact given train_exact"].n) == (None, 5)
    assert "root_exact" not in figures
