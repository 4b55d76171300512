"""Reading and judging mechanisms: the toy of the specification, the answer contract, and answers meant to break it."""

import json
import time
from typing import Any

import pytest
from benchpress.errors import UserError
from benchpress.items import Item, Part, PartResult, Reading
from benchpress.parts.mechanisms import MECHANISMS
from hypothesis import given, settings
from hypothesis import strategies as st

GOLD = {"A": "(xor R1 R2)", "B": "(and A R1)"}


def row(**cells: int) -> dict[str, int]:
    return cells


def toy(variant: str = "hidden_order", **changes: Any) -> Item:
    """Gold A = R1 xor R2, B = A and R1; every verdict on it was worked out by hand."""
    worlds = [
        {
            "id": "train_00",
            "split": "train",
            "targets": {},
            "rows": [
                row(R1=0, R2=0, A=0, B=0), row(R1=0, R2=1, A=1, B=0),
                row(R1=1, R2=0, A=1, B=1), row(R1=1, R2=1, A=0, B=0),
            ],
        },
        {
            "id": "train_01",
            "split": "train",
            "targets": {"A": "assigned"},
            "rows": [row(R1=0, R2=0, A=1, B=0), row(R1=0, R2=1, A=0, B=0)],
        },
        {
            "id": "heldout_00",
            "split": "heldout",
            "targets": {"A": "assigned"},
            "rows": [row(R1=1, R2=1, A=1, B=1), row(R1=1, R2=0, A=1, B=1)],
        },
        {
            "id": "heldout_01",
            "split": "heldout",
            "targets": {"B": "assigned"},
            "rows": [row(R1=1, R2=1, A=0, B=1), row(R1=0, R2=1, A=1, B=0)],
        },
    ]  # fmt: skip
    params: dict[str, Any] = {
        "variant": variant,
        "variables": ["A", "B", "R1", "R2"],
        "roots": ["R1", "R2"],
        "endogenous": ["A", "B"],
        "order": {"ordered": ["R1", "R2", "A", "B"], "block_order": [["R1", "A"], ["R2", "B"]]}.get(variant),
        "operators": ["not", "and", "or", "xor", "iff"],
        "allow_constants": False,
        "worlds": worlds,
        "reference": None,
        "rules": "strict",
    }
    if variant == "hidden_roots":
        params |= {"roots": None, "endogenous": None, "root_count": 2}
    if variant.startswith("alt"):
        params["order"] = ["R1", "R2", "A", "B"]
        params["reference"] = {"mechanisms": {**GOLD, "B": "(and R1 (not R2))"}, "role": "alternative"}
    params |= changes
    gold = {"mechanisms": GOLD, "order": ["R1", "R2", "A", "B"], "roots": ["R1", "R2"]}
    return Item("toy", "replay", variant, "original", 1, params, "", (Part("MODEL", "mechanisms", gold),))


def judged(text: str, item: Item) -> PartResult:
    part = item.parts[0]
    return MECHANISMS.score(MECHANISMS.read(text, part, item), part, item)


def answer(**mechanisms: str) -> str:
    return json.dumps({"mechanisms": {**GOLD, **mechanisms}})


@pytest.mark.parametrize(
    ("changed", "train", "train_worlds", "heldout_worlds", "heldout", "f1", "shd"),
    [
        ({}, True, 1, 1, True, 1, 0),
        ({"B": "(and R1 (not R2))"}, True, 1, 0.5, False, 0.75, 2),
        ({"A": "(not (iff R1 R2))"}, True, 1, 1, True, 1, 0),
        ({"B": "A"}, False, 0, 1, False, 6 / 7, 1),
        ({"A": "(or R1 R2)"}, False, 0.5, 0.5, False, 1, 0),
    ],
)
def test_the_toy_of_the_specification(
    changed: dict[str, str], train: bool, train_worlds: float, heldout_worlds: float, heldout: bool, f1: float, shd: int
) -> None:
    metrics = judged(answer(**changed), toy()).metrics
    assert metrics is not None
    assert metrics["legal"]
    assert (metrics["train_exact"], metrics["heldout_exact"]) == (train, heldout)
    assert (metrics["train_world_exact"], metrics["heldout_world_exact"]) == (train_worlds, heldout_worlds)
    assert metrics["parent_f1"] == pytest.approx(f1)
    assert metrics["parent_shd"] == shd


