"""m-separation and separators against networkx, the moralised graph, all paths and all subsets."""

from itertools import combinations

import networkx as nx
import pytest
from benchpress.errors import UserError
from benchpress.graphs.dag import Graph
from benchpress.graphs.definitions import smallest_sets
from benchpress.graphs.moral import moral_separated, open_paths
from benchpress.graphs.separation import minimal_separators, minimum_separators, separated
from random_graphs import explicit, random_graph, stream


@pytest.mark.parametrize("seed", range(60))
def test_separation_is_d_separation_in_the_graph_with_latents_of_networkx(seed: int) -> None:
    draws = stream("separation", seed)
    graph = random_graph(draws, 8, 30, 15)
    full, _ = explicit(graph)
    peer = nx.DiGraph(full.directed)
    peer.add_nodes_from(full.nodes)
    for _ in range(40):
        places = draws.sample(graph.nodes, 8)
        a, b, c = places[: draws.between(1, 2)], places[2 : 2 + draws.between(1, 2)], places[4 : draws.between(4, 8)]
        wanted = nx.is_d_separator(peer, set(a), set(b), set(c))
        assert separated(graph, a, b, c) == wanted
        assert moral_separated(graph, a, b, c) == wanted
        assert (not any(open_paths(graph, one, other, c, 1) for one in a for other in b)) == wanted


def test_overlapping_sets_are_refused() -> None:
    graph = Graph.of("A->B B->C")
    for x, y, z in (("A", "A", ()), ("A", "C", "A"), ("A", "C", "C")):
        with pytest.raises(UserError, match="disjoint"):
            separated(graph, x, y, z)


@pytest.mark.parametrize("seed", range(60))
def test_minimal_separators_are_those_of_an_exhaustive_search(seed: int) -> None:
    draws = stream("separators", seed)
    graph = random_graph(draws, 7, 35, draws.choice((0, 20)))
    nodes = draws.shuffled(graph.nodes)
    x, y = nodes[: draws.between(1, 2)], nodes[2 : 2 + draws.between(1, 2)]
    include = nodes[4 : 4 + draws.below(2)]
    exclude = nodes[5 : 5 + draws.below(3)]
    wanted = smallest_sets(
        [node for node in nodes[2:] if node not in {*y, *exclude}],
        include,
        lambda z: moral_separated(graph, x, y, z),
    )
    assert minimal_separators(graph, x, y, include, exclude) == wanted
    fewest = min(map(len, wanted), default=0)
    assert minimum_separators(graph, x, y, include, exclude) == tuple(z for z in wanted if len(z) == fewest)


def test_neighbours_have_no_separator_and_strangers_the_empty_one() -> None:
    assert minimal_separators(Graph.of("A->B"), "A", "B") == ()
    assert minimal_separators(Graph.of("A->C B->C"), "A", "B") == ((),)


def test_a_required_node_that_is_excluded_leaves_no_separator() -> None:
    assert minimal_separators(Graph.of("A->B B->C"), "A", "C", ["B"], ["B"]) == ()


def test_a_ladder_has_all_its_two_to_the_k_separators() -> None:
    graph = Graph.of(" ".join(f"A->M{k} M{k}->N{k} N{k}->B" for k in range(6)))
    found = minimal_separators(graph, "A", "B")
    assert len(found) == 2**6
    assert all(separated(graph, "A", "B", z) for z in found)


def test_every_pair_of_open_paths_is_listed_once() -> None:
    graph = Graph.of("A->B B->C A->C", "A<->B")
    assert sorted(open_paths(graph, "A", "C")) == [
        ("A", "->", "B", "->", "C"),
        ("A", "->", "C"),
        ("A", "<->", "B", "->", "C"),
    ]
    assert [path for path in open_paths(graph, "A", "C", "B") if "B" in path] == []
    assert all(len(set(path[::2])) == len(path[::2]) for path in open_paths(graph, "A", "C"))


def test_separation_by_all_nodes_between_is_monotone_in_nothing() -> None:
    # Conditioning on a collider's descendant opens, on the parents as well closes again.
    graph = Graph.of("A->C B->C C->D A->E B->F")
    pairs = [given for size in range(4) for given in combinations("CDEF", size) if separated(graph, "A", "B", given)]
    assert pairs == [(), ("E",), ("F",), ("E", "F")]
