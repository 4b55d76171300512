"""Graphs for collider bias: two variables without a common cause, and selections that open a way between them."""

from collections.abc import Mapping

from benchpress.graphs.dag import Graph, bits
from benchpress.graphs.separation import reachable
from benchpress.modules.causal.draft import Draft
from benchpress.streams import Stream

WANTED = ("creates", "removes", "changes", "unchanged")
"""What holding the further quantity fixed does to the association in the selected sample."""

GROWTH = {"cause": 4, "effect": 5, "joint": 3, "outside": 3}
"""How often a new variable is a cause of one side, an effect of one variable, of several, or an outside cause."""


def structure(stream: Stream, knobs: Mapping[str, int]) -> Draft:
    """Two variables 0 and 1 without common ancestor, with ancestors, effects and common effects."""
    draft = Draft(2)
    most = knobs.get("causes", knobs["nodes"])
    # A way from each side to the first common effect, of up to two steps.
    ends = []
    for side in (0, 1):
        start = draft.node() if stream.chance(1, 3) else side
        if start != side:
            draft.arrow(start, side)
        ends.append(draft.node(start) if stream.chance(1, 2) else start)
    draft.node(*ends)
    while draft.count < knobs["nodes"]:
        kind = stream.weighted(list(GROWTH), list(GROWTH.values()))
        others = range(draft.count)
        if kind == "cause":
            draft.arrow(draft.node(), stream.choice([one for one in others if draft.causes(one) < most]))
        elif kind == "effect":
            draft.node(stream.choice(others))
        elif kind == "joint":
            draft.node(*stream.sample(others, 2))
        else:
            heads = stream.sample(others, 2)
            new = draft.node()
            for head in heads:
                if draft.causes(head) < most and _apart(draft, new, head):
                    draft.arrow(new, head)
    draft.thicken(
        stream, knobs["extra_edges"], lambda tail, head: draft.causes(head) < most and _apart(draft, tail, head)
    )
    return draft


def _apart(draft: Draft, tail: int, head: int) -> bool:
    """Whether variables 0 and 1 still have no common ancestor, themselves included, with an arrow more."""
    left, right, new = draft.above(0), draft.above(1), draft.above(tail)
    left |= new if left >> head & 1 else 0
    right |= new if right >> head & 1 else 0
    return not left & right


def selection(
    stream: Stream, graph: Graph, names: tuple[str, ...], size: int, wanted: str, apart: bool, variant: str
) -> tuple[list[str], str] | None:
    """Variables to select on and a further one with the wanted effect on the association, or None.

    `apart`: the selection opens nothing. In a trap it looks like the opposite of what it does.
    """
    a, b = graph.mask(names[:1]), graph.mask(names[1:2])
    places = [place for place in range(len(graph.nodes)) if not (a | b) >> place & 1]
    for _ in range(16):
        chosen = sum(1 << place for place in stream.sample(places, min(size, len(places) - 1)))
        open_before = bool(reachable(graph, a, chosen) & b)
        if open_before == apart or (variant == "trap" and not _deceptive(graph, a | b, chosen, open_before)):
            continue
        linked_a, linked_b = reachable(graph, a, chosen), reachable(graph, b, chosen | a)
        for place in stream.shuffled([place for place in places if not chosen >> place & 1]):
            open_after = bool(reachable(graph, a, chosen | 1 << place) & b)
            # A slope stays where the further variable is apart from either side; a difference of chances only from b.
            moved = linked_b >> place & 1 and (variant == "numeric" or linked_a >> place & 1)
            if open_before != open_after:
                effect = "removes" if open_before else "creates"
            else:
                effect = "changes" if moved and open_before else "unchanged"
            if effect == wanted:
                return sorted(graph.names(chosen)), graph.nodes[place]
    return None


def _deceptive(graph: Graph, sides: int, chosen: int, opened: bool) -> bool:
    """Whether a selection that opens a path touches neither side, or one that opens none looks like a common effect."""
    near = any(graph.parents[place] & sides for place in bits(chosen))
    several = any(graph.parents[place].bit_count() > 1 for place in bits(chosen))
    return not near if opened else near and several
