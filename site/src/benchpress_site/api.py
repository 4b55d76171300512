"""The program's importable parts, described from their own docstrings and signatures."""

import inspect
from enum import Enum
from importlib import import_module
from typing import Any

MODULES = (
    "benchpress.items",
    "benchpress.jsonl",
    "benchpress.generation",
    "benchpress.grading",
    "benchpress.protocol",
    "benchpress.registry",
    "benchpress.solve",
    "benchpress.adapters.practice",
    "benchpress.adapters.rows",
)
"""What others build on; everything else may change without notice."""


def describe() -> list[dict[str, Any]]:
    """Every module of :data:`MODULES` that is installed, with its public classes and functions in their order."""
    return [_module(name) for name in MODULES]


def _module(name: str) -> dict[str, Any]:
    module = import_module(name)
    own = [
        found
        for key, found in vars(module).items()
        if not key.startswith("_")
        and (inspect.isclass(found) or inspect.isfunction(found))
        and found.__module__ == name
        and _doc(found)
    ]
    return {"name": name, "doc": _doc(module), "members": [_member(found) for found in own]}


def _member(found: Any) -> dict[str, Any]:
    methods = [
        {"name": key, "doc": _doc(method)}
        for key, method in (vars(found).items() if inspect.isclass(found) else ())
        if not key.startswith("_") and inspect.isfunction(method) and _doc(method)
    ]
    return {"name": found.__name__, "signature": _signature(found), "doc": _doc(found), "methods": methods}


def _doc(found: Any) -> str:
    """The docstring that was written for it, not one that is inherited or made by a data class."""
    written = vars(found).get("__doc__") if inspect.isclass(found) else found.__doc__
    text = inspect.cleandoc(written or "")
    return "" if text.startswith(f"{found.__name__}(") else text


def _signature(found: Any) -> str:
    """Parameters as written in the source: names, defaults, and types where they are short words."""
    if inspect.isclass(found) and (issubclass(found, Enum) or getattr(found, "_is_protocol", False)):
        return ""
    try:
        parameters = inspect.signature(found).parameters.values()
    except (ValueError, TypeError):
        return ""
    return f"({', '.join(_parameter(one) for one in parameters)})"


def _parameter(one: inspect.Parameter) -> str:
    stars = "*" if one.kind is one.VAR_POSITIONAL else "**" if one.kind is one.VAR_KEYWORD else ""
    default = one.default
    if default is inspect.Parameter.empty:
        return f"{stars}{one.name}"
    # An object's own text may hold an address in memory, which no two builds share.
    plain = default is None or isinstance(default, str | int | float | bool | tuple)
    return f"{one.name}={default!r}" if plain else f"{one.name}=..."
