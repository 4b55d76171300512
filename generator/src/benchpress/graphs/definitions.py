"""The criteria once more, straight from their definitions: every path looked at, every subset tried.

The independent check on the fast algorithms of this folder, with which it shares no code but the graph itself and the
moralised graph test. Exponential: for graphs of up to about a dozen nodes.
"""

from collections.abc import Callable, Iterable, Iterator
from itertools import combinations

from benchpress.graphs.dag import Graph
from benchpress.graphs.moral import moral_separated, open_paths

NodeSet = frozenset[str]
Sets = tuple[tuple[str, ...], ...]


def directed_paths(graph: Graph, x: str, y: str) -> Iterator[tuple[str, ...]]:
    """Every directed path from x to y, as its nodes; in the order of the edges."""
    children: dict[str, list[str]] = {node: [] for node in graph.nodes}
    for tail, head in graph.directed:
        children[tail].append(head)
    stack: list[tuple[str, ...]] = [(x,)]
    while stack:
        path = stack.pop()
        if path[-1] == y:
            yield path
        else:
            stack.extend((*path, child) for child in reversed(children[path[-1]]))


def adjusts(graph: Graph, x: Iterable[str], y: Iterable[str], z: Iterable[str]) -> bool:
    """The adjustment criterion by its definition, over all proper paths.

    `z` holds no descendant of a node other than x on a proper causal path, and every proper path that is not causal is
    blocked. Reference: Shpitser, VanderWeele, Robins 2010, definition 4.
    """
    treated, outcomes, covariates = frozenset(x), frozenset(y), frozenset(z)
    below = _below(graph)
    for start in treated:
        for goal in outcomes:
            for path in directed_paths(graph, start, goal):
                if not treated.intersection(path[1:]) and any(below[node] & covariates for node in path[1:]):
                    return False
            for steps in open_paths(graph, start, goal, covariates):
                proper = not treated.intersection(steps[2::2])
                if proper and any(mark != "->" for mark in steps[1::2]):
                    return False
    return True


def adjusts_by_backdoor(graph: Graph, x: Iterable[str], y: Iterable[str], z: Iterable[str]) -> bool:
    """Pearl's back-door criterion by its definition, for every pair of a treatment and an outcome."""
    treated, outcomes, covariates = frozenset(x), frozenset(y), frozenset(z)
    below = _below(graph)
    if any(below[start] & covariates for start in treated):
        return False
    return not any(
        steps[1] != "->"
        for start in treated
        for goal in outcomes
        for steps in open_paths(graph, start, goal, covariates)
    )


def adjusts_in_moral_graph(graph: Graph, x: Iterable[str], y: Iterable[str], z: Iterable[str]) -> bool:
    """The adjustment criterion by the moralised proper back-door graph: for graphs with too many paths to list."""
    covariates = frozenset(z)
    reduced, forbidden = _backdoor_problem(graph, frozenset(x), frozenset(y), "total")
    return not covariates & forbidden and moral_separated(reduced, frozenset(x), frozenset(y), covariates)


def minimal_adjustment_by_search(
    graph: Graph,
    x: Iterable[str],
    y: Iterable[str],
    required: Iterable[str] = (),
    excluded: Iterable[str] = (),
    effect: str = "total",
) -> Sets:
    """All minimal adjustment sets for the total or "direct" effect, by trying every subset in the moralised graph."""
    treated, outcomes = frozenset(x), frozenset(y)
    reduced, forbidden = _backdoor_problem(graph, treated, outcomes, effect)
    barred = treated | outcomes | forbidden | frozenset(excluded)
    if barred.intersection(required):
        return ()
    return smallest_sets(
        (node for node in graph.nodes if node not in barred),
        required,
        lambda z: moral_separated(reduced, treated, outcomes, z),
    )


def _backdoor_problem(graph: Graph, x: NodeSet, y: NodeSet, effect: str) -> tuple[Graph, NodeSet]:
    """The graph in which an adjustment set must separate x from y, and the nodes that it must not hold."""
    below = _below(graph)
    if effect == "direct":
        cut = {(tail, head) for tail, head in graph.directed if tail in x and head in y}
        forbidden = frozenset().union(*(below[goal] for goal in y))
    else:
        # An edge starts a proper causal path when it leaves x for a node that reaches y without x.
        kept = tuple(edge for edge in graph.directed if not x.intersection(edge))
        reaches = _below(Graph(graph.nodes, kept))
        causal = [node for node in graph.nodes if node not in x and reaches[node] & y]
        cut = {(tail, head) for tail, head in graph.directed if tail in x and head in causal}
        starts = {head for _, head in cut}
        forbidden = frozenset().union(*(below[node] for start in starts for node in reaches[start] if node in causal))
    return Graph(graph.nodes, tuple(edge for edge in graph.directed if edge not in cut), graph.bidirected), forbidden


def smallest_sets(free: Iterable[str], required: Iterable[str], holds: Callable[[NodeSet], bool]) -> Sets:
    """All sets between `required` and `required` plus `free` for which `holds`, without a proper subset that does."""
    base = frozenset(required)
    others = sorted(frozenset(free) - base)
    found: list[NodeSet] = []
    for size in range(len(others) + 1):
        for chosen in combinations(others, size):
            candidate = base.union(chosen)
            if not any(smaller <= candidate for smaller in found) and holds(candidate):
                found.append(candidate)
    return tuple(sorted(tuple(sorted(names)) for names in found))


