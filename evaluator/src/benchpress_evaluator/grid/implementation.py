"""Digests of code: what a method does, not how its file is laid out.

Comments, docstrings and formatting do not count, so tidying up never ends a run. What counts is the code of the class
or function and of every module that it imports inside its own package, found by reading import statements. For a
built-in method these are the rooms that decide an answer: methods, the choice module, part types and the grading.
"""

import ast
import sys
from collections.abc import Iterator
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from benchpress.canonical import digest
from benchpress.errors import UserError

OURS = (
    "benchpress_evaluator.methods",
    "benchpress.modules.choice",
    "benchpress.parts",
    "benchpress.grading",
    "benchpress.status",
)
"""The rooms of our own that decide an answer. What else is imported (records, errors, ...) only carries it."""

ALWAYS = ("benchpress.grading", "benchpress.parts.choice")
"""Reached through a registry, so no import statement leads there."""


def implementation_digest(found: Any) -> str:
    """Digest of the code behind a method or metric. Raises UserError where its source cannot be read."""
    module = _module_of(found)
    scope = OURS if module.split(".")[0] in ("benchpress", "benchpress_evaluator") else (module.split(".")[0],)
    modules = {module: code_of(module)}
    queue = [module, *ALWAYS]
    while queue:
        name = queue.pop()
        if name not in modules:
            modules[name] = code_of(name)
        queue.extend(
            other
            for other in imports_of(name)
            if other not in modules and any(other == room or other.startswith(f"{room}.") for room in scope + OURS)
        )
    return digest([[name, modules[name]] for name in sorted(modules)])


def _module_of(found: Any) -> str:
    name = getattr(found, "__module__", None) or type(found).__module__
    return str(type(found).__module__ if name == "builtins" else name)


@cache
def code_of(module: str) -> str:
    """Digest of what a module's code says."""
    return digest(_form(_tree(module)))


@cache
def imports_of(module: str) -> tuple[str, ...]:
    """Every module that `module` imports, wherever the statement stands."""
    package = module if _is_package(module) else module.rpartition(".")[0]
    found: list[str] = []
    for node in ast.walk(_tree(module)):
        if isinstance(node, ast.Import):
            found.extend(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = node.module or ""
            if node.level:
                parts = package.split(".")
                base = ".".join([*parts[: len(parts) - node.level + 1], *([node.module] if node.module else [])])
            found.append(base)
            found.extend(f"{base}.{alias.name}" for alias in node.names if _exists(f"{base}.{alias.name}"))
    return tuple(dict.fromkeys(name for name in found if _exists(name)))


@cache
def _tree(module: str) -> ast.Module:
    path = _source(module)
    if path is None:
        raise UserError(f"the code of {module} cannot be read, so results made with it have no identity")
    return ast.parse(path.read_bytes())


def _source(module: str) -> Path | None:
    loaded = getattr(sys.modules.get(module), "__file__", None)
    if loaded is None:
        try:
            spec = find_spec(module)
        except (ImportError, AttributeError, ValueError):
            return None
        loaded = spec.origin if spec is not None else None
    path = Path(loaded) if loaded else None
    return path if path is not None and path.suffix == ".py" and path.is_file() else None


def _exists(module: str) -> bool:
    return _source(module) is not None


def _is_package(module: str) -> bool:
    path = _source(module)
    return path is not None and path.name == "__init__.py"


def _form(node: Any) -> Any:
    """A tree as nested lists; empty fields are left out, so that every Python gives the same."""
    if isinstance(node, ast.AST):
        fields = dict(ast.iter_fields(node))
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            fields["body"] = list(_without_docstring(node.body))
        kept = [[name, _form(value)] for name, value in fields.items() if name != "kind" and value not in (None, [])]
        if isinstance(node, ast.Constant) and not kept:
            kept = [["value", None]]
        return [type(node).__name__, *kept]
    if isinstance(node, list):
        return [_form(inner) for inner in node]
    if isinstance(node, str | int | None):
        return node
    return [type(node).__name__, repr(node)]


def _without_docstring(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    for statement in body:
        # Any text that stands alone is a comment: after a field it documents the field.
        if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant):
            continue
        yield statement
