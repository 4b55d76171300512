"""Linear structural equation models in exact arithmetic.

Every variable is an intercept, plus a coefficient times each parent, plus a noise. Noises have the given variances,
and covariances along bidirected edges. All results are fractions: rational inputs have rational covariances, regression
coefficients, effects and counterfactuals. Under Gaussian noise the conditional means and variances here are those
of the distribution; without, they are those of the best linear prediction.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from math import lcm

from benchpress.errors import UserError
from benchpress.graphs.dag import Edge, Graph, bits
from benchpress.models.elimination import Rows, eliminate
from benchpress.models.exact import exact

Values = Mapping[str, Fraction]


@dataclass(frozen=True)
class LinearModel:
    """A linear model on `graph`.

    `coefficients` holds one number for every directed edge (tail, head); `variances` one for every node, the variance
    of its noise; `error_covariances` one for every bidirected edge, in either order; `intercepts` are zero if absent.
    Raises UserError where one is missing, too many or impossible (noise covariance not positive semidefinite).

    Reference: Bollen 1989; Pearl, Causality (2009), chapter 5.

    >>> model = LinearModel.of(Graph.of("Z->X Z->Y X->Y"), {("Z", "X"): 1, ("Z", "Y"): 2, ("X", "Y"): "1/2"})
    >>> print(model.total_effect("X", "Y"), model.coefficient("Y", "X"), model.coefficient("Y", "X", ["Z"]))
    1/2 3/2 1/2
    """

    graph: Graph
    coefficients: Mapping[Edge, Fraction]
    variances: Values
    error_covariances: Mapping[Edge, Fraction] = field(default_factory=dict)
    intercepts: Values = field(default_factory=dict)

    def __post_init__(self) -> None:
        graph = self.graph
        if self.coefficients.keys() != set(graph.directed):
            raise UserError("linear model: give one coefficient for every directed edge and no other")
        if self.variances.keys() != graph.index.keys():
            raise UserError("linear model: give one noise variance for every node and no other")
        if any(variance < 0 for variance in self.variances.values()):
            raise UserError("linear model: a noise variance is negative")
        if not self.intercepts.keys() <= graph.index.keys():
            raise UserError("linear model: an intercept is given for a node that the graph does not have")
        pairs = sorted(sorted(pair) for pair in self.error_covariances)
        if pairs != sorted(sorted(pair) for pair in graph.bidirected):
            raise UserError("linear model: give one noise covariance for every bidirected edge and no other")
        if self.error_covariances:
            self._check_noise()

    @classmethod
    def of(
        cls,
        graph: Graph,
        coefficients: Mapping[Edge, Fraction | int | str],
        variances: Mapping[str, Fraction | int | str] | None = None,
        error_covariances: Mapping[Edge, Fraction | int | str] | None = None,
        intercepts: Mapping[str, Fraction | int | str] | None = None,
    ) -> "LinearModel":
        """The model of whole numbers, fractions or decimals as text; noise variances default to 1."""
        given = variances if variances is not None else dict.fromkeys(graph.nodes, 1)
        return cls(
            graph,
            {edge: exact(value) for edge, value in coefficients.items()},
            {node: exact(value) for node, value in given.items()},
            {edge: Fraction(value) for edge, value in (error_covariances or {}).items()},
            {node: Fraction(value) for node, value in (intercepts or {}).items()},
        )

    def covariance(self, a: str, b: str) -> Fraction:
        """The population covariance of two variables (their variance when they are the same)."""
        i, j = self._places((a, b))
        return Fraction(self._covariances[i][j], self._noise_unit * self._scales[i] * self._scales[j])

    def covariance_matrix(self, names: Iterable[str] | None = None) -> list[list[Fraction]]:
        """The population covariance matrix of `names`, in their order (default: all nodes of the graph)."""
        listed = self.graph.nodes if names is None else tuple(names)
        return [[self.covariance(a, b) for b in listed] for a in listed]

    def total_effect(self, x: str, y: str, held: Iterable[str] = ()) -> Fraction:
        """What E[y] changes by per unit of do(x): the sum over directed paths of the products of their coefficients.

        With `held`, under a simultaneous intervention on these, so that paths through them do not count.
        Reference: Wright 1921.
        """
        i, j = self._places((x, y))
        row = self._paths(self.graph.mask(held) | 1 << i)[j]
        return Fraction(row[i] * self._scales[i], self._scales[j])

    def coefficient(self, y: str, x: str, given: Iterable[str] = ()) -> Fraction:
        """The coefficient of x in the population regression of y on x and `given`."""
        (rest, _) = self._residual((x, y), given)
        i, j = self._places((x, y))
        if rest[0][0] == 0:
            raise UserError(f"regression: {x} is a linear combination of the other regressors; leave one out")
        return Fraction(rest[0][1] * self._scales[i], rest[0][0] * self._scales[j])

    def regression(self, y: str, on: Iterable[str]) -> dict[str, Fraction]:
        """The population regression coefficients of y on all of `on`."""
        listed = _listed(on)
        return {x: self.coefficient(y, x, [other for other in listed if other != x]) for x in listed}

    def partial_covariance(self, a: str, b: str, given: Iterable[str] = ()) -> Fraction:
        """The covariance of a and b after linear adjustment for `given` (partial variance when they are the same)."""
        rest, determinant = self._residual((a, b), given)
        i, j = self._places((a, b))
        return Fraction(rest[0][1], determinant * self._noise_unit * self._scales[i] * self._scales[j])

    def squared_partial_correlation(self, a: str, b: str, given: Iterable[str] = ()) -> Fraction:
        """The square of the partial correlation, a rational number; zero exactly when the partial covariance is."""
        rest, _ = self._residual((a, b), given)
        return Fraction(rest[0][1] ** 2, rest[0][0] * rest[1][1])

    def instrument_ratio(self, y: str, x: str, z: str, given: Iterable[str] = ()) -> Fraction:
        """cov(z, y | given) / cov(z, x | given): the estimand of the (conditional) instrument z.

        Raises UserError where z is irrelevant. Reference: Wright 1928; Brito and Pearl 2002.
        """
        below = self.partial_covariance(z, x, given)
        if below == 0:
            raise UserError(f"instrument: {z} and {x} have no partial covariance; the ratio is not defined")
        return self.partial_covariance(z, y, given) / below

    def mean(self, node: str, do: Values | None = None) -> Fraction:
        """The mean of `node`, under the intervention `do` if one is given."""
        return self.predict(dict.fromkeys(self.graph.nodes, Fraction(0)), do)[node]

    def conditional_mean(self, node: str, evidence: Values) -> Fraction:
        """The mean of `node` among units with the observed values `evidence`."""
        return self.predict(self.abduct(evidence))[node]

    def abduct(self, evidence: Values) -> dict[str, Fraction]:
        """The expected noise of every variable given observed values; with all observed, the noises themselves.

        Raises UserError where the evidence fixes a variable that has no variance left.
        """
        graph, scales = self.graph, self._scales
        seen = list(evidence)
        places = self._places(seen)
        means = self.predict(dict.fromkeys(graph.nodes, Fraction(0)))
        shifts = [(evidence[name] - means[name]) * scales[place] for name, place in zip(seen, places, strict=True)]
        common = lcm(*(shift.denominator for shift in shifts))
        matrix = [
            [self._covariances[a][b] for b in places] + [int(shift * common)]
            for a, shift in zip(places, shifts, strict=True)
        ]
        paths = self._paths(0)
        spread = self._noise
        # Below the evidence, one row a noise: its covariance with every observed variable.
        for noise in range(len(graph.nodes)):
            row = [sum(paths[place][other] * value for other, value in spread[noise].items()) for place in places]
            matrix.append([*row, 0])
        rest, determinant = eliminate(matrix, len(seen))
        return {
            name: Fraction(-row[0], determinant * common * scales[place])
            for place, (name, row) in enumerate(zip(graph.nodes, rest, strict=True))
        }

    def predict(self, noise: Values, do: Values | None = None) -> dict[str, Fraction]:
        """The value of every variable for given noises, with the equations of `do` replaced by its values."""
        fixed = do or {}
        graph = self.graph
        graph.mask(fixed)
        values: dict[str, Fraction] = {}
        for place in graph.order:
            node = graph.nodes[place]
            if node in fixed:
                values[node] = fixed[node]
                continue
            value = self.intercepts.get(node, Fraction(0)) + noise[node]
            for parent in graph.names(graph.parents[place]):
                value += self.coefficients[parent, node] * values[parent]
            values[node] = value
        return values

    def counterfactual(self, target: str, do: Values, evidence: Values) -> Fraction:
        """The expected value that `target` would have had under `do`, for a unit observed to have `evidence`.

        Abduction, action, prediction: exact for every unit when all variables are observed, else the mean over the
        units with this evidence. Reference: Pearl, Causality (2009), theorem 7.1.7.

        >>> model = LinearModel.of(Graph.of("X->Y"), {("X", "Y"): 2})
        >>> print(model.counterfactual("Y", {"X": Fraction(0)}, {"X": Fraction(1), "Y": Fraction(5)}))
        3
        """
        return self.predict(self.abduct(evidence), do)[target]

    def intervene(self, do: Values) -> "LinearModel":
        """The model in which the variables of `do` are constants."""
        graph = self.graph.without_incoming(do)
        return LinearModel(
            graph,
            {edge: self.coefficients[edge] for edge in graph.directed},
            {node: Fraction(0) if node in do else variance for node, variance in self.variances.items()},
            {pair: value for pair, value in self.error_covariances.items() if not (pair[0] in do or pair[1] in do)},
            {**self.intercepts, **do},
        )

    # Whole numbers inside: variable i is multiplied by scales[i], every covariance also by the noise unit.

    @cached_property
    def _scales(self) -> list[int]:
        graph = self.graph
        base = lcm(*(value.denominator for value in self.coefficients.values()))
        depth = [0] * len(graph.nodes)
        for place in graph.order:
            depth[place] = 1 + max((depth[parent] for parent in bits(graph.parents[place])), default=-1)
        return [base**steps for steps in depth]

    @cached_property
    def _noise_unit(self) -> int:
        values = (*self.variances.values(), *self.error_covariances.values())
        return lcm(*(value.denominator for value in values))

    @cached_property
    def _weights(self) -> list[list[tuple[int, int]]]:
        """For every place its parents with the scaled coefficient."""
        graph, scales = self.graph, self._scales
        rows: list[list[tuple[int, int]]] = [[] for _ in graph.nodes]
        for (tail, head), value in self.coefficients.items():
            a, b = graph.index[tail], graph.index[head]
            rows[b].append((a, value.numerator * (scales[b] // scales[a]) // value.denominator))
        return rows

    @cached_property
    def _noise(self) -> list[dict[int, int]]:
        """Scaled covariances of the noises, one sparse row a place."""
        index, scales, unit = self.graph.index, self._scales, self._noise_unit
        rows: list[dict[int, int]] = [{} for _ in scales]
        for node, value in self.variances.items():
            place = index[node]
            rows[place][place] = value.numerator * unit // value.denominator * scales[place] ** 2
        for (one, other), value in self.error_covariances.items():
            a, b = index[one], index[other]
            rows[a][b] = rows[b][a] = value.numerator * unit // value.denominator * scales[a] * scales[b]
        return rows

    def _paths(self, cut: int) -> Rows:
        """Scaled sums over directed paths, row by head, with the arrows into `cut` removed."""
        count = len(self.graph.nodes)
        rows: Rows = [[]] * count
        for place in self.graph.order:
            row = [0] * count
            row[place] = 1
            if not cut >> place & 1:
                for parent, weight in self._weights[place]:
                    for column, value in enumerate(rows[parent]):
                        if value:
                            row[column] += weight * value
            rows[place] = row
        return rows

    @cached_property
    def _covariances(self) -> Rows:
        """Scaled covariances, filled in causal order: each variable against itself and all that come before it."""
        graph, noise = self.graph, self._noise
        count = len(graph.nodes)
        paths = self._paths(0) if self.error_covariances else None
        rows: Rows = [[0] * count for _ in range(count)]
        done: list[int] = []
        for place in graph.order:
            row, weights, own = rows[place], self._weights[place], noise[place]
            for other in done:
                value = sum(weight * rows[parent][other] for parent, weight in weights)
                if paths is not None:
                    value += sum(paths[other][source] * spread for source, spread in own.items())
                row[other] = rows[other][place] = value
            row[place] = own[place] + sum(weight * row[parent] for parent, weight in weights)
            if paths is not None:
                row[place] += sum(paths[place][source] * spread for source, spread in own.items() if source != place)
            done.append(place)
        return rows

    def _residual(self, pair: tuple[str, str], given: Iterable[str]) -> tuple[Rows, int]:
        """The scaled 2 x 2 covariance matrix of a pair after elimination of `given`, and the determinant of those."""
        order = self._places((*_listed(given), *pair))
        if any(place in order[:-2] for place in order[-2:]):
            raise UserError(f"regression: {', '.join(pair)} must not be among the variables adjusted for")
        table = self._covariances
        return eliminate([[table[a][b] for b in order] for a in order], len(order) - 2)

    def _places(self, names: Iterable[str]) -> list[int]:
        places = []
        for name in names:
            place = self.graph.index.get(name)
            if place is None:
                raise UserError(f"linear model: unknown variable {name!r}; known are {', '.join(self.graph.nodes)}")
            places.append(place)
        return places

    def _check_noise(self) -> None:
        rows = [{place: Fraction(value) for place, value in row.items()} for row in self._noise]
        for place, row in enumerate(rows):
            later = [other for other, value in row.items() if other > place and value]
            if row[place] < 0 or (later and not row[place]):
                raise UserError("linear model: the noise covariances are too large for the noise variances")
            for a in later:
                for b in later:
                    rows[a][b] = rows[a].get(b, Fraction(0)) - row[a] * row[b] / row[place]


def _listed(names: Iterable[str]) -> tuple[str, ...]:
    return (names,) if isinstance(names, str) else tuple(names)
