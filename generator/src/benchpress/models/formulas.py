"""Identification formulas on a table of observed probabilities or counts: the closed-form route to discrete effects.

Every formula takes the observed distribution only; whether it answers the causal question is the graph's business.
"""

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction

from benchpress.errors import UserError
from benchpress.models.table import Table

Assignment = Mapping[str, int]


def standardised(
    table: Table, y: str, do: Assignment, covariates: Sequence[str] = (), weights_from: Table | None = None
) -> Fraction:
    """The back-door formula: sum over z of E[y | do, z] P(z).

    With `weights_from` the P(z) of that table (another population, the treated, unselected data) is used instead.
    Raises UserError where a stratum that has weight holds nobody with the values of `do`.

    Reference: Pearl, Causality (2009), theorem 3.3.2; Hernan and Robins, What If, section 2.3.

    >>> table = Table.from_rows(["Z", "X", "Y", "n"], [[0, 0, 0, 3], [0, 0, 1, 1], [0, 1, 0, 1], [0, 1, 1, 1],
    ...     [1, 0, 0, 1], [1, 0, 1, 1], [1, 1, 0, 1], [1, 1, 1, 3]])
    >>> print(standardised(table, "Y", {"X": 1}, ["Z"]))
    5/8
    """
    population = weights_from or table
    result, unit = 0, 1
    for stratum, column in _columns(table, y, do, covariates):
        share = population.weight(stratum)
        if share:
            top, bottom = _mean(column, {**stratum, **do})
            result, unit = result * bottom + share * top * unit, unit * bottom
    return Fraction(result, unit * population.total)


def _columns(
    table: Table, y: str, fixed: Assignment, free: Sequence[str]
) -> Iterator[tuple[dict[str, int], Sequence[int]]]:
    """For every state of `free` the weights of the values of y among those with this state and the `fixed` values."""
    if fixed.keys() & set(free):
        raise UserError(f"table: {', '.join(sorted(fixed.keys() & set(free)))} cannot be both set and averaged over")
    weights = table.summed([*free, *fixed, y])
    states = table.states(free)
    size = table.sizes[table.names.index(y)]
    start, width = 0, size
    for name, value in fixed.items():
        levels = table.sizes[table.names.index(name)]
        if not 0 <= value < levels:
            raise UserError(f"table: {name} has no value {value}; its values are 0 to {levels - 1}")
        start, width = start * levels + value, width * levels
    for at, state in enumerate(states):
        place = at * width + start * size
        yield state, weights[place : place + size]


def _mean(column: Sequence[int], condition: Assignment) -> tuple[int, int]:
    """The mean of the values 0, 1, ... with these weights, as a quotient of whole numbers."""
    whole = sum(column)
    if not whole:
        raise UserError(f"table: the condition {dict(condition)} has probability zero")
    return sum([value * weight for value, weight in enumerate(column)]), whole


def average_effect(
    table: Table, x: str, y: str, covariates: Sequence[str] = (), low: int = 0, high: int = 1
) -> Fraction:
    """The average treatment effect by standardisation: E[y | do(high)] - E[y | do(low)]."""
    return standardised(table, y, {x: high}, covariates) - standardised(table, y, {x: low}, covariates)


def effect_among(
    table: Table, x: str, y: str, covariates: Sequence[str], group: int, low: int = 0, high: int = 1
) -> Fraction:
    """The effect among those with x = group: on the treated for group 1, on the untreated for group 0.

    Reference: Hernan and Robins, What If, technical point 4.1.
    """
    members = table.given({x: group})
    return standardised(table, y, {x: high}, covariates, members) - standardised(
        table, y, {x: low}, covariates, members
    )


