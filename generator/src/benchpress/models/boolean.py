"""Boolean mechanisms: a small formula language, parsed without recursion, and its semantics as bit operations.

The language is prefix S-expressions over named variables, ``(op arg arg ...)``:

========  =========  ==========================================
operator  arguments  true when
========  =========  ==========================================
``not``   1          the argument is false
``and``   2 or more  every argument is true
``or``    2 or more  some argument is true
``xor``   2 or more  an odd number of arguments is true (parity)
``iff``   2 or more  all arguments are equal
========  =========  ==========================================

A column of truth values is one Python integer, bit *r* for row *r*, so one operation serves all rows.
The language is that of ReplaySCM (arXiv 2605.08197). Standard library only.
"""

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

ARITY: Mapping[str, tuple[int, int | None]] = {
    "not": (1, 1),
    "and": (2, None),
    "or": (2, None),
    "xor": (2, None),
    "iff": (2, None),
}
"""Operator -> fewest and most arguments (None: no upper bound)."""

OPERATORS = tuple(ARITY)

VARIABLE_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*", re.ASCII)

MAX_VARIABLES = 16
"""Most distinct variables in one formula: its truth table has two to that power entries."""

MAX_TABLE_WORK = 1 << 26
"""Most nodes times entries of the truth table: 1,024 nodes over 16 variables, 16,384 over 12."""

_TOKEN = re.compile(r"[()]|[^() ]+")

Step = str | int | tuple[str, int]
"""One step of a postfix program: push a variable, push a constant 0 or 1, apply an operator to so many operands."""


class FormulaError(ValueError):
    """A text that is no formula of the language; the message says why, in a few words."""


@dataclass(frozen=True, slots=True)
class Limits:
    """What one formula may cost: characters, nodes of the syntax tree, nesting of parentheses."""

    characters: int
    nodes: int
    depth: int


DEFAULT_LIMITS = Limits(4096, 1024, 64)


@dataclass(frozen=True, slots=True)
class Formula:
    """A parsed formula as a postfix program. `variables` are those that occur, in order of first occurrence."""

    program: tuple[Step, ...]
    variables: tuple[str, ...]

    @property
    def size(self) -> int:
        """Nodes of the syntax tree."""
        return len(self.program)

    def __str__(self) -> str:
        return render(self.program)


def parse(
    text: str,
    allowed: Collection[str],
    operators: Collection[str] = OPERATORS,
    *,
    constants: bool = False,
    limits: Limits = DEFAULT_LIMITS,
) -> Formula:
    """Parse one formula over the variables `allowed`. Linear in the text, without recursion.

    A single variable in parentheses, ``(X1)``, is that variable. Blanks (ASCII space) separate; spaces, tabs and
    line ends around the formula are ignored. Raises FormulaError for anything else.
    """
    if len(text) > limits.characters:
        raise FormulaError(f"too large: more than {limits.characters} characters")
    tokens = _TOKEN.findall(text.strip(" \t\r\n"))
    if not tokens:
        raise FormulaError("empty formula")
    program: list[Step] = []
    seen: dict[str, None] = {}
    frames: list[tuple[str, int]] = []  # open operators, each with the operands it has so far
    count = len(tokens)
    at = 0
    while True:
        symbol = tokens[at]
        at += 1
        if symbol == "(":
            head = tokens[at] if at < count else ""
            if at + 1 < count and tokens[at + 1] == ")":
                program.append(_atom(head, allowed, constants, seen))
                at += 2
            elif head in operators:
                if len(frames) >= limits.depth:
                    raise FormulaError(f"too large: nested deeper than {limits.depth}")
                frames.append((head, 0))
                at += 1
                if at >= count:
                    raise FormulaError("unclosed parenthesis")
                continue
            else:
                raise FormulaError(f"unknown operator {head[:40]!r}")
        elif symbol == ")":
            if not frames:
                raise FormulaError("unexpected )")
            operator, operands = frames.pop()
            fewest, most = ARITY[operator]
            if operands < fewest or (most is not None and operands > most):
                wanted = f"{fewest} argument" if fewest == most else f"at least {fewest} arguments"
                raise FormulaError(f"{operator} takes {wanted}, got {operands}")
            program.append((operator, operands))
        else:
            program.append(_atom(symbol, allowed, constants, seen))
        if not frames:
            break
        operator, operands = frames[-1]
        frames[-1] = (operator, operands + 1)
        if at >= count:
            raise FormulaError("unclosed parenthesis")
    if at < count:
        raise FormulaError(f"text after the formula: {tokens[at][:40]!r}")
    if len(program) > limits.nodes:
        raise FormulaError(f"too large: more than {limits.nodes} nodes")
    if len(seen) > MAX_VARIABLES or len(program) << len(seen) > MAX_TABLE_WORK:
        raise FormulaError(f"too large: {len(program)} nodes over {len(seen)} variables")
    return Formula(tuple(program), tuple(seen))


