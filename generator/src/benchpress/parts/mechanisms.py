"""Mechanisms: a Boolean structural causal model as JSON, judged by replay and never by its wording.

The answer is an object with a formula for every endogenous variable, ``{"mechanisms": {"X4": "(xor X1 X2)"}}``; in the
hidden-roots setting with ``"roots"`` beside it; in the Alt-SCM settings
``{"alternative": {"mechanisms": ...}, "experiment": ..., "witness": ...}``. The problem is in the item's `params`.
"""

from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Generic, TypeVar

from benchpress.items import Item, Part, PartResult, Reading
from benchpress.models.boolean import FormulaError, Limits, functional_parents, parse
from benchpress.models.boolean_replay import Model, replay
from benchpress.parts.mechanisms_alt import Metrics, judge, read_experiment, read_witness
from benchpress.parts.mechanisms_answer import find_answer
from benchpress.parts.mechanisms_problem import Problem, check_keys, read_model, read_problem

T = TypeVar("T")

Edges = frozenset[tuple[str, str]]


class _Kept(Generic[T]):
    """What was worked out of a few objects that cannot be hashed, known again by identity.

    Each object is held here, so no other one can have its id in the meantime.
    """

    def __init__(self, most: int = 8) -> None:
        self._most = most
        self._kept: OrderedDict[int, tuple[object, T]] = OrderedDict()

    def get(self, source: object, make: Callable[[], T]) -> T:
        kept = self._kept.get(id(source))
        if kept is None:
            kept = self._kept[id(source)] = (source, make())
            if len(self._kept) > self._most:
                self._kept.popitem(last=False)
        return kept[1]


class Mechanisms:
    """The part type `mechanisms`: gold is ``{"mechanisms": ..., "order": ..., "roots": ...}``."""

    def __init__(self) -> None:
        self._problems: _Kept[Problem] = _Kept()
        self._gold_edges: _Kept[Edges] = _Kept()

    def read(self, text: str, part: Part, item: Item) -> Reading:
        """Find the answer in `text`. Raises UserError where the item states no sound problem."""
        del part
        problem = self.problem(item)
        if problem.is_alt:
            found = find_answer(text, "alternative", "mechanisms", problem.rules)
        else:
            found = find_answer(text, "mechanisms", None, problem.rules, "roots" if problem.hides_roots else None)
        metrics = {"parsed": found.json_seen, "multiple_answers": found.multiple}
        value = None if found.value is None else _plain(found.value, problem)
        note = found.note
        if found.multiple:
            which = "last" if problem.rules.strict or problem.is_alt else "longest"
            note = "; ".join(filter(None, (note, f"several answers, the {which} one counts")))
        return Reading(value, note, found.source, metrics)

    def score(self, reading: Reading, part: Part, item: Item) -> PartResult:
        """Judge legality, replay the model in every world and compare its structure with the gold model's."""
        problem = self.problem(item)
        metrics = {**(reading.metrics or {"parsed": reading.value is not None, "multiple_answers": False})}
        metrics.update(_nothing(problem))
        note = reading.note
        if reading.value is not None:
            edges = self._gold_edges.get(part.gold, lambda: _edges_of_gold(part.gold, problem))
            reason = _judge(problem, reading.value, part.gold, edges, metrics)
            note = "; ".join(filter(None, (reason, note)))
        correct = bool(metrics["joint_success"] if problem.is_alt else metrics["heldout_exact"])
        if problem.hides_roots:
            correct = correct and bool(metrics["root_exact"])
        return PartResult(part.id, part.type, reading.value, part.gold, correct, note, metrics)

    def problem(self, item: Item) -> Problem:
        """The item's problem, read once for the submissions that follow one another. Raises UserError."""
        return self._problems.get(item.params, lambda: read_problem(item.params, f"item {item.id}"))


MECHANISMS = Mechanisms()


def _plain(found: Mapping[str, Any], problem: Problem) -> dict[str, Any]:
    """What of the answer counts, in plain form: anything that is no string where one is asked becomes null."""
    if problem.is_alt:
        return {
            "alternative": {"mechanisms": _texts(found["alternative"]["mechanisms"])},
            "experiment": read_experiment(found.get("experiment")),
            "witness": read_witness(found.get("witness"), problem),
        }
    value: dict[str, Any] = {"mechanisms": _texts(found["mechanisms"])}
    if problem.hides_roots:
        roots = found.get("roots")
        value["roots"] = [_text(name) for name in roots] if isinstance(roots, list) else None
    return value


def _texts(stated: Mapping[str, Any]) -> dict[str, str | None]:
    return {name: _text(value) for name, value in stated.items()}


