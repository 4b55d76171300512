"""Items a second with the gate, bundle by bundle, beside reasoning-gym; and whether memory stays flat.

    python benchmarks/generate.py [--items 8] [--pairs 600] [--stream 10000] [--only speed|workers|memory]

`--items` counts items per bundle and variant, at level 5; level 10 takes a quarter. Every item passes the gate: both
methods, the read-back of its prompt and the lint. Speeds of one core are items by processor time, so that other work
on the machine counts little; one worker against two is wall time on `--pairs` items, and means something only where
two cores are free. reasoning-gym (its graph and logic families, default settings) goes into a virtual environment of
its own under the temporary directory, made once. Limits: 300 items a second over all bundles at level 5, none below
60, 60 over all at level 10, two workers 1.7 times one.
"""

import argparse
import json
import subprocess
import sys
import tempfile
import time
import venv
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from benchpress.generation import Address, addresses, generate
from benchpress.jsonl import write_lines
from benchpress.modules.causal import MODULE
from benchpress.streams import secret_from_seed
from figures import MOST, figure

SECRET = secret_from_seed(1)
VERSION = "speed"
LIMITS = {"all, level 5": 300.0, "a bundle, level 5": 60.0, "all, level 10": 60.0, "two workers": 1.7}
PEER = """
import json, time
import reasoning_gym
from reasoning_gym.factory import DATASETS
found = {}
for name, (made, _) in sorted(DATASETS.items()):
    family = made.__module__.split(".")[1]
    if family not in ("graphs", "logic"):
        continue
    data = reasoning_gym.create_dataset(name, size=COUNT, seed=1)
    data[0]
    count, start = 0, time.process_time()
    while count < COUNT and time.process_time() - start < 3:
        data[count]
        count += 1
    found[f"{family}/{name}"] = count / (time.process_time() - start)
print(json.dumps(found))
"""


def speed(places: Sequence[Address]) -> float:
    """Items a second of processor time."""
    start = time.process_time()
    count = sum(1 for _ in generate(SECRET, places))
    return count / (time.process_time() - start)


def of_bundles(level: int, per_variant: int) -> dict[str, float]:
    """Bundle -> items a second, all variants in equal numbers; the first item of each is made beforehand."""
    found = {}
    for name in MODULE.rooms:
        places = addresses("causal", VERSION, [name], (), (level,), per_variant)
        speed(places[:1])
        found[name] = speed(places)
    return found


def together(speeds: dict[str, float]) -> float:
    """Items a second where every bundle makes equally many."""
    return len(speeds) / sum(1 / one for one in speeds.values())


def peer(folder: Path, count: int) -> dict[str, float]:
    """Family/dataset of reasoning-gym -> items a second, by the same clock."""
    python = folder / "bin" / "python"
    if not python.exists():
        venv.create(folder, with_pip=True)
        subprocess.run([python, "-m", "pip", "install", "-q", "reasoning-gym"], check=True, stderr=subprocess.DEVNULL)
    code = PEER.replace("COUNT", str(count))
    done = subprocess.run([python, "-c", code], capture_output=True, text=True, check=True)
    speeds: dict[str, float] = json.loads(done.stdout.splitlines()[-1])
    return speeds


