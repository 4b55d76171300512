"""Alt-SCM answers: an alternative model, an experiment that separates it from the reference, and a witness."""

from collections.abc import Mapping
from typing import Any

from benchpress.models.boolean import signature
from benchpress.models.boolean_replay import Model, do_over_all_roots
from benchpress.parts.mechanisms_problem import Problem

Metrics = dict[str, float | bool | int | None]

_BITS = {"0": 0, "1": 1}


def bit(value: Any) -> int | None:
    """0 or 1 from its accepted spellings (0, 1, "0", "1", true, false), else None. 1.0 is none of them."""
    if isinstance(value, int) and value in (0, 1):
        return int(value)
    return _BITS.get(value) if isinstance(value, str) else None


def read_experiment(value: Any) -> dict[str, Any] | None:
    """The experiment in plain form where it is one: type hard_do, one variable, a bit. Else None."""
    if not isinstance(value, dict) or not isinstance(value.get("type"), str) or value["type"].strip() != "hard_do":
        return None
    assignments = value.get("assignments")
    if not isinstance(assignments, dict) or len(assignments) != 1:
        return None
    (variable, setting), *_ = assignments.items()
    held = bit(setting)
    return None if held is None else {"type": "hard_do", "assignments": {variable: held}}


def read_witness(value: Any, problem: Problem) -> dict[str, Any] | None:
    """The witness in plain form: a bit for every root, and the claimed differences. None where it has no such form.

    By the strict rules every entry must be well formed; by the published rules entries that are not are dropped.
    """
    strict = problem.rules.strict
    if not isinstance(value, dict):
        return None
    stated, claims = value.get("rootAssignment"), value.get("differences")
    if not isinstance(stated, dict) or not isinstance(claims, list):
        return None
    roots = {name: bit(setting) for name, setting in stated.items()}
    if not strict:
        roots = {name: setting for name, setting in roots.items() if setting is not None}
    if set(roots) != set(problem.roots) or None in roots.values():
        return None
    differences = []
    for claim in claims:
        sound = isinstance(claim, dict) and isinstance(claim.get("variable"), str)
        if sound and None not in (pair := (bit(claim.get("reference")), bit(claim.get("alternative")))):
            differences.append({"variable": claim["variable"], "reference": pair[0], "alternative": pair[1]})
        elif strict:
            return None
    return {"rootAssignment": roots, "differences": differences} if differences else None


def judge(problem: Problem, model: Model, train_exact: bool, answer: Mapping[str, Any]) -> Metrics:
    """The verdicts of an Alt-SCM answer whose alternative is legal; None where a verdict has no occasion."""
    reference = problem.reference
    if reference is None:
        raise ValueError("the problem states no reference model")
    distinct = any(
        signature(formula) != problem.reference_signatures[variable] for variable, formula in model.formulas.items()
    )
    experiment = answer.get("experiment")
    metrics: Metrics = {
        "alt_train_exact": train_exact,
        "alt_distinct": distinct,
        "alt_success": train_exact and distinct,
        "experiment_valid": experiment is not None,
        "experiment_resolves": None,
        "witness_valid": None,
        "joint_success": False,
    }
    if not metrics["alt_success"] or experiment is None:
        return metrics
    ((variable, held),) = experiment["assignments"].items()
    if variable not in problem.variables:
        return metrics
    expected, mask = do_over_all_roots(reference, variable, held)
    predicted, _ = do_over_all_roots(model, variable, held)
    separating = {name: (expected[name] ^ predicted[name]) & mask for name in model.formulas if name != variable}
    metrics["experiment_resolves"] = any(separating.values())
    witness = answer.get("witness")
    metrics["witness_valid"] = witness is not None and _shown(problem, witness, expected, predicted, separating)
    metrics["joint_success"] = metrics["experiment_resolves"] and metrics["witness_valid"]
    return metrics


def _shown(
    problem: Problem,
    witness: Mapping[str, Any],
    expected: Mapping[str, int],
    predicted: Mapping[str, int],
    separating: Mapping[str, int],
) -> bool:
    """Do the claimed differences occur at the stated roots? All of them, or by the published rules some."""
    row = sum(witness["rootAssignment"][root] << place for place, root in enumerate(problem.roots))
    true = [
        claim["variable"] in separating
        and bool(separating[claim["variable"]] >> row & 1)
        and expected[claim["variable"]] >> row & 1 == claim["reference"]
        and predicted[claim["variable"]] >> row & 1 == claim["alternative"]
        for claim in witness["differences"]
    ]
    return all(true) if problem.rules.strict else any(true)
