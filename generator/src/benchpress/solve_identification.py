"""Identifiability questions for `solve`: effects, conditional effects, transport and recovery under selection."""

from collections.abc import Mapping, Sequence
from itertools import chain, combinations
from typing import Any

from benchpress.errors import UserError
from benchpress.graphs.dag import Graph
from benchpress.graphs.docalculus import Known, derivation, switched
from benchpress.graphs.fresh import fresh_names
from benchpress.graphs.hedges import find_conditional_hedge, find_hedge
from benchpress.graphs.identification import Source, identify, identify_conditional, transport
from benchpress.graphs.selection import (
    is_conditional_recoverable,
    is_effect_recoverable,
    is_selection_adjustment_set,
    needed_external,
)
from benchpress.solve_checks import estimand_is_right, fits_enumeration, selected_adjustment

SEARCHED = 7
HEDGES = 18
"""Limits on nodes for the do-calculus search and for the subset search for hedges."""

Names = tuple[str, ...]
Answers = dict[str, Any]


def effect(graph: Graph, x: Names, y: Names) -> Answers:
    """Is P(y | do(x)) identifiable from P(v)?"""
    found = identify(graph, x, y)
    answers: Answers = {"ID algorithm": found.identifiable}
    if len(graph.nodes) <= HEDGES:
        answers["search for hedges"] = find_hedge(graph, x, y) is None
    small = _ancestral(graph, (*x, *y))
    if len(small.nodes) <= SEARCHED:
        answers["do-calculus search"] = derivation(small, Known(y, (), x), [Known(small.nodes)]) is not None
    if found.identifiable and fits_enumeration(graph):
        answers["estimand in a random model"] = estimand_is_right(graph, found, x, y)
    return answers


def conditional_effect(graph: Graph, x: Names, y: Names, given: Names) -> Answers:
    """Is P(y | do(x), given) identifiable from P(v)?"""
    found = identify_conditional(graph, x, y, given)
    answers: Answers = {"IDC algorithm": found.identifiable}
    if len(graph.nodes) <= HEDGES:
        answers["search for hedges"] = find_conditional_hedge(graph, x, y, given) is None
    small = _ancestral(graph, (*x, *y, *given))
    if len(small.nodes) <= SEARCHED:
        answers["do-calculus search"] = derivation(small, Known(y, given, x), [Known(small.nodes)]) is not None
    if found.identifiable and fits_enumeration(graph):
        answers["estimand in a random model"] = estimand_is_right(graph, found, x, y, given)
    return answers


def transportable(graph: Graph, x: Names, y: Names, query: Mapping[str, Any]) -> Answers:
    """Is the target's P(y | do(x)) computable from its own observations and the data of other populations?"""
    domains = query.get("domains")
    if not isinstance(domains, list) or not all(isinstance(domain, dict) for domain in domains):
        raise UserError("query.domains must be a list of {name, experiments, s_nodes}")
    sources = [_source(graph, domain, place) for place, domain in enumerate(domains)]
    observed = _target_is_observed(query)
    answers: Answers = {"c-factors by population": transport(graph, x, y, sources, observed).identifiable}
    if len(graph.nodes) <= HEDGES:
        available = [(source.experiments, source.differing) for source in sources]
        answers["search for hedges"] = find_hedge(graph, x, y, available, observed) is None
    data = sum(2 ** len(source.experiments) for source in sources)
    if len(graph.nodes) + len(sources) <= SEARCHED and data <= 200:
        switches = fresh_names((f"@{place}" for place in range(len(sources))), graph.nodes)
        diagram = switched(
            graph, [(switch, source.differing) for switch, source in zip(switches, sources, strict=True)]
        )
        known = [Known(graph.nodes)] if observed else []
        for switch, source in zip(switches, sources, strict=True):
            for do in chain.from_iterable(
                combinations(source.experiments, size) for size in range(len(source.experiments) + 1)
            ):
                rest = tuple(node for node in graph.nodes if node not in do)
                if rest:
                    known.append(Known(rest, (switch,), do))
        answers["do-calculus search"] = derivation(diagram, Known(y, (), x), known, (), switches) is not None
    return answers


