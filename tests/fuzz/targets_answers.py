"""Targets of what a model answers: every part type's reader, alone and among others, and what is written reads back."""

import random
from collections.abc import Callable, Sequence
from typing import Any

from benchpress.grading import explain, grade_item, score_line
from benchpress.items import Item, Part, Response, Status
from benchpress.models.boolean import OPERATORS, FormulaError, equivalent, parse
from benchpress.protocol import render_answer
from fuzz_seeds import choice_cases, hard_answers, replay_answers, replay_items, tagged_cases
from fuzzing import Target, json_of, require, text_of

UNIVERSE = ["A", "B", "C", "X1", "X11", "Blood Pressure", "Z(0)", "pre-test", "I", "IMPOSSIBLE"]
SYNONYMS = {"yes": ["yes", "true", "identifiable"], "no": ["no", "false", "not identifiable"]}
PARTS = {
    "node_set": Part("SET", "node_set", ["A"], {"universe": UNIVERSE}),
    "number": Part("ESTIMATE", "number", "1", {"tolerance": "0.1"}),
    "edges": Part("EDGES", "edges", [["A", "B"]], {"universe": UNIVERSE, "directed": True}),
    "sequence": Part("ORDER", "sequence", ["A"], {"universe": UNIVERSE}),
    "verdict": Part("VALID", "verdict", "yes", {"vocabulary": ["yes", "no"], "classes": SYNONYMS}),
    "choice": Part("ANSWER", "choice", "A", {"options": ["Paris", "London", "Berlin", "Madrid"]}),
}
SKELETON = Part("SKELETON", "edges", [], {"universe": UNIVERSE, "directed": False})
STOPS = (None, "stop", "length", "content_filter", "tool_calls", "error", "\ud800")

WORDS = tuple(
    word.encode()
    for word in (
        "SET: ",
        "ESTIMATE: ",
        "EDGES: ",
        "ORDER: ",
        "VALID: ",
        "ANSWER: ",
        "SKELETON: ",
        "->",
        "<-",
        "<->",
        "--",
        "{",
        "}",
        "[",
        "]",
        "(",
        ")",
        "|",
        "\n",
        "\n\n",
        "**",
        "`",
        "```",
        "~~",
        "\\frac{1}{2}",
        "\\boxed{",
        "$",
        "10^3",
        "1,234",
        "½",
        "%",
        "e9",
        "9^9^9",
        "yes",
        "no",
        "not ",
        "or ",
        "and ",
        "none",
        "IMPOSSIBLE",
        "<think>",
        "</think>",
        "&lt;",
        "<b>",
        "wait, ",
        "Blood Pressure",
        "Z(0)",
        "X1",
        "A, B",
        "- ",
        "1. ",
        "| SET | A |",
        '"SET": ["A"]',
        "→",
        "\u200b",
        "(xor ",
        '{"mechanisms": {',
        '"roots": [',
        '"X1": "X2"',
        "(not ",
        "(iff ",
    )
)


def item_of(*parts: Part) -> Item:
    return Item("case", "cases", "cases", "base", 1, {}, "a question", parts)


def _well_formed(part: Part, value: Any) -> bool:
    """Whether a value has the form that files of scores promise for its type."""
    match part.type:
        case "number":
            return isinstance(value, str)
        case "node_set":
            return bool(value == sorted(set(value)))
        case "edges":
            pairs = [tuple(pair) for pair in value]
            return pairs == sorted(set(pairs)) and (part.params["directed"] or all(a <= b for a, b in pairs))
        case "sequence":
            return isinstance(value, list) and bool(value)
        case "mechanisms":
            return isinstance(value, dict)
    return value in part.params.get("vocabulary", "ABCD")


def graded(*parts: Part) -> Callable[[bytes], Any]:
    """A reader of an answer to an item of these parts. The first byte chooses the stop reason."""
    return lambda data: _graded(item_of(*parts), data)


def _graded(item: Item, data: bytes) -> Any:
    text = text_of(data[1:])
    response = Response("case", text, STOPS[data[0] % len(STOPS)] if data else None)
    result = grade_item(item, response)
    require(result.status in Status, "no such status")
    require(result.correct == all(part.correct for part in result.parts), "the item is right when its parts are")
    for part, outcome in zip(item.parts, result.parts, strict=True):
        require(outcome.parsed is None or _well_formed(part, outcome.parsed), f"{part.type} read {outcome.parsed!r}")
        require(outcome.parsed is not None or not outcome.correct, "nothing was read, and it is right")
    require(json_of(score_line(result).encode()) == result.to_json(), "the line of a score says something else")
    require(explain(item, response).result == result, "the explanation has another result")
    return result


