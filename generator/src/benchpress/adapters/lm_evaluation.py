"""A task folder for lm-evaluation-harness: ``lm_eval --include_path FOLDER --tasks benchpress_causal``.

The folder holds the rows, the task and a file of one import that finds the scorer here; the harness needs no more.
"""

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from benchpress.adapters.rows import row_of
from benchpress.errors import UserError
from benchpress.grading import grade_item
from benchpress.items import Item, Response
from benchpress.jsonl import atomic_write, write_lines

_TASK = """\
task: {name}
custom_dataset: !function benchpress_rows.load
test_split: test
output_type: generate_until
doc_to_text: "{{{{prompt}}}}"
doc_to_target: ""
process_results: !function benchpress_rows.process_results
generation_kwargs:
  until: []
  do_sample: false
  temperature: 0
  max_gen_toks: {max_tokens}
metric_list:
  - metric: conjunctive
    aggregation: mean
    higher_is_better: true
  - metric: parts
    aggregation: mean
    higher_is_better: true
  - metric: answered
    aggregation: mean
    higher_is_better: true
metadata:
  version: 1
"""
_ROWS = '''\
"""Rows and scorer of this task; the scorer is that of the installed benchpress-generator."""

from pathlib import Path

from benchpress.adapters.lm_evaluation import process_results  # noqa: F401 - the task names it


def load(**_):
    from datasets import Dataset, DatasetDict

    rows = Path(__file__).with_name("{rows}")
    return DatasetDict({{"test": Dataset.from_json(str(rows))}})
'''


def write_task(items: Iterable[Item], folder: Path, name: str, max_tokens: int = 4096) -> int:
    """Write the task `name` over `items` into `folder`; returns how many items.

    Raises UserError where the folder cannot be written or the name is no plain word.
    """
    if not name.replace("_", "").isalnum():
        raise UserError(f"a task's name is made of letters, digits and _, unlike {name!r}")
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as problem:
        raise UserError(f"cannot write {folder}: {problem.strerror or problem}") from None
    count = write_lines(folder / f"{name}.jsonl", map(row_of, items))
    for file, text in (
        (f"{name}.yaml", _TASK.format(name=name, max_tokens=max_tokens)),
        ("benchpress_rows.py", _ROWS.format(rows=f"{name}.jsonl")),
    ):
        with atomic_write(folder / file) as out:
            out.write(text)
    return count


def process_results(doc: Mapping[str, Any], results: list[str]) -> dict[str, float]:
    """The metrics of one answer: all parts right, the share of parts right, and whether it was an answer at all."""
    item = Item.from_json(json.loads(doc["item"]))
    result = grade_item(item, Response(item.id, results[0]))
    right = sum(part.correct for part in result.parts)
    return {
        "conjunctive": float(result.correct),
        "parts": right / len(result.parts),
        "answered": float(result.status == "ok"),
    }
