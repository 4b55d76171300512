"""`adapt`: an item file in the form that another program reads."""

from pathlib import Path
from typing import Annotated

import typer

from benchpress.errors import UserError
from benchpress.grading import load_items

FORMS = ("lm-eval", "hugging-face")


def adapt(
    form: Annotated[str, typer.Argument(metavar="FORM", help="`lm-eval` or `hugging-face`.")],
    items: Annotated[Path, typer.Argument(help="An item file.")],
    out: Annotated[Path, typer.Option("--out", help="The folder to write.")],
    name: Annotated[
        str | None, typer.Option("--name", help="Name of the task or title of the data set; default by the file.")
    ] = None,
) -> None:
    """Write an item file as a task folder of lm-evaluation-harness, or as a data set folder of Hugging Face."""
    if form == "lm-eval":
        from benchpress.adapters.lm_evaluation import write_task

        task = name or f"benchpress_{items.stem.replace('-', '_')}"
        count = write_task(load_items(items).values(), out, task)
        print(f"{count} items in {out}; run: lm_eval --include_path {out} --tasks {task} --model ...")
    elif form == "hugging-face":
        from benchpress.adapters.hugging_face import write_dataset

        count = write_dataset(load_items(items).values(), out, name or f"Benchpress {items.stem}")
        print(f"{count} items in {out}; read them with datasets.load_dataset({str(out)!r})")
    else:
        raise UserError(f"unknown form {form!r}: known are {', '.join(FORMS)}")
