"""From a drawn problem to the printed prompt: story, facts, questions, answer format with a worked example."""

from collections.abc import Mapping, Sequence
from fractions import Fraction

from benchpress.gate import Key
from benchpress.items import Json, Part
from benchpress.modules.causal.bundle import Asked, Bundle, Drawn
from benchpress.protocol import answer_instructions
from benchpress.streams import Stream
from benchpress.wording.numbers import show
from benchpress.wording.sayings import Wording
from benchpress.wording.sections import say_problem

FOREIGN = ("alpha", "beta", "gamma", "delta", "epsilon")
"""Names of the worked example; no problem uses them, so copying the example is never right."""


def compose(bundle: Bundle, drawn: Drawn, asked: Sequence[Asked], parts: Sequence[Part], wording: Wording) -> str:
    """The whole prompt."""
    blocks = [[drawn.opening]] if drawn.opening else []
    blocks += say_problem(bundle.sections, drawn.params, wording)
    blocks.append([f"{one.id}: {one.question}" for one in asked])
    text = "\n\n".join("\n".join(block) for block in blocks)
    return f"{text}\n\n{answer_instructions(parts, worked_example(parts, wording.stream))}"


def worked_example(parts: Sequence[Part], stream: Stream) -> dict[str, Json]:
    """A value for every part that shows its form and stays far from the key."""
    return {part.id: _example(part, stream) for part in parts}


def _example(part: Part, stream: Stream) -> Json:
    if part.type == "number":
        gold = Fraction(part.gold)
        while True:
            value = Fraction(stream.between(-95, 95), 10)
            if abs(value - gold) > 1:
                return show(value)
    if part.type == "node_set":
        return list(FOREIGN[: stream.between(1, 2)])
    if part.type == "sequence":
        return stream.shuffled(FOREIGN[:3])
    if part.type == "edges":
        return [[FOREIGN[0], FOREIGN[1]], [FOREIGN[2], FOREIGN[1]]]
    return stream.choice(part.params["vocabulary"])


def parts_of(asked: Sequence[Asked], keys: Mapping[str, Key]) -> tuple[Part, ...]:
    """The asked parts with their keys."""
    return tuple(one.part(keys[one.id]) for one in asked)
