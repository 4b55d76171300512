"""Multiple-choice sets by name. One file a set: where it is published, and a pure function from its row to a question.

A set of one's own is registered by an entry point of the group `benchpress.benchmarks`, or named as
`package.module:attribute`; either leads to a :class:`Benchmark`.
"""

from benchpress.errors import UserError
from benchpress.modules.choice.benchmarks.base import Benchmark
from benchpress.registry import Registry

_HERE = "benchpress.modules.choice.benchmarks"

BENCHMARKS: Registry[Benchmark] = Registry(
    "benchpress.benchmarks",
    "benchmark",
    {
        "mmlu": f"{_HERE}.mmlu:MMLU",
        "arc_challenge": f"{_HERE}.arc_challenge:ARC_CHALLENGE",
        "mmlu_pro": f"{_HERE}.mmlu_pro:MMLU_PRO",
        "hellaswag": f"{_HERE}.hellaswag:HELLASWAG",
        "truthful_qa": f"{_HERE}.truthful_qa:TRUTHFUL_QA",
        "toy": f"{_HERE}.toy:TOY",
    },
)


def benchmark(name: str) -> Benchmark:
    """The set of that registered name, or the one registered for the Hugging Face data set `owner/name`.

    Raises UserError for an unknown name, and for a data set that no registered set knows how to read.
    """
    if "/" in name and ":" not in name:
        for found in registered().values():
            if isinstance(found, Benchmark) and found.repository == name:
                return found
        raise UserError(
            f"no benchmark is registered for the data set {name}: write a Benchmark whose repository is {name!r} and "
            "register it (entry point benchpress.benchmarks), or name it as package.module:attribute"
        )
    found = BENCHMARKS.get(name)
    if not isinstance(found, Benchmark):
        raise UserError(f"{name} is a {type(found).__name__}, not a Benchmark of benchpress.modules.choice.benchmarks")
    return found


def registered() -> dict[str, Benchmark | UserError]:
    """Every registered set by name; for a plug-in that cannot be loaded, why."""
    found: dict[str, Benchmark | UserError] = {}
    for name in BENCHMARKS:
        try:
            found[name] = benchmark(name)
        except UserError as problem:
            found[name] = problem
    return found


__all__ = ["BENCHMARKS", "Benchmark", "benchmark", "registered"]
