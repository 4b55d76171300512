"""The main job end to end on a throw-away version: seal, run, score, publish. Everything goes into build/."""

import os
import secrets
import shutil
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
HOME = ROOT / "build" / "demo"
SITE = ROOT / "build" / "site"
BENCHPRESS = Path(sys.executable).with_name("benchpress")

RECIPE = """\
version: demo
title: Demo, made on this machine a minute ago
status: demo
module: causal
bundles: [equivalence, confounding, instrument]
variants: [base, trap]
per_variant: 10
levels: [4, 5, 6]
"""

ROSTER = """\
entrants:
  - {id: exact, name: Exact solver, provider: reference, model: exact, company: Benchpress}
  - {id: adjust-all, name: Adjusts for everything, provider: reference, model: adjust_all, company: Benchpress}
  - {id: ignore-colliders, name: Ignores colliders, provider: reference, model: ignore_colliders, company: Benchpress}
  - {id: random, name: Random guesser, provider: reference, model: random, company: Benchpress}
  - id: smollm2-135m
    name: SmolLM2 135M Instruct
    provider: local
    model: smollm2-135m-instruct
    company: Hugging Face
    openness: open
    size_class: tiny
    reasoning: false
    launch_date: 2024-11-02
    params: {max_tokens: 96, threads: 2}
"""

REFERENCES = ("exact", "adjust-all", "ignore-colliders", "random")


def main() -> None:
    started = time.monotonic()
    shutil.rmtree(HOME, ignore_errors=True)
    HOME.mkdir(parents=True)
    (HOME / "recipe.yaml").write_text(RECIPE, encoding="utf-8")
    (HOME / "models.yaml").write_text(ROSTER, encoding="utf-8")
    entrants = [word for name in REFERENCES for word in ("--entrant", name)]
    call("seal", "--recipe", HOME / "recipe.yaml", "--passphrase")
    call("run", "demo", *entrants)
    call("run", "demo", "--entrant", "smollm2-135m", "--limit", "15")
    call("score", "demo")
    call("stats", "demo")
    call("export", "demo", "--out", HOME / "data")
    call("site", "build", "--data", HOME / "data", "--out", SITE)
    print(f"\nDone in {time.monotonic() - started:.0f} s. Open {SITE / 'index.html'} in a browser,")
    print("or `.venv/bin/benchpress site serve --data build/demo/data` and go to the address it prints.")


def call(*words: object) -> None:
    """Show a command and run it; the demo ends where one fails."""
    line = [str(word) for word in words]
    shown = (word.replace(f"{ROOT}{os.sep}", "") for word in line)
    print("\n$ benchpress " + " ".join(shown), flush=True)
    if subprocess.run([BENCHPRESS, *line], env=ENVIRONMENT, check=False).returncode:
        sys.exit("the demo stopped: the command above failed")


ENVIRONMENT = {**os.environ, "BENCHPRESS_HOME": str(HOME), "BENCHPRESS_PASSPHRASE": secrets.token_hex(16)}

if __name__ == "__main__":
    main()
