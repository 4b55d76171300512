"""Growing a graph on numbered variables, and turning it into the params of a linear problem."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from benchpress.graphs.dag import Graph
from benchpress.models.linear import LinearModel
from benchpress.streams import Stream
from benchpress.wording.numbers import show
from benchpress.wording.sections import Params


class Draft:
    """A directed acyclic graph that grows; variables are numbers from 0, their names come later."""

    def __init__(self, count: int) -> None:
        self.parents: list[int] = [0] * count
        """One mask of parents a variable."""

    @property
    def count(self) -> int:
        return len(self.parents)

    def node(self, *parents: int) -> int:
        """A new variable with these parents."""
        self.parents.append(sum(1 << parent for parent in parents))
        return self.count - 1

    def arrow(self, tail: int, head: int) -> None:
        self.parents[head] |= 1 << tail

    def chain(self, tail: int, head: int, between: int) -> list[int]:
        """A directed path from tail to head over `between` new variables, which are returned in order."""
        made = []
        for _ in range(between):
            tail = self.node(tail)
            made.append(tail)
        self.arrow(tail, head)
        return made

    def above(self, *starts: int) -> int:
        """The mask of the ancestors of some variables, themselves included."""
        found = frontier = sum(1 << start for start in set(starts))
        while frontier:
            low = frontier & -frontier
            new = self.parents[low.bit_length() - 1] & ~found
            found |= new
            frontier = (frontier ^ low) | new
        return found

    def below(self, start: int) -> int:
        """The mask of the descendants of a variable, itself included."""
        found = 1 << start
        while True:
            grown = found
            for place, mask in enumerate(self.parents):
                if mask & grown:
                    grown |= 1 << place
            if grown == found:
                return found
            found = grown

    def causes(self, number: int) -> int:
        """How many parents a variable has."""
        return self.parents[number].bit_count()

    def joined(self, a: int, b: int) -> bool:
        return bool(self.parents[a] >> b & 1 or self.parents[b] >> a & 1)

    def possible(self, tail: int, head: int) -> bool:
        """Whether an arrow would be new and close no cycle."""
        return tail != head and not self.joined(tail, head) and not self.above(tail) >> head & 1

    def thicken(self, stream: Stream, wanted: int, allowed: Callable[[int, int], bool]) -> None:
        """Up to `wanted` more arrows between drawn pairs, where `allowed`."""
        for _ in range(4 * wanted):
            if wanted == 0:
                return
            tail, head = stream.sample(range(self.count), 2)
            if self.possible(tail, head) and allowed(tail, head):
                self.arrow(tail, head)
                wanted -= 1

    def graph(self, names: Sequence[str]) -> Graph:
        """The graph with names for the numbers, in canonical order."""
        directed = sorted(
            (names[tail], names[head]) for head, mask in enumerate(self.parents) for tail in range(self.count)
            if mask >> tail & 1
        )  # fmt: skip
        return Graph(tuple(sorted(names[: self.count])), tuple(directed))


SMALL = ("0.5", "1", "1.5", "2")
WHOLE = ("1", "2", "3")


def draw_linear(stream: Stream, graph: Graph, sizes: Sequence[str] = SMALL) -> Params:
    """Coefficients of drawn size and sign, and noise variances from 1 to 4."""
    return {
        "coefficients": [
            [tail, head, ("-" if stream.chance(2, 5) else "") + stream.choice(sizes)] for tail, head in graph.directed
        ],
        "noise": [[name, str(stream.between(1, 4))] for name in graph.nodes],
    }


def model_of(graph: Graph, linear: Mapping[str, Any]) -> LinearModel:
    """The exact model of printed coefficients and noise variances."""
    return LinearModel.of(graph, {(a, b): c for a, b, c in linear["coefficients"]}, dict(linear["noise"]))


def covariance_rows(model: LinearModel, names: Iterable[str]) -> list[list[str]]:
    """The covariances of `names` as they are printed, one entry [a, b, value] a pair."""
    listed = sorted(names)
    return [[a, b, show(model.covariance(a, b))] for at, a in enumerate(listed) for b in listed[at:]]
