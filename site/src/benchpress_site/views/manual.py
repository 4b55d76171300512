"""The reference, generated from the program: commands, file formats, modules with their bundles."""

import json
from collections.abc import Iterator, Mapping
from typing import Any

from benchpress.registry import MODULES

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
        "Classes and functions that others can build on, generated from the program.",
        {"modules": described["api"]},
    )
    yield Page(
        "reference/bundles.md",
        "bundles.html",
        "Modules and bundles",
        "Every module with its bundles, variants, parts and levels, generated from the program.",
        {"modules": [MODULES.get(name) for name in MODULES]},
    )
