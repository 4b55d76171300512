"""Answers to published and private graph questions: the solvers of the generator, open to anybody's graph.

A case is one JSON object with a `kind`, a `graph` (or a `graph_full` with explicit latents, which is then projected)
and a `query`. Every kind is answered by an algorithm and, where the graph is small enough, by a second method that
shares no code with it; where the two disagree the answer is an error, never a guess.
"""

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from benchpress.canonical import canonical_bytes
from benchpress.errors import UserError
from benchpress.graphs import definitions
from benchpress.graphs.adjustment import is_adjustment_set, is_backdoor_set, minimal_adjustment_sets
from benchpress.graphs.dag import Graph
from benchpress.graphs.equivalence import class_size, covered_edge_class, cpdag, markov_equivalent, v_structures
from benchpress.graphs.frontdoor import is_frontdoor_set
from benchpress.graphs.implications import separable_pairs, testable_implications
from benchpress.graphs.instruments import is_ratio_instrument
from benchpress.graphs.moral import moral_separated
from benchpress.graphs.separation import minimal_separators, minimum_separators, separated
from benchpress.jsonl import read_lines, write_lines
from benchpress.solve_checks import linear_adjustment, linear_independence, linear_instrument
from benchpress.solve_identification import conditional_effect, effect, recoverable, transportable
from benchpress.solve_query import Query, graph_of, latents_of

Case = Mapping[str, Any]
Answers = dict[str, Any]
"""What each method said, by its name; the first is the answer."""

PATHS = 10
SUBSETS = 15
PAIRS = 11
MEMBERS = 5_000
"""Limits for the second methods: nodes for path enumeration, nodes tried in a subset search, nodes for such a search
between all pairs, and members for the walk through a class."""


def solve_case(case: Case) -> dict[str, Any]:
    """The answer to one case: ``{"id", "answer", "methods"}``, or ``{"id", "error"}`` with one line.

    Set-valued answers are sorted lists of sorted lists: `[]` where no set exists, `[[]]` where the empty one serves.
    """
    name = case.get("id")
    try:
        solver = KINDS.get(str(case.get("kind")))
        if solver is None:
            raise UserError(f"unknown kind {case.get('kind')!r}; known are {', '.join(KINDS)}")
        graph = graph_of(case)
        found = solver(graph, Query(case.get("query"), set(latents_of(case)).difference(graph.nodes)))
        first = next(iter(found.values()))
        for method, answer in found.items():
            if answer != first:
                raise UserError(f"the methods disagree: {next(iter(found))} says {first}, {method} says {answer}")
        return {"id": name, "answer": first, "methods": list(found)}
    except UserError as problem:
        return {"id": name, "error": str(problem)}


def solve_file(cases: Path, out: Path, each: Callable[[], None] = lambda: None) -> tuple[int, int]:
    """Answer a file of cases, one line each in their order; returns how many were answered and how many were errors.

    `each` is called after every case, for progress. Raises UserError for a file that cannot be read or written, and
    for a line that is no JSON object.
    """
    errors = 0

    def answers() -> Iterator[dict[str, Any]]:
        nonlocal errors
        for number, case in read_lines(cases):
            if not isinstance(case, dict):
                raise UserError(f"{cases}, line {number}: a case is a JSON object with id, kind, graph and query")
            try:
                canonical_bytes(case.get("id"))
            except ValueError:
                raise UserError(f"{cases}, line {number}: the id of a case is text or a whole number") from None
            answer = solve_case(case)
            errors += "error" in answer
            yield answer

    total = write_lines(out, answers(), each)
    return total - errors, errors


def _searched(graph: Graph, ends: tuple[str, ...]) -> tuple[str, ...]:
    """Nodes to try in a subset search: all others, or in a large graph those above the ends (all minimal sets are)."""
    nodes = graph.nodes if len(graph.nodes) <= SUBSETS else graph.ancestors(ends)
    return tuple(node for node in nodes if node not in ends)


def _lists(sets: Any) -> list[Any]:
    return [list(names) for names in sets]


def _separation(graph: Graph, query: Query) -> Answers:
    x, y, given = query.names("x"), query.names("y"), query.names("given", optional=True)
    return {
        "reachability": separated(graph, x, y, given),
        "moralised ancestral graph": moral_separated(graph, x, y, given),
        "partial covariances of a linear model": linear_independence(graph, x, y, given),
    }


