"""The reference, generated from the program: commands, file formats, modules with their bundles."""

import json
from collections.abc import Iterator, Mapping
from typing import Any

from benchpress.registry import MODULES

from benchpress_site import api
from benchpress_site.pages import Page


def fields(schema: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The top-level fields of a schema, in order, each with its type in words."""
    required = set(schema.get("required", ()))
    return [
        {"name": name, "type": kind(shape, schema), "required": name in required, "note": shape.get("description", "")}
        for name, shape in schema.get("properties", {}).items()
    ]


def kind(shape: Mapping[str, Any], root: Mapping[str, Any]) -> str:
    """A JSON Schema type in words: `string or null`, `list of Part`."""
    if "$ref" in shape:
        return str(shape["$ref"]).rsplit("/", 1)[-1]
    if "anyOf" in shape:
        return " or ".join(dict.fromkeys(kind(one, root) for one in shape["anyOf"]))
    if "const" in shape:
        return json.dumps(shape["const"])
    if "enum" in shape:
        return " or ".join(json.dumps(one) for one in shape["enum"])
    if shape.get("type") == "array":
        items = shape.get("items")
        return f"list of {kind(items, root)}" if isinstance(items, dict) and items else "list"
    return str(shape.get("type", "any"))


def pages(described: Mapping[str, Any]) -> Iterator[Page]:
    """`described` is what :func:`benchpress_site.reference.read` returns."""
    yield Page(
        "reference/commands.md",
        "commands.html",
        "Commands",
        "Every command of the benchpress program with its options, generated from the program.",
        {"commands": described["commands"]},
    )
    schemas = described["schemas"]
    yield Page(
        "reference/schemas.md",
        "schemas.html",
        "File formats",
        "The JSON Schema of every file format, generated from the program.",
        {"schemas": [{"name": name, "schema": schema, "fields": fields(schema)} for name, schema in schemas.items()]},
        beside={
            f"{name}.json": json.dumps(schema, ensure_ascii=False, indent=1) + "\n" for name, schema in schemas.items()
        },
    )
    yield Page(
        "reference/api.md",
        "api.html",
        "Python interface",
        "Modules, classes and functions that others can call, from the docstrings of the program.",
        {
            "introduction": (
                "What other programs can call: read and write items, make them, grade answers, check a reveal, feed "
                "other frameworks. What plug-ins are written against has [a page of its own](seams.md). Everything "
                "that is on neither may change without notice."
            ),
            "modules": api.installed(api.PUBLIC),
        },
    )
    yield Page(
        "reference/seams.md",
        "api.html",
        "Interface of plug-ins",
        "What modules, part types, benchmarks, methods, providers and metrics of your own are written against.",
        {
            "introduction": (
                "What a module, part type, benchmark, method, provider or metric of your own is written against; "
                "[Plug-ins](../plugins.md) has worked examples. The vocabulary of items and answers, and the contract "
                "of a module, are on [Python interface](api.md)."
            ),
            "modules": api.installed(api.SEAMS),
        },
    )
    yield Page(
        "reference/bundles.md",
        "bundles.html",
        "Modules and bundles",
        "Every module with its bundles, variants, parts and levels, generated from the program.",
        {"modules": [MODULES.get(name) for name in MODULES]},
    )
