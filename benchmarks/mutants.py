"""The mutants of the part scorers and of the gate: every small change that mutmut's operators make, and a sample.

A mutant's place in the sample is a digest of the seed and of what it changes, so a sample is the same on every machine,
and the sample of 60 is the beginning of the sample of 400.
"""

import ast
import hashlib
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

import libcst as cst
import libcst.matchers as m
from libcst.metadata import MetadataWrapper, PositionProvider
from mutmut.mutation.mutators import mutation_operators

SCORERS, GATE = "part scorers", "gate"
SIDES = {
    SCORERS: ("parts/*.py", "protocol.py", "grading.py"),
    GATE: (
        "gate.py",
        "modules/causal/__init__.py",
        "modules/causal/bundle.py",
        "modules/causal/checks*.py",
        "modules/choice/module.py",
        "modules/choice/causal/form.py",
        "modules/replay/__init__.py",
        "modules/replay/problems.py",
        "wording/lint.py",
    ),
}
"""What reads an answer and judges it; and what refuses an item before it is published: admission and `verify`, the
second methods, reading back, the lint."""

EXCLUDED = {
    "annotations": "types are the type checker's business; nothing that judges an answer evaluates them",
    "docstrings": "they are text for readers",
    "what a `raise` says": "it is wording; that something is raised is mutated through its condition",
    "why a field has no value": "the words of a note are for people; that there is no value is mutated elsewhere",
    "arguments of @dataclass": "`slots` and `frozen` are the layout of records and a guard against programmers",
    "arguments of @lru_cache": "the size of a cache changes how long an answer takes, not what is said of it",
    "case in a pattern that ignores case": "the mutant is the same pattern",
    "strict= of zip": "a guard that no input trips, only a fault of another line",
}
"""Kinds of mutants that are not made, each with the reason."""

_KINDS = (cst.Annotation, cst.Import, cst.ImportFrom, cst.SimpleStatementLine, cst.Raise, cst.Decorator, cst.Arg)
_LEFT_OUT = (
    m.Annotation()
    | m.Import()
    | m.ImportFrom()
    | m.SimpleStatementLine(body=[m.Expr(value=m.SimpleString() | m.ConcatenatedString())])
    | m.Raise()
    | m.Decorator(decorator=m.Call(func=m.Name("dataclass") | m.Name("lru_cache")))
    | m.Arg(keyword=m.Name("strict"))
    | m.Arg(value=m.SimpleString(value=m.MatchIfTrue(lambda text: text.count(" ") > 1)))
)
_STRICT = re.compile(r",? ?strict=\w+|, (?=\))")
_IGNORES_CASE = m.Call(
    func=m.Attribute(value=m.Name("re")),
    args=[m.ZeroOrMore(), m.Arg(value=m.Attribute(value=m.Name("re"), attr=m.Name("IGNORECASE"))), m.ZeroOrMore()],
)


@dataclass(frozen=True, slots=True)
class Place:
    """A node that can be changed, and where it stands."""

    node: cst.CSTNode
    line: int
    lines: range
    """From the first line of the statement to the last line of the node: a test that runs one of them may tell."""
    at_import: bool
    """Whether it is run when the module is imported, so by no test of its own."""
    any_case: bool


@dataclass(frozen=True, slots=True)
class Mutant:
    """One change of one file of the package."""

    path: str
    line: int
    lines: range
    at_import: bool
    operator: str
    before: str
    after: str
    text: str
    """The whole mutated file."""

    @property
    def side(self) -> str:
        """Whether it is in the gate or in a part scorer."""
        return GATE if any(Path(self.path).match(pattern) for pattern in SIDES[GATE]) else SCORERS

    def __str__(self) -> str:
        return f"{self.path}:{self.line}  {self.operator}  {self.before} -> {self.after}"


def files(package: Path, *sides: str) -> list[str]:
    """The files that are mutated, relative to the package."""
    patterns = [pattern for side in sides or SIDES for pattern in SIDES[side]]
    return sorted({one.relative_to(package).as_posix() for pattern in patterns for one in package.glob(pattern)})


def _places(
    node: cst.CSTNode, where: Any, start: int = 1, inside: bool = False, any_case: bool = False
) -> Iterator[Place]:
    if isinstance(node, _KINDS) and m.matches(node, _LEFT_OUT):
        return
    any_case = any_case or (isinstance(node, cst.Call) and m.matches(node, _IGNORES_CASE))
    if (span := where.get(node)) is not None:
        if isinstance(node, cst.BaseStatement | cst.BaseSmallStatement):
            start = span.start.line
        yield Place(node, span.start.line, range(start, span.end.line + 1), not inside, any_case)
    for child in node.children:
        body = isinstance(node, cst.FunctionDef | cst.Lambda) and child is node.body
        yield from _places(child, where, start, inside or body, any_case)


def _difference(before: str, after: str) -> tuple[str, str]:
    """Both, shortened around the place where they differ."""
    one, other = " ".join(before.split()), " ".join(after.split())
    same = next((at for at, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), 0)
    start = max(0, same - 30)

    def shown(text: str) -> str:
        return f"{'...' if start else ''}{text[start : start + 70]}{'...' if len(text) > start + 70 else ''}"

    return shown(one), shown(other)


def _same(before: str, after: str, any_case: bool) -> bool:
    """Whether the change is none, or of a kind that is left out."""
    if any_case and before.casefold() == after.casefold():
        return True
    return before == after or ("strict=" in before and _STRICT.sub("", before) == _STRICT.sub("", after))


def drawn(package: Path, count: int, seed: int) -> tuple[list[Mutant], int]:
    """The first `count` mutants of the sample, and how many are possible."""
    ranked = []
    modules: dict[str, tuple[cst.Module, str]] = {}
    for path in files(package):
        wrapper = MetadataWrapper(cst.parse_module((package / path).read_text(encoding="utf-8")))
        module, seen = wrapper.module, Counter[str]()
        modules[path] = module, ast.dump(ast.parse(module.code))
        for place in _places(module, wrapper.resolve(PositionProvider)):
            for kind, operator in mutation_operators:
                if not isinstance(place.node, kind):
                    continue
                for changed in operator(place.node):
                    before, after = module.code_for_node(place.node).strip(), module.code_for_node(changed).strip()
                    if _same(before, after, place.any_case):
                        continue
                    what = f"{path}|{operator.__name__}|{before}|{after}"
                    seen[what] += 1
                    rank = hashlib.sha256(f"{seed}|{what}|{seen[what]}".encode()).digest()
                    ranked.append((rank, path, place, operator.__name__.removeprefix("operator_"), changed))
    ranked.sort(key=lambda one: one[0])

    def made() -> Iterator[Mutant]:
        for _, path, place, operator, changed in ranked:
            module, same = modules[path]
            text = module.deep_replace(place.node, changed).code
            try:
                new = ast.dump(ast.parse(text))
            except SyntaxError:
                continue
            if new == same:
                continue
            before, after = _difference(module.code_for_node(place.node), module.code_for_node(changed))
            yield Mutant(path, place.line, place.lines, place.at_import, operator, before, after, text)

    return list(islice(made(), count)), len(ranked)