def workers(count: int) -> dict[int, float]:
    """Workers -> items a second of wall time, from a pool that has made an item of each bundle already."""
    every = addresses("causal", VERSION, (), (), (5,), -(-count // (5 * len(MODULE.rooms))))
    found = {}
    for size in (1, 2):
        with ProcessPoolExecutor(size, mp_context=get_context("spawn")) as pool:
            for _ in generate(SECRET, [place for place in every if place.index == 0] * size, pool):
                pass
            start = time.perf_counter()
            made = sum(1 for _ in generate(SECRET, every, pool))
            found[size] = made / (time.perf_counter() - start)
    return found


def resident() -> float:
    """The resident set in MB."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * 4096 / 1e6


def memory(count: int) -> dict[int, float]:
    """Items streamed to disk -> resident set in MB, at a tenth of the way and at the end."""
    names = list(MODULE.rooms)
    per_variant = -(-count // (5 * len(names)))
    every = addresses("causal", VERSION, names, (), (5,), per_variant)
    mixed = sorted(every, key=lambda place: (place.index, place.bundle, place.variant))[:count]
    found: dict[int, float] = {}

    def lines() -> Any:
        for number, made in enumerate(generate(SECRET, mixed), 1):
            if number in (count // 10, count):
                found[number] = resident()
            yield made.item.to_json()

    with tempfile.TemporaryDirectory() as folder:
        write_lines(Path(folder, "items.jsonl"), lines())
    return found


def row(what: str, ours: str, limit: str = "", ratio: str = "") -> str:
    return f"{what:<46}{ours:>10}{limit:>8}{ratio:>9}"


def against(what: str, found: float, limit: float) -> str:
    return row(what, f"{found:,.1f}", f"{limit:g}", f"{found / limit:.2f}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--items", type=int, default=8, help="items per bundle and variant at level 5")
    parser.add_argument("--pairs", type=int, default=600, help="items for one worker against two")
    parser.add_argument("--stream", type=int, default=10_000, help="items streamed to disk for the memory")
    parser.add_argument("--only", choices=("speed", "workers", "memory"))
    parser.add_argument("--peer", type=Path, default=Path(tempfile.gettempdir(), "benchpress-reasoning-gym"))
    arguments = parser.parse_args()
    print(row("", "measured", "limit", "ratio"))
    if arguments.only in (None, "speed"):
        five, ten = of_bundles(5, arguments.items), of_bundles(10, max(1, arguments.items // 4))
        for name in five:
            print(against(f"{name}, items/s", five[name], LIMITS["a bundle, level 5"]))
        ours = together(five)
        print(against("all bundles, level 5, items/s", ours, LIMITS["all, level 5"]))
        print(against("all bundles, level 10, items/s", together(ten), LIMITS["all, level 10"]))
        figure("generation", "level 5, beside 300 items a second", ours / LIMITS["all, level 5"], 1)
        slowest = min(five.values()) / LIMITS["a bundle, level 5"]
        figure("generation", "the slowest bundle, beside 60 items a second", slowest, 1)
        figure("generation", "level 10, beside 60 items a second", together(ten) / LIMITS["all, level 10"], 1)
        others = peer(arguments.peer, 200)
        for family in ("graphs", "logic"):
            speeds = {name: one for name, one in others.items() if name.startswith(family)}
            for name, one in speeds.items():
                print(row(f"reasoning-gym {name}", f"{one:,.0f}", "", f"{ours / one:.3f}"))
            both = together(speeds)
            print(row(f"reasoning-gym {family}, equal numbers", f"{both:,.0f}", "", f"{ours / both:.3f}"))
            figure("generation", f"level 5 with the gate, beside reasoning-gym's {family} without one", ours / both)
        print("ratio of a reasoning-gym row: all bundles at level 5 divided by it; it checks no item")
    if arguments.only in (None, "workers"):
        found = workers(arguments.pairs)
        print(row("one worker, items/s", f"{found[1]:,.1f}"))
        print(row("two workers, items/s", f"{found[2]:,.1f}"))
        print(against("two workers beside one", found[2] / found[1], LIMITS["two workers"]))
        figure("generation", "two workers beside one", found[2] / found[1], LIMITS["two workers"])
    if arguments.only in (None, "memory"):
        (early, before), (late, after) = memory(arguments.stream).items()
        print(row(f"resident set at {early} items, MB", f"{before:,.1f}"))
        print(row(f"resident set at {late} items, MB", f"{after:,.1f}", "", f"{after / before:.3f}"))
        figure("generation", "memory at the end of a stream beside a tenth of the way", after / before, 1.1, MOST)
    sys.stdout.flush()


if __name__ == "__main__":
    main()
