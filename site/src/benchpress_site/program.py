"""What the installed program knows of a module; looked up once, since every look-up reads the installed packages."""

from collections.abc import Mapping
from functools import cache
from typing import Any

from benchpress.registry import MODULES

from benchpress_site import formats


@cache
def module(name: str) -> Any | None:
    """The module of that name; None where the program has none."""
    return MODULES.get(name) if name in MODULES.names() else None


@cache
def summaries(name: str) -> Mapping[str, str]:
    """What the program says about each bundle of a module, in the module's order; empty for an unknown one."""
    known = module(name)
    return {} if known is None else {one: formats.initial(info.summary) for one, info in known.bundles.items()}
