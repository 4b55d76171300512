"""The recipes of our own versions, and the published secret of the public one."""

from importlib.resources import files
from pathlib import Path

from benchpress.recipe import Recipe, read_recipe


def recipe(version: str) -> Recipe:
    """The recipe that ships with the generator. Raises UserError for one that does not."""
    return read_recipe(Path(str(files(__name__) / f"{version}.yaml")))


def published_secret(version: str) -> bytes:
    """The secret of a public version: anybody can make its items."""
    return bytes.fromhex((files(__name__) / f"{version}.secret").read_text("ascii"))
