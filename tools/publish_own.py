"""The figures in site/data, made anew by one command: `make published`, or `python tools/publish_own.py`.

They are real runs of what runs on any machine: reference solvers, each with one known habit, and a small open model on
a part of the items. Four versions are sealed, run, scored and exported, by the same commands that evaluate a model
behind an API. Three are public, drawn from the published secret, so anybody can make their items again and check every
figure; the fourth is sealed under a secret of this machine, and shows what a sealed version publishes, the
difference between public and sealed items included. Working files stay in build/own, and only what `export` writes
comes here. Takes about ten minutes on two quiet cores, half of it the model's. Where it was stopped, the same command
goes on; without build/own it begins anew.
"""

import os
import secrets
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
HOME = ROOT / "build" / "own"
DATA = ROOT / "site" / "data"
RECIPES = ROOT / "generator" / "src" / "benchpress" / "recipes"
SECRET = RECIPES / "causal-public-v1.secret"
BENCHPRESS = Path(sys.executable).with_name("benchpress")

SHOWN_OF_MODEL = 40
"""Items that the local model is asked: a partial run, which is never ranked. Of fewer than twenty nothing leaves."""

SEALED = """\
version: causal-demo-v1
title: Sealed demonstration of the causal track
status: demo
module: causal
per_variant: 4
levels: [4, 5, 6, 7, 8, 9]
"""

REPLAY = """\
version: replay-public-v1
title: Benchpress-Replay v1, public twin
module: replay
per_variant: 20
levels: [4, 5, 6, 7, 8]
"""

CHOICE = """\
version: choice-public-v1
title: Benchpress-Choice v1, causal questions with options
module: choice
bundles: [causal_choice]
per_variant: 25
levels: [4, 5, 6, 7, 8]
methods: [direct, cyclic_permutation]
"""

REFERENCE = "  - {{id: {id}, name: {name}, provider: reference, model: {model}, company: Benchpress}}\n"
CAUSAL_SOLVERS = {
    "exact": ("exact", "Exact solver"),
    "fallible": ("fallible", "Exact with slips of the pen"),
    "adjust-all": ("adjust_all", "Adjusts for everything"),
    "ignore-colliders": ("ignore_colliders", "Ignores colliders"),
    "random": ("random", "Random guesser"),
}
REPLAY_SOLVERS = {
    "symbolic": ("symbolic", "Symbolic search"),
    "score-search": ("score_search", "Greedy search by score"),
}
MODEL = """\
  - id: smollm2-135m
    name: SmolLM2 135M Instruct
    provider: local
    model: smollm2-135m-instruct
    company: Hugging Face
    openness: open
    size_class: tiny
    reasoning: false
    launch_date: 2024-10-31
    params: {max_tokens: 96, context: 4096, threads: 2}
"""


def main() -> None:
    started = time.monotonic()
    HOME.mkdir(parents=True, exist_ok=True)
    solvers = {**REPLAY_SOLVERS, **CAUSAL_SOLVERS}
    lines = [REFERENCE.format(id=name, name=title, model=model) for name, (model, title) in solvers.items()]
    (HOME / "models.yaml").write_text("entrants:\n" + "".join(lines) + MODEL, encoding="utf-8")
    (HOME / "sealed.yaml").write_text(SEALED, encoding="utf-8")
    (HOME / "replay.yaml").write_text(REPLAY, encoding="utf-8")
    (HOME / "choice.yaml").write_text(CHOICE, encoding="utf-8")
    seal("causal-public-v1", RECIPES / "causal-public-v1.yaml", "--published-secret", SECRET)
    seal("replay-public-v1", HOME / "replay.yaml", "--published-secret", SECRET)
    seal("choice-public-v1", HOME / "choice.yaml", "--published-secret", SECRET)
    seal("causal-demo-v1", HOME / "sealed.yaml")
    for version, entrants in (
        ("causal-public-v1", CAUSAL_SOLVERS),
        ("causal-demo-v1", CAUSAL_SOLVERS),
        ("replay-public-v1", REPLAY_SOLVERS),
        ("choice-public-v1", CAUSAL_SOLVERS),
    ):
        call("run", version, *(word for name in entrants for word in ("--entrant", name)))
    call("run", "causal-public-v1", "--entrant", "smollm2-135m", "--limit", SHOWN_OF_MODEL)
    for version in ("causal-public-v1", "replay-public-v1", "choice-public-v1", "causal-demo-v1"):
        call("score", version)
    for version in ("causal-public-v1", "replay-public-v1", "choice-public-v1"):
        call("export", version, "--out", DATA)
    call("export", "causal-demo-v1", "--public", "causal-public-v1", "--out", DATA)
    print(f"\nDone in {time.monotonic() - started:.0f} s. `benchpress site serve` shows it.")


def seal(version: str, recipe: Path, *secret: object) -> None:
    """Seal a version, once: its contents never change."""
    if not (HOME / "private" / f"{version}.commitment.json").exists():
        call("seal", "--recipe", recipe, *secret, "--passphrase", "--workers", os.cpu_count() or 1)


def passphrase() -> str:
    """Of the working files, which only this machine opens."""
    file = HOME / "passphrase"
    if not file.exists():
        HOME.mkdir(parents=True, exist_ok=True)
        file.touch(mode=0o600)
        file.write_text(secrets.token_hex(16), encoding="ascii")
    return file.read_text(encoding="ascii")


def call(*words: object) -> None:
    """Show a command and run it; everything ends where one fails."""
    line = [str(word) for word in words]
    began = time.monotonic()
    print("\n$ benchpress " + " ".join(word.replace(f"{ROOT}{os.sep}", "") for word in line), flush=True)
    environment = {**os.environ, "BENCHPRESS_HOME": str(HOME), "BENCHPRESS_PASSPHRASE": passphrase()}
    if subprocess.run([BENCHPRESS, *line], env=environment, check=False).returncode:
        sys.exit("stopped: the command above failed")
    print(f"({time.monotonic() - began:.0f} s)", flush=True)


if __name__ == "__main__":
    main()
