"""Default, cyclic average and PriDe at several fractions: accuracy, spread of recalls and cost, in the published form.

usage: python benchmarks/pride.py ITEMS.jsonl [--entrant NAME] [--models F] [--limit N] [--alpha A ...] [--draws N]
                                  [--journal FOLDER] [--json]

ITEMS are multiple-choice items: of `prepare`, or of `generate --module choice`. The entrant's provider must score
options. Every rotation of every question is scored once and journalled in clear, so that a stopped run resumes; all
rows of the table are computed from these calls. Only questions with the most frequent number of options count, and of
these only those of which every rotation was scored, the same ones in every row. PriDe calibrates on the share alpha of
the questions, answers those by the cyclic average and the rest by equation 8; its figures are means over draws.
"""

import argparse
import json
import statistics
import tempfile
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from benchpress.items import Item
from benchpress.jsonl import read_items
from benchpress.modules.choice.question import Question
from benchpress_evaluator.entrants import Entrant, load_entrants, read_keys
from benchpress_evaluator.journal import Journal
from benchpress_evaluator.methods import METHODS, MethodChoice
from benchpress_evaluator.methods.debias import Rows, cyclic_average, highest, pride_distributions
from benchpress_evaluator.methods.modal_k import GateReport, modal_k_gate
from benchpress_evaluator.methods.pride import calibrated_on
from benchpress_evaluator.methods.ties import tie_break
from benchpress_evaluator.plan import Plan
from benchpress_evaluator.runner import run
from benchpress_evaluator.scoring import score
from benchpress_evaluator.stats.choice_table import choice_table
from benchpress_evaluator.stats.order_bias import Bias, measure_bias
from benchpress_evaluator.storage import open_storage

METHOD = MethodChoice("cyclic_logprob")
VERSION = "pride-table"


@dataclass(frozen=True, slots=True)
class Line:
    """A row of the table. Accuracy and spread of recalls in per cent; `sd` over draws, else a 95 % interval."""

    method: str
    accuracy: float
    accuracy_sd: float | None
    accuracy_interval: tuple[float, float] | None
    rstd: float
    rstd_sd: float | None
    rstd_interval: tuple[float, float] | None
    passes: float
    """Forward passes a question."""


def recorded(items: Sequence[Item], entrant: Entrant, folder: Path) -> dict[str, Rows]:
    """The distribution of every rotation by item, asked for where the journal does not have it yet."""
    journal = Journal.open(open_storage(folder), "journal", None)
    METHODS.get(METHOD.name).check(METHOD.params)
    report = run(Plan(VERSION, items, [entrant], [METHOD]), journal, read_keys())
    for tally in report.tallies:
        if tally.stopped is not None:
            raise SystemExit(f"{tally.entrant} stopped: {tally.stopped}")
    scored = score(items, journal.records(), VERSION, [entrant], [METHOD])
    return {one.item_id: one.extra["distributions"] for one in scored if "distributions" in one.extra}


def judged(items: Sequence[Item], found: Sequence[Sequence[float] | None]) -> Bias:
    """The figures of one answer per item: the likeliest option, ties by the keyed rule."""
    rows = []
    for item, distribution in zip(items, found, strict=True):
        question = Question.of(item)
        best = highest(distribution or [])
        rows.append(
            {
                "id": item.id,
                "gold": question.gold_letter,
                "parsed": question.letters[tie_break(42, question.benchmark, question.id, METHOD.name, best)],
                "n_options": len(question.options),
            }
        )
    return measure_bias(choice_table(rows))


def plain_line(method: str, figures: Bias, passes: float) -> Line:
    accuracy, recall = figures.accuracy, figures.recall_rstd
    return Line(
        method,
        100 * (accuracy.value or 0),
        None,
        (100 * (accuracy.low or 0), 100 * (accuracy.high or 0)),
        recall.value or 0,
        None,
        (recall.low or 0, recall.high or 0),
        passes,
    )


def table(
    items: Sequence[Item], matrices: Sequence[Rows], gate: GateReport, alphas: Sequence[str], draws: int
) -> list[Line]:
    n, count = gate.modal_k, len(items)
    lines = [
        plain_line("Default", judged(items, [rows[0] for rows in matrices]), 1),
        plain_line("Cyclic", judged(items, [cyclic_average(rows) for rows in matrices]), n),
    ]
    where = {item.id: place for place, item in enumerate(items)}
    for alpha in alphas:
        accuracies, spreads, calibrated = [], [], 0
        for seed in range(draws):
            chosen = {where[item.id] for item in calibrated_on(items, gate, {"alpha": alpha, "seed": seed})}
            figures = judged(items, pride_distributions(matrices, chosen))
            accuracies.append(100 * (figures.accuracy.value or 0))
            spreads.append(figures.recall_rstd.value or 0)
            calibrated = len(chosen)
        lines.append(
            Line(
                f"PriDe {float(alpha):.0%}",
                statistics.mean(accuracies),
                statistics.pstdev(accuracies),
                None,
                statistics.mean(spreads),
                statistics.pstdev(spreads),
                None,
                (calibrated * n + count - calibrated) / count,
            )
        )
    return lines


def shown(value: float, sd: float | None, interval: tuple[float, float] | None) -> str:
    beside = f"± {sd:.1f}" if sd is not None else f"[{interval[0]:.1f}, {interval[1]:.1f}]" if interval else ""
    return f"{value:5.1f} {beside}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("items", type=Path)
    parser.add_argument("--entrant", default="smollm2-135m")
    parser.add_argument("--models", type=Path, default=Path("models.yaml"))
    parser.add_argument("--limit", type=int, default=200)
    parser.add_argument("--alpha", action="append", help="share of the questions; default 0.05, 0.4 and 0.8")
    parser.add_argument("--draws", type=int, default=5)
    parser.add_argument("--journal", type=Path, help="folder in which the calls are kept; default a temporary one")
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    items = list(read_items(given.items))[: given.limit]
    entrant = load_entrants(given.models).get(given.entrant)
    gate = modal_k_gate([len(Question.of(item).options) for item in items], "0.000001")
    modal = [item for item in items if len(Question.of(item).options) == gate.modal_k]
    with tempfile.TemporaryDirectory() as spare:
        rotations = recorded(modal, entrant, given.journal or Path(spare))
    kept = [item for item in modal if all(row is not None for row in rotations.get(item.id, [None]))]
    if not kept:
        raise SystemExit("no question has all its rotations scored")
    lines = table(kept, [rotations[item.id] for item in kept], gate, given.alpha or ["0.05", "0.4", "0.8"], given.draws)
    if given.json:
        print(json.dumps({"questions": len(kept), "options": gate.modal_k, "rows": [asdict(line) for line in lines]}))
        return
    print(
        f"{entrant.title}: {len(kept)} questions with {gate.modal_k} options ({len(items) - len(modal)} have another "
        f"number, {len(modal) - len(kept)} lack a rotation); PriDe over {given.draws} draws"
    )
    print(f"{'':12} {'accuracy':22} {'RStd':22} passes a question")
    for line in lines:
        accuracy = shown(line.accuracy, line.accuracy_sd, line.accuracy_interval)
        spread = shown(line.rstd, line.rstd_sd, line.rstd_interval)
        print(f"{line.method:12} {accuracy:22} {spread:22} {line.passes:.2f}")


if __name__ == "__main__":
    main()
