"""Directed acyclic graphs with bidirected edges (ADMGs), held as integer bitmasks.

A bidirected edge ``A <-> B`` stands for an unmeasured common cause of A and B and has an arrowhead at both
ends. A graph without bidirected edges is an ordinary DAG. Node sets are handed in as names and come back as
tuples in the order of ``Graph.nodes``; code that must be fast works on the masks instead (bit i is node i).
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import combinations
from typing import Any

from benchpress.errors import UserError

Edge = tuple[str, str]


def bits(mask: int) -> Iterator[int]:
    """The positions of the ones in `mask`, lowest first."""
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low


def union(rows: tuple[int, ...], mask: int) -> int:
    """The bitwise or of `rows` over the positions in `mask`."""
    result = 0
    while mask:
        low = mask & -mask
        result |= rows[low.bit_length() - 1]
        mask ^= low
    return result


def _is_name(value: Any) -> bool:
    """Whether `value` is text that UTF-8 can hold: half a surrogate pair is no character."""
    return isinstance(value, str) and (value.isascii() or not any("\ud800" <= sign <= "\udfff" for sign in value))


@dataclass(frozen=True)
class Graph:
    """An acyclic directed mixed graph.

    `nodes` are distinct names; `directed` holds (tail, head); `bidirected` holds unordered pairs, kept in the
    order of `nodes`. `index` maps a name to its place; `parents`, `children` and `spouses` hold one mask a node;
    `order` is a topological order of places. Raises UserError for unknown or repeated nodes, repeated edges,
    self-loops and cycles.

    >>> napkin = Graph.of("W->R R->X X->Y", "W<->X W<->Y")
    >>> napkin.ancestors("X"), napkin.descendants("R"), napkin.topological_order()
    (('W', 'R', 'X'), ('R', 'X', 'Y'), ('W', 'R', 'X', 'Y'))
    """

    nodes: tuple[str, ...]
    directed: tuple[Edge, ...] = ()
    bidirected: tuple[Edge, ...] = ()
    index: Mapping[str, int] = field(init=False, repr=False, compare=False)
    parents: tuple[int, ...] = field(init=False, repr=False, compare=False)
    children: tuple[int, ...] = field(init=False, repr=False, compare=False)
    spouses: tuple[int, ...] = field(init=False, repr=False, compare=False)
    order: tuple[int, ...] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        index = {name: place for place, name in enumerate(self.nodes)}
        count = len(self.nodes)
        if len(index) != count:
            twice = next(name for place, name in enumerate(self.nodes) if index[name] != place)
            raise UserError(f"graph: node {twice!r} is listed twice; list each node once")
        parents, children, spouses = [0] * count, [0] * count, [0] * count
        for tail, head in self.directed:
            a, b = _ends(index, tail, "->", head)
            if parents[b] >> a & 1:
                raise UserError(f"graph: edge {tail} -> {head} is listed twice; list each edge once")
            parents[b] |= 1 << a
            children[a] |= 1 << b
        pairs = []
        for one, other in self.bidirected:
            a, b = _ends(index, one, "<->", other)
            if spouses[a] >> b & 1:
                raise UserError(f"graph: edge {one} <-> {other} is listed twice; list each edge once")
            spouses[a] |= 1 << b
            spouses[b] |= 1 << a
            pairs.append((one, other) if a < b else (other, one))
        store = object.__setattr__
        store(self, "bidirected", tuple(pairs))
        store(self, "index", index)
        store(self, "parents", tuple(parents))
        store(self, "children", tuple(children))
        store(self, "spouses", tuple(spouses))
        store(self, "order", _order(self.nodes, parents, children))

    @classmethod
    def of(cls, directed: str = "", bidirected: str = "", nodes: str = "") -> "Graph":
        """The graph written as ``"A->B B->C"`` and ``"A<->C"``; nodes in the order given, then as they occur.

        >>> Graph.of("A->B", "A<->C", "D").nodes
        ('D', 'A', 'B', 'C')
        """
        arrows = [_split(text, "->") for text in directed.split()]
        arcs = [_split(text, "<->") for text in bidirected.split()]
        names = dict.fromkeys([*nodes.split(), *(name for edge in (*arrows, *arcs) for name in edge)])
        return cls(tuple(names), tuple(arrows), tuple(arcs))

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> "Graph":
        """The graph of ``{"nodes": [...], "directed": [[a, b]...], "bidirected": [[a, b]...]}``."""
        try:
            nodes = value["nodes"]
            edges = [value.get("directed") or [], value.get("bidirected") or []]
            well_formed = (
                isinstance(nodes, list | tuple)
                and all(map(_is_name, nodes))
                and all(isinstance(pair, list | tuple) and len(pair) == 2 for kind in edges for pair in kind)
                and all(_is_name(name) for kind in edges for pair in kind for name in pair)
            )
        except (KeyError, TypeError, AttributeError):
            well_formed = False
        if not well_formed:
            raise UserError(
                'graph: expected {"nodes": ["A", ...], "directed": [["A", "B"], ...], "bidirected": [...]}, all text'
            )
        directed, bidirected = (tuple((pair[0], pair[1]) for pair in kind) for kind in edges)
        return cls(tuple(nodes), directed, bidirected)

    def to_json(self) -> dict[str, Any]:
        """The JSON form that :meth:`from_json` reads."""
        return {
            "nodes": list(self.nodes),
            "directed": [list(edge) for edge in self.directed],
            "bidirected": [list(edge) for edge in self.bidirected],
        }

    def mask(self, names: Iterable[str]) -> int:
        """The bitmask of `names`; a bare string is one name. Raises UserError for an unknown name."""
        mask = 0
        for name in (names,) if isinstance(names, str) else names:
            place = self.index.get(name)
            if place is None:
                raise UserError(f"graph: unknown node {name!r}; known are {', '.join(self.nodes)}")
            mask |= 1 << place
        return mask

    def names(self, mask: int) -> tuple[str, ...]:
        """The names of the ones in `mask`, in the order of `nodes`."""
        return tuple(self.nodes[place] for place in bits(mask))

    @property
    def everything(self) -> int:
        """The mask of all nodes."""
        return (1 << len(self.nodes)) - 1

    @cached_property
    def ancestor_masks(self) -> tuple[int, ...]:
        """Ancestors of every node, the node itself included."""
        masks = [0] * len(self.nodes)
        for place in self.order:
            mask = 1 << place
            for parent in bits(self.parents[place]):
                mask |= masks[parent]
            masks[place] = mask
        return tuple(masks)

    @cached_property
    def descendant_masks(self) -> tuple[int, ...]:
        """Descendants of every node, the node itself included."""
        masks = [0] * len(self.nodes)
        for place in reversed(self.order):
            mask = 1 << place
            for child in bits(self.children[place]):
                mask |= masks[child]
            masks[place] = mask
        return tuple(masks)

    def ancestors_of(self, mask: int) -> int:
        """Ancestors of a set as a mask, the set itself included."""
        return union(self.ancestor_masks, mask)

    def descendants_of(self, mask: int) -> int:
        """Descendants of a set as a mask, the set itself included."""
        return union(self.descendant_masks, mask)

    def ancestors(self, names: Iterable[str]) -> tuple[str, ...]:
        """Ancestors of `names`, which count as their own ancestors. O(n) after the first call."""
        return self.names(self.ancestors_of(self.mask(names)))

    def descendants(self, names: Iterable[str]) -> tuple[str, ...]:
        """Descendants of `names`, which count as their own descendants. O(n) after the first call."""
        return self.names(self.descendants_of(self.mask(names)))

    def topological_order(self) -> tuple[str, ...]:
        """Causes before effects; among the free ones the first listed comes first."""
        return tuple(self.nodes[place] for place in self.order)

    def adjacent(self, a: str, b: str) -> bool:
        """Whether any edge joins a and b."""
        place, other = self.index[a], self.mask((b,))
        return bool((self.parents[place] | self.children[place] | self.spouses[place]) & other)

    def without_outgoing(self, names: Iterable[str]) -> "Graph":
        """The graph without the edges that leave `names` (bidirected edges stay)."""
        cut = self.mask(names)
        return self._keeping(tuple(edge for edge in self.directed if not cut >> self.index[edge[0]] & 1))

    def without_incoming(self, names: Iterable[str]) -> "Graph":
        """The graph under an intervention on `names`: no arrowhead points at them, bidirected ones included."""
        cut = self.mask(names)
        index = self.index
        return Graph(
            self.nodes,
            tuple(edge for edge in self.directed if not cut >> index[edge[1]] & 1),
            tuple(edge for edge in self.bidirected if not (cut >> index[edge[0]] | cut >> index[edge[1]]) & 1),
        )

    def without_edges(self, edges: Iterable[Edge]) -> "Graph":
        """The graph without the given directed edges (those that it has)."""
        gone = frozenset(edges)
        return self._keeping(tuple(edge for edge in self.directed if edge not in gone))

    def _keeping(self, directed: tuple[Edge, ...]) -> "Graph":
        """The graph with these of its directed edges; they need no checking again."""
        parents, children = [0] * len(self.nodes), [0] * len(self.nodes)
        for tail, head in directed:
            a, b = self.index[tail], self.index[head]
            parents[b] |= 1 << a
            children[a] |= 1 << b
        graph = object.__new__(Graph)
        graph.__dict__.update(
            nodes=self.nodes,
            directed=directed,
            bidirected=self.bidirected,
            index=self.index,
            parents=tuple(parents),
            children=tuple(children),
            spouses=self.spouses,
            order=_order(self.nodes, parents, children),
        )
        return graph

    def subgraph(self, names: Iterable[str]) -> "Graph":
        """The induced subgraph on `names`, in the order of `nodes`."""
        return self.induced(self.mask(names))

    def induced(self, mask: int) -> "Graph":
        """The induced subgraph on a mask."""
        if mask == self.everything:
            return self
        kept = self.names(mask)
        known = frozenset(kept)
        return Graph(
            kept,
            tuple(edge for edge in self.directed if edge[0] in known and edge[1] in known),
            tuple(edge for edge in self.bidirected if edge[0] in known and edge[1] in known),
        )


def latent_projection(graph: Graph, latent: Iterable[str]) -> Graph:
    """The ADMG over the other nodes that has the same m-separations and the same causal paths among them.

    ``A -> B`` where a directed path from A to B runs through latent nodes alone; ``A <-> B`` where a path
    without colliders, arrowheads at both ends, does. Nodes are removed one at a time, O(n^2) each.

    Reference: Verma 1993; Pearl, Causality (2009), definition 2.6.1.

    >>> latent_projection(Graph.of("U->X U->Y U->Z X->Y"), ["U"])
    Graph(nodes=('X', 'Y', 'Z'), directed=(('X', 'Y'),), bidirected=(('X', 'Y'), ('X', 'Z'), ('Y', 'Z')))
    """
    hidden = graph.mask(latent)
    if not hidden:
        return graph
    children, spouses, parents = list(graph.children), list(graph.spouses), list(graph.parents)
    for place in bits(hidden):
        bit = 1 << place
        below, above, beside = children[place], parents[place], spouses[place]
        for parent in bits(above):
            children[parent] = (children[parent] | below) & ~bit
        for child in bits(below):
            parents[child] = (parents[child] | above) & ~bit
            spouses[child] |= (below | beside) & ~(1 << child)
        for spouse in bits(beside):
            spouses[spouse] = (spouses[spouse] | below & ~(1 << spouse)) & ~bit
    seen = [place for place in range(len(graph.nodes)) if not hidden >> place & 1]
    nodes = graph.nodes
    return Graph(
        tuple(nodes[place] for place in seen),
        tuple((nodes[a], nodes[b]) for a in seen for b in seen if children[a] >> b & 1),
        tuple((nodes[a], nodes[b]) for a, b in combinations(seen, 2) if spouses[a] >> b & 1),
    )


def _ends(index: Mapping[str, int], one: str, mark: str, other: str) -> tuple[int, int]:
    a, b = index.get(one), index.get(other)
    if a is None or b is None:
        raise UserError(f"graph: edge {one} {mark} {other} names {(other if b is None else one)!r}, not in nodes")
    if a == b:
        raise UserError(f"graph: edge {one} {mark} {other} joins a node to itself; remove it")
    return a, b


def _order(nodes: Sequence[str], parents: Sequence[int], children: Sequence[int]) -> tuple[int, ...]:
    """Of the places whose parents are placed, always the lowest next."""
    ready = sum(1 << place for place, mask in enumerate(parents) if not mask)
    done, order = 0, []
    while ready:
        low = ready & -ready
        place = low.bit_length() - 1
        ready ^= low
        done |= low
        order.append(place)
        below = children[place]
        while below:
            bit = below & -below
            below ^= bit
            if not parents[bit.bit_length() - 1] & ~done:
                ready |= bit
    if len(order) < len(nodes):
        names = ", ".join(name for place, name in enumerate(nodes) if not done >> place & 1)
        raise UserError(f"graph: the directed edges among {names} form a cycle; a causal graph has none")
    return tuple(order)


def _split(text: str, mark: str) -> Edge:
    one, found, other = text.partition(mark)
    if not (found and one and other):
        raise UserError(f"graph: {text!r} is no edge; write A{mark}B")
    return one, other
