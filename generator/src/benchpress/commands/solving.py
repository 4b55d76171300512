"""`solve`: the graph solvers of the generator, open to anybody's graph."""

from pathlib import Path
from typing import Annotated

import typer

from benchpress.commands.work import progress
from benchpress.solve import solve_file


def solve(
    cases: Annotated[Path, typer.Argument(help="Graph queries, one JSON line each: id, kind, graph, query.")],
    out: Annotated[Path, typer.Option("--out", help="Where the answers go, one JSON line per case.")],
) -> None:
    """Answer graph queries, each by two methods where size allows; a line is id, answer, methods, or id and error."""
    with progress("solving") as step:
        answered, errors = solve_file(cases, out, step)
    print(f"{answered} cases answered, {errors} errors; answers in {out}")
