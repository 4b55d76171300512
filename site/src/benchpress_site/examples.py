"""The public example items: read from JSON lines, grouped by module and bundle."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchpress.items import Item
from benchpress.jsonl import read_items


@dataclass(frozen=True)
class Bundle:
    """The examples of one concept."""

    module: str
    name: str
    items: tuple[Item, ...]

    @property
    def path(self) -> str:
        return f"examples/{self.module}/{self.name}/"


def read_examples(folder: Path) -> tuple[Bundle, ...]:
    """Every item of the `.jsonl` files under `folder`, in the order of files and lines; none where it is missing."""
    found: dict[tuple[str, str], dict[str, Item]] = {}
    for path in sorted(folder.glob("*.jsonl"), key=lambda path: path.as_posix()) if folder.is_dir() else []:
        for item in read_items(path):
            found.setdefault((item.module, item.bundle), {}).setdefault(item.id, item)
    return tuple(Bundle(module, name, tuple(items.values())) for (module, name), items in sorted(found.items()))


def edges_of(params: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """The item's graph, where its problem has one in the published form."""
    for value in (params.get("graph"), params):
        if (
            isinstance(value, Mapping)
            and isinstance(value.get("nodes"), list)
            and isinstance(value.get("directed"), list)
        ):
            return value
    return None
