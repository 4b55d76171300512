"""The prompt of a replay item, and the reader that takes a printed prompt back to the problem."""

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

from benchpress.parts.mechanisms_problem import STRICT

_INTRODUCTION = """\
A system of {count} binary variables was watched in {worlds} worlds. Some variables are roots: their values come from \
outside. Every other variable is computed: its value is a fixed Boolean function, its mechanism, of some other \
variables. Nothing depends on itself, not even in a roundabout way, and nothing is hidden or random: all variables are \
shown, and the same mechanisms are at work in every row of every world.

In some worlds there is an intervention: certain variables, roots or computed ones, do not follow their mechanism. \
Either each is held at a constant, or it is set anew in every row, and the value it was set to is the one shown. All \
other computed variables go on following their mechanisms. Rows of different worlds have nothing to do with each \
other."""

_TASK = """\
Find {what}.

Your answer is judged by replay. In each row, intervened variables get the value they were set to, roots the value \
shown, and all other variables are computed by your formulas from the values computed before them. {verdict}"""

_VERDICT = """\
The answer is right if this gives exactly the values shown, for every computed variable that is not intervened, in \
every row of the worlds below and of {heldout} further worlds with other interventions, which you do not see."""

_LANGUAGE = """\
A formula is a variable or an operator with its arguments in parentheses, operator first, separated by spaces:
(not a): a is false
(and a b ...): all arguments are true
(or a b ...): at least one argument is true
(xor a b ...): an odd number of arguments is true
(iff a b ...): all arguments are equal
"not" takes one argument, the others two or more. There are no constants and no other operators. A formula has at most \
{characters} characters, {nodes} variables and operators, and {depth} levels of parentheses."""

_FORMAT = """\
You may reason first, but only the final answer is read: the last complete JSON object of this form. Text around it is \
ignored. It must be plain JSON, with no key twice in one object, and not longer than {bytes} bytes."""

_ALT_TASK = """\
The model below, called the reference, fits every world that is shown; so do others. Find an alternative: a model that \
also fits every row of every world below, but whose mechanism for at least one variable is another Boolean function. \
Then give an experiment on one variable that tells the two models apart, and a witness.

Fitting is judged by replay. In each row, intervened variables get the value they were set to, roots the value shown, \
and all other variables are computed by your formulas from the values computed before them; this must give exactly the \
values shown, for every computed variable that is not intervened. The experiment holds one variable at 0 or 1. It must \
make the two models differ in some computed variable that it does not hold, for at least one assignment of the roots. \
The witness is such an assignment of all roots (a root that the experiment holds has its held value) and a list of \
differences, at least one: each names a variable and its values in the two models, and every one listed must be true."""

_EXAMPLES: Mapping[str, Any] = {
    "plain": {"mechanisms": {"S": "(or P (not Q))", "T": "(iff Q S)"}},
    "roots": {"roots": ["P", "Q"], "mechanisms": {"S": "(or P (not Q))", "T": "(iff Q S)"}},
    "alt": {
        "alternative": {"mechanisms": {"S": "(or P (not Q))", "T": "(iff Q S)"}},
        "experiment": {"type": "hard_do", "assignments": {"S": 1}},
        "witness": {
            "rootAssignment": {"P": 0, "Q": 1},
            "differences": [{"variable": "T", "reference": 0, "alternative": 1}],
        },
    },
}


def compose(params: Mapping[str, Any]) -> str:
    """The whole prompt. Held-out rows are not in it."""
    train = [world for world in params["worlds"] if world["split"] == "train"]
    setting = params["variant"]
    alt = setting.startswith("alt")
    blocks = [
        _INTRODUCTION.format(count=len(params["variables"]), worlds=len(train)),
        _ALT_TASK if alt else _task(params),
        "Known beforehand:\n" + "\n".join(_known(params)),
        "Formulas\n\n"
        + _LANGUAGE.format(characters=STRICT.limits.characters, nodes=STRICT.limits.nodes, depth=STRICT.limits.depth),
    ]
    if alt:
        blocks.append("Reference: " + json.dumps(params["reference"]["mechanisms"]))
    blocks.append("Worlds\n\n" + "\n\n".join(_world(world, params["variables"]) for world in train))
    example = _EXAMPLES["alt" if alt else "roots" if setting == "hidden_roots" else "plain"]
    blocks.append(
        "Answer\n\n"
        + _FORMAT.format(bytes=STRICT.answer_bytes)
        + "\n\nExample of the form, from an unrelated problem with roots P and Q and computed variables S and T:\n"
        + json.dumps(example)
    )
    return "\n\n".join(blocks)


def _task(params: Mapping[str, Any]) -> str:
    hides_roots = params["variant"] == "hidden_roots"
    verdict = _VERDICT.format(heldout=sum(world["split"] == "heldout" for world in params["worlds"]))
    if hides_roots:
        verdict += " The roots must be right as well."
    what = "the roots, and a formula for each other variable" if hides_roots else "a formula for each computed variable"
    return _TASK.format(what=what, verdict=verdict)


