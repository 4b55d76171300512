"""Figures that the benchmarks have in common: a name, a ratio, and what the ratio is to.

A script calls `figure` beside what it prints. Where BENCHPRESS_FIGURES names a file, the figure is appended to it, and
`benchmarks/table.py` makes one table of all of them.
"""

import json
import os
from pathlib import Path

LEAST, MOST = "at least", "at most"


def figure(room: str, name: str, ratio: float, wanted: float | None = None, sense: str = LEAST) -> None:
    """Note that `ratio` was measured, against a peer or a limit in the same run; `wanted` is what an issue asks for."""
    place = os.environ.get("BENCHPRESS_FIGURES")
    if place:
        line = {"room": room, "name": name, "ratio": round(ratio, 4), "wanted": wanted, "sense": sense}
        with Path(place).open("a", encoding="utf-8") as file:
            file.write(json.dumps(line) + "\n")