def front_door(table: Table, x: str, y: str, mediators: Sequence[str], value: int) -> Fraction:
    """E[y | do(x = value)] by the front-door formula: sum_m P(m | x) sum_x' E[y | x', m] P(x').

    Reference: Pearl 1995; Causality (2009), theorem 3.3.4.
    """
    columns = [list(_columns(table, y, other, mediators)) for other in table.states((x,))]
    shares = [sum(sum(column) for _, column in one) for one in columns]
    if not 0 <= value < len(shares) or not shares[value]:
        raise UserError(f"table: the condition { ({x: value}) } has probability zero")
    result = Fraction(0)
    for at, (state, column) in enumerate(columns[value]):
        chance = sum(column)
        if chance:
            top, bottom = 0, 1
            for other, one in enumerate(columns):
                above, below = _mean(one[at][1], {**state, x: other})
                top, bottom = top * below + shares[other] * above * bottom, bottom * below
            result += Fraction(chance * top, shares[value] * bottom * table.total)
    return result


def nested_mean(
    table: Table, x: str, y: str, mediators: Sequence[str], direct: int, indirect: int, covariates: Sequence[str] = ()
) -> Fraction:
    """E[y under x = direct, mediators as they would be under x = indirect], by the mediation formula.

    sum over c and m of E[y | x = direct, m, c] P(m | x = indirect, c) P(c).
    Reference: Pearl 2001 (UAI); Pearl 2012 (Prevention Science).
    """
    result = Fraction(0)
    for stratum in table.states(covariates):
        share = table.probability(stratum)
        if not share:
            continue
        for state in table.states(mediators):
            chance = table.probability(state, {**stratum, x: indirect})
            if chance:
                result += share * chance * table.mean(y, {**stratum, **state, x: direct})
    return result


def natural_direct_effect(
    table: Table, x: str, y: str, mediators: Sequence[str], covariates: Sequence[str] = ()
) -> Fraction:
    """E[Y(1, M(0))] - E[Y(0)]: the (pure) natural direct effect."""
    return nested_mean(table, x, y, mediators, 1, 0, covariates) - nested_mean(table, x, y, mediators, 0, 0, covariates)


def natural_indirect_effect(
    table: Table, x: str, y: str, mediators: Sequence[str], covariates: Sequence[str] = (), total: bool = False
) -> Fraction:
    """E[Y(0, M(1))] - E[Y(0)], the pure natural indirect effect; with `total`, E[Y(1, M(1))] - E[Y(1, M(0))]."""
    direct = 1 if total else 0
    return nested_mean(table, x, y, mediators, direct, 1, covariates) - nested_mean(
        table, x, y, mediators, direct, 0, covariates
    )


def g_formula(table: Table, y: str, stages: Sequence[tuple[Sequence[str], str]], regime: Sequence[int]) -> Fraction:
    """E[y] under a static regime of several treatments, by the longitudinal g-formula.

    `stages` lists, in time order, the covariates measured before a treatment and that treatment; `regime` the value of
    each treatment. sum over covariate histories of E[y | history] times the product of P(covariates | history so far).

    Reference: Robins 1986; Hernan and Robins, What If, section 21.1.
    """
    if len(stages) != len(regime):
        raise UserError("g-formula: give one value for every treatment")

    def rest(stage: int, history: dict[str, int], top: int, bottom: int) -> Fraction:
        if stage == len(stages):
            above, below = table.ratio(y, history)
            return Fraction(top * above, bottom * below)
        covariates, treatment = stages[stage]
        units = table.weight(history)
        result = Fraction(0)
        for state in table.states(covariates):
            chance = table.weight({**history, **state})
            if chance:
                later = {**history, **state, treatment: regime[stage]}
                result += rest(stage + 1, later, top * chance, bottom * units)
        return result

    return rest(0, {}, 1, 1)


def wald_ratio(table: Table, z: str, x: str, y: str) -> Fraction:
    """(E[y | z = 1] - E[y | z = 0]) / (E[x | z = 1] - E[x | z = 0]).

    The effect among compliers under monotonicity, the average effect where it is constant.
    Reference: Wald 1940; Angrist, Imbens, Rubin 1996. Raises UserError where z does not shift x.
    """
    shift = table.mean(x, {z: 1}) - table.mean(x, {z: 0})
    if not shift:
        raise UserError(f"instrument: {z} does not change the mean of {x}; the ratio is not defined")
    return (table.mean(y, {z: 1}) - table.mean(y, {z: 0})) / shift
