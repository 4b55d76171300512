"""The problem that a submission of mechanisms is judged on, made ready once for any number of submissions."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain
from operator import itemgetter
from typing import Any

from benchpress.errors import UserError
from benchpress.models.boolean import (
    ARITY,
    VARIABLE_NAME,
    FormulaError,
    Limits,
    Signature,
    parse,
    signature,
)
from benchpress.models.boolean_replay import Model, Panel, World, pack

SETTINGS = ("ordered", "block_order", "hidden_order", "hidden_roots", "alt_ordered", "alt_hidden")

MAX_ALT_ROOTS = 12
"""Most roots of an Alt-SCM problem: experiments are compared under every assignment of the roots."""


@dataclass(frozen=True, slots=True)
class Rules:
    """What an answer may look like, where the published evaluator and the rules printed in our prompts part."""

    name: str
    limits: Limits
    answer_bytes: int
    strict: bool


PUBLISHED = Rules("published", Limits(65_536, 16_384, 334), 131_072, strict=False)
"""For items that say nothing: the published evaluator's rules, with bounds beyond everything it can read itself."""

STRICT = Rules("strict", Limits(4_096, 1_024, 64), 65_536, strict=True)
"""For items that say ``"rules": "strict"`` and print these rules in their prompt: every item of ours."""

RULES = {rules.name: rules for rules in (PUBLISHED, STRICT)}


@dataclass(frozen=True, slots=True)
class Problem:
    """A problem of the neutral schema, checked and packed.

    `usable` tells which variables the formula of each variable may mention. `order` is the disclosed total order,
    empty where none is disclosed. In the hidden-roots setting `roots` and `endogenous` are empty.
    """

    setting: str
    variables: tuple[str, ...]
    roots: tuple[str, ...]
    endogenous: tuple[str, ...]
    root_count: int
    order: tuple[str, ...]
    usable: Mapping[str, frozenset[str]]
    operators: tuple[str, ...]
    constants: bool
    panel: Panel
    rules: Rules
    reference: Model | None = None
    reference_signatures: Mapping[str, Signature] = field(default_factory=dict)

    @property
    def hides_roots(self) -> bool:
        return self.setting == "hidden_roots"

    @property
    def is_alt(self) -> bool:
        return self.setting in ("alt_ordered", "alt_hidden")


def evaluation_order(roots: Sequence[str], mentions: Mapping[str, Sequence[str]]) -> list[str] | None:
    """The variables of `mentions` in an order in which each follows those it mentions; None where there is a cycle."""
    known = set(roots)
    waiting = dict(mentions)
    order = []
    while waiting:
        ready = [variable for variable, needs in waiting.items() if known.issuperset(needs)]
        if not ready:
            return None
        for variable in ready:
            known.add(variable)
            order.append(variable)
            del waiting[variable]
    return order


def read_model(problem: Problem, mechanisms: Mapping[str, Any], roots: Sequence[str]) -> Model:
    """The legal model that a map of formula texts states, given its roots. Raises FormulaError saying what is illegal.

    Variables are judged by occurrence, and so are cycles: a variable that the function does not depend on counts
    where it is written.
    """
    endogenous: Sequence[str] = problem.endogenous
    if problem.hides_roots:
        endogenous = [variable for variable in problem.variables if variable not in roots]
    formulas = {}
    for variable in endogenous:
        text = mechanisms[variable]
        if not isinstance(text, str):
            raise FormulaError(f"{variable}: the mechanism is not a string")
        try:
            formulas[variable] = parse(
                text,
                problem.usable[variable],
                problem.operators,
                constants=problem.constants,
                limits=problem.rules.limits,
            )
        except FormulaError as reason:
            raise FormulaError(f"{variable}: {reason}") from None
    order: Sequence[str] | None = problem.order
    if not order:
        order = evaluation_order(roots, {variable: formula.variables for variable, formula in formulas.items()})
        if order is None:
            raise FormulaError("the mechanisms form a cycle")
    return Model(tuple(roots), {variable: formulas[variable] for variable in order if variable in formulas})


def check_keys(problem: Problem, mechanisms: Mapping[str, Any], roots: Sequence[str]) -> None:
    """Raise FormulaError unless there is a mechanism for every endogenous variable and for nothing else."""
    for variable in problem.variables:
        if (variable in mechanisms) == (variable in roots):
            what = "a mechanism for the root" if variable in roots else "no mechanism for"
            raise FormulaError(f"{what} {variable}")
    if len(mechanisms) != len(problem.variables) - len(roots):
        unknown = next(key for key in mechanisms if key not in problem.usable)
        raise FormulaError(f"a mechanism for the unknown variable {unknown[:40]!r}")


def read_problem(params: Mapping[str, Any], where: str) -> Problem:
    """The problem in an item's params. Raises UserError naming the item (`where`) and what is wrong with it."""
    try:
        return _read(params)
    except FormulaError as reason:
        problem = f"the reference model is illegal ({reason})"
    except _BadProblemError as reason:
        problem = str(reason)
    except (KeyError, TypeError, ValueError, AttributeError) as reason:
        problem = f"params do not follow the schema ({type(reason).__name__}: {reason})"
    raise UserError(f"{where}: {problem}; see docs/replay.md for the schema of a problem") from None