@pytest.mark.parametrize(
    ("formula", "legal"),
    [
        ("(and A R1)", True), ("  (and  A   R1 )\n", True), ("(A)", True), ("(and (A) R1)", True), ("( A )", True),
        ("(and A (not (not R1)))", True), ("(and A R1 (or R2 (not R2)))", True), ("(and R1 (not R1))", True),
        ("((A))", False), ("((and A R1))", False), ("()", False), ("(and)", False), ("(and A)", False), ("", False),
        ("(not A R1)", False), ("(AND A R1)", False), ("(and A R3)", False), ("(and A a)", False), ("0", False),
        ("(0)", False), ("(and A 1)", False), ("A R1", False), ("(and A R1))", False), ("(and A R1", False),
        ("(and\nA R1)", False), ("(and\tA R1)", False), ("(and\u00a0A R1)", False), ("(and A, R1)", False),
        ("A and R1", False), ("and(A R1)", False), ("(if A R1 R2)", False), ("(and A B)", False),
        ("(and A (or B (not B)))", False), ("\uff08and A R1\uff09", False), ("(\u2227 A R1)", False), ("(", False),
        (")", False), ("(and", False), ("(and A R1) ;", False), ("'A'", False), ("(and \u0410 R1)", False),
    ],
)  # fmt: skip
def test_which_formulas_the_language_has(formula: str, legal: bool) -> None:
    metrics = judged(answer(B=formula), toy()).metrics
    assert metrics is not None
    assert metrics["legal"] is legal


@pytest.mark.parametrize(
    ("variant", "changed", "legal"),
    [
        ("ordered", {"A": "(xor R1 B)"}, False),
        ("ordered", {"A": "(xor R1 R2 (and B (not B)))"}, False),
        ("hidden_order", {"A": "(xor R1 B)"}, False),  # with B = A and R1 a cycle
        ("hidden_order", {"A": "(or B R2)", "B": "(and R1 R2)"}, True),  # against the true order, but acyclic
        ("hidden_order", {"A": "(xor R1 R2 (and B (not B)))"}, False),  # a cycle in writing only
        ("block_order", {"A": "R1"}, True),
        ("block_order", {"A": "(xor R1 R2)"}, False),  # a root of a later block
        ("block_order", {"A": "R1", "B": "(and A R2)"}, True),
    ],
)
def test_what_each_setting_allows(variant: str, changed: dict[str, str], legal: bool) -> None:
    metrics = judged(answer(**changed), toy(variant)).metrics
    assert metrics is not None
    assert metrics["legal"] is legal


def test_roots_are_judged_apart_from_the_mechanisms() -> None:
    right = judged(json.dumps({"roots": ["R2", "R1"], "mechanisms": GOLD}), toy("hidden_roots"))
    assert right.correct
    unparsed = judged(json.dumps({"roots": ["R2", "R1"], "mechanisms": {**GOLD, "B": "?"}}), toy("hidden_roots"))
    assert unparsed.metrics is not None
    assert (unparsed.metrics["legal"], unparsed.metrics["root_exact"]) == (False, True)
    # R1 and A exchanged: A = R1 xor R2 also says R1 = A xor R2, which every row but those that set A obeys.
    swapped = judged(
        json.dumps({"roots": ["A", "R2"], "mechanisms": {"R1": "(xor A R2)", "B": "(and A R1)"}}), toy("hidden_roots")
    )
    assert swapped.metrics is not None
    assert (swapped.metrics["root_exact"], swapped.metrics["root_precision"]) == (False, 0.5)
    assert not swapped.correct


@pytest.mark.parametrize(
    "roots", [["R1"], ["R1", "R1"], ["R1", "R2", "A"], ["R1", "Q"], "R1", None, [1, 2], ["R1", None]]
)
def test_ill_formed_roots_are_illegal(roots: Any) -> None:
    metrics = judged(json.dumps({"roots": roots, "mechanisms": GOLD}), toy("hidden_roots")).metrics
    assert metrics is not None
    assert not metrics["legal"]
    assert not metrics["root_exact"]


