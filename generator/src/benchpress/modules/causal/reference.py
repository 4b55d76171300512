"""Reference solvers: each reads the printed prompt, as any entrant must, and writes answer lines.

`exact` solves it; the others err in one known way, so that difficulty can be measured against known imperfections:

- `adjust_all`: adjusts for everything recorded that the treatment does not affect
- `adjust_parents`: adjusts for the recorded direct causes of the treatment
- `ignore_colliders`: thinks that every association is open, so whatever relates to both sides is adjusted for
- `naive`: takes the unadjusted comparison for the effect
- `fallible`: errs in each elementary step with probability 1 in 50, and then answers that part with a near miss
- `random`: guesses every part by its type
"""

import hashlib
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any

from benchpress.items import Json, Part
from benchpress.modules.causal.bundle import Bundle
from benchpress.modules.causal.reading import read_prompt
from benchpress.protocol import render_answer
from benchpress.streams import Stream
from benchpress.wording.numbers import show

HABITS = ("adjust_all", "adjust_parents", "ignore_colliders", "naive")
STEP_ERROR = 50
"""The fallible solver errs once in this many elementary steps."""


def exact(prompt: str) -> str:
    """Every part right, by the first method."""
    bundle, params = read_prompt(prompt)
    return _write(bundle, params, {part: key.gold for part, key in bundle.first(params).items()})


def habitual(habit: str) -> Callable[[str], str]:
    """A solver with one bad habit, careful in everything else."""

    def solve(prompt: str) -> str:
        bundle, params = read_prompt(prompt)
        return _write(bundle, params, bundle.mistaken(params, habit))

    return solve


def fallible(prompt: str) -> str:
    """Right unless a step goes wrong; the chance that a part survives falls with the length of the way to it."""
    bundle, params = read_prompt(prompt)
    stream = _stream("fallible", prompt)
    keys = bundle.first(params)
    parts = [one.part(keys[one.id]) for one in bundle.asked(params)]
    per_part = max(1, bundle.steps(params) // len(parts))
    values: dict[str, Json] = {}
    for part in parts:
        slip = any(stream.below(STEP_ERROR) == 0 for _ in range(per_part))
        values[part.id] = _near_miss(part, stream) if slip else part.gold
    return render_answer(parts, values)


def guess(prompt: str) -> str:
    """A guess for every part from its type and the names in play."""
    bundle, params = read_prompt(prompt)
    stream = _stream("random", prompt)
    keys = bundle.first(params)
    parts = [one.part(keys[one.id]) for one in bundle.asked(params)]
    return render_answer(parts, {part.id: _guess(part, stream) for part in parts})


def _write(bundle: Bundle, params: Mapping[str, Any], values: Mapping[str, Json]) -> str:
    keys = bundle.first(params)
    return render_answer([one.part(keys[one.id]) for one in bundle.asked(params)], values)


def _stream(purpose: str, prompt: str) -> Stream:
    return Stream(hashlib.sha256(f"{purpose}\n{prompt}".encode()).digest())


def _names(part: Part) -> Sequence[str]:
    return sorted(part.params.get("universe", ()))


def _near_miss(part: Part, stream: Stream) -> Json:
    """A wrong value of the right form, close to the key."""
    if part.type == "number":
        return show(Fraction(part.gold) + Fraction(stream.choice((-1, 1)), stream.between(1, 8)))
    if part.type == "verdict":
        return stream.choice([word for word in part.params["vocabulary"] if word != part.gold])
    if part.type == "node_set":
        toggled = set(part.gold) ^ {stream.choice(_names(part))} if _names(part) else set(part.gold)
        return sorted(toggled)
    swapped = list(part.gold)
    if len(swapped) > 1:
        at = stream.below(len(swapped) - 1)
        swapped[at], swapped[at + 1] = swapped[at + 1], swapped[at]
    return swapped[:-1] if part.type == "edges" or len(swapped) < 2 else swapped


def _guess(part: Part, stream: Stream) -> Json:
    names = _names(part)
    if part.type == "number":
        return show(Fraction(stream.between(-20, 20), 4))
    if part.type == "verdict":
        return stream.choice(part.params["vocabulary"])
    if part.type == "node_set":
        return sorted(name for name in names if stream.chance(1, 3))
    if part.type == "edges":
        return sorted(stream.sample(names, 2) for _ in range(2)) if len(names) > 1 else []
    return stream.shuffled(names)


SOLVERS: dict[str, Callable[[str], str]] = {
    "exact": exact,
    **{habit: habitual(habit) for habit in HABITS},
    "fallible": fallible,
    "random": guess,
}
"""Solver name -> prompt to answer text."""