def _atom(token: str, allowed: Collection[str], constants: bool, seen: dict[str, None]) -> str | int:
    if token in allowed:
        seen[token] = None
        return token
    if constants and token in ("0", "1"):
        return int(token)
    if VARIABLE_NAME.fullmatch(token):
        raise FormulaError(f"variable {token[:40]!r} is not allowed here")
    raise FormulaError(f"invalid symbol {token[:40]!r}")


def evaluate(program: Sequence[Step], columns: Mapping[str, int], mask: int) -> int:
    """The column of a postfix program's values, from the columns of its variables. `mask` has a bit per row."""
    stack: list[int] = []
    for step in program:
        if step.__class__ is str:
            stack.append(columns[step])
        elif step.__class__ is tuple:
            operator, operands = step
            value = stack.pop()
            if operator == "not":
                value ^= mask
            elif operator == "and":
                for _ in range(operands - 1):
                    value &= stack.pop()
            elif operator == "or":
                for _ in range(operands - 1):
                    value |= stack.pop()
            elif operator == "xor":
                for _ in range(operands - 1):
                    value ^= stack.pop()
            else:  # iff: all true or all false
                every = some = value
                for _ in range(operands - 1):
                    other = stack.pop()
                    every &= other
                    some |= other
                value = every | (some ^ mask)
            stack.append(value)
        else:
            stack.append(mask if step else 0)
    return stack.pop()


def render(program: Sequence[Step]) -> str:
    """The formula text of a postfix program."""
    stack: list[str] = []
    for step in program:
        if isinstance(step, tuple):
            operator, operands = step
            arguments = stack[-operands:]
            del stack[-operands:]
            stack.append(f"({operator} {' '.join(arguments)})")
        else:
            stack.append(str(step))
    return stack.pop()


@lru_cache(maxsize=MAX_VARIABLES + 1)
def assignment_masks(count: int) -> tuple[int, ...]:
    """For `count` variables, the column of each over all 2**count assignments; assignment *a* sets variable *i* to
    bit *i* of *a*."""
    rows = 1 << count
    masks = []
    for index in range(count):
        block = ((1 << (1 << index)) - 1) << (1 << index)
        width = 2 << index
        column = block
        while width < rows:
            column |= column << width
            width *= 2
        masks.append(column)
    return tuple(masks)


def truth_table(formula: Formula, variables: Sequence[str]) -> int:
    """The truth table over `variables` (every one that occurs must be among them), bit *a* for assignment *a*."""
    columns = dict(zip(variables, assignment_masks(len(variables)), strict=True))
    return evaluate(formula.program, columns, (1 << (1 << len(variables))) - 1)


def essential(table: int, count: int) -> tuple[int, ...]:
    """Which of `count` inputs a truth table depends on: flipping the input changes the value somewhere."""
    return tuple(
        index
        for index, mask in enumerate(assignment_masks(count))
        if (((table & mask) >> (1 << index)) ^ table) & ~mask & ((1 << (1 << count)) - 1)
    )


def without_input(table: int, count: int, index: int) -> int:
    """The truth table over the other inputs; the table must not depend on input `index`.

    The blocks of assignments with the input at 0 are moved together, pairs of blocks at a time.
    """
    masks = assignment_masks(count)
    table &= ~masks[index]
    for step in range(index, count - 1):
        table = (table | table >> (1 << step)) & ~masks[step + 1]
    return table & ((1 << (1 << (count - 1))) - 1)


Signature = tuple[tuple[str, ...], int]
"""Functional parents, sorted, and the truth table over them: what a formula means."""


def signature(formula: Formula) -> Signature:
    """What a formula means, independent of how it is written."""
    variables = sorted(formula.variables)
    table = truth_table(formula, variables)
    needed = essential(table, len(variables))
    for index in reversed(range(len(variables))):
        if index not in needed:
            table = without_input(table, len(variables), index)
            del variables[index]
    return tuple(variables), table


def functional_parents(formula: Formula) -> tuple[str, ...]:
    """The variables whose flip changes the value somewhere in the truth table, sorted."""
    return signature(formula)[0]


def equivalent(one: Formula, other: Formula) -> bool:
    """Do two formulas mean the same function?"""
    return signature(one) == signature(other)