def _text(value: Any) -> str | None:
    return value if isinstance(value, str) else None


def _nothing(problem: Problem) -> Metrics:
    """The metrics of an answer that shows nothing: zero where a figure is a share, null where none can be given."""
    metrics: Metrics = {
        "legal": False,
        "train_exact": False,
        "train_world_exact": 0.0,
        "heldout_world_exact": 0.0,
        "heldout_all_exact": False,
        "heldout_exact": False,
        "train_cell_accuracy": 0.0,
        "heldout_cell_accuracy": 0.0,
        "parent_f1": 0.0,
        "parents_exact": False,
        "parent_shd": None,
    }
    if problem.hides_roots:
        metrics |= {"root_exact": False, "root_precision": 0.0, "root_recall": 0.0}
    if problem.is_alt:
        metrics |= {"alt_train_exact": False, "alt_distinct": False, "alt_success": False}
        metrics |= {"experiment_valid": False, "experiment_resolves": None, "witness_valid": None}
        metrics["joint_success"] = False
    return metrics


def _judge(problem: Problem, value: Any, gold: Mapping[str, Any], gold_edges: Edges, metrics: Metrics) -> str:
    """Fill in `metrics`; returns why the submission is illegal, or nothing."""
    roots: Sequence[str] = problem.roots
    try:
        mechanisms = _stated(problem, value)
        if problem.hides_roots:
            roots = _submitted_roots(problem, value.get("roots"))
        check_keys(problem, mechanisms, roots)
        if problem.hides_roots:
            hits = len(set(roots) & set(gold["roots"]))
            metrics["root_exact"] = hits == len(roots) == len(gold["roots"])
            metrics["root_precision"] = hits / len(roots)
            metrics["root_recall"] = hits / len(gold["roots"])
        model = read_model(problem, mechanisms, roots)
    except FormulaError as reason:
        return f"illegal: {reason}"
    train, heldout = replay(problem.panel, model)
    metrics["legal"] = True
    metrics["train_exact"] = train.exact
    metrics["train_world_exact"] = train.world_exact
    metrics["train_cell_accuracy"] = train.cell_accuracy
    metrics["heldout_world_exact"] = heldout.world_exact
    metrics["heldout_cell_accuracy"] = heldout.cell_accuracy
    metrics["heldout_all_exact"] = heldout.exact
    metrics["heldout_exact"] = train.exact and heldout.exact
    metrics |= _structure(_edges(model), gold_edges)
    if problem.is_alt:
        metrics |= judge(problem, model, train.exact, value)
    return ""


def _stated(problem: Problem, value: Any) -> Mapping[str, Any]:
    """The map of formulas in a value, wherever it came from. Raises FormulaError where there is none."""
    if problem.is_alt and isinstance(value, Mapping):
        value = value.get("alternative")
    stated = value.get("mechanisms") if isinstance(value, Mapping) else None
    if not isinstance(stated, Mapping):
        raise FormulaError("no map of mechanisms")
    return stated


def _submitted_roots(problem: Problem, stated: Sequence[Any] | None) -> list[str]:
    if stated is None:
        raise FormulaError("roots is not a list")
    roots = [name for name in stated if name in problem.usable]
    if len(roots) != len(stated):
        raise FormulaError("roots lists something that is no variable")
    if len(set(roots)) != len(roots):
        raise FormulaError("roots lists a variable twice")
    if len(roots) != problem.root_count:
        raise FormulaError(f"{len(roots)} roots, where there are {problem.root_count}")
    return roots


def _edges(model: Model) -> Edges:
    return frozenset(
        (parent, child) for child, formula in model.formulas.items() for parent in functional_parents(formula)
    )


def _edges_of_gold(gold: Mapping[str, Any], problem: Problem) -> Edges:
    bound = Limits(1_000_000, 1_000_000, 10_000)
    return frozenset(
        (parent, child)
        for child, text in gold["mechanisms"].items()
        for parent in functional_parents(
            parse(text, problem.usable, problem.operators, constants=problem.constants, limits=bound)
        )
    )


def _structure(mine: Edges, gold: Edges) -> Metrics:
    """Edge F1, equality, and structural Hamming distance over unordered pairs (a reversal counts once)."""
    hits = len(mine & gold)
    reversed_pairs = sum((child, parent) in gold for parent, child in mine - gold)
    return {
        "parent_f1": 2 * hits / (len(mine) + len(gold)) if mine or gold else 1.0,
        "parents_exact": mine == gold,
        "parent_shd": len(mine ^ gold) - reversed_pairs,
    }
