"""Reference solvers of multiple-choice prompts: each reads what is printed, as any entrant must, and answers a letter.

`exact` solves causal questions by the first method and knows the toy set; a solver with a bad habit picks what its
habit leads to, where that is offered; `fallible` errs once in fifty elementary steps; `random` picks any option. Asked
without options, they state a value. A prompt of another kind is a ValueError.
"""

import hashlib
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from string import ascii_uppercase
from typing import Any

from benchpress.gate import Key
from benchpress.items import Item, Json, Part
from benchpress.modules.causal import MODULE as CAUSAL
from benchpress.modules.causal.bundle import Bundle
from benchpress.modules.causal.reference import HABITS, STEP_ERROR
from benchpress.modules.choice.benchmarks.toy import TOY
from benchpress.modules.choice.causal import written
from benchpress.modules.choice.causal.focal import FOCAL
from benchpress.streams import Stream
from benchpress.wording.sections import read_problem

_OPTION = re.compile(r"([A-Z])\. (.*)")


@dataclass(frozen=True, slots=True)
class Asked:
    """A causal question as a prompt prints it."""

    bundle: Bundle
    params: Mapping[str, Any]
    keys: Mapping[str, Key]
    part: Part

    def chosen(self, options: list[str], value: Json) -> str | None:
        """The letter of the option that states `value`, or that is right where it is the key; None where none does."""
        item = Item("", "choice", "", "", 1, {}, "", (self.part,))
        for letter, text in zip(ascii_uppercase, options, strict=False):
            if value == self.part.gold and written.right(written.read(text, self.part, item), self.part, item):
                return letter
            if text == written.write(value, self.part):
                return letter
        return None


def options_of(prompt: str) -> list[str]:
    """The options that stand last in a prompt, in order; none where it has none."""
    found: list[str] = []
    for line in prompt.split("\n"):
        match = _OPTION.fullmatch(line)
        if match is None:
            continue
        if match[1] == "A":
            found = []
        if match[1] == ascii_uppercase[len(found)]:
            found.append(match[2])
    return found


def read_question(prompt: str) -> Asked | None:
    """The causal question of a prompt, or None where it asks something else."""
    best: tuple[int, Asked] | None = None
    # Questions of two concepts may begin alike, so the longest that is printed is the one that is asked.
    for name, names in FOCAL.items():
        bundle = CAUSAL.rooms[name]
        try:
            params = read_problem(bundle.sections, prompt)
            asked = {one.id: one for one in bundle.asked(params)}
        except (KeyError, ValueError, IndexError, TypeError):
            continue
        for part in names:
            length = len(asked[part].question) if part in asked else 0
            if length > (best[0] if best else 0) and asked[part].question in prompt:
                keys = bundle.first(params)
                best = length, Asked(bundle, params, keys, asked[part].part(keys[part]))
    return None if best is None else best[1]


def exact(prompt: str) -> str:
    """The right option, or the right value where none are printed."""
    found = read_question(prompt)
    if found is None:
        return _known(prompt)
    return _said(found, prompt, found.part.gold)


def habitual(habit: str) -> Callable[[str], str]:
    """A solver with one bad habit; where its result is not offered it takes any other option than the right one."""

    def solve(prompt: str) -> str:
        found = read_question(prompt)
        if found is None:
            return _known(prompt)
        return _said(found, prompt, found.bundle.mistaken(found.params, habit).get(found.part.id, found.part.gold))

    return solve


def fallible(prompt: str) -> str:
    """Right unless one of the elementary steps goes wrong; then any other option."""
    found = read_question(prompt)
    if found is None:
        return _known(prompt)
    stream = _stream("fallible", prompt)
    steps = max(1, found.bundle.steps(found.params) // len(found.keys))
    if not any(stream.below(STEP_ERROR) == 0 for _ in range(steps)):
        return exact(prompt)
    right = found.chosen(options_of(prompt), found.part.gold)
    return _any(prompt, right) if options_of(prompt) else "I cannot work it out."


def guess(prompt: str) -> str:
    """Any option."""
    if not options_of(prompt):
        raise ValueError("there is nothing to choose from")
    return _any(prompt, None)


def _said(found: Asked, prompt: str, value: Json) -> str:
    options = options_of(prompt)
    if not options:
        return f"The answer is {written.write(value, found.part)}."
    letter = found.chosen(options, value)
    return letter or _any(prompt, found.chosen(options, found.part.gold))


def _any(prompt: str, but: str | None) -> str:
    letters = [letter for letter in ascii_uppercase[: len(options_of(prompt))] if letter != but]
    return _stream("random", prompt).choice(letters)


def _known(prompt: str) -> str:
    """The answer to a question of the toy set."""
    options = options_of(prompt)
    for row in TOY.rows() if TOY.rows is not None else ():
        if row["question"] in prompt:
            right = row["choices"][row["answer"]]
            if not options:
                return f"The answer is {right}."
            if right in options:
                return ascii_uppercase[options.index(right)]
    raise ValueError("this is no question that the reference solvers know")


def _stream(purpose: str, prompt: str) -> Stream:
    return Stream(hashlib.sha256(f"choice\n{purpose}\n{prompt}".encode()).digest())


SOLVERS: dict[str, Callable[[str], str]] = {
    "exact": exact,
    **{habit: habitual(habit) for habit in HABITS},
    "fallible": fallible,
    "random": guess,
}
"""Solver name -> prompt to answer text."""
