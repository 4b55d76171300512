"""Multiple-choice forms of causal items: the same problems, one right option, proved by both methods."""

import json
from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest
from benchpress.audit import audit
from benchpress.gate import GateError, Key
from benchpress.generation import Address, addresses
from benchpress.items import Item, item_id
from benchpress.jsonl import read_items, write_lines
from benchpress.modules.causal import BUNDLES
from benchpress.modules.causal import MODULE as CAUSAL
from benchpress.modules.choice.causal.focal import FOCAL
from benchpress.modules.choice.causal.form import of_causal
from benchpress.modules.choice.causal.said import IN_CONCEPT, SAID, said
from benchpress.modules.choice.module import MODULE, causal_address, choice_address
from benchpress.modules.choice.question import Question
from benchpress.streams import Stream, secret_from_seed
from benchpress.wording.lint import lint
from installed import ROOT, Program

SECRET = secret_from_seed(11)


@pytest.fixture(scope="module")
def items() -> list[Item]:
    """Two items of every concept at level 5, one of them a table."""
    places = addresses("choice", "practice", variants=("base", "numeric"), levels=(5,), count=len(BUNDLES))
    return [MODULE.make(SECRET, place).item for place in places]


@pytest.fixture(scope="module")
def saved(items: list[Item], tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("choice") / "items.jsonl"
    write_lines(path, (item.to_json() for item in items))
    return path


def test_every_concept_has_its_form_and_the_right_option_goes_round(items: list[Item]) -> None:
    assert Counter(item.params["subject"] for item in items) == dict.fromkeys(BUNDLES, 2)
    golds = Counter(item.parts[0].gold for item in items)
    assert set(golds) == set("ABCD")
    assert max(golds.values()) / len(items) <= 0.35
    assert len({item.id for item in items}) == len(items)
    assert all(item.id == item_id(item) for item in items)


def test_the_problem_is_that_of_the_causal_item_at_the_same_address(items: list[Item]) -> None:
    place = Address("choice", "practice", "causal_choice", "numeric", 5, 3)
    causal = CAUSAL.make(SECRET, Address("causal", "practice", BUNDLES[3], "numeric", 5, 0)).item
    form = next(item for item in items if item.params["problem"]["item"] == causal.id)
    assert form.id == MODULE.make(SECRET, place).item.id
    assert form.params["problem"]["params"] == dict(causal.params)
    assert choice_address(causal_address(place)) == place
    question = Question.of(form)
    part = next(part for part in causal.parts if part.id == form.params["problem"]["part"])
    if part.type == "number":
        assert abs(Fraction(question.texts[question.gold]) - Fraction(part.gold)) <= Fraction(part.params["tolerance"])


def test_options_are_distinct_and_numbers_lie_apart_beyond_the_tolerance(items: list[Item]) -> None:
    for item in items:
        question, problem = Question.of(item), item.params["problem"]
        assert len(set(question.texts)) == 4
        bundle = CAUSAL.rooms[problem["bundle"]]
        part = next(one for one in bundle.asked(problem["params"]) if one.id == problem["part"])
        if part.type == "number":
            least = max(10 * Fraction(str(part.params["tolerance"])) - Fraction(1, 100), Fraction(1, 200))
            assert all(abs(Fraction(a) - Fraction(b)) > least for a, b in combinations(question.texts, 2))


def test_wrong_options_come_from_named_mistakes_and_most_items_have_a_typical_one(items: list[Item]) -> None:
    origins = [item.params["origins"] for item in items]
    assert all(one.count("key") == 1 and set(one) <= set(SAID) for one in origins)
    assert all(one["ABCDEF".index(item.parts[0].gold)] == "key" for one, item in zip(origins, items, strict=True))
    habits = {"naive", "adjust_all", "adjust_parents", "ignore_colliders"}
    assert sum(bool(habits & set(one)) for one in origins) / len(items) > 0.6


def test_what_a_mistake_is_called_belongs_to_a_part_that_is_asked() -> None:
    asked = {f"{concept} {part}" for concept, parts in FOCAL.items() for part in parts}
    assert set(IN_CONCEPT) <= asked
    assert all(set(meanings) <= set(SAID) for meanings in IN_CONCEPT.values())
    assert said("base_rate", "POSTERIOR", "adjust_all") == "neglects the base rate"
    assert said("confounding", "EFFECT", "adjust_all") == "adjusts for everything recorded"


def test_no_shallow_rule_finds_the_right_option(items: list[Item]) -> None:
    (found,) = audit(items)
    assert found.fixed <= 0.35
    assert found.shallow <= 0.45
    assert found.duplicate_prompts == 0


def test_no_term_of_the_lint_occurs(items: list[Item]) -> None:
    assert [lint(item.prompt) for item in items] == [[]] * len(items)


def test_the_program_verifies_what_it_generated(program: Program, saved: Path) -> None:
    done = program("verify", saved, "--json")
    assert done.returncode == 0, done.stdout + done.stderr
    assert json.loads(done.stdout)["disagreements"] == []


def test_the_public_examples_are_proved_and_have_their_pages(program: Program) -> None:
    folder = ROOT / "public_examples"
    done = program("verify", folder / "choice.jsonl", "--json")
    assert done.returncode == 0, done.stdout + done.stderr
    examples = list(read_items(folder / "choice.jsonl"))
    assert {item.params["subject"] for item in examples} == set(BUNDLES)
    public = {item.id for item in read_items(folder / "versions" / "causal-public-v1.jsonl")}
    for item in examples:
        page = (folder / "choice" / f"{item.params['subject']}.md").read_text(encoding="utf-8")
        assert item.id in page
        assert item.params["problem"]["item"] in public


def test_any_number_of_workers_and_any_hash_seed_give_the_same_bytes(
    program: Program, tmp_path: Path, saved: Path
) -> None:
    words = ("generate", "--module", "choice", "--bundle", "causal_choice", "--seed", "11", "--level", "5")
    done = program(
        *words, "--n", "22", "--variant", "base", "--workers", "2", "--out", tmp_path / "b.jsonl", PYTHONHASHSEED="4242"
    )
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "b.jsonl").read_text().splitlines() == saved.read_text().splitlines()[:22]