def alt(**changes: Any) -> str:
    """The latent model against the reference B = R1 and not R2: they part where A is forced on while R1 = R2 = 1."""
    full = {
        "alternative": {"mechanisms": GOLD},
        "experiment": {"type": "hard_do", "assignments": {"A": 1}},
        "witness": {
            "rootAssignment": {"R1": 1, "R2": 1},
            "differences": [{"variable": "B", "reference": 0, "alternative": 1}],
        },
    }
    return json.dumps({**full, **changes})


def test_a_complete_alternative_counts() -> None:
    assert judged(alt(), toy("alt_hidden")).correct
    assert judged("```json\n" + alt() + "\n```\nDone.", toy("alt_ordered")).correct


@pytest.mark.parametrize(
    ("changes", "verdicts"),
    [
        ({"alternative": {"mechanisms": {**GOLD, "B": "(not (or (not R1) R2))"}}}, (False, True, None, None)),
        ({"alternative": {"mechanisms": {**GOLD, "B": "A"}}}, (False, True, None, None)),
        ({"experiment": {"type": "hard_do", "assignments": {"R1": 1}}}, (True, True, False, False)),
        ({"experiment": {"type": "do", "assignments": {"A": 1}}}, (True, False, None, None)),
        ({"experiment": {"type": "hard_do", "assignments": {"A": 1.0}}}, (True, False, None, None)),
        ({"experiment": {"type": "hard_do", "assignments": {"A": 1, "B": 0}}}, (True, False, None, None)),
        ({"experiment": {"type": "hard_do", "assignments": {"Z": 1}}}, (True, True, None, None)),
        ({"experiment": None}, (True, False, None, None)),
        ({"witness": None}, (True, True, True, False)),
        ({"witness": {"rootAssignment": {"R1": 1, "R2": 1}, "differences": []}}, (True, True, True, False)),
        (
            {"witness": {"rootAssignment": {"R1": 1, "R2": 1}, "differences": [
                {"variable": "B", "reference": 0, "alternative": 1},
                {"variable": "A", "reference": 0, "alternative": 1},
            ]}},
            (True, True, True, False),
        ),
    ],
)  # fmt: skip
def test_each_component_of_an_alternative(changes: dict[str, Any], verdicts: tuple[bool | None, ...]) -> None:
    result = judged(alt(**changes), toy("alt_hidden"))
    assert result.metrics is not None
    names = ("alt_success", "experiment_valid", "experiment_resolves", "witness_valid")
    assert tuple(result.metrics[name] for name in names) == verdicts
    assert not result.correct


def test_the_last_complete_answer_counts_and_hedging_is_noted() -> None:
    worse = answer(B="A")
    result = judged(f"First {worse}, no: {answer()}", toy())
    assert result.correct
    assert result.metrics is not None
    assert result.metrics["multiple_answers"]
    assert not judged(f"{answer()} or rather {worse}", toy()).correct
    assert judged(f"<think>{answer()}</think>{worse}", toy()).metrics["multiple_answers"] is False  # type: ignore[index]
    assert judged(f"{answer()} and then {worse[:-9]}", toy()).correct  # the second is incomplete


def test_duplicate_keys_are_refused_by_our_rules_and_resolved_by_the_published_ones() -> None:
    text = '{"mechanisms": {"A": "(xor R1 R2)", "B": "A", "B": "(and A R1)"}}'
    refused = judged(text, toy())
    assert refused.parsed is None
    assert "duplicate_key" in refused.note
    assert judged(text, toy(rules="published")).correct


@pytest.mark.parametrize("variant", ["ordered", "hidden_roots", "alt_hidden"])
@pytest.mark.parametrize(
    "value", [{}, [], "text", 3, {"mechanisms": None}, {"alternative": []}, {"mechanisms": {"A": 1}}]
)
def test_any_value_can_be_scored(variant: str, value: Any) -> None:
    item = toy(variant)
    result = MECHANISMS.score(Reading(value), item.parts[0], item)
    assert not result.correct
    assert "illegal" in result.note


