"""A causal graph as an SVG: layers from causes to effects, arrows, and dashed arcs for hidden common causes.

The layout is deterministic: layer by longest path, then a few sweeps that place each node near its neighbours.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from markupsafe import Markup, escape

STEP_X, STEP_Y, RADIUS, MARGIN = 110, 74, 19, 30


def layers(nodes: Sequence[str], directed: Sequence[Sequence[str]]) -> dict[str, int]:
    """Longest path from a source to each node; nodes on a cycle stay where the search first met them."""
    parents: dict[str, list[str]] = {node: [] for node in nodes}
    for start, end in directed:
        parents.setdefault(end, []).append(start)
        parents.setdefault(start, [])
    depth: dict[str, int] = {}

    def visit(node: str, path: tuple[str, ...]) -> int:
        if node in depth:
            return depth[node]
        if node in path:
            return 0
        found = max((visit(parent, (*path, node)) + 1 for parent in parents[node]), default=0)
        depth[node] = found
        return found

    for node in parents:
        visit(node, ())
    return depth


def places(
    nodes: Sequence[str], edges: Sequence[Sequence[str]], depth: Mapping[str, int]
) -> dict[str, tuple[float, float]]:
    """x by layer, y by four sweeps of the barycentre rule inside each layer."""
    rows: dict[int, list[str]] = {}
    for node in nodes:
        rows.setdefault(depth[node], []).append(node)
    near: dict[str, list[str]] = {node: [] for node in nodes}
    for start, end in edges:
        near[start].append(end)
        near[end].append(start)
    at = {node: float(place) - (len(row) - 1) / 2 for row in rows.values() for place, node in enumerate(row)}
    for _ in range(4):
        for row in rows.values():
            row.sort(key=lambda node: (sum(at[n] for n in near[node]) / len(near[node]) if near[node] else 0.0, node))
            for place, node in enumerate(row):
                # Neighbouring layers are shifted by a quarter, so that long arrows pass between nodes.
                at[node] = place - (len(row) - 1) / 2 + (0.18 if depth[node] % 2 else -0.18)
    return {node: (depth[node] * STEP_X, at[node] * STEP_Y) for node in nodes}


def draw(graph: Mapping[str, Any], name: str) -> Markup:
    """An inline SVG of `{"nodes", "directed", "bidirected"}`; `name` makes its marker ids unique on a page."""
    nodes = [str(node) for node in graph["nodes"]]
    directed = [(str(a), str(b)) for a, b in graph["directed"]]
    bidirected = [(str(a), str(b)) for a, b in graph.get("bidirected") or ()]
    for start, end in (*directed, *bidirected):
        nodes += [node for node in (start, end) if node not in nodes]
    depth = layers(nodes, directed)
    at = places(nodes, [*directed, *bidirected], depth)
    half = {node: max(RADIUS, 5 + 4.3 * len(node)) for node in nodes}
    left = min((x - half[node] for node, (x, _) in at.items()), default=0) - MARGIN
    right = max((x + half[node] for node, (x, _) in at.items()), default=0) + MARGIN
    top = min((y for _, y in at.values()), default=0) - RADIUS - MARGIN
    bottom = max((y for _, y in at.values()), default=0) + RADIUS + MARGIN
    marker = "arrow-" + "".join(character if character.isalnum() else "-" for character in name)
    words = [f"{a} causes {b}" for a, b in directed] + [f"{a} and {b} share a hidden cause" for a, b in bidirected]
    label = escape("Graph: " + "; ".join(words) if words else "Graph without arrows")
    lines = [
        f'<svg class="bp-dag" role="img" aria-label="{label}" '
        f'viewBox="{left:.0f} {top:.0f} {right - left:.0f} {bottom - top:.0f}" width="{right - left:.0f}" '
        f'height="{bottom - top:.0f}" xmlns="http://www.w3.org/2000/svg">',
        f'<defs><marker id="{marker}" viewBox="0 0 10 10" refX="9" refY="5" markerWidth="7" markerHeight="7" '
        'orient="auto-start-reverse"><path d="M0 0L10 5L0 10z"/></marker></defs>',
    ]
    for start, end in directed:
        lines.append(_arrow(at, half, start, end, marker))
    for start, end in bidirected:
        lines.append(_arc(at, half, start, end, marker))
    for node in nodes:
        x, y = at[node]
        lines.append(
            f'<ellipse cx="{x:.1f}" cy="{y:.1f}" rx="{half[node]:.1f}" ry="{RADIUS}"/>'
            f'<text x="{x:.1f}" y="{y:.1f}">{escape(node)}</text>'
        )
    lines.append("</svg>")
    return Markup("".join(lines))  # noqa: S704 - every name in it was escaped above


def _edge(x: float, y: float, toward: tuple[float, float], rx: float) -> tuple[float, float]:
    """Where the line from the ellipse's middle towards a point leaves the ellipse."""
    dx, dy = toward[0] - x, toward[1] - y
    norm = ((dx / rx) ** 2 + (dy / RADIUS) ** 2) ** 0.5 or 1.0
    return x + dx / norm, y + dy / norm


def _arrow(at: Mapping[str, tuple[float, float]], half: Mapping[str, float], start: str, end: str, marker: str) -> str:
    (x1, y1), (x2, y2) = at[start], at[end]
    # An arrow that skips layers bends away from the row of nodes in between.
    bend = 0.0 if abs(x2 - x1) <= STEP_X * 1.1 else (STEP_Y * 0.62 if (y1 + y2) >= 0 else -STEP_Y * 0.62)
    middle = ((x1 + x2) / 2, (y1 + y2) / 2 + bend)
    ax, ay = _edge(x1, y1, middle if bend else (x2, y2), half[start])
    bx, by = _edge(x2, y2, middle if bend else (x1, y1), half[end])
    path = (
        f"M{ax:.1f} {ay:.1f}Q{middle[0]:.1f} {middle[1]:.1f} {bx:.1f} {by:.1f}"
        if bend
        else f"M{ax:.1f} {ay:.1f}L{bx:.1f} {by:.1f}"
    )
    return f'<path class="bp-edge" d="{path}" marker-end="url(#{marker})"/>'


def _arc(at: Mapping[str, tuple[float, float]], half: Mapping[str, float], start: str, end: str, marker: str) -> str:
    (x1, y1), (x2, y2) = at[start], at[end]
    middle = ((x1 + x2) / 2 + (STEP_X * 0.6 if x1 == x2 else 0), (y1 + y2) / 2 - (0 if x1 == x2 else STEP_Y * 0.8))
    ax, ay = _edge(x1, y1, middle, half[start])
    bx, by = _edge(x2, y2, middle, half[end])
    return (
        f'<path class="bp-edge bp-hidden" d="M{ax:.1f} {ay:.1f}Q{middle[0]:.1f} {middle[1]:.1f} {bx:.1f} {by:.1f}" '
        f'marker-start="url(#{marker})" marker-end="url(#{marker})"/>'
    )
