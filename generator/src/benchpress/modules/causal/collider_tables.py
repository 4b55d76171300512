"""Collider bias among binary variables: tables of chances, and the associations inside a selected sample."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from benchpress.graphs.dag import Graph
from benchpress.modules.causal.bundle import Asked
from benchpress.modules.causal.chances import draw_chances, network, table
from benchpress.streams import Stream
from benchpress.wording.sections import Params

TOLERANCE = {"tolerance": "0.005"}
MARGIN = Fraction(1, 50)
"""A difference of chances that is not zero by structure is at least this large, and so is its change."""


def draw_tables(stream: Stream, graph: Graph) -> list[Params]:
    """A table of chances for every variable; causes may help or hinder each other."""
    causes: dict[str, list[str]] = {name: [] for name in graph.nodes}
    for tail, head in graph.directed:
        causes[head].append(tail)
    return [table(name, given, draw_chances(stream, len(given))) for name, given in causes.items()]


def differences(params: Mapping[str, Any], b: str, a: str, samples: Sequence[Sequence[str]]) -> list[Fraction]:
    """P(b = 1 | a = 1, sample) - P(b = 1 | a = 0, sample), for every sample where the listed variables are all 1."""
    exact = network(params)
    chances = [
        [exact.probability({b: 1}, {**dict.fromkeys(kept, 1), a: value}) for value in (1, 0)] for kept in samples
    ]
    return [high - low for high, low in chances]


def asked_of_tables(a: str, b: str, c: str, kept: Sequence[str]) -> list[Asked]:
    """The two associations as differences of chances."""
    condition = ", ".join(f"{name} = 1" for name in kept)
    return [
        Asked(
            "ASSOCIATION_SELECTED",
            "number",
            f"What is P({b} = 1 | {a} = 1, {condition}) - P({b} = 1 | {a} = 0, {condition})?",
            TOLERANCE,
            ("probability", "selection_bias"),
        ),
        Asked(
            "ASSOCIATION_FURTHER",
            "number",
            f"What does this difference become when {c} = 1 is a further condition of both chances?",
            TOLERANCE,
            ("probability", "collider"),
        ),
    ]
