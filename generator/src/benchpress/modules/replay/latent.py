"""The latent model of a problem: a Boolean structural causal model in which every declared parent matters."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from benchpress.gate import Redraw
from benchpress.models.boolean import Formula, assignment_masks, evaluate
from benchpress.models.boolean_replay import Model
from benchpress.modules.replay.configurations import Configuration
from benchpress.modules.replay.minimal import minimal_formulas
from benchpress.streams import Stream

PARENT_WEIGHTS = {2: 2, 3: 3, 4: 3, 5: 2}


@dataclass(frozen=True, slots=True)
class Latent:
    """A model with its true order. `windows` are the variables just before each one, among which parents were drawn."""

    variables: tuple[str, ...]
    order: tuple[str, ...]
    model: Model
    windows: Mapping[str, tuple[str, ...]]

    @property
    def roots(self) -> tuple[str, ...]:
        return self.model.roots

    @property
    def endogenous(self) -> tuple[str, ...]:
        return tuple(self.model.formulas)

    def parents(self, variable: str) -> tuple[str, ...]:
        return self.model.formulas[variable].variables


def draw_latent(stream: Stream, configuration: Configuration) -> Latent:
    """A latent model. Every mechanism is a shortest formula of a function that needs all its parents.

    A mechanism is drawn again until its variable varies over the assignments of the roots and is no copy of an earlier
    variable or of its negation. Raises Redraw where that does not come about.
    """
    count = configuration.variables
    variables = tuple(f"X{number}" for number in range(1, count + 1))
    order = tuple(stream.shuffled(variables))
    if order == variables:
        raise Redraw("names in causal order")
    roots = order[: configuration.roots]
    columns = dict(zip(roots, assignment_masks(len(roots)), strict=True))
    mask = (1 << (1 << len(roots))) - 1
    taken = {0, mask, *columns.values(), *(column ^ mask for column in columns.values())}
    formulas: dict[str, Formula] = {}
    windows = {}
    for place in range(len(roots), count):
        variable = order[place]
        windows[variable] = order[max(0, place - configuration.window) : place]
        for _ in range(100):
            formula = _draw_mechanism(stream, configuration, windows[variable])
            column = evaluate(formula.program, columns, mask)
            if column not in taken:
                break
        else:
            raise Redraw("a variable that only copies others")
        formulas[variable] = formula
        columns[variable] = column
        taken |= {column, column ^ mask}
    return Latent(variables, order, Model(roots, formulas), windows)


def _draw_mechanism(stream: Stream, configuration: Configuration, window: tuple[str, ...]) -> Formula:
    sizes = list(range(2, min(configuration.parents, len(window)) + 1))
    parents = stream.weighted(sizes, [PARENT_WEIGHTS[size] for size in sizes])
    nodes = configuration.node_counts(parents)
    # Few functions have the longest shortest formulas; equal weights would bring the same ones again and again.
    chosen = stream.weighted(nodes, [min(len(functions(parents, size)), 40) for size in nodes])
    names = tuple(sorted(stream.sample(window, parents), key=lambda name: int(name[1:])))
    return minimal_formulas(parents).formula(stream.choice(functions(parents, chosen)), names)


@cache
def functions(inputs: int, nodes: int) -> tuple[int, ...]:
    """Truth tables that need all inputs and whose shortest formula has so many nodes, in numeric order."""
    return tuple(minimal_formulas(inputs).needing_all(nodes).tolist())
