"""Estimands as expression trees: probabilities, products, quotients and sums that can be evaluated and printed."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from typing import Protocol

from benchpress.errors import UserError
from benchpress.graphs.fresh import fresh_names

Assignment = Mapping[str, int]


@dataclass(frozen=True)
class P:
    """P(of | given) under an experiment on `do` in the population `where` (empty: the target's observations)."""

    of: tuple[str, ...]
    given: tuple[str, ...] = ()
    do: tuple[str, ...] = ()
    where: str = ""


@dataclass(frozen=True)
class Product:
    """The product of `factors`; one without factors is 1."""

    factors: tuple["Expression", ...]


@dataclass(frozen=True)
class Quotient:
    """`top` divided by `bottom`."""

    top: "Expression"
    bottom: "Expression"


@dataclass(frozen=True)
class Sum:
    """`body` summed over all values of the variables `over`, which are bound inside."""

    over: tuple[str, ...]
    body: "Expression"


Expression = P | Product | Quotient | Sum


class Distribution(Protocol):
    """What an estimand without experiments is evaluated on, such as a table of observed probabilities."""

    def probability(self, event: Assignment, given: Assignment | None = None) -> Fraction:
        """P(event | given)."""
        ...

    def states(self, names: Iterable[str]) -> list[dict[str, int]]:
        """All combinations of values of `names`."""
        ...


def free_variables(expression: Expression) -> frozenset[str]:
    """The variables whose values the expression depends on."""
    match expression:
        case P():
            return frozenset((*expression.of, *expression.given, *expression.do))
        case Product():
            return frozenset().union(*map(free_variables, expression.factors))
        case Quotient():
            return free_variables(expression.top) | free_variables(expression.bottom)
        case Sum():
            return free_variables(expression.body) - frozenset(expression.over)


def multiply(factors: Iterable[Expression]) -> Expression:
    """The product, with nested products opened and a single factor left as it is."""
    flat: list[Expression] = []
    for factor in factors:
        flat.extend(factor.factors if isinstance(factor, Product) else (factor,))
    return flat[0] if len(flat) == 1 else Product(tuple(flat))


def add_over(over: Sequence[str], body: Expression) -> Expression:
    """The sum of `body` over variables, simplified where a variable occurs in one probability alone.

    >>> print(text(add_over(["a", "b"], Product((P(("a",), ("x",)), P(("y",), ("x", "b")), P(("b",)))))))
    sum_{b} P(y | x, b) P(b)
    """
    left = list(over)
    factors = list(body.factors) if isinstance(body, Product) else [body]
    changed = True
    while changed:
        changed = False
        for variable in left:
            users = [factor for factor in factors if variable in free_variables(factor)]
            if len(users) == 1 and isinstance(users[0], P) and variable in users[0].of:
                place = factors.index(users[0])
                rest = tuple(name for name in users[0].of if name != variable)
                factors[place : place + 1] = [P(rest, users[0].given, users[0].do, users[0].where)] if rest else []
                left.remove(variable)
                changed = True
                break
    result = multiply(factors)
    if isinstance(result, Sum) and left and not set(left) & set(result.over):
        return Sum((*left, *result.over), result.body)
    return Sum(tuple(left), result) if left else result


def divide(top: Expression, bottom: Expression) -> Expression:
    """The quotient; P(a, b | c) / P(b | c) becomes P(a | b, c), and a factor on both sides is cancelled."""
    if isinstance(top, P) and isinstance(bottom, P) and (top.do, top.where) == (bottom.do, bottom.where):
        inner = set(bottom.of)
        if inner < set(top.of) and set(top.given) == set(bottom.given):
            rest = tuple(name for name in top.of if name not in inner)
            return P(rest, (*bottom.of, *bottom.given), top.do, top.where)
    above: list[Expression] = list(top.factors) if isinstance(top, Product) else [top]
    below: list[Expression] = list(bottom.factors) if isinstance(bottom, Product) else [bottom]
    for factor in tuple(below):
        if factor in above:
            above.remove(factor)
            below.remove(factor)
    return Quotient(multiply(above), multiply(below)) if below else multiply(above)


def evaluate(
    expression: Expression,
    values: Assignment,
    sizes: Mapping[str, int],
    lookup: Callable[[P, Assignment], Fraction],
) -> Fraction:
    """The value of the expression for `values` of its free variables; exponential in the variables summed over.

    `sizes` says how many values a bound variable has, `lookup` gives each probability for values of its variables.
    Raises UserError where a quotient is 0 / 0: the estimand is not defined without positivity.
    """
    return evaluate_each(expression, [values], sizes, lookup)[0]


def evaluate_each(
    expression: Expression,
    cases: Sequence[Assignment],
    sizes: Mapping[str, int],
    lookup: Callable[[P, Assignment], Fraction],
) -> list[Fraction]:
    """:func:`evaluate` for several values of the free variables, which share what parts of the expression come to."""
    known: dict[tuple[int, tuple[int, ...]], Fraction] = {}
    needs: dict[int, tuple[str, ...]] = {}

    def value(node: Expression, state: dict[str, int]) -> Fraction:
        needed = needs.get(id(node))
        if needed is None:
            needed = needs[id(node)] = tuple(sorted(free_variables(node)))
        key = (id(node), tuple([state[name] for name in needed]))
        found = known.get(key)
        if found is None:
            found = known[key] = compute(node, state)
        return found

    def compute(node: Expression, state: dict[str, int]) -> Fraction:
        match node:
            case P():
                return lookup(node, state)
            case Product():
                result = Fraction(1)
                for factor in node.factors:
                    result *= value(factor, state)
                    if not result:
                        break
                return result
            case Quotient():
                bottom = value(node.bottom, state)
                if not bottom:
                    raise UserError(f"estimand: {text(node.bottom)} is zero, so the estimand is not defined")
                return value(node.top, state) / bottom
            case Sum():
                result = Fraction(0)
                for chosen in product(*(range(sizes[name]) for name in node.over)):
                    result += value(node.body, {**state, **dict(zip(node.over, chosen, strict=True))})
                return result

    missing = sorted(free_variables(expression) - set(cases[0]).intersection(*cases))
    if missing:
        raise UserError(f"estimand: no value is given for {', '.join(missing)}")
    return [value(expression, dict(values)) for values in cases]


def evaluate_on(expression: Expression, table: Distribution, *cases: Assignment) -> list[Fraction]:
    """The value of an estimand on one table of observations, for each of some values of its free variables.

    >>> from benchpress.models.table import Table
    >>> table = Table.from_rows(["Z", "Y", "n"], [[0, 0, 1], [0, 1, 1], [1, 1, 2]])
    >>> print(*evaluate_on(Sum(("Z",), Product((P(("Y",), ("Z",)), P(("Z",))))), table, {"Y": 1}, {"Y": 0}))
    3/4 1/4
    """

    def lookup(node: P, state: Assignment) -> Fraction:
        if node.do or node.where:
            raise UserError(f"estimand: {text(node)} cannot be read off observations")
        return table.probability({name: state[name] for name in node.of}, {name: state[name] for name in node.given})

    sizes = {name: len(table.states((name,))) for name in _bound(expression)}
    return evaluate_each(expression, cases, sizes, lookup)


def text(expression: Expression) -> str:
    """The expression in one line; a bound variable that hides another of the same name is primed.

    >>> text(Sum(("m",), Product((P(("m",), ("x",)), Sum(("x",), Product((P(("y",), ("x", "m")), P(("x",)))))))))
    "sum_{m} P(m | x) (sum_{x'} P(y | x', m) P(x'))"
    """
    return _text(expression, {}, frozenset(free_variables(expression)))


def _text(node: Expression, renamed: Mapping[str, str], scope: frozenset[str]) -> str:
    match node:
        case P():
            of, given, do = (
                ", ".join(renamed.get(name, name) for name in names) for names in (node.of, node.given, node.do)
            )
            condition = ", ".join(part for part in (f"do({do})" if do else "", given) if part)
            return f"P{f'_{node.where}' if node.where else ''}({of}{' | ' if condition else ''}{condition})"
        case Product():
            parts = [_text(factor, renamed, scope) for factor in node.factors]
            wrapped = [
                f"({part})" if isinstance(factor, Sum) else part
                for factor, part in zip(node.factors, parts, strict=True)
            ]
            return " ".join(wrapped) or "1"
        case Quotient():
            return f"[{_text(node.top, renamed, scope)} / {_text(node.bottom, renamed, scope)}]"
        case Sum():
            names = fresh_names(node.over, scope)
            inner = {**renamed, **dict(zip(node.over, names, strict=True))}
            return f"sum_{{{', '.join(names)}}} {_text(node.body, inner, scope.union(names))}"


def _bound(node: Expression) -> frozenset[str]:
    match node:
        case P():
            return frozenset()
        case Product():
            return frozenset().union(*map(_bound, node.factors))
        case Quotient():
            return _bound(node.top) | _bound(node.bottom)
        case Sum():
            return frozenset(node.over) | _bound(node.body)