def _answers() -> list[bytes]:
    return [b"\x01" + text.encode("utf-8", "surrogatepass") for text in (*tagged_cases(), *hard_answers())]


def _choices() -> list[bytes]:
    return [b"\x01" + text.encode("utf-8", "surrogatepass") for text in choice_cases()]


def _replay(data: bytes) -> Any:
    """The first byte chooses the item as well."""
    items = replay_items()
    return _graded(items[data[0] % len(items)], data[1:]) if data else None


def _replay_answers() -> list[bytes]:
    return [bytes([place]) + b"\x01" + text.encode() for place, text in replay_answers()]


def _written(data: bytes) -> Any:
    """Values drawn from the bytes, written as a solver writes them, are read back and right."""
    draw = random.Random(data)
    edges = [draw.sample(UNIVERSE[:-1], 2) for _ in range(draw.randrange(4))]
    chosen = draw.sample(UNIVERSE[:-1], draw.randint(1, 5))
    gold: dict[str, Any] = {
        "SET": sorted(draw.sample(UNIVERSE[:-1], draw.randrange(5))) if draw.random() < 0.8 else ["IMPOSSIBLE"],
        "ESTIMATE": f"{draw.randint(-999, 999)}/{draw.randint(1, 99)}"
        if draw.random() < 0.5
        else f"{draw.random():.6f}",
        "EDGES": sorted(set(map(tuple, edges))),
        "SKELETON": sorted({tuple(sorted(edge)) for edge in edges}),
        "ORDER": chosen,
        "VALID": draw.choice(["yes", "no"]),
        "ANSWER": draw.choice("ABCD"),
    }
    parts = [Part(one.id, one.type, gold[one.id], one.params) for one in (*PARTS.values(), SKELETON)]
    draw.shuffle(parts)
    parts = parts[: draw.randint(1, len(parts))]
    text = data.decode("utf-8", "replace") if len(parts) > 1 and draw.random() < 0.2 else "So it is."
    before = " ".join(text.replace(":", " ").split()) if text.isalpha() else "So it is."
    answer = f"{before}\n\n{render_answer(parts, gold)}"
    result = grade_item(item_of(*parts), Response("case", answer))
    require(result.correct, f"written and not read back: {answer!r} gave {result.to_json()}")
    return answer


def _formula(data: bytes) -> Any:
    """A formula in prefix form; what is rendered is the same function."""
    found = parse(data.decode("utf-8", "replace"), [f"X{n}" for n in range(1, 9)], OPERATORS, constants=True)
    again = parse(str(found), found.variables, OPERATORS, constants=True)
    require(again.program == found.program and equivalent(again, found), "rendered, it is another formula")
    return str(found)


def _formulas() -> Sequence[bytes]:
    return [
        b"X1",
        b"(not X1)",
        b"(and X1 X2 (or X3 (xor X4 X5)))",
        b"(iff X1 (iff X2 0))",
        b"(X1)",
        b"(and X1",
        b"1",
        b")",
    ]


TARGETS = (
    *(
        Target(f"answer-{name}", f"a model's answer to a part of type {name}", graded(part), _answers, words=WORDS)
        for name, part in PARTS.items()
        if name != "choice"
    ),
    Target(
        "answer-choice",
        "a model's answer to a multiple-choice question",
        graded(PARTS["choice"]),
        _choices,
        words=WORDS,
    ),
    Target("answer-mechanisms", "a model's mechanisms for a replay item", _replay, _replay_answers, words=WORDS),
    Target(
        "answer-all",
        "a model's answer to seven parts at once",
        graded(*PARTS.values(), SKELETON),
        _answers,
        words=WORDS,
    ),
    Target(
        "answer-written", "values as `render_answer` writes them", _written, lambda: [bytes([n, n]) for n in range(99)]
    ),
    Target(
        "formula", "a Boolean formula of a mechanism", _formula, _formulas, (FormulaError,), (b"(xor ", b"(iff ", b"X8")
    ),
)
