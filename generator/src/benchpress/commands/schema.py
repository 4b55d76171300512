"""`schema`: the JSON Schema of every file format, taken from the code that reads and writes it."""

from typing import Annotated, Any

import typer

from benchpress.commands.work import print_json
from benchpress.errors import UserError
from benchpress.registry import SCHEMAS


def schema(
    name: Annotated[str | None, typer.Argument(help="Which format; without it, the names are listed.")] = None,
) -> None:
    """Print the JSON Schema of a file format."""
    if name is None:
        print("\n".join(SCHEMAS.names()))
        return
    print_json(json_schema(name))


def json_schema(name: str) -> dict[str, Any]:
    """The JSON Schema of the format registered as `name`."""
    from pydantic import PydanticUserError, TypeAdapter

    found = SCHEMAS.get(name)
    try:
        shape = TypeAdapter(found).json_schema() if isinstance(found, type) else None
    except PydanticUserError:
        shape = None
    if shape is None:
        raise UserError(f"{name!r} is no file format: it is no class that has a JSON Schema")
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": name, **shape}