class _BadProblemError(Exception):
    pass


def _read(params: Mapping[str, Any]) -> Problem:
    setting = params["variant"]
    _require(setting in SETTINGS, f"variant {setting!r} is none of {', '.join(SETTINGS)}")
    rules = params.get("rules", PUBLISHED.name)
    _require(rules in RULES, f"rules {rules!r} are none of {', '.join(RULES)}")
    variables = tuple(params["variables"])
    operators = tuple(params["operators"])
    _require(set(operators) <= set(ARITY), f"operators must be among {', '.join(ARITY)}")
    for name in variables:
        good = isinstance(name, str) and VARIABLE_NAME.fullmatch(name) and name not in ARITY
        _require(bool(good), f"{name!r} cannot name a variable")
    _require(len(set(variables)) == len(variables), "a variable is listed twice")
    roots, endogenous, root_count = (), (), 0
    if setting == "hidden_roots":
        root_count = params["root_count"]
        _require(
            isinstance(root_count, int) and 0 < root_count < len(variables),
            "root_count must leave something to explain",
        )
    else:
        roots, endogenous = tuple(params["roots"]), tuple(params["endogenous"])
        root_count = len(roots)
        _require(sorted(roots + endogenous) == sorted(variables), "roots and endogenous must divide the variables")
    order, usable = _usable(setting, variables, params.get("order"))
    panel = _panel(params["worlds"], variables)
    hideable = variables if setting == "hidden_roots" else endogenous
    scored = 0
    for variable in hideable:
        scored |= panel.mask & ~panel.clamped[variable]
    _require(bool(scored & panel.train), "no cell of a training world is scored")
    _require(bool(scored & ~panel.train), "no cell of a held-out world is scored")
    problem = Problem(
        setting,
        variables,
        roots,
        endogenous,
        root_count,
        order,
        usable,
        operators,
        params.get("allow_constants") is True,
        panel,
        RULES[rules],
    )
    if not problem.is_alt:
        return problem
    _require(root_count <= MAX_ALT_ROOTS, f"an Alt-SCM problem has at most {MAX_ALT_ROOTS} roots")
    stated = params["reference"]["mechanisms"]
    check_keys(problem, stated, roots)
    reference = read_model(problem, stated, roots)
    signatures = {variable: signature(formula) for variable, formula in reference.formulas.items()}
    return replace(problem, reference=reference, reference_signatures=signatures)


def _require(holds: bool, message: str) -> None:
    if not holds:
        raise _BadProblemError(message)


def _usable(setting: str, variables: tuple[str, ...], order: Any) -> tuple[tuple[str, ...], dict[str, frozenset[str]]]:
    """The disclosed total order (or none), and the variables that each formula may mention."""
    if setting in ("ordered", "alt_ordered"):
        _require(sorted(order) == sorted(variables), "order must list every variable once")
        return tuple(order), {name: frozenset(order[:place]) for place, name in enumerate(order)}
    if setting == "block_order":
        _require(
            sorted(chain.from_iterable(order)) == sorted(variables), "the blocks of order must divide the variables"
        )
        usable = {}
        known: frozenset[str] = frozenset()
        for block in order:
            known |= frozenset(block)
            for name in block:
                usable[name] = known - {name}
        return (), usable
    every = frozenset(variables)
    return (), {name: every - {name} for name in variables}


def _panel(worlds: Sequence[Mapping[str, Any]], variables: tuple[str, ...]) -> Panel:
    """The rows of all worlds, packed; refuses a row without a variable, a cell that is no bit, a constant not kept."""
    rows: list[Mapping[str, int]] = []
    clamped = dict.fromkeys(variables, 0)
    packed = []
    train = 0
    ids = set()
    for world in worlds:
        name, own = world["id"], world["rows"]
        _require(name not in ids, f"world {name!r} occurs twice")
        _require(world["split"] in ("train", "heldout"), f"world {name!r}: split must be train or heldout")
        ids.add(name)
        mask = ((1 << len(own)) - 1) << len(rows)
        for target, value in world["targets"].items():
            _require(target in clamped, f"world {name!r}: {target!r} is no variable")
            clamped[target] |= mask
            if value != "assigned":
                _require(value in (0, 1), f"world {name!r}: {target} must be 'assigned', 0 or 1")
                kept = all(row[target] == value for row in own)
                _require(kept, f"world {name!r}: {target} is held at {value} but a row differs")
        rows.extend(own)
        is_train = world["split"] == "train"
        train |= mask if is_train else 0
        packed.append(World(name, mask, is_train))
    columns = {name: pack(list(map(itemgetter(name), rows))) for name in variables}
    return Panel((1 << len(rows)) - 1, train, columns, clamped, tuple(packed))
