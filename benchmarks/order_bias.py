"""The order of options and a small open model: 200 causal-choice items under every method, and the page of the site.

usage: python benchmarks/order_bias.py [--items N] [--variant V] [--level L] [--method M ...] [--work FOLDER]
                                       [--out FOLDER]

Makes the items under a public seed, puts them to the local model and to reference solvers, and prints accuracy, skew of
letters, spread of recalls, sensitivity to rotation and PriDe at several fractions. `--out` also writes the publication.

All requests about one item follow each other, so that the model reads its text once (`cache_prompt`); scores then
differ a little from those of a cold prompt (docs/choice.md). Answers are kept under `--work` and equal requests of
several methods are sent once, so the same command goes on where it was stopped. Latencies say nothing here and are not
published.
"""

import argparse
import asyncio
import subprocess
import sys
import time
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
import pandas as pd
import pride
from benchpress.items import Item
from benchpress.jsonl import read_items
from benchpress.modules.choice.prompts import V1
from benchpress.modules.choice.question import Question
from benchpress_evaluator.entrants import Entrant
from benchpress_evaluator.grid.cache import CachedProvider, ResponseCache
from benchpress_evaluator.journal import Journal
from benchpress_evaluator.methods import MethodChoice
from benchpress_evaluator.methods.choice_method import rotation
from benchpress_evaluator.methods.modal_k import modal_k_gate
from benchpress_evaluator.plan import Plan, open_session
from benchpress_evaluator.progress import TerminalProgress
from benchpress_evaluator.providers import PROVIDERS
from benchpress_evaluator.providers.base import Provider, open_provider
from benchpress_evaluator.publishing.describe import Release, describe
from benchpress_evaluator.publishing.export import export
from benchpress_evaluator.records import Message, Request, ScoredItem
from benchpress_evaluator.runner import execute
from benchpress_evaluator.scoring import score
from benchpress_evaluator.stats.frame import results_frame
from benchpress_evaluator.stats.metric import Settings
from benchpress_evaluator.stats.order_bias import order_bias_metric
from benchpress_evaluator.storage import open_storage
from rich.console import Console

ROOT = Path(__file__).resolve().parent.parent
BENCHPRESS = Path(sys.executable).with_name("benchpress")
VERSION = "choice-demo-v1"
SEED = 11

LOCAL = Entrant.model_validate(
    {
        "id": "smollm2-135m",
        "name": "SmolLM2 135M Instruct",
        "provider": "local",
        "model": "smollm2-135m-instruct",
        "company": "Hugging Face",
        "openness": "open",
        "size_class": "tiny",
        "reasoning": False,
        "launch_date": "2024-10-31",
        "params": {"max_tokens": 24, "context": 4096, "threads": 2, "cache_prompt": True},
    }
)
SOLVERS = tuple(
    Entrant.model_validate(
        {"id": f"reference-{name}", "name": title, "provider": "reference", "model": model, "company": "Benchpress"}
    )
    for name, model, title in (
        ("exact", "exact", "Exact solver"),
        ("adjust-all", "adjust_all", "Adjusts for everything"),
        ("random", "random", "Random guesser"),
    )
)
METHODS = (
    MethodChoice("cyclic_logprob"),
    MethodChoice("direct_logprob"),
    MethodChoice("pride", {"alpha": "0.2"}),
    MethodChoice("direct"),
    MethodChoice("cyclic_permutation"),
    MethodChoice("shuffled"),
    MethodChoice("two_stage"),
)
OF_SOLVERS = (MethodChoice("direct"), MethodChoice("cyclic_permutation"))
"""A solver reads a printed question with options; it has no option scores and no words of its own."""


def made(folder: Path, count: int, variant: str, level: int) -> list[Item]:
    path = folder / f"{variant}-l{level}-{count}.jsonl"
    if not path.exists():
        folder.mkdir(parents=True, exist_ok=True)
        words = ["--module", "choice", "--variant", variant, "--level", str(level), "--n", str(count)]
        subprocess.run([BENCHPRESS, "generate", *words, "--seed", str(SEED), "--out", path], check=True)
    return list(read_items(path))


def kept_answers(entrant: Entrant, provider: Provider, work: Path) -> CachedProvider:
    model = {"configuration": entrant.configuration, **provider.fingerprint()}
    return CachedProvider(provider, ResponseCache(work / "cache" / entrant.id, model))


async def ask_item_by_item(items: Sequence[Item], methods: Sequence[MethodChoice], work: Path) -> None:
    """What the methods need of the rotations of an item, scored and answered in words, before the next item."""
    names = {choice.name for choice in methods}
    scored = bool(names & {"cyclic_logprob", "direct_logprob", "pride"})
    provider = kept_answers(LOCAL, open_provider(PROVIDERS.get(LOCAL.provider), LOCAL, {}), work)
    began = time.monotonic()
    try:
        for number, item in enumerate(items, 1):
            question = Question.of(item)
            for k in range(len(question.options)):
                prompt = V1.direct_prompt(question.stem, rotation(question.texts, k), question.subject)
                if scored:
                    await provider.complete(Request((Message("user", prompt),), None, tuple(question.letters)))
                if "cyclic_permutation" in names or (k == 0 and "direct" in names):
                    await provider.complete(Request.of(prompt))
            print(f"{number} of {len(items)}, {time.monotonic() - began:.0f} s", file=sys.stderr, flush=True)
    finally:
        await provider.aclose()


