"""Markov equivalence of DAGs: v-structures, the CPDAG by Meek's rules, size and members of the class."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache

from benchpress.errors import UserError
from benchpress.graphs.dag import Edge, Graph, bits, union


@dataclass(frozen=True)
class Cpdag:
    """A partially directed graph: (tail, head) in `directed`, pairs in code-point order in `undirected`, sorted."""

    nodes: tuple[str, ...]
    directed: tuple[Edge, ...]
    undirected: tuple[Edge, ...]


def skeleton(graph: Graph) -> tuple[Edge, ...]:
    """The adjacent pairs, each in code-point order, sorted."""
    pairs = {(min(edge), max(edge)) for edge in (*graph.directed, *graph.bidirected)}
    return tuple(sorted(pairs))


def v_structures(graph: Graph) -> tuple[tuple[str, str, str], ...]:
    """All (parent, collider, parent) with the parents not adjacent, parents in code-point order, sorted.

    O(sum of squared in-degrees). Reference: Verma and Pearl 1990.

    >>> v_structures(Graph.of("A->C B->C C->D"))
    (('A', 'C', 'B'),)
    """
    found = []
    for place, name in enumerate(graph.nodes):
        for one in bits(graph.parents[place]):
            near = graph.parents[one] | graph.children[one] | graph.spouses[one]
            for other in bits(graph.parents[place] & ~near):
                if other > one:
                    low, high = sorted((graph.nodes[one], graph.nodes[other]))
                    found.append((low, name, high))
    return tuple(sorted(found))


def markov_equivalent(graph: Graph, other: Graph) -> bool:
    """Whether two DAGs imply the same independences: same nodes, same skeleton, same v-structures.

    Reference: Verma and Pearl 1990. Raises UserError for a graph with bidirected edges.

    >>> markov_equivalent(Graph.of("A->B B->C"), Graph.of("C->B B->A"))
    True
    """
    _only_dags(graph, other)
    return (
        sorted(graph.nodes) == sorted(other.nodes)
        and skeleton(graph) == skeleton(other)
        and v_structures(graph) == v_structures(other)
    )


def cpdag(graph: Graph) -> Cpdag:
    """The completed partially directed graph: an edge is directed exactly when all members of the class agree on it.

    v-structures first, then Meek's rules 1 to 3 until nothing changes. O(n^4) at worst, on masks.
    Reference: Meek 1995 (UAI). Raises UserError for a graph with bidirected edges.

    >>> cpdag(Graph.of("A->C B->C C->D", nodes="A B C D"))
    Cpdag(nodes=('A', 'B', 'C', 'D'), directed=(('A', 'C'), ('B', 'C'), ('C', 'D')), undirected=())
    """
    _only_dags(graph)
    heads, links = _pattern(graph)
    _meek(heads, links)
    return _named(graph.nodes, heads, links)


def oriented_with(pattern: Cpdag, arrows: Iterable[Edge]) -> Cpdag:
    """`pattern` with some of its undirected edges directed, closed under Meek's rules 1 to 4.

    The maximally oriented graph of the class under background knowledge, such as what an experiment has shown.
    Raises UserError for an edge that is absent or directed the other way, and when the knowledge is contradictory.
    """
    index = {name: place for place, name in enumerate(pattern.nodes)}
    heads, links = _masks(pattern)
    for tail, head in arrows:
        a, b = index[tail], index[head]
        if links[a] >> b & 1:
            _direct(heads, links, a, b)
        elif not heads[a] >> b & 1:
            raise UserError(f"equivalence: {tail} -> {head} does not fit the pattern")
    _meek(heads, links, background=True)
    return _named(pattern.nodes, heads, links)


def completions(pattern: Cpdag) -> Iterator[tuple[Edge, ...]]:
    """The arrows, sorted, of every acyclic graph without new unshielded colliders that the pattern leaves possible.

    Undirected edges are oriented one after another, each time closed under Meek's rules, so no branch ends in vain.
    Reference: Meek 1995 (UAI), theorem 4.

    >>> [len(arrows) for arrows in completions(cpdag(Graph.of("A->B B->C")))]
    [2, 2, 2]
    """
    waiting = [_masks(pattern)]
    while waiting:
        heads, links = waiting.pop()
        tail = next((place for place, row in enumerate(links) if row), None)
        if tail is None:
            yield _named(pattern.nodes, heads, links).directed
            continue
        head = (links[tail] & -links[tail]).bit_length() - 1
        for start, end in ((head, tail), (tail, head)):
            oriented, left = list(heads), list(links)
            _direct(oriented, left, start, end)
            _meek(oriented, left, background=True)
            waiting.append((oriented, left))


def class_size(graph: Graph) -> int:
    """How many DAGs are Markov equivalent to `graph`, itself included.

    The product over the undirected components of the CPDAG of the sum over their possible roots; components that occur
    again are counted once. Exponential only for dense large components.
    Reference: He, Jia, Yu 2015 (JMLR 16).

    >>> class_size(Graph.of("A->B B->C")), class_size(Graph.of("A->B A->C B->C"))
    (3, 6)
    """
    _only_dags(graph)
    heads, links = _pattern(graph)
    _meek(heads, links)
    near = tuple(links)

    @cache
    def count(mask: int) -> int:
        result = 1
        for part in _components(near, mask):
            if part & (part - 1):
                result *= sum(count_rooted(part, root) for root in bits(part))
        return result

    def count_rooted(part: int, root: int) -> int:
        # Layers by distance from the root; inside a layer Meek's rules leave chain components.
        rows = [row & part if part >> place & 1 else 0 for place, row in enumerate(near)]
        tips = [0] * len(rows)
        for other in bits(rows[root]):
            _direct(tips, rows, root, other)
        _meek(tips, rows)
        result = 1
        for piece in _components(tuple(rows), part):
            result *= count(piece)
        return result

    return count(graph.everything)


def members(graph: Graph) -> Iterator[Graph]:
    """All DAGs Markov equivalent to `graph`, in a fixed order, one at a time.

    Directs one undirected edge both ways, closes under Meek's rules, repeats; no branch is in vain.
    Reference: Meek 1995; Wienobst et al. 2023.
    """
    _only_dags(graph)
    heads, links = _pattern(graph)
    _meek(heads, links)
    stack = [(heads, links)]
    while stack:
        heads, links = stack.pop()
        place = next((place for place, row in enumerate(links) if row), None)
        if place is None:
            nodes = graph.nodes
            yield Graph(nodes, tuple((nodes[a], nodes[b]) for a, row in enumerate(heads) for b in bits(row)))
            continue
        other = (links[place] & -links[place]).bit_length() - 1
        for tail, head in ((other, place), (place, other)):
            new_heads, new_links = list(heads), list(links)
            _direct(new_heads, new_links, tail, head)
            _meek(new_heads, new_links, background=True)
            stack.append((new_heads, new_links))


def covered_edge_class(graph: Graph, limit: int) -> tuple[Graph, ...] | None:
    """The class once more, by a walk that reverses covered edges, sharing no code with Meek's rules.

    An edge a -> b is covered when b's other parents are exactly a's; the class is connected under such reversals.
    None when it has more than `limit` members. Reference: Chickering 1995 (UAI).
    """
    _only_dags(graph)
    first = frozenset(graph.directed)
    seen = {first}
    queue = [first]
    for edges in queue:
        above: dict[str, set[str]] = {node: set() for node in graph.nodes}
        for tail, head in edges:
            above[head].add(tail)
        for tail, head in sorted(edges):
            if above[head] - {tail} == above[tail]:
                turned = edges - {(tail, head)} | {(head, tail)}
                if turned not in seen:
                    if len(seen) == limit:
                        return None
                    seen.add(turned)
                    queue.append(turned)
    return tuple(Graph(graph.nodes, tuple(sorted(edges))) for edges in queue)


def _only_dags(*graphs: Graph) -> None:
    if any(graph.bidirected for graph in graphs):
        raise UserError("equivalence: the graph has bidirected edges; Markov equivalence is answered for DAGs")


def _pattern(graph: Graph) -> tuple[list[int], list[int]]:
    """Children along compelled edges and neighbours along undirected ones, v-structures compelled."""
    count = len(graph.nodes)
    heads = [0] * count
    links = [graph.parents[place] | graph.children[place] for place in range(count)]
    for place in range(count):
        above = graph.parents[place]
        for one in bits(above):
            if above & ~(1 << one) & ~(graph.parents[one] | graph.children[one]):
                heads[one] |= 1 << place
    for one in range(count):
        for place in bits(heads[one]):
            links[one] &= ~(1 << place)
            links[place] &= ~(1 << one)
    return heads, links


def _direct(heads: list[int], links: list[int], tail: int, head: int) -> None:
    heads[tail] |= 1 << head
    links[tail] &= ~(1 << head)
    links[head] &= ~(1 << tail)


def _meek(heads: list[int], links: list[int], background: bool = False) -> None:
    """Meek's rules in place; rule 4 matters only with background knowledge."""
    count = len(heads)
    tails = [0] * count
    for place, row in enumerate(heads):
        for head in bits(row):
            tails[head] |= 1 << place
    near = [heads[place] | tails[place] | links[place] for place in range(count)]
    changed = True
    while changed:
        changed = False
        for a in range(count):
            for b in bits(links[a]):
                into_b = tails[b]
                beside = links[a] & into_b
                compelled = (
                    # 1: c -> a - b, c and b not adjacent.
                    bool(tails[a] & ~near[b])
                    # 2: a -> c -> b and a - b.
                    or bool(heads[a] & into_b)
                    # 3: a - c -> b, a - d -> b, c and d not adjacent.
                    or any(beside & ~near[c] & ~(1 << c) for c in bits(beside))
                    # 4: a - d -> c -> b, a adjacent to c, d and b not adjacent.
                    or (background and any(tails[c] & links[a] & ~near[b] for c in bits(into_b & near[a])))
                )
                if compelled:
                    _direct(heads, links, a, b)
                    tails[b] |= 1 << a
                    changed = True


def _components(near: tuple[int, ...], mask: int) -> Iterator[int]:
    while mask:
        part = frontier = mask & -mask
        while frontier:
            frontier = union(near, frontier) & mask & ~part
            part |= frontier
        yield part
        mask &= ~part


def _masks(pattern: Cpdag) -> tuple[list[int], list[int]]:
    index = {name: place for place, name in enumerate(pattern.nodes)}
    heads, links = [0] * len(index), [0] * len(index)
    for tail, head in pattern.directed:
        heads[index[tail]] |= 1 << index[head]
    for one, other in pattern.undirected:
        links[index[one]] |= 1 << index[other]
        links[index[other]] |= 1 << index[one]
    return heads, links


def _named(nodes: tuple[str, ...], heads: list[int], links: list[int]) -> Cpdag:
    directed = sorted((nodes[a], nodes[b]) for a, row in enumerate(heads) for b in bits(row))
    pairs = [(nodes[a], nodes[b]) for a, row in enumerate(links) for b in bits(row)]
    return Cpdag(nodes, tuple(directed), tuple(sorted(pair for pair in pairs if pair[0] < pair[1])))