def _adjustment_valid(graph: Graph, query: Query) -> Answers:
    x, y, z = query.names("x"), query.names("y"), query.names("z", optional=True)
    if query.word("criterion", "adjustment", "backdoor") == "backdoor":
        found = {"back-door criterion": is_backdoor_set(graph, x, y, z)}
        if len(graph.nodes) <= PATHS:
            found["all paths"] = definitions.adjusts_by_backdoor(graph, x, y, z)
        return found
    found = {
        "reachability in the proper back-door graph": is_adjustment_set(graph, x, y, z),
        "moralised proper back-door graph": definitions.adjusts_in_moral_graph(graph, x, y, z),
    }
    if len(graph.nodes) <= PATHS:
        found["all paths"] = definitions.adjusts(graph, x, y, z)
    if len(x) == len(y) == 1:
        found["regression in linear models"] = linear_adjustment(graph, x[0], y[0], z)
    return found


def _adjustment_sets(graph: Graph, query: Query) -> Answers:
    x, y = query.names("x"), query.names("y")
    required, excluded = query.names("required", optional=True), query.excluded()
    found: Answers = {}
    if query.word("effect", "total", "direct") == "direct":
        found["separators without the edge"] = minimal_adjustment_sets(graph, x, y, required, excluded, "direct")
    else:
        found["separators of the proper back-door graph"] = minimal_adjustment_sets(graph, x, y, required, excluded)
    free = _searched(graph, (*x, *y, *required))
    if len(free) <= SUBSETS:
        found["all subsets in the moralised graph"] = definitions.minimal_adjustment_by_search(
            graph,
            x,
            y,
            required,
            {*excluded, *(node for node in graph.nodes if node not in (*free, *required))},
            query.word("effect", "total", "direct"),
        )
    return {method: _lists(sets) for method, sets in found.items()}


def _separator(graph: Graph, query: Query) -> Answers:
    x, y = query.names("x"), query.names("y")
    include, exclude = query.names("include", optional=True), query.excluded()
    form = query.word("form", "all", "minimum", "is_minimal")
    minimum = form == "minimum"
    found = (minimum_separators if minimum else minimal_separators)(graph, x, y, include, exclude)
    answers: Answers = {"minimal separators of the moral graph": found}
    free = _searched(graph, (*x, *y, *include))
    if len(free) <= SUBSETS:
        barred = {*x, *y, *exclude}
        searched = definitions.smallest_sets(
            (node for node in free if node not in barred),
            include,
            lambda z: not z.intersection(exclude) and moral_separated(graph, x, y, z),
        )
        fewest = min(map(len, searched), default=0)
        answers["all subsets"] = tuple(z for z in searched if not minimum or len(z) == fewest)
    if form == "is_minimal":
        z = tuple(sorted(query.names("z", optional=True)))
        graph.mask(z)
        return {method: z in sets for method, sets in answers.items()}
    return {method: _lists(sets) for method, sets in answers.items()}


def _frontdoor(graph: Graph, query: Query) -> Answers:
    x, y, m = query.name("x"), query.name("y"), query.names("m", optional=True)
    found = {
        "reachability": is_frontdoor_set(graph, x, y, m),
        "moralised graphs": definitions.intercepts_in_moral_graph(graph, x, y, m),
    }
    if len(graph.nodes) <= PATHS:
        found["all paths"] = definitions.intercepts(graph, x, y, m)
    return found


def _instrument(graph: Graph, query: Query) -> Answers:
    x, y, z = query.name("treatment"), query.name("outcome"), query.name("z")
    given = query.names("w", optional=True)
    total = query.word("effect", "total", "edge") == "total"
    found = {
        "reachability": is_ratio_instrument(graph, z, x, y, given, "total" if total else "edge"),
        "moralised graph": definitions.serves_as_instrument(graph, z, x, y, given, total),
    }
    # The definition rules out some sets by their place alone, whatever the numbers say.
    barred = graph.descendants((x, y) if total else y)
    if not set(barred).intersection(given):
        found["covariance ratio in linear models"] = linear_instrument(
            graph, z, x, y, given, "total" if total else "edge"
        )
    return found