def other_gold(item: Item) -> Item:
    letter = next(letter for letter in "ABCD" if letter != item.parts[0].gold)
    return replace(item, parts=(replace(item.parts[0], gold=letter),))


def other_option(item: Item) -> Item:
    """The text of one wrong option replaced by that of the right one, everywhere."""
    question = Question.of(item)
    wrong = (question.gold + 1) % 4
    right = question.texts[question.gold]
    options = [dict(one) for one in item.params["options"]]
    options[wrong]["text"] = right
    letter = "ABCD"[wrong]
    prompt = item.prompt.replace(f"\n{letter}. {question.texts[wrong]}\n", f"\n{letter}. {right}\n")
    part = replace(item.parts[0], params={"options": [one["text"] for one in options]})
    return replace(item, params={**item.params, "options": options}, prompt=prompt, parts=(part,))


def other_prompt(item: Item) -> Item:
    question = Question.of(item)
    return replace(item, prompt=item.prompt.replace(f"\nA. {question.texts[0]}\n", "\nA. 77\n"))


def other_part(item: Item) -> Item:
    return replace(item, params={**item.params, "problem": {**item.params["problem"], "part": "NONE"}})


def other_problem(item: Item) -> Item:
    return replace(item, params={**item.params, "problem": {**item.params["problem"], "bundle": "none"}})


@pytest.mark.parametrize("tamper", [other_gold, other_option, other_prompt, other_part, other_problem])
def test_a_tampered_item_is_found(program: Program, tmp_path: Path, items: list[Item], tamper: Any) -> None:
    write_lines(tmp_path / "x.jsonl", (tamper(item).to_json() for item in items[:6]))
    done = program("verify", tmp_path / "x.jsonl", "--json")
    assert done.returncode == 1
    assert len({one["item"] for one in json.loads(done.stdout)["disagreements"]}) == 6


def test_a_wrong_option_that_the_second_method_does_not_refuse_stops_generation(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    item = CAUSAL.make(SECRET, Address("causal", "practice", "confounding", "base", 5, 0)).item
    bundle = CAUSAL.rooms["confounding"]

    def lenient(params: Mapping[str, Any], keys: Mapping[str, Key]) -> dict[str, bool]:
        return dict.fromkeys(keys, True)

    monkeypatch.setattr(bundle, "second", lenient)
    with pytest.raises(GateError, match="does not refuse option"):
        of_causal(item, 4, 0, Stream(bytes(32)))


@pytest.mark.parametrize(("level", "count"), [(1, 4), (7, 5), (10, 6)])
def test_harder_levels_have_more_options(level: int, count: int) -> None:
    made = [
        MODULE.make(SECRET, Address("choice", "practice", "causal_choice", "transfer", level, index)).item
        for index in range(count)
    ]
    assert {len(Question.of(item).options) for item in made} == {count}
    assert sorted(item.parts[0].gold for item in made) == list("ABCDEF"[:count])


def test_items_of_a_public_set_cannot_be_verified_and_that_is_said(program: Program, tmp_path: Path) -> None:
    question = Question.build("mine", "", "Which?", ["x", "y"], 0)
    write_lines(tmp_path / "x.jsonl", [question.item().to_json()])
    done = program("verify", tmp_path / "x.jsonl")
    assert done.returncode == 1
    assert "stand as published" in done.stdout


def test_the_reader_takes_the_letter_of_every_option(saved: Path) -> None:
    from benchpress.grading import grade_item
    from benchpress.items import Response

    for item in read_items(saved):
        right = [letter for letter in "ABCD" if grade_item(item, Response(item.id, f"Answer: {letter}")).correct]
        assert right == [item.parts[0].gold]
