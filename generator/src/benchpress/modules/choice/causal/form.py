"""From a causal item to its multiple-choice form, and back to the proof that exactly one option is right."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from string import ascii_uppercase
from typing import Any

from benchpress.gate import GateError, Key
from benchpress.items import Item, Json, Part, Verification, item_id
from benchpress.modules.causal import MODULE as CAUSAL
from benchpress.modules.causal.bundle import Bundle
from benchpress.modules.choice.causal import written
from benchpress.modules.choice.causal.focal import FOCAL
from benchpress.modules.choice.causal.mistakes import Candidate, candidates
from benchpress.modules.choice.causal.said import said
from benchpress.modules.choice.causal.selecting import select
from benchpress.modules.choice.question import PART, Question
from benchpress.protocol import OPENING
from benchpress.streams import Stream
from benchpress.wording.lint import lint
from benchpress.wording.sections import read_problem

BENCHMARK = "causal_choice"


@dataclass(frozen=True, slots=True)
class Proof:
    """What both methods say of the options of an item."""

    letter: str | None
    """The one option that the first method says is right; None where it is not exactly one."""
    confirmed: bool
    """Whether the second method confirms that answer and refuses every other option."""
    note: str = ""


def of_causal(item: Item, count: int, place: int, stream: Stream) -> Item:
    """The multiple-choice form of a causal `item`: `count` options, the right one at `place` (from 0).

    Raises GateError where the second method does not refuse a wrong option, or a wrong answer is missing.
    """
    bundle = CAUSAL.rooms[item.bundle]
    keys = bundle.first(item.params)
    asked = {one.id: one for one in bundle.asked(item.params)}
    names = stream.shuffled([name for name in FOCAL[item.bundle] if name in asked])
    # Zero is the answer of many a mistake, so it is asked for only where a problem has no other answer.
    for name in sorted(names, key=lambda name: keys[name].gold == "0"):
        part = asked[name].part(keys[name])
        chosen = _wrong(item, bundle, keys, part, count - 1, stream)
        if chosen is not None:
            break
    else:
        raise GateError(f"{item.id}: no part has {count - 1} wrong answers that are clearly apart")
    values: list[Candidate] = stream.shuffled(chosen)
    values.insert(place, Candidate(part.gold, "key", 0))
    stem = _stem(item, asked[name].question, part)
    question = Question.build(BENCHMARK, item.bundle, stem, [written.write(one.value, part) for one in values], place)
    plain = question.item()
    made = replace(
        plain,
        variant=item.variant,
        level=item.level,
        params={
            **plain.params,
            "problem": {"bundle": item.bundle, "part": name, "params": item.params, "item": item.id},
            "origins": [one.origin for one in values],
        },
        parts=(replace(plain.parts[0], skills=part.skills),),
        verification=(Verification(PART, bundle.methods),),
    )
    made = replace(made, id=item_id(made))
    found = prove(made)
    if found.letter != question.gold_letter or not found.confirmed:
        raise GateError(f"{item.id}, part {name}: {found.note or 'the right option is not the one that was placed'}")
    if refused := lint(made.prompt):
        raise GateError(f"{item.id}: the vocabulary lint refuses {', '.join(refused)}")
    return made


def prove(item: Item) -> Proof:
    """Which option is right, from `params` alone: the problem by both methods, the options as printed."""
    problem = item.params["problem"]
    bundle, params, name = CAUSAL.rooms[problem["bundle"]], problem["params"], problem["part"]
    question = Question.of(item)
    keys = bundle.first(params)
    asked = {one.id: one for one in bundle.asked(params)}[name]
    part = asked.part(keys[name])
    note = _unstated(item, question, bundle, params, asked.question)
    values = [written.read(text, part, item) for text in question.texts]
    if None in values:
        return Proof(None, False, "an option cannot be read as an answer")
    rights = [at for at, value in enumerate(values) if written.right(value, part, item)]
    if len(rights) != 1:
        return Proof(None, False, f"{len(rights)} options are right by the first method")
    (at,) = rights
    if len(set(question.texts)) < len(values):
        note = note or "two options are the same"
    if not bundle.second(params, keys).get(name, False):
        note = note or "the two methods disagree on the key"
    for other, value in enumerate(values):
        if other != at and _holds(bundle, params, keys, name, value):
            note = note or f"the second method does not refuse option {ascii_uppercase[other]}"
    return Proof(ascii_uppercase[at], not note, note)


def reasons(params: Mapping[str, Any]) -> tuple[str, dict[str, str]]:
    """Why the key of an item with these params is right, and letter -> what leads to each other option."""
    problem = params["problem"]
    bundle, stated = CAUSAL.rooms[problem["bundle"]], problem["params"]
    right = bundle.why(stated, bundle.first(stated)).get(problem["part"], "")
    lettered = zip(ascii_uppercase, params["origins"], strict=False)
    return right, {
        letter: said(problem["bundle"], problem["part"], origin) for letter, origin in lettered if origin != "key"
    }


def part_of(item: Item, letter: str) -> Part:
    """The one part of the item with that key."""
    question = Question.of(item)
    return Part(PART, "choice", letter, {"options": list(question.texts)}, item.parts[0].skills)


def _wrong(
    item: Item, bundle: Bundle, keys: Mapping[str, Key], part: Part, count: int, stream: Stream
) -> list[Candidate] | None:
    """`count` wrong answers for the part, or None where it has not so many."""
    pool = [
        one
        for one in candidates(bundle, item.params, keys, part)
        if not written.right(written.read(written.write(one.value, part), part, item), part, item)
    ]
    return select(part, pool, count, stream)


def _holds(bundle: Bundle, params: Mapping[str, Any], keys: Mapping[str, Key], name: str, value: Json) -> bool:
    """Whether the second method takes `value` for a right answer beside those that are."""
    claimed = Key(value, (keys[name].gold, *keys[name].accept))
    return bundle.second(params, {**keys, name: claimed}).get(name, False)


def _stem(item: Item, question: str, part: Part) -> str:
    """The problem as the causal item prints it, and the one question."""
    story = item.prompt.partition(OPENING)[0].rstrip().rpartition("\n\n")[0]
    places = written.decimals(part) if part.type == "number" else 0
    note = f" The options are rounded to {places} decimals." if places else ""
    label = f"{part.id}: " if part.id in story else ""
    return f"{story}\n\n{label}{question}{note}"


def _unstated(item: Item, question: Question, bundle: Bundle, params: Mapping[str, Any], asked: str) -> str:
    """What is wrong with the text, if anything: it must state the problem, the question and the options."""
    if read_problem(bundle.sections, question.stem) != dict(params):
        return "the printed problem does not read back as its params"
    if asked not in question.stem or question.stem not in item.prompt:
        return "the question is not the one that was keyed"
    lines = [f"{letter}. {text}" for letter, text in zip(question.letters, question.texts, strict=True)]
    if "\n".join(lines) not in item.prompt:
        return "the prompt does not print the options"
    return ""