def _known(params: Mapping[str, Any]) -> list[str]:
    """What is disclosed, one fact a line."""
    setting = params["variant"]
    lines = [f"Variables: {', '.join(params['variables'])}"]
    if setting == "hidden_roots":
        lines.append(f"Number of roots: {params['root_count']}")
    else:
        lines.append(f"Roots: {', '.join(params['roots'])}")
        lines.append(f"Computed variables: {', '.join(params['endogenous'])}")
    if setting in ("ordered", "alt_ordered"):
        lines.append(f"Order: {' < '.join(params['order'])}")
        lines.append("A formula may mention only variables that come before its own in this order.")
    elif setting == "block_order":
        lines.append("Order in blocks: " + " < ".join("{" + ", ".join(block) + "}" for block in params["order"]))
        lines.append(
            "A formula may mention any other variable of its own block or of an earlier one. The order within a block "
            "is not known; a set of formulas in which variables mention one another in a circle is refused."
        )
    else:
        lines.append(
            "The order is not known. A formula may mention any other variable; a set of formulas in which variables "
            "mention one another in a circle is refused."
        )
    lines.append(f"Mechanisms: each depends on at most {params['most_parents']} variables.")
    return lines


def _world(world: Mapping[str, Any], variables: Sequence[str]) -> str:
    rows = (" ".join(f"{name}={row[name]}" for name in variables) for row in world["rows"])
    return f"World {world['id']}. {_intervention(world['targets'])}\n" + "\n".join(rows)


def _intervention(targets: Mapping[str, Any]) -> str:
    if not targets:
        return "No intervention."
    if "assigned" in targets.values():
        return f"Set in every row: {', '.join(targets)}."
    return "Held constant: " + ", ".join(f"{name}={value}" for name, value in targets.items()) + "."


_ORDERS = {
    "ordered": re.compile(r"^Order: (.+)$", re.MULTILINE),
    "block_order": re.compile(r"^Order in blocks: (.+)$", re.MULTILINE),
}
_WORLD = re.compile(r"^World (\S+)\. (.+)\n((?:\S+=[01](?: \S+=[01])*\n)+)", re.MULTILINE)


def read_prompt(prompt: str) -> dict[str, Any]:
    """The problem that a prompt states, in the neutral schema and without held-out worlds, from its text alone."""

    def listed(label: str) -> list[str] | None:
        found = re.search(rf"^{label}: (.+)$", prompt, re.MULTILINE)
        return found[1].split(", ") if found else None

    order: Any = None
    variant = "hidden_order"
    if found := _ORDERS["ordered"].search(prompt):
        variant, order = "ordered", found[1].split(" < ")
    elif found := _ORDERS["block_order"].search(prompt):
        variant = "block_order"
        order = [block.strip("{}").split(", ") for block in found[1].split(" < ")]
    count = re.search(r"^Number of roots: (\d+)$", prompt, re.MULTILINE)
    if count:
        variant = "hidden_roots"
    reference = re.search(r"^Reference: (\{.+\})$", prompt, re.MULTILINE)
    if reference:
        variant = {"ordered": "alt_ordered", "hidden_order": "alt_hidden"}[variant]
    most = re.search(r"^Mechanisms: each depends on at most (\d+) variables\.$", prompt, re.MULTILINE)
    problem: dict[str, Any] = {
        "variant": variant,
        "variables": listed("Variables"),
        "roots": listed("Roots"),
        "endogenous": listed("Computed variables"),
        "order": order,
        "most_parents": int(most[1]) if most else None,
        "worlds": [_read_world(*found.groups()) for found in _WORLD.finditer(prompt)],
    }
    if count:
        problem["root_count"] = int(count[1])
    if reference:
        problem["reference"] = json.loads(reference[1])
    return problem


def _read_world(name: str, intervention: str, rows: str) -> dict[str, Any]:
    kind, _, listed = intervention.rstrip(".").partition(": ")
    targets: dict[str, Any] = {}
    if kind == "Set in every row":
        targets = dict.fromkeys(listed.split(", "), "assigned")
    elif kind == "Held constant":
        targets = {name: int(value) for name, value in (part.split("=") for part in listed.split(", "))}
    return {
        "id": name,
        "split": "train",
        "targets": targets,
        "rows": [
            {name: int(value) for name, value in (part.split("=") for part in line.split(" "))}
            for line in rows.splitlines()
        ],
    }


def stated(params: Mapping[str, Any]) -> dict[str, Any]:
    """The part of `params` that a prompt states, in the form that :func:`read_prompt` gives."""
    problem = {name: params[name] for name in ("variant", "variables", "roots", "endogenous", "order", "most_parents")}
    problem["worlds"] = [dict(world) for world in params["worlds"] if world["split"] == "train"]
    if params["variant"] == "hidden_roots":
        problem["root_count"] = params["root_count"]
    if params["variant"].startswith("alt"):
        problem["reference"] = params["reference"]["mechanisms"]
    return problem
