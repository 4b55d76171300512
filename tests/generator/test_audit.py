"""The audit finds what an item file gives away, and finds nothing in what is generated."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from benchpress.audit import BundleAudit, audit, audit_bundle
from benchpress.generation import addresses, make
from benchpress.items import Item, Part
from benchpress.jsonl import write_lines
from benchpress.streams import Stream, secret_from_seed
from installed import Program

NAMES = ["ash", "birch", "cedar", "elm", "fir", "oak", "pine", "yew"]
COUNT = 120
TEXT = (
    "These quantities matter: {names}. The number of crates is {first}, later {second}.\nKIND: Which?\nSIZE: How many?"
)


def hand_made(
    *,
    kind: Callable[[Stream, int], str] = lambda stream, _: stream.choice(("wide", "long", "tall")),
    size: Callable[[Stream, tuple[int, int]], int] = lambda stream, _: stream.between(0, 10_000),
    members: Callable[[Stream, list[str]], list[str]] = lambda stream, _: sorted(stream.sample(NAMES, 3)),
    prompt: Callable[[str, int], str] = lambda text, _: text,
    level: int = 5,
) -> list[Item]:
    """Items whose three keys nothing gives away, except as an argument makes them."""
    made = []
    for number in range(COUNT):
        stream = Stream(number.to_bytes(32))
        names = stream.shuffled(NAMES)
        numbers = (stream.between(20_000, 90_000), stream.between(20_000, 90_000))
        text = TEXT.format(names=", ".join(names), first=numbers[0], second=numbers[1])
        parts = (
            Part("KIND", "verdict", kind(stream, number), {"vocabulary": ["wide", "long", "tall"]}),
            Part("SIZE", "number", str(size(stream, numbers)), {"tolerance": "0"}),
            Part("MEMBERS", "node_set", members(stream, names), {"universe": NAMES}),
        )
        made.append(Item(f"item-{number}", "hand", "made", "base", level, {}, prompt(text, number), parts))
    return made


def findings(**given: Any) -> list[str]:
    return audit_bundle("hand/made", hand_made(**given)).findings


def test_items_that_give_nothing_away_have_no_finding() -> None:
    assert findings() == []


def test_a_constant_part_is_found() -> None:
    assert findings(size=lambda *_: 12) == ["part SIZE has a constant answer"]


def test_a_duplicate_prompt_is_found() -> None:
    assert findings(prompt=lambda text, number: "twice" if number < 2 else text) == ["1 duplicate prompts"]


def test_a_fixed_answer_that_is_right_too_often_is_found() -> None:
    drawn = hand_made()
    same = (drawn[0].parts[0], drawn[0].parts[1], drawn[0].parts[2])
    items = [
        Item(one.id, one.module, one.bundle, one.variant, one.level, {}, one.prompt, same if at < 9 else one.parts)
        for at, one in enumerate(drawn)
    ]
    (found,) = [finding for finding in audit_bundle("hand/made", items).findings if "fixed" in finding]
    assert found == "one fixed answer gets 7.5%"


def test_a_lopsided_verdict_is_found() -> None:
    (found,) = findings(kind=lambda stream, number: "tall" if number % 10 < 7 else stream.choice(("wide", "long")))
    assert found == 'part KIND is "tall" in 70%'


@pytest.mark.parametrize(
    ("rule", "given"),
    [
        ("SIZE: last number", {"size": lambda _, numbers: numbers[1]}),
        ("SIZE: largest number", {"size": lambda _, numbers: max(numbers)}),
        ("SIZE: smallest number", {"size": lambda _, numbers: min(numbers)}),
    ],
)
def test_a_rule_that_reads_the_surface_of_the_text_is_found(rule: str, given: dict[str, Any]) -> None:
    """The number is on the page and the first name is the set, so only the verdict, one of three, is left to guess."""
    found = findings(**given, members=lambda _, names: names[:1])
    (shallow,) = [finding for finding in found if finding.startswith("the shallow rule")]
    assert rule in shallow
    assert "MEMBERS: first listed" in shallow
    share = float(shallow.rsplit(" ", 1)[1].rstrip("%"))
    assert 33 <= share <= 50


def test_the_worked_example_must_not_be_the_answer() -> None:
    copied = [
        Item(
            one.id, one.module, one.bundle, one.variant, one.level, {},
            f"{one.prompt}\n\nExample of the format\n\nKIND: {one.parts[0].gold}\nSIZE: {one.parts[1].gold}\n"
            f"MEMBERS: {{{', '.join(one.parts[2].gold)}}}",
            one.parts,
        )
        for one in hand_made()
    ]  # fmt: skip
    (found,) = audit_bundle("hand/made", copied).findings
    assert found == "copying the worked example gets 100.0%"


def test_the_lint_runs_over_every_prompt() -> None:
    assert findings(prompt=lambda text, number: f"{text} patients" if number == 7 else text) == [
        "lint refuses 'patients'"
    ]


def test_low_levels_may_be_easy_but_not_repeat_themselves() -> None:
    easy: dict[str, Any] = {"size": lambda *_: 12, "kind": lambda *_: "tall", "members": lambda *_: ["elm"]}
    assert findings(**easy, level=4) == []
    assert findings(**easy, level=4, prompt=lambda *_: "all the same") == [f"{COUNT - 1} duplicate prompts"]


def test_structures_are_counted_up_to_names() -> None:
    def of(arrows: str, treatment: str, hidden: str = "", ties: str = "") -> dict[str, Any]:
        directed = [list(arrow) for arrow in arrows.split()]
        nodes = sorted({name for pair in (*directed, *ties.split()) for name in pair})
        return {
            "graph": {"nodes": nodes, "directed": directed, "bidirected": [list(pair) for pair in ties.split()]},
            "roles": {"treatment": treatment},
            "unmeasured": list(hidden),
        }

    chain, renamed, backwards = of("ab bc", "a"), of("zy yx", "z"), of("ba cb", "a")
    fork, collider, other_role = of("ba bc", "a"), of("ab cb", "a"), of("ab bc", "b")
    unrecorded, tied = of("ab bc", "a", hidden="c"), of("ab bc", "a", ties="ac")
    alike = [chain, renamed]
    different = [chain, backwards, fork, collider, other_role, unrecorded, tied]
    for params, count in ((alike, 1), (different, len(different))):
        made = [replace(item, params=one) for item, one in zip(hand_made(), params, strict=False)]
        assert audit_bundle("hand/made", made).structures == count


@pytest.fixture(scope="module")
def generated() -> list[BundleAudit]:
    secret = secret_from_seed(11)
    places = addresses("causal", "audit", ["counterfactual", "causation_probability"], (), (5,), 60)
    return audit(make(secret, place).item for place in places)


def test_generated_items_have_no_finding(generated: list[BundleAudit]) -> None:
    assert [one.bundle for one in generated] == ["causal/counterfactual", "causal/causation_probability"]
    for one in generated:
        assert one.items == 300
        assert one.findings == []
        assert all(part.entropy_bits > 0.9 for part in one.parts), one.parts


def test_the_command_names_each_finding_and_exits_with_1(program: Program, tmp_path: Path) -> None:
    path = tmp_path / "items.jsonl"
    write_lines(path, (item.to_json() for item in hand_made(size=lambda *_: 12)))
    done = program("audit-items", path)
    assert done.returncode == 1
    assert "hand/made: part SIZE has a constant answer" in done.stdout
    write_lines(path, (item.to_json() for item in hand_made()))
    done = program("audit-items", path)
    assert (done.returncode, done.stdout.splitlines()[-1]) == (0, "no finding")