def run(plan: Plan, journal: Journal, folder: Path) -> None:
    session = open_session(plan, journal.records(), {})
    for work in session.works:
        work.provider = kept_answers(work.entrant, work.provider, folder)
    execute(session, journal, TerminalProgress(Console(stderr=True)))


def complete(rows: Sequence[ScoredItem]) -> list[ScoredItem]:
    """The rows of conditions that have no item pending."""
    pending = {(row.entrant, row.method) for row in rows if row.result is None and not row.gated}
    return [row for row in rows if (row.entrant, row.method) not in pending]


def shown(frame: pd.DataFrame) -> str:
    """The figures of every condition, a line each."""
    lines = []
    for row in order_bias_metric(frame, Settings()).frame.to_dict("records"):
        figures = [f"right {row['right']}, wrong {row['wrong']}, no letter {row['abstained']}"]
        for name, label, scale in (
            ("accuracy", "accuracy", 100),
            ("mad", "MAD", 1),
            ("recall_rstd", "RStd", 1),
            ("order_rstd", "place RStd", 100),
            ("flip_rate", "flips", 100),
        ):
            value, low, high = (row[f"{name}{end}"] for end in ("", "_low", "_high"))
            if not pd.isna(value):
                figures.append(f"{label} {scale * value:.1f} [{scale * low:.1f}, {scale * high:.1f}]")
        lines.append(f"{row['entrant']:22} {row['method']:20} n {row['n']}: {', '.join(figures)}")
    return "\n".join(lines)


def pride_lines(items: Sequence[Item], rows: Sequence[ScoredItem]) -> list[pride.Line]:
    """The published comparison, from the rotations that `cyclic_logprob` scored."""
    rotations = {row.item_id: row.extra["distributions"] for row in rows if row.method == "cyclic_logprob"}
    kept = [item for item in items if all(row is not None for row in rotations.get(item.id, [None]))]
    if not kept:
        return []
    gate = modal_k_gate([len(Question.of(item).options) for item in kept], "0.000001")
    alphas = [alpha for alpha in ("0.05", "0.4", "0.8") if float(alpha) * len(kept) >= 1]
    return pride.table(kept, [rotations[item.id] for item in kept], gate, alphas, 5)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--items", type=int, default=200)
    parser.add_argument("--variant", default="transfer")
    parser.add_argument("--level", type=int, default=1)
    parser.add_argument("--method", action="append", choices=[choice.name for choice in METHODS])
    parser.add_argument("--work", type=Path, default=ROOT / "build" / "order-bias")
    parser.add_argument("--out", type=Path, help="folder of the publication, such as site/data")
    given = parser.parse_args()
    items = made(given.work, given.items, given.variant, given.level)
    version = f"{VERSION}-{given.variant}-l{given.level}-{len(items)}"
    journal = Journal.open(open_storage(given.work), f"{version}/journal", None)
    methods = [choice for choice in METHODS if not given.method or choice.name in given.method]
    asyncio.run(ask_item_by_item(items, methods, given.work))
    run(Plan(version, items, SOLVERS, OF_SOLVERS), journal, given.work)
    run(Plan(version, items, (LOCAL,), methods), journal, given.work)
    records = list(journal.records())
    rows = complete(
        [
            *score(items, records, version, SOLVERS, OF_SOLVERS),
            *score(items, records, version, (LOCAL,), methods),
        ]
    )
    frame = results_frame(rows)
    print(shown(frame))
    for line in pride_lines(items, rows):
        accuracy = pride.shown(line.accuracy, line.accuracy_sd, line.accuracy_interval)
        spread = pride.shown(line.rstd, line.rstd_sd, line.rstd_interval)
        print(f"{line.method:12} accuracy {accuracy:22} RStd {spread:22} {line.passes:.2f} passes a question")
    if given.out is not None:
        title = "Causal problems with options: a demonstration"
        note = f"{len(items)} items made under a public seed, variant {given.variant}, level {given.level}."
        release = Release(
            VERSION, "choice", title, "demo", datetime.now(UTC).strftime("%Y-%m-%d"), sealed=False, note=note
        )
        renamed = frame.assign(version=pd.Categorical([VERSION] * len(frame)), latency_s=np.nan)
        described = {entrant.id: describe(entrant) for entrant in (LOCAL, *SOLVERS)}
        files = export(renamed, release, described, None, None, given.out, settings=Settings())
        print(f"{len(files)} files in {given.out}")


if __name__ == "__main__":
    main()
