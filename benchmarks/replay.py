"""Speed of replay scoring and generation, and how the two calibration baselines fare on the suite's pools.

    python benchmarks/replay.py [--items 100] [--pairs 300] [--workers 2] [--only scoring|generation|baselines|pairs]

Scoring: reading, legality, replay and all metrics of one submission at 8 variables and about 200 rows, beside the
evaluator that computes value by value; limit 250 microseconds and 15 times. Generation: processor seconds an item and
wall seconds for the whole suite; limits 0.5 s (median), 10 s (largest), 10 minutes on two cores. Baselines: every
metric on every pool but Alt-SCM. Pairs: more matched models of the suite's size, solved with the order and without, and
McNemar's exact test.
"""

import argparse
import json
import statistics
import sys
import time
import timeit
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, ProcessPoolExecutor
from functools import partial
from math import comb, log2
from typing import Any

from benchpress.canonical import canonical_text, digest
from benchpress.generation import Address
from benchpress.items import Item
from benchpress.models.boolean_cells import replay_metrics
from benchpress.modules.replay import MODULE
from benchpress.modules.replay.problems import key_answer
from benchpress.modules.replay.report import summarise
from benchpress.modules.replay.suites import MATCHED, PAPER, configuration, suite
from benchpress.parts.mechanisms import MECHANISMS
from benchpress.streams import secret_from_seed
from figures import MOST, figure

SECRET = secret_from_seed(1)
SOLVERS = {"symbolic": "baselines_symbolic", "score-based": "baselines_scores"}


def address(bundle: str, variant: str, index: int) -> Address:
    return Address("replay", PAPER, bundle, variant, configuration(PAPER, 0, index).level, index)


def fastest(call: Callable[[], object], number: int) -> float:
    """Seconds of processor time a call, the best of fifteen rounds: others on the machine count as little as can be."""
    call()
    return min(timeit.repeat(call, timer=time.process_time, number=number, repeat=15)) / number


def scoring() -> dict[str, Any]:
    item = MODULE.make(SECRET, address("hidden_order", "original", 3)).item
    part, text = item.parts[0], key_answer(item)
    mechanisms = part.gold["mechanisms"]
    quick = fastest(lambda: MECHANISMS.score(MECHANISMS.read(text, part, item), part, item), 200)
    single = fastest(lambda: replay_metrics(item.params["worlds"], mechanisms, mechanisms), 3)
    return {
        "variables": len(item.params["variables"]),
        "rows": sum(len(world["rows"]) for world in item.params["worlds"]),
        "microseconds": round(1e6 * quick, 1),
        "microseconds value by value": round(1e6 * single, 1),
        "ratio": round(single / quick, 1),
    }


def timed_item(entry: tuple[str, Address]) -> tuple[str, float, str, dict[str, Any]]:
    pool, where = entry
    start = time.process_time()
    item = MODULE.make(SECRET, where).item
    spent = time.process_time() - start
    seen, patterns = map(int, item.params["coverage"].split("/"))
    facts = {
        "models": item.params["ambiguity"]["models"],
        "coverage": seen / patterns,
        "worlds": sum(world["split"] == "train" for world in item.params["worlds"]),
        "prompt": len(item.prompt),
    }
    return pool, spent, digest(json.loads(canonical_text(item.to_json()))), facts


def generation(executor: Executor, limit: int) -> dict[str, Any]:
    """The suite, or of each pool as many items as `limit`."""
    chosen = [(pool, where) for pool, where in suite("paper") if where.index < limit or limit >= MATCHED]
    start = time.perf_counter()
    made = list(executor.map(timed_item, chosen, chunksize=8))
    spent = time.perf_counter() - start
    seconds = [entry[1] for entry in made]
    pools: dict[str, dict[str, float]] = {}
    for name in dict.fromkeys(pool for pool, *_ in made):
        facts = [entry[3] for entry in made if entry[0] == name]
        bits = [log2(fact["models"]) for fact in facts]
        pools[name] = {
            "items": len(facts),
            "coverage": round(statistics.mean(fact["coverage"] for fact in facts), 4),
            "median bits": round(statistics.median(bits), 1),
            "most bits": round(max(bits), 1),
            "one model": sum(fact["models"] == 1 for fact in facts),
            "train worlds": round(statistics.mean(fact["worlds"] for fact in facts), 1),
            "prompt characters": round(statistics.mean(fact["prompt"] for fact in facts)),
        }
    return {
        "items": len(made),
        "wall seconds": round(spent, 1),
        "median processor seconds": round(statistics.median(seconds), 3),
        "largest processor seconds": round(max(seconds), 2),
        "digest": digest([entry[2] for entry in made]),
        "pools": pools,
    }


def solved(solver: str, entry: tuple[str, Address]) -> tuple[str, int, float, dict[str, Any]]:
    from importlib import import_module

    solve = import_module(f"benchpress.modules.replay.{SOLVERS[solver]}").solve
    pool, where = entry
    item: Item = MODULE.make(SECRET, where).item
    start = time.perf_counter()
    text = solve(item.prompt)
    spent = time.perf_counter() - start
    part = item.parts[0]
    metrics = MECHANISMS.score(MECHANISMS.read(text, part, item), part, item).metrics
    return pool, where.index, spent, dict(metrics or {})