HOSTILE = {
    "nested parentheses": answer(B="(" * 100_000 + "A" + ")" * 100_000),
    "nested negations": answer(B="(not " * 100_000 + "A" + ")" * 100_000),
    "million arguments": answer(B="(xor " + "A " * 1_000_000 + ")"),
    "ten megabytes": "a" * 10_000_000,
    "ten megabytes of braces": '{"' * 5_000_000,
    "ten megabytes of objects": '{"a":' * 2_000_000,
    "ten megabytes of keys": '{"mechanisms":' * 700_000,
    "ten megabytes of answers": (answer(B="A") + "\n") * 150_000,
    "ten megabytes of tags": "<think>" * 1_400_000 + answer(B="A"),
    "ten megabytes of signs": "<" * 10_000_000 + answer(B="A"),
    "ten megabytes of quotes": '"' * 10_000_000 + '"mechanisms":',
    "brackets": "[" * 100_000,
    "escapes": '"\\u006dechanisms":' * 20_000,
    "many objects": answer()[:-1] + ', "z": [' + ",".join(["{}"] * 20_000) + "]}",
    "big integer": answer()[:-1] + ', "z": ' + "9" * 5_000 + "}",
    "NaN": answer()[:-1] + ', "z": NaN}',
    "array": f"[{answer()}]",
    "long formula": answer(B="(xor " + "(and A R1 R2) " * 2_000 + ")"),
    "look-alikes": answer().replace("A", "\u0410"),
    "lone surrogate": answer()[:-1] + ', "z": "\\ud800"}',
    "nested objects": '{"mechanisms":' * 900 + "{}" + "}" * 900,
}


@pytest.mark.parametrize("name", HOSTILE)
@pytest.mark.parametrize("variant", ["hidden_order", "hidden_roots", "alt_hidden"])
def test_hostile_answers_get_a_verdict_at_once(name: str, variant: str) -> None:
    text = HOSTILE[name]
    if variant.startswith("alt"):
        text = text.replace('"mechanisms":', '"alternative":')
    item = toy(variant)
    judged("", item)
    seconds = []
    while len(seconds) < 3 and (not seconds or seconds[-1] >= 0.05):  # others may have the core, or half of it
        start = time.process_time()
        result = judged(text, item)
        seconds.append(time.process_time() - start)
    assert min(seconds) < 0.05
    assert not result.correct or name == "many objects"
    json.dumps(result.to_json())


def test_a_right_answer_after_much_prose_is_found() -> None:
    prose = 'Consider \\text{row 3} and {X2}: "quoted" {"a": 1}. ' * 6_200
    assert judged(prose[:307_200] + answer(), toy()).correct
    assert judged(answer() + prose[:307_200], toy()).correct


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"worlds": []}, "no cell of a training world"),
        ({"variables": ["A", "B", "R1"]}, "must divide"),
        ({"operators": ["nand"]}, "operators"),
        ({"variant": "guess"}, "variant"),
        ({"worlds": [{"id": "w", "split": "train", "targets": {}, "rows": [row(R1=0, R2=0, A=2, B=0)]}]}, "0 or 1"),
        ({"worlds": [{"id": "w", "split": "train", "targets": {}, "rows": [row(R1=0, R2=0, A=1)]}]}, "KeyError"),
        ({"worlds": [{"id": "w", "split": "train", "targets": {"A": 1}, "rows": [row(R1=0, R2=0, A=0, B=0)]}]}, "held"),
        ({"worlds": toy().params["worlds"][:2]}, "no cell of a held-out world"),
    ],
)
def test_an_unsound_problem_is_refused_in_one_line(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(UserError, match=message) as caught:
        judged(answer(), toy(**changes))
    assert "\n" not in str(caught.value)


FRAGMENTS = st.sampled_from(
    ['{"mechanisms":', '{"A":', '"(xor R1 R2)"', ',"B":', '"(and A R1)"', "}", "}}", "{", "[", "]", '"', "\\", "\\u",
     "<think>", "</think>", "```json\n", "\n", "NaN", "1.0", "null", '"roots":["R1","R2"],', "(", ")", "not ", "\ud800"]
)  # fmt: skip


@settings(max_examples=300)
@given(
    st.lists(FRAGMENTS | st.text(max_size=5), max_size=30),
    st.sampled_from(["hidden_order", "hidden_roots", "alt_hidden"]),
)
def test_no_answer_breaks_the_reader(pieces: list[str], variant: str) -> None:
    result = judged("".join(pieces), toy(variant))
    assert result.metrics is not None
    assert result.correct <= bool(result.metrics["legal"])
    json.dumps(result.to_json())
