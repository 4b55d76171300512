"""Reading a case for `solve`: its graph and the fields of its query, with one-line errors."""

from collections.abc import Collection, Mapping
from typing import Any

from benchpress.errors import UserError
from benchpress.graphs.dag import Graph, latent_projection


class Query:
    """The fields of a query, read with clear errors.

    `latent` names what the case's full graph has beyond its graph of observed nodes.
    """

    def __init__(self, value: Any, latent: Collection[str] = ()) -> None:
        if not isinstance(value, dict):
            raise UserError("the case has no query object")
        self.value = value
        self.latent = latent

    def names(self, key: str, optional: bool = False) -> tuple[str, ...]:
        """A list of node names, or one name without a list."""
        found = self.value.get(key)
        if found is None and optional:
            return ()
        if isinstance(found, str):
            return (found,)
        if isinstance(found, list) and all(isinstance(name, str) for name in found):
            return tuple(found)
        raise UserError(f"query.{key} must be a list of node names")

    def excluded(self) -> tuple[str, ...]:
        """The observed nodes that a set must avoid; it avoids latents in any case, so that naming one is harmless."""
        return tuple(name for name in self.names("excluded", optional=True) if name not in self.latent)

    def name(self, key: str) -> str:
        """Exactly one node name."""
        found = self.names(key)
        if len(found) != 1:
            raise UserError(f"query.{key} must be one node name")
        return found[0]

    def word(self, key: str, default: str, *known: str) -> str:
        """One word of a small vocabulary; the default where the field is absent."""
        found = self.value.get(key, default)
        if found not in (default, *known):
            raise UserError(f"query.{key} is {found!r}; known are {', '.join((default, *known))}")
        return str(found)

    def has(self, key: str) -> bool:
        """Whether the field is there."""
        return self.value.get(key) is not None


def graph_of(case: Mapping[str, Any]) -> Graph:
    """The graph of a case; explicit latents are projected out where the case gives no graph without them."""
    if isinstance(case.get("graph"), dict):
        return Graph.from_json(case["graph"])
    full = case.get("graph_full")
    if not isinstance(full, dict):
        raise UserError("the case has no graph")
    return latent_projection(Graph.from_json(full), latents_of(case))


def latents_of(case: Mapping[str, Any]) -> tuple[str, ...]:
    """The latent nodes that the case lists explicitly."""
    full = case.get("graph_full")
    latent = (full.get("latent") if isinstance(full, dict) else None) or []
    if not isinstance(latent, list) or not all(isinstance(name, str) for name in latent):
        raise UserError("graph_full.latent must be a list of node names")
    return tuple(latent)