def intercepts(graph: Graph, x: str, y: str, m: Iterable[str]) -> bool:
    """The front-door criterion by its definition, over all paths, set-wise."""
    mediators = frozenset(m)
    if any(not mediators.intersection(path) for path in directed_paths(graph, x, y)):
        return False
    for mediator in sorted(mediators):
        if any(steps[1] != "->" for steps in open_paths(graph, x, mediator)):
            return False
        for steps in open_paths(graph, mediator, y, (x,)):
            if steps[1] != "->" and not mediators.intersection(steps[2::2]):
                return False
    return True


def intercepts_in_moral_graph(graph: Graph, x: str, y: str, m: Iterable[str]) -> bool:
    """The front-door criterion by moralised graphs: for graphs with too many paths to list."""
    mediators = frozenset(m)
    kept = tuple(edge for edge in graph.directed if not mediators.intersection(edge))
    if y in _below(Graph(graph.nodes, kept))[x]:
        return False
    if not mediators:
        return True
    from_x = Graph(graph.nodes, tuple(edge for edge in graph.directed if edge[0] != x), graph.bidirected)
    from_m = Graph(graph.nodes, tuple(edge for edge in graph.directed if edge[0] not in mediators), graph.bidirected)
    return moral_separated(from_x, (x,), mediators) and moral_separated(from_m, mediators, (y,), (x,))


def serves_as_instrument(graph: Graph, z: str, x: str, y: str, given: Iterable[str], total: bool) -> bool:
    """The (conditional) instrument criterion for the total effect or the edge x -> y, in the moralised graph.

    For the total effect z may be a descendant of x where the effect is not confounded given the condition.
    """
    below = _below(graph)
    condition = frozenset(given)
    if condition & (below[x] | below[y] if total else below[y]):
        return False
    kept = tuple(edge for edge in graph.directed if not (edge[0] == x and (total or edge[1] == y)))
    reduced = Graph(graph.nodes, kept, graph.bidirected)
    if total and z in below[x] and not moral_separated(reduced, (x,), (y,), condition):
        return False
    return not moral_separated(graph, (z,), (x,), condition) and moral_separated(reduced, (z,), (y,), condition)


def unshielded_colliders(graph: Graph) -> tuple[tuple[str, str, str], ...]:
    """The v-structures by their definition: every triple looked up in the edge lists."""
    adjacent = {frozenset(pair) for pair in (*graph.directed, *graph.bidirected)}
    arrows = frozenset(graph.directed)
    found = [
        (one, middle, other)
        for one, other in combinations(sorted(graph.nodes), 2)
        for middle in graph.nodes
        if (one, middle) in arrows and (other, middle) in arrows and frozenset((one, other)) not in adjacent
    ]
    return tuple(sorted(found))


def v_structures_by_separation(graph: Graph) -> tuple[tuple[str, str, str], ...]:
    """The v-structures of a DAG found as a constraint-based search finds them.

    In an unshielded triple the middle is a collider exactly when it is in no set that separates the ends.
    Reference: Spirtes, Glymour, Scheines 2000, the PC algorithm.
    """
    near: dict[str, set[str]] = {node: set() for node in graph.nodes}
    for tail, head in graph.directed:
        near[tail].add(head)
        near[head].add(tail)
    above: dict[str, set[str]] = {node: set() for node in graph.nodes}
    for tail, head in graph.directed:
        above[head].add(tail)
    found = []
    for middle in graph.nodes:
        for one, other in combinations(sorted(near[middle]), 2):
            if other in near[one]:
                continue
            separator = next(
                parents
                for parents in (above[one] - {other}, above[other] - {one})
                if moral_separated(graph, (one,), (other,), parents)
            )
            if middle not in separator:
                found.append((one, middle, other))
    return tuple(sorted(found))


def independences(
    graph: Graph, test: Callable[[Graph, str, str, tuple[str, ...]], bool] = moral_separated
) -> tuple[tuple[tuple[str, str], tuple[str, ...]], ...]:
    """Every statement "a and b are separated by this set" that holds by `test`, pairs and sets in code-point order."""
    nodes = sorted(graph.nodes)
    found: list[tuple[tuple[str, str], tuple[str, ...]]] = []
    for a, b in combinations(nodes, 2):
        others = [node for node in nodes if node not in (a, b)]
        found += [
            ((a, b), given)
            for size in range(len(others) + 1)
            for given in combinations(others, size)
            if test(graph, a, b, given)
        ]
    return tuple(found)


def minimal_independences(graph: Graph) -> tuple[tuple[tuple[str, str], tuple[str, ...]], ...]:
    """Those of :func:`independences` whose set loses validity with any part left out, sorted."""
    found: list[tuple[tuple[str, str], tuple[str, ...]]] = []
    for a, b in combinations(sorted(graph.nodes), 2):
        others = (node for node in graph.nodes if node not in (a, b))
        sets = smallest_sets(others, (), _separator_test(graph, a, b))
        found += [((a, b), given) for given in sets]
    return tuple(found)


def _separator_test(graph: Graph, a: str, b: str) -> Callable[[NodeSet], bool]:
    return lambda z: moral_separated(graph, (a,), (b,), z)


def _below(graph: Graph) -> dict[str, NodeSet]:
    reached: dict[str, set[str]] = {node: {node} for node in graph.nodes}
    changed = True
    while changed:
        changed = False
        for tail, head in graph.directed:
            if not reached[head] <= reached[tail]:
                reached[tail] |= reached[head]
                changed = True
    return {node: frozenset(nodes) for node, nodes in reached.items()}
