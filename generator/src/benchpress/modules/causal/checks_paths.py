"""Second methods for questions about paths: every simple path of the skeleton, judged triple by triple."""

from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Any

import networkx as nx

from benchpress.modules.causal.checks import Population

GraphJson = Mapping[str, Any]


def active_paths_by_listing(graph: GraphJson, a: str, b: str, given: Sequence[str]) -> int:
    """How many simple paths between a and b are open given the others; hidden common causes as nodes of their own."""
    whole: Any = nx.DiGraph()
    whole.add_nodes_from(graph["nodes"])
    whole.add_edges_from(graph["directed"])
    for number, pair in enumerate(graph.get("bidirected", ())):
        whole.add_edges_from((("hidden", number), end) for end in pair)
    held = set(given)
    opened = held.union(*(nx.ancestors(whole, name) for name in held)) if held else set()
    count = 0
    for path in nx.all_simple_paths(whole.to_undirected(as_view=True), a, b):
        count += all(
            (middle in opened) if whole.has_edge(left, middle) and whole.has_edge(right, middle) else middle not in held
            for left, middle, right in zip(path, path[1:], path[2:], strict=False)
        )
    return count


def separators_by_regression(graph: GraphJson, a: str, b: str, seed: int) -> list[list[str]]:
    """Every minimal set of other nodes given which a and b have no partial covariance in a generic population."""
    population = Population(graph, seed)
    names = [name for name in graph["nodes"] if name not in (a, b)]
    found: list[frozenset[str]] = []
    for size in range(len(names) + 1):
        sets = [one for one in combinations(names, size) if not any(small <= set(one) for small in found)]
        if not sets:
            break
        found += [frozenset(one) for one, zero in zip(sets, population.vanishing(a, b, sets), strict=True) if zero]
    return [sorted(one) for one in found]