def baselines(executor: Executor, limit: int) -> dict[str, Any]:
    chosen = [(pool, where) for pool, where in suite("paper") if not pool.startswith("Alt") and where.index < limit]
    result: dict[str, Any] = {}
    for solver in SOLVERS:
        found = list(executor.map(partial(solved, solver), chosen, chunksize=4))
        pools = {name: [entry for entry in found if entry[0] == name] for name in dict.fromkeys(e[0] for e in found)}
        result[solver] = {
            "seconds": round(statistics.mean(entry[2] for entry in found), 3),
            "pools": {
                name: {
                    metric: (figure.value, figure.n) for metric, figure in summarise([e[3] for e in entries]).items()
                }
                for name, entries in pools.items()
            },
            "hidden against ordered": compared(pools["Ord-Full"], pools["Hid-Full"]),
        }
    return result


def paired(executor: Executor, count: int) -> dict[str, Any]:
    """Matched models beside the suite's, of the size of its matched pools, with the order and without."""
    result = {}
    for solver in SOLVERS:
        chosen = [
            (bundle, Address("replay", "paired", bundle, "original", 5, index))
            for index in range(count)
            for bundle in ("ordered", "hidden_order")
        ]
        found = list(executor.map(partial(solved, solver), chosen, chunksize=8))
        one, other = ([entry for entry in found if entry[0] == bundle] for bundle in ("ordered", "hidden_order"))
        result[solver] = compared(one, other)
    return result


def compared(one: list[tuple[Any, ...]], other: list[tuple[Any, ...]]) -> dict[str, Any]:
    return {metric: mcnemar(one, other, metric) for metric in ("train_exact", "heldout_exact")}


def mcnemar(one: list[tuple[Any, ...]], other: list[tuple[Any, ...]], metric: str) -> dict[str, Any]:
    """Exact two-sided test that a yes is as likely in both of two matched pools, from the pairs that differ."""
    second = {entry[1]: bool(entry[3][metric]) for entry in other}
    pairs = [(bool(entry[3][metric]), second[entry[1]]) for entry in one if entry[1] in second]
    both, only_one, only_other = (pairs.count(kind) for kind in ((True, True), (True, False), (False, True)))
    differ = only_one + only_other
    tail = sum(comb(differ, k) for k in range(min(only_one, only_other) + 1)) / 2**differ
    return {
        "pairs": len(pairs),
        "ordered": round((both + only_one) / len(pairs), 3),
        "hidden": round((both + only_other) / len(pairs), 3),
        "ordered only": only_one,
        "hidden only": only_other,
        "p": float(f"{min(1.0, 2 * tail):.2g}"),
    }


def lines(report: dict[str, Any]) -> Iterator[str]:
    if found := report.get("scoring"):
        yield f"scoring: {found}"
    if found := report.get("generation"):
        yield f"generation: { {key: value for key, value in found.items() if key != 'pools'} }"
        for name, facts in found["pools"].items():
            yield f"  {name:9s} {facts}"
    for solver, found in report.get("baselines", {}).items():
        yield f"{solver}: {found['seconds']} s an item"
        shown = ("legal", "train_exact", "train_world_exact", "heldout_world_exact", "heldout_exact", "parent_f1",
                 "parents_exact", "parent_shd", "root_exact", "heldout_exact given train_exact")  # fmt: skip
        for name, figures in found["pools"].items():
            values = (
                f"{metric} {figures[metric][0]:.3f}"
                for metric in shown
                if (figures.get(metric) or (None,))[0] is not None
            )
            yield f"  {name:9s} n {figures['n_valid'][1]:3d}  " + "  ".join(values)
        for name, test in found["hidden against ordered"].items():
            yield f"  {name}: {test}"
    for solver, tests in report.get("pairs", {}).items():
        for name, test in tests.items():
            yield f"{solver}, {name}: {test}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--items", type=int, default=MATCHED, help="models a pool; 100 or more make the whole suite")
    parser.add_argument("--pairs", type=int, default=300, help="further matched models for the paired test")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--only", choices=("scoring", "generation", "baselines", "pairs"))
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()
    report: dict[str, Any] = {}
    with ProcessPoolExecutor(arguments.workers) as executor:
        if arguments.only in (None, "scoring"):
            found = report["scoring"] = scoring()
            figure("replay", "scoring, microseconds of the 250 allowed", found["microseconds"] / 250, 1, MOST)
            figure("replay", "scoring, beside value by value", found["ratio"], 15)
        if arguments.only in (None, "generation"):
            report["generation"] = generation(executor, arguments.items)
        if arguments.only in (None, "baselines"):
            report["baselines"] = baselines(executor, arguments.items)
        if arguments.only in (None, "pairs"):
            report["pairs"] = paired(executor, arguments.pairs)
    sys.stdout.write((json.dumps(report, indent=1) if arguments.json else "\n".join(lines(report))) + "\n")


if __name__ == "__main__":
    main()