def _equivalence(graph: Graph, query: Query) -> Answers:
    if query.word("form", "cpdag", "markov_equivalent") == "markov_equivalent":
        if not query.has("other"):
            raise UserError("query.other must be a graph")
        return _equivalent(graph, Graph.from_json(query.value["other"]))
    pattern = cpdag(graph)
    size = class_size(graph)
    found: Answers = {
        "Meek's rules": {
            "directed": _lists(pattern.directed),
            "undirected": _lists(pattern.undirected),
            "mec_size": size,
        }
    }
    walked = covered_edge_class(graph, MEMBERS) if size <= MEMBERS else None
    if walked is not None:
        shared = set.intersection(*(set(member.directed) for member in walked))
        others = {tuple(sorted(edge)) for edge in graph.directed if edge not in shared}
        found["walk over covered edges"] = {
            "directed": _lists(sorted(shared)),
            "undirected": _lists(sorted(others)),
            "mec_size": len(walked),
        }
    return found


def _equivalent(graph: Graph, other: Graph) -> Answers:
    same = sorted(graph.nodes) == sorted(other.nodes)
    found: Answers = {}
    if not (graph.bidirected or other.bidirected):
        found["skeleton and v-structures"] = markov_equivalent(graph, other)
        if same and len(graph.nodes) > PATHS:
            ours, theirs = cpdag(graph), cpdag(other)
            found["Meek's rules"] = (ours.directed, ours.undirected) == (theirs.directed, theirs.undirected)
    if len(graph.nodes) <= PATHS:
        for method, test in (("all separations, moral graph", moral_separated), ("all separations", separated)):
            found[method] = same and definitions.independences(graph, test) == definitions.independences(other, test)
            if len(found) == 2:
                break
    elif not found:
        raise UserError(f"equivalence of graphs with bidirected edges is answered for up to {PATHS} nodes")
    return found


def _v_structures(graph: Graph, query: Query) -> Answers:  # noqa: ARG001 - all kinds take a query
    found = {"parents": _lists(v_structures(graph))}
    if graph.bidirected:
        found["all triples"] = _lists(definitions.unshielded_colliders(graph))
    else:
        found["separating sets"] = _lists(definitions.v_structures_by_separation(graph))
    return found


def _implications(graph: Graph, query: Query) -> Answers:
    every = query.word("form", "all_minimal", "separable_pairs") == "all_minimal"
    found: Answers = {}
    if every:
        found["minimal separators of the moral graph"] = testable_implications(graph)
    else:
        found["ancestors as separator"] = separable_pairs(graph)
    if len(graph.nodes) <= PAIRS:
        searched = definitions.minimal_independences(graph)
        found["all subsets"] = searched if every else tuple(dict.fromkeys(pair for pair, _ in searched))
    if every:
        return {method: [_lists(statement) for statement in statements] for method, statements in found.items()}
    return {method: _lists(pairs) for method, pairs in found.items()}


def _effect(graph: Graph, query: Query) -> Answers:
    return effect(graph, query.names("x", optional=True), query.names("y"))


def _conditional_effect(graph: Graph, query: Query) -> Answers:
    return conditional_effect(graph, query.names("x", optional=True), query.names("y"), query.names("given"))


def _transportable(graph: Graph, query: Query) -> Answers:
    return transportable(graph, query.names("x", optional=True), query.names("y"), query.value)


def _recoverable(graph: Graph, query: Query) -> Answers:
    return recoverable(graph, query.value)


KINDS: dict[str, Callable[[Graph, Query], Answers]] = {
    "d_separation": _separation,
    "adjustment_sets_minimal": _adjustment_sets,
    "adjustment_valid": _adjustment_valid,
    "minimal_separator": _separator,
    "frontdoor_valid": _frontdoor,
    "instrument_valid": _instrument,
    "conditional_instrument": _instrument,
    "cpdag": _equivalence,
    "v_structures": _v_structures,
    "id_identifiable": _effect,
    "idc_identifiable": _conditional_effect,
    "transportable": _transportable,
    "s_recoverable": _recoverable,
    "testable_implications": _implications,
}
