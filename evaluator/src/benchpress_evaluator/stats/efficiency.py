"""What answers cost: cost, tokens, latency; efficiency and resilience."""

from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt
import pandas as pd

from benchpress_evaluator.stats.frame import GATED, PENDING, answers_of
from benchpress_evaluator.stats.matrix import Condition, select_runs
from benchpress_evaluator.stats.metric import Settings, Table

Quantity = Literal["cost_usd", "thinking_tokens", "output_tokens", "latency_s"]
QUANTITIES: tuple[Quantity, ...] = ("cost_usd", "thinking_tokens", "output_tokens", "latency_s")

REPORTED = 0.95
"""A median or a pooled ratio needs a figure from at least this share of the answers; a total needs all of them."""


@dataclass(frozen=True, slots=True)
class Usage:
    """What the answers of one condition took. Null is unknown; a zero that cannot be true counts as unknown.

    `total` adds up all answers; `median` and `p90` are per answer. Units: US dollars, tokens, seconds.
    """

    answers: int
    total: dict[Quantity, float | None]
    median: dict[Quantity, float | None]
    p90: dict[Quantity, float | None]
    correct_parts_per_1000_tokens: float | None
    """Correct parts / generated tokens x 1,000, pooled over the answers that report tokens."""
    not_truncated: float | None
    """Share of the answers that no output cap cut off."""


def usage(frame: pd.DataFrame, settings: Settings) -> dict[Condition, Usage]:
    """Usage per condition, over the answers that a model gave (failed calls, pending and gated items left out)."""
    rows = select_runs(frame, settings.runs)
    rows = rows[~rows["status"].isin([PENDING, GATED, "api_error"])]
    answers = answers_of(rows)
    keys = ["entrant", "method"]
    reporting = rows[rows["output_tokens"] > 0]
    parts = reporting.groupby(keys, observed=True)["part_correct"].sum()
    result = {}
    for (entrant, method), held in answers.groupby(keys, observed=True):
        values = {quantity: known(held[quantity].to_numpy(), quantity) for quantity in QUANTITIES}
        n = len(held)
        tokens = values["output_tokens"]
        enough = len(tokens) >= REPORTED * n
        right = float(parts.get((entrant, method), 0))
        result[Condition(str(entrant), str(method))] = Usage(
            n,
            {q: float(np.sum(v)) if len(v) == n else None for q, v in values.items()},
            {q: _quantile(v, n, 0.5) for q, v in values.items()},
            {q: _quantile(v, n, 0.9) for q, v in values.items()},
            1000 * right / float(np.sum(tokens)) if enough else None,
            float((held["status"] != "truncated").mean()),
        )
    return result


def known(values: npt.NDArray[np.float64], quantity: Quantity) -> npt.NDArray[np.float64]:
    """The values that can be true: no answer is free, instant or empty, but an entrant may think no token."""
    kept = values[~np.isnan(values)]
    return kept[kept >= 0] if quantity == "thinking_tokens" else kept[kept > 0]


def _quantile(values: npt.NDArray[np.float64], n: int, share: float) -> float | None:
    return float(np.quantile(values, share)) if len(values) and len(values) >= REPORTED * n else None


def usage_metric(frame: pd.DataFrame, settings: Settings) -> Table:
    """Cost, tokens and latency per answer, efficiency and resilience."""
    rows = []
    for condition, used in usage(frame, settings).items():
        row: dict[str, object] = {"entrant": condition.entrant, "method": condition.method}
        row["cost_usd_total"] = used.total["cost_usd"]
        for quantity in QUANTITIES:
            row[f"{quantity}_median"], row[f"{quantity}_p90"] = used.median[quantity], used.p90[quantity]
        row["correct_parts_per_1000_tokens"] = used.correct_parts_per_1000_tokens
        row["not_truncated"] = used.not_truncated
        rows.append(row)
    note = "per answer; null where the vendor reports nothing; latency is working time without queueing and backoff"
    return Table("Cost, tokens and latency", pd.DataFrame(rows), (note,))
