"""What a published figure is a sum of."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple


class Unknown(NamedTuple):
    """One thing that the results of an entrant say of an item."""

    item: str
    name: str


@dataclass(frozen=True, slots=True)
class Figure:
    """A published figure: its margin and cell, and the whole-number weights of the unknowns that it sums up."""

    margin: str
    name: str
    terms: Mapping[Unknown, int]
