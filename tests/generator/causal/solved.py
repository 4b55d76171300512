"""What several bundle tests ask of generated items: solved through the prompt, balanced verdicts, textbook problems."""

from collections import Counter
from typing import Any

from benchpress.generation import Address, make
from benchpress.grading import grade_item
from benchpress.items import Item, Response
from benchpress.modules.causal.reference import SOLVERS
from benchpress.streams import secret_from_seed

SECRET = secret_from_seed(2024)


def items(bundle: str, variant: str, level: int, count: int) -> list[Item]:
    return [make(SECRET, Address("causal", "test", bundle, variant, level, index)).item for index in range(count)]


def solved(made: list[Item], solver: str = "exact") -> float:
    """The share of items whose prompt alone lets a reference solver get every part right."""
    results = [grade_item(item, Response(item.id, SOLVERS[solver](item.prompt))) for item in made]
    return sum(result.correct for result in results) / len(results)


def modal_share(made: list[Item]) -> float:
    """The largest share that one answer has in any verdict part."""
    answers: dict[str, Counter[str]] = {}
    for item in made:
        for part in item.parts:
            if part.type == "verdict":
                answers.setdefault(part.id, Counter())[part.gold] += 1
    return max(max(count.values()) / sum(count.values()) for count in answers.values())


def linear(arrows: str, noise: str = "1", unmeasured: tuple[str, ...] = ()) -> dict[str, Any]:
    """Graph, recorded variables and linear model from `Z>X:0.5 ...`; every noise has the same variance."""
    edges = sorted([*pair.split(":")[0].split(">"), pair.split(":")[1]] for pair in arrows.split())
    nodes = sorted({name for a, b, _ in edges for name in (a, b)})
    return {
        "graph": {"nodes": nodes, "directed": [[a, b] for a, b, _ in edges], "bidirected": []},
        "unmeasured": sorted(unmeasured),
        "linear": {"coefficients": edges, "noise": [[name, noise] for name in nodes]},
    }
