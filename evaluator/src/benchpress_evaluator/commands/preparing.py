"""`prepare`: brings a multiple-choice set into one form and keeps it as an artifact with digests."""

import sys
from pathlib import Path
from typing import Annotated

import typer
from benchpress.commands.work import AsJson, print_json, print_table
from benchpress.errors import UserError
from benchpress.modules.choice.benchmarks import Benchmark, registered

from benchpress_evaluator.datasets import Prepared, Spec
from benchpress_evaluator.datasets import prepare as prepare_set
from benchpress_evaluator.datasets.artifact import statistics
from benchpress_evaluator.datasets.tables import SUFFIXES


def prepare(
    name: Annotated[
        str | None,
        typer.Argument(
            metavar="[NAME]",
            help="A registered set, a Hugging Face data set with one, package.module:attribute, or a table file; "
            "without it, the registered sets are listed.",
        ),
    ] = None,
    split: Annotated[str | None, typer.Option("--split", help="Which split; by default the published one.")] = None,
    revision: Annotated[
        str | None, typer.Option("--revision", help="Branch, tag or commit of the data set on the hub.")
    ] = None,
    transform: Annotated[
        list[str] | None,
        typer.Option("--transform", help="What to leave out, such as permutation_safe_v1; may be repeated, in order."),
    ] = None,
    source: Annotated[
        Path | None, typer.Option("--from", help="A local folder with the layout of the set, or one file of it.")
    ] = None,
    out: Annotated[
        Path | None, typer.Option("--out", help="Folder of prepared sets (default: data/prepared of the workspace).")
    ] = None,
    replace: Annotated[bool, typer.Option("--replace", help="Replace a prepared set that differs.")] = False,
    as_json: AsJson = False,
) -> None:
    """Fetch or read a multiple-choice set, bring it into one form, and write items, statistics and digests."""
    if name is None:
        listing(as_json)
        return
    path = Path(name)
    if source is None and name.endswith(tuple(SUFFIXES)):
        if not path.is_file():
            raise UserError(f"there is no file {name}")
        name, source = path.name.partition(".")[0], path
    made = prepare_set(Spec(name, split, revision, tuple(transform or ())), out, source, replace=replace)
    if as_json:
        print_json({**made.artifact, "folder": str(made.folder)})
        return
    report(made)


def listing(as_json: bool) -> None:
    """The registered sets, as a table or as JSON."""
    known = registered()
    sets = [one for one in known.values() if isinstance(one, Benchmark)]
    for name, problem in known.items():
        if isinstance(problem, UserError):
            print(f"warning: the set {name!r} is missing: {problem}", file=sys.stderr)
    if as_json:
        print_json(
            [{"name": one.name, "repository": one.repository, "subset": one.subset, "split": one.split} for one in sets]
        )
        return
    rows = [[one.name, one.repository or "comes with the program", one.subset, one.split] for one in sets]
    print_table("registered sets", ["name", "data set", "subset", "split"], rows)


def report(made: Prepared) -> None:
    """What was prepared, in a few lines."""
    from benchpress.modules.choice.question import Question

    stats = statistics([Question.of(item) for item in made.items])
    print(f"{stats['rows']} questions in {made.path}")
    print(f"artifact {made.id}" + (f", commit {made.artifact['commit']}" if made.artifact["commit"] else ""))
    for transform, count in made.artifact["left_out"].items():
        print(f"{transform} left out {count}")
    if made.artifact["reordered"]:
        print("options were put into an order drawn from each question; source_index keeps their places in the source")
    print(
        f"most questions have {stats['modal_k']} options: {stats['modal_rows']} of {stats['rows']}; "
        f"the right one stands at {', '.join(f'{letter} {count}' for letter, count in stats['gold'].items())}"
    )
