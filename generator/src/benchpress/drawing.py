"""A causal graph as an SVG: layers from causes to effects, arrows, and dashed arcs for hidden common causes.

The layout is deterministic: layer by longest path, then a few sweeps that place each node near its neighbours.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from math import fsum
from typing import Any

STEP_Y, MARGIN, GAP = 84, 24, 64
PER_CHARACTER, LINE = 7.0, 15
SHIFT = 0.42
BENDS = (0.0, 0.45, -0.45, 0.8, -0.8, 1.2, -1.2)
"""How far an arrow may bow, in rows; the first that runs through no other node is taken."""
CLEAR = 7
Pair = tuple[str, str]


@dataclass(frozen=True)
class Box:
    """A node where it stands: middle, half width and half height, and its name in lines."""

    x: float
    y: float
    rx: float
    ry: float
    lines: tuple[str, ...]

    def edge(self, toward: tuple[float, float]) -> tuple[float, float]:
        """Where the line from the middle towards a point leaves the node."""
        dx, dy = toward[0] - self.x, toward[1] - self.y
        norm = ((dx / self.rx) ** 2 + (dy / self.ry) ** 2) ** 0.5 or 1.0
        return self.x + dx / norm, self.y + dy / norm


def wrapped(name: str) -> tuple[str, ...]:
    """A name in at most two lines, broken at the space nearest to its middle."""
    spaces = [place for place, character in enumerate(name) if character == " "]
    if len(name) < 9 or not spaces:
        return (name,)
    place = min(spaces, key=lambda place: (abs(place - len(name) / 2), place))
    return (name[:place], name[place + 1 :])


def layers(nodes: Sequence[str], directed: Sequence[Pair]) -> dict[str, int]:
    """Longest path from a source to each node; a cycle is cut where the search closes it."""
    parents: dict[str, list[str]] = {node: [] for node in nodes}
    for start, end in directed:
        parents[end].append(start)
    depth: dict[str, int] = {}

    def visit(node: str, path: tuple[str, ...]) -> int:
        if node in depth:
            return depth[node]
        if node in path:
            return -1
        depth[node] = max((visit(parent, (*path, node)) + 1 for parent in parents[node]), default=0)
        return depth[node]

    for node in nodes:
        visit(node, ())
    return depth


def rows(nodes: Sequence[str], edges: Sequence[Pair], depth: Mapping[str, int]) -> dict[str, float]:
    """Vertical places, by four sweeps of the barycentre rule inside each layer."""
    columns: dict[int, list[str]] = {}
    for node in nodes:
        columns.setdefault(depth[node], []).append(node)
    near: dict[str, list[str]] = {node: [] for node in nodes}
    for start, end in edges:
        near[start].append(end)
        near[end].append(start)
    at = {node: place - (len(column) - 1) / 2 for column in columns.values() for place, node in enumerate(column)}
    for _ in range(4):
        for layer, column in sorted(columns.items()):
            # Not `sum`, which rounds otherwise from Python 3.12 on.
            column.sort(key=lambda node: (fsum(at[n] for n in near[node]) / (len(near[node]) or 1), node))
            for place, node in enumerate(column):
                # Neighbouring layers are shifted against each other, so that long arrows pass between nodes.
                at[node] = place - (len(column) - 1) / 2 + (SHIFT if layer % 2 else -SHIFT)
    return at


def boxes(nodes: Sequence[str], edges: Sequence[Pair], depth: Mapping[str, int]) -> dict[str, Box]:
    names = {node: wrapped(node) for node in nodes}
    half = {node: max(20.0, 9 + PER_CHARACTER / 2 * max(map(len, lines))) for node, lines in names.items()}
    step = 2 * max(half.values(), default=20.0) + GAP
    height = rows(nodes, edges, depth)
    return {
        node: Box(depth[node] * step, height[node] * STEP_Y, half[node], 11 + LINE / 2 * len(names[node]), names[node])
        for node in nodes
    }


def draw(graph: Mapping[str, Any], name: str, unmeasured: Collection[str] = ()) -> str:
    """An inline SVG of `{"nodes", "directed", "bidirected"}`; `name` makes its marker ids unique on a page."""
    directed = [(str(a), str(b)) for a, b in graph["directed"]]
    bidirected = [(str(a), str(b)) for a, b in graph.get("bidirected") or ()]
    named = [str(node) for node in graph["nodes"]]
    nodes = list(dict.fromkeys([*named, *(node for edge in (*directed, *bidirected) for node in edge)]))
    at = boxes(nodes, [*directed, *bidirected], layers(nodes, directed))
    left = min((box.x - box.rx for box in at.values()), default=0) - MARGIN
    right = max((box.x + box.rx for box in at.values()), default=0) + MARGIN
    arrows = [(start, end, _middle(at, start, end)) for start, end in directed]
    reach = [(start.y + 2 * middle[1] + end.y) / 4 for a, b, middle in arrows for start, end in [(at[a], at[b])]]
    top = min([box.y - box.ry for box in at.values()] + reach, default=0) - MARGIN - (STEP_Y / 2 if bidirected else 0)
    bottom = max([box.y + box.ry for box in at.values()] + reach, default=0) + MARGIN
    marker = "arrow-" + "".join(character if character.isalnum() else "-" for character in name)
    drawn = [_arrow(at[start], at[end], middle, marker) for start, end, middle in arrows]
    drawn += [_arc(at[start], at[end], marker) for start, end in bidirected]
    drawn += [_node(at[node], node in unmeasured) for node in nodes]
    words = [f"{a} causes {b}" for a, b in directed] + [f"{a} and {b} share a hidden cause" for a, b in bidirected]
    label = escape("Graph: " + "; ".join(words) if words else "Graph without arrows")
    return (
        f'<svg class="bp-dag" role="img" aria-label="{label}" '
        f'viewBox="{left:.0f} {top:.0f} {right - left:.0f} {bottom - top:.0f}" width="{right - left:.0f}" '
        f'height="{bottom - top:.0f}" xmlns="http://www.w3.org/2000/svg">'
        f'<defs><marker id="{marker}" viewBox="0 0 10 10" refX="9" refY="5" markerWidth="7" markerHeight="7" '
        f'orient="auto-start-reverse"><path d="M0 0L10 5L0 10z"/></marker></defs>{"".join(drawn)}</svg>'
    )


def _node(box: Box, hidden: bool) -> str:
    kind = ' class="bp-unmeasured"' if hidden else ""
    first = box.y - LINE / 2 * (len(box.lines) - 1)
    text = "".join(
        f'<text x="{box.x:.1f}" y="{first + LINE * place:.1f}">{escape(line)}</text>'
        for place, line in enumerate(box.lines)
    )
    shape = (
        f'<rect x="{box.x - box.rx:.1f}" y="{box.y - box.ry:.1f}" width="{2 * box.rx:.1f}" height="{2 * box.ry:.1f}"'
    )
    return f'{shape} rx="{min(box.ry, 16):.1f}"{kind}/>{text}'


def _middle(at: Mapping[str, Box], start: str, end: str) -> tuple[float, float]:
    """The control point of an arrow: straight where that is clear, otherwise the least bow that meets fewest nodes."""
    first, last = at[start], at[end]
    others = [box for node, box in at.items() if node not in (start, end)]

    def through(bend: float) -> tuple[float, float]:
        return (first.x + last.x) / 2, (first.y + last.y) / 2 + bend * STEP_Y

    def hits(bend: float) -> int:
        middle = through(bend)
        path = [_on_curve(first, middle, last, step / 24) for step in range(1, 24)]
        return sum(
            any(abs(x - box.x) < box.rx + CLEAR and abs(y - box.y) < box.ry + CLEAR for x, y in path) for box in others
        )

    return through(min(BENDS, key=hits))


def _on_curve(first: Box, middle: tuple[float, float], last: Box, t: float) -> tuple[float, float]:
    u = 1 - t
    return (
        u * u * first.x + 2 * u * t * middle[0] + t * t * last.x,
        u * u * first.y + 2 * u * t * middle[1] + t * t * last.y,
    )


def _arrow(start: Box, end: Box, middle: tuple[float, float], marker: str) -> str:
    (ax, ay), (bx, by) = start.edge(middle), end.edge(middle)
    path = f"M{ax:.1f} {ay:.1f}Q{middle[0]:.1f} {middle[1]:.1f} {bx:.1f} {by:.1f}"
    return f'<path class="bp-edge" d="{path}" marker-end="url(#{marker})"/>'


def _arc(start: Box, end: Box, marker: str) -> str:
    beside = abs(start.x - end.x) < 1
    middle = ((start.x + end.x) / 2 + (GAP if beside else 0), (start.y + end.y) / 2 - (0 if beside else STEP_Y * 0.8))
    (ax, ay), (bx, by) = start.edge(middle), end.edge(middle)
    return (
        f'<path class="bp-edge bp-hidden" d="M{ax:.1f} {ay:.1f}Q{middle[0]:.1f} {middle[1]:.1f} {bx:.1f} {by:.1f}" '
        f'marker-start="url(#{marker})" marker-end="url(#{marker})"/>'
    )