def recoverable(graph: Graph, query: Mapping[str, Any]) -> Answers:
    """Can the target be computed from the selected sample, with what is known from outside?"""
    target, selection = query.get("target"), query.get("selection_node")
    if not isinstance(target, dict) or not isinstance(selection, str):
        raise UserError("query needs a target object and a selection_node")
    x, y = _names(target.get("x") or [], "target.x"), _names(target.get("y"), "target.y")
    given = _names(target.get("given") or target.get("z") or [], "target.given")
    outside_data = query.get("external") or []
    if not isinstance(outside_data, list):
        raise UserError("query.external must be a list of lists of node names")
    external = [_names(names, "external") for names in outside_data]
    _check_sample(query.get("available"), selection)
    kind = target.get("type")
    if kind not in ("do", "conditional", "marginal"):
        raise UserError(f"query.target.type is {kind!r}; known are do, conditional, marginal")
    if query.get("adjust_for") is not None:
        return _adjusted(graph, x, y, _names(query["adjust_for"], "adjust_for"), selection)
    wanted = Known(y, given, x) if kind == "do" else Known(y, (*x, *given))
    answers: Answers = {}
    if not external:
        if kind != "do":
            answers["separation of selection and outcome"] = is_conditional_recoverable(
                graph, y, wanted.given, selection
            )
        elif not given:
            answers["RC algorithm"] = is_effect_recoverable(graph, x, y, selection)
    small = _ancestral(graph, (*x, *y, *given, selection, *(name for names in external for name in names)))
    if len(small.nodes) <= SEARCHED + 1:
        sample = Known(tuple(node for node in small.nodes if node != selection), (selection,))
        known = [sample, *(Known(names) for names in external)]
        answers["do-calculus search"] = derivation(small, wanted, known, (selection,)) is not None
    if kind == "do" and not given and external:
        # Sound, not complete: a right adjustment proves recoverability, none proves nothing.
        measured = sorted({name for names in external for name in names})
        sets = needed_external(graph, x, y, selection, measured)
        if any(set(names) <= set(outside) for names in sets for outside in external):
            answers["adjustment with external data"] = True
    if not answers:
        raise UserError(f"recoverability with these data is answered for up to {SEARCHED + 1} relevant nodes")
    return answers


def _ancestral(graph: Graph, names: Names) -> Graph:
    """The graph on `names` and their ancestors: nothing outside it helps or hinders."""
    return graph.induced(graph.ancestors_of(graph.mask(names)))


def _adjusted(graph: Graph, x: Names, y: Names, z: Names, selection: str) -> Answers:
    answers: Answers = {"generalised adjustment criterion": is_selection_adjustment_set(graph, x, y, z, selection)}
    if fits_enumeration(graph):
        answers["adjustment in a random model"] = selected_adjustment(graph, x, y, z, selection)
    return answers


def _check_sample(available: Any, selection: str) -> None:
    """The sample is P(V | S=1), with S for the selection node or with its name; other samples are not answered."""
    known = {f"P(V|{node}=1)" for node in ("S", "".join(selection.split()))}
    if available is not None and not (isinstance(available, str) and "".join(available.split()) in known):
        raise UserError(f"query.available is {available!r}; known is P(V | S=1), all variables of the selected sample")


def _source(graph: Graph, domain: Mapping[str, Any], place: int) -> Source:
    experiments = domain.get("experiments") or []
    listed = graph.nodes if experiments == "all" else _names(experiments, "domains.experiments")
    graph.mask(listed)
    return Source(str(domain.get("name") or place + 1), listed, _names(domain.get("s_nodes") or [], "domains.s_nodes"))


def _target_is_observed(query: Mapping[str, Any]) -> bool:
    data = query.get("target_data", "observational")
    if data not in ("observational", "none", None):
        raise UserError(f"query.target_data is {data!r}; known are observational, none")
    return bool(data == "observational")


def _names(value: Any, where: str) -> Names:
    if isinstance(value, str):
        return (value,)
    if isinstance(value, Sequence) and all(isinstance(name, str) for name in value):
        return tuple(value)
    raise UserError(f"query.{where} must be a list of node names")
