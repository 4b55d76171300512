"""Calibration baseline: score-based structure search, then the shortest formulas.

Hill climbing over directed acyclic graphs by adding, removing and reversing single edges, under the Bayesian
information criterion of a Bernoulli table a node; rows in which a node was intervened are left out of its score. Fifty
seeded restarts, the best graph is kept. What the problem discloses of the order are hard constraints. Hidden roots are
the variables that gain least from having parents, and the search is done again with them fixed. Each node's table is
then completed by the shortest formula; where rows conflict, its parents are grown until they do not.
"""

import json
import math
from dataclasses import dataclass, field

from benchpress.modules.replay.ambiguity import Support
from benchpress.modules.replay.completion import complete, constant, tabulate
from benchpress.modules.replay.observed import Observed, observe
from benchpress.streams import Stream, derive

RESTARTS = 50


@dataclass(frozen=True, slots=True)
class Search:
    """A search over parent sets, one bit mask a node. `allowed[v]` are the variables that may point to v."""

    problem: Observed
    allowed: tuple[Support, ...]
    _scores: dict[tuple[int, Support], float] = field(default_factory=dict)

    def score(self, node: int, parents: Support) -> float:
        """BIC of a node with a free probability for each seen assignment of its parents; larger is better."""
        known = self._scores.get((node, parents))
        if known is None:
            known = self._scores[node, parents] = _bic(self.problem, node, parents)
        return known

    def climb(self, graph: list[Support]) -> tuple[float, list[Support]]:
        """The local optimum that steepest ascent reaches from `graph`."""
        nodes = range(len(graph))
        while True:
            best_gain = 1e-9
            best_move: tuple[tuple[int, Support], ...] = ()
            for child in nodes:
                old = self.score(child, graph[child])
                for parent in nodes:
                    bit = 1 << parent
                    if graph[child] & bit:
                        gain = self.score(child, graph[child] ^ bit) - old
                        if gain > best_gain:
                            best_gain, best_move = gain, ((child, graph[child] ^ bit),)
                        if self._room(graph[parent]) and self.allowed[parent] >> child & 1:
                            turned = graph[parent] | 1 << child
                            gain += self.score(parent, turned) - self.score(parent, graph[parent])
                            if gain > best_gain and self._reversible(graph, parent, child):
                                best_gain, best_move = gain, ((child, graph[child] ^ bit), (parent, turned))
                    elif self.allowed[child] & bit and self._room(graph[child]):
                        gain = self.score(child, graph[child] | bit) - old
                        if gain > best_gain and not _reaches(graph, child, parent):
                            best_gain, best_move = gain, ((child, graph[child] | bit),)
            if not best_move:
                return sum(self.score(node, graph[node]) for node in nodes), graph
            for node, parents in best_move:
                graph[node] = parents

    def _room(self, parents: Support) -> bool:
        return parents.bit_count() < self.problem.most

    @staticmethod
    def _reversible(graph: list[Support], parent: int, child: int) -> bool:
        """Does turning parent -> child round leave the graph acyclic?"""
        without = [parents ^ 1 << parent if node == child else parents for node, parents in enumerate(graph)]
        return not _reaches(without, parent, child)

    def best(self, stream: Stream) -> list[Support]:
        """The best graph over all restarts: the empty graph first, then random ones."""
        found = self.climb([0] * len(self.allowed))
        for _ in range(RESTARTS - 1):
            found = max(found, self.climb(self._random(stream)), key=lambda pair: pair[0])
        return found[1]

    def _random(self, stream: Stream) -> list[Support]:
        order = stream.shuffled(range(len(self.allowed)))
        graph = [0] * len(self.allowed)
        before: Support = 0
        for node in order:
            for parent in range(len(graph)):
                usable = before & self.allowed[node]
                if usable >> parent & 1 and stream.chance(1, 4) and self._room(graph[node]):
                    graph[node] |= 1 << parent
            before |= 1 << node
        return graph


def _bic(problem: Observed, node: int, parents: Support) -> float:
    free, target = problem.rows.free[node], problem.rows.columns[node]
    rows = free.bit_count()
    if not rows:
        return 0.0
    groups = [free]
    for place, column in enumerate(problem.rows.columns):
        if parents >> place & 1:
            groups = [part for group in groups for part in (group & column, group & ~column) if part]
    fit = 0.0
    for group in groups:
        count, ones = group.bit_count(), (group & target).bit_count()
        fit += sum(n * math.log(n / count) for n in (ones, count - ones) if n)
    return fit - math.log(rows) / 2 * (1 << parents.bit_count())


def _reaches(graph: list[Support], start: int, goal: int) -> bool:
    """Is `goal` at or below `start`?"""
    above, seen = graph[goal] | 1 << goal, 1 << goal
    while above & ~seen:
        if above >> start & 1:
            return True
        node = (above & ~seen).bit_length() - 1
        seen |= 1 << node
        above |= graph[node]
    return bool(above >> start & 1)


def solve(prompt: str) -> str:
    """The answer to a printed problem; an empty one to Alt-SCM problems. Raises ValueError for other prompts."""
    problem = observe(prompt)
    if problem.reference:
        return ""
    stream = derive(b"score search", *problem.names, *problem.rows.columns)
    roots = problem.roots
    if roots is None:
        everything = Search(problem, tuple(problem.usable[node] for node in range(len(problem.names))))
        graph = everything.best(stream)
        gains = sorted(
            range(len(graph)), key=lambda node: everything.score(node, graph[node]) - everything.score(node, 0)
        )
        roots = tuple(sorted(gains[: problem.root_count]))
    allowed = tuple(0 if node in roots else problem.usable[node] for node in range(len(problem.names)))
    graph = Search(problem, allowed).best(stream)
    mechanisms = {}
    for node in range(len(graph)):
        if node not in roots:
            graph[node] = _grown(problem, graph, allowed, node)
            mechanisms[problem.names[node]] = _formula(problem, graph, allowed, node)
    answer: dict[str, object] = {"mechanisms": mechanisms}
    if problem.roots is None:
        answer["roots"] = [problem.names[root] for root in roots]
    return json.dumps(answer)


def _conflicts(problem: Observed, node: int, parents: Support) -> int:
    columns = [column for place, column in enumerate(problem.rows.columns) if parents >> place & 1]
    return tabulate(columns, problem.rows.columns[node], problem.rows.free[node])[2]


def _grown(problem: Observed, graph: list[Support], allowed: tuple[Support, ...], node: int) -> Support:
    """The parents of a node, with further ones added, the most helpful first, until no two rows conflict."""
    parents = graph[node]
    while _conflicts(problem, node, parents):
        more = [
            place
            for place in range(len(graph))
            if (allowed[node] & ~parents) >> place & 1 and not _reaches(graph, node, place)
        ]
        if not more or parents.bit_count() > problem.most:
            return parents
        parents |= 1 << min(more, key=lambda place: (_conflicts(problem, node, parents | 1 << place), place))
    return parents


def _formula(problem: Observed, graph: list[Support], allowed: tuple[Support, ...], node: int) -> str:
    members = [place for place in range(len(graph)) if graph[node] >> place & 1]
    columns = [problem.rows.columns[place] for place in members]
    care, value, _ = tabulate(columns, problem.rows.columns[node], problem.rows.free[node])
    if members:
        return complete([problem.names[place] for place in members], care, value)[1]
    usable = [place for place in range(len(graph)) if allowed[node] >> place & 1 and not _reaches(graph, node, place)]
    return constant(problem.names[usable[0]], value) if usable else ""
