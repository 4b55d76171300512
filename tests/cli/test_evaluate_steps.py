"""The steps of the evaluate workflow, from an empty checkout to a pushed commit, in two shards, on a real S3 server."""

import json
import os
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

import pytest
import yaml
from benchpress.publication.check import check_publication
from benchpress_evaluator.storage import open_storage
from installed import BENCHPRESS, ROOT
from servers import ADMIN, BUCKET, Server

RECIPE = """\
version: trial-v1
module: causal
bundles: [confounding]
variants: [base]
per_variant: 20
levels: [4]
"""
ROSTER = """\
entrants:
  - {id: exact, provider: "steady:Steady", model: exact, retention: none}
  - {id: adjust-all, provider: "steady:Steady", model: adjust_all}
  - {id: random, provider: "steady:Steady", model: random}
"""
STEADY = """\
from dataclasses import replace
from benchpress_evaluator.providers.reference import Reference

class Steady(Reference):
    paid = True  # as if the items left this machine

    async def complete(self, request):
        return replace(await super().complete(request), latency_s=len(request.messages[-1].content) / 1000)
"""
GIT = {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull}


@dataclass(frozen=True)
class Checkout:
    """A fresh checkout of the repository, with a store and a remote of its own."""

    home: Path
    remote: Path
    environment: dict[str, str]

    def start(self, *words: str) -> subprocess.Popen[str]:
        return subprocess.Popen(
            ["tools/evaluate.sh", *words], cwd=self.home, env=self.environment, text=True,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        )  # fmt: skip

    def step(self, *words: str) -> str:
        step = self.start(*words)
        out, errors = step.communicate(timeout=400)
        assert step.returncode == 0, (words, out, errors)
        return out

    def git(self, *words: str) -> str:
        return git(self.home, *words)

    def files(self) -> dict[str, bytes]:
        """What was committed under site/data."""
        names = self.git("ls-tree", "-r", "--name-only", "HEAD", "site/data").splitlines()
        return {name: (self.home / name).read_bytes() for name in names}


def git(folder: Path, *words: str) -> str:
    done = subprocess.run(
        ["git", "-c", "user.name=t", "-c", "user.email=t@example.org", *words], cwd=folder,
        env={**os.environ, **GIT}, capture_output=True, text=True, check=True,
    )  # fmt: skip
    return done.stdout


@pytest.fixture(scope="module")
def sealed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What a maintainer has before the first run: two keys, a sealed version, its commitment."""
    home = tmp_path_factory.mktemp("maintainer")
    (home / "recipe.yaml").write_text(RECIPE)
    recipients = []
    for holder in ("maintainer", "recovery"):
        done = program(home, "keys", "new", "--out", f"{holder}.key")
        recipients += [f"# {holder}", done.stdout.strip()]
    (home / "recipients.txt").write_text("\n".join(recipients) + "\n")
    program(home, "seal", "--recipe", "recipe.yaml", "--recipients", "recipients.txt")
    return home


def program(home: Path, *words: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "BENCHPRESS_HOME": str(home)}
    return subprocess.run(
        [BENCHPRESS, *words], cwd=home, env=environment, capture_output=True, text=True, check=True, timeout=240
    )


@pytest.fixture
def checkout(tmp_path: Path, sealed: Path, seaweed: Server, monkeypatch: pytest.MonkeyPatch):
    seaweed.act_as(monkeypatch, ADMIN)

    def make(name: str) -> Checkout:
        home, remote, store = tmp_path / name, tmp_path / f"{name}.git", f"s3://{BUCKET}/{tmp_path.name}/{name}"
        (home / "tools").mkdir(parents=True)
        shutil.copy(ROOT / "tools" / "evaluate.sh", home / "tools")
        shutil.copy(ROOT / ".gitignore", home)
        (tmp_path / "cache").mkdir(exist_ok=True)
        (home / ".cache").symlink_to(tmp_path / "cache")
        (home / "models.yaml").write_text(ROSTER)
        (home / "steady.py").write_text(STEADY)
        git(home, "init", "--quiet", "--initial-branch", "main")
        git(home, "add", "--all")
        git(home, "commit", "--quiet", "--message", "The code")
        git(tmp_path, "clone", "--quiet", "--bare", str(home), str(remote))
        for file in (sealed / "private").iterdir():
            open_storage(store).write(file.name, file.read_bytes(), expected=None)
        environment = {
            **os.environ,
            **GIT,
            "BENCHPRESS": str(BENCHPRESS),
            "PYTHONPATH": str(home),
            "BENCHPRESS_VERSION": "trial-v1",
            "BENCHPRESS_ENTRANTS": "exact  adjust-all random",
            "BENCHPRESS_STORE": store,
            "BENCHPRESS_IDENTITY_FILE": str(sealed / "maintainer.key"),
            "BENCHPRESS_REMOTE": str(remote),
            "BENCHPRESS_BRANCH": "main",
        }
        return Checkout(home, remote, environment)

    return make


def test_two_machines_publish_what_one_does_and_an_audit_joins_it(checkout) -> None:
    two, one = checkout("two"), checkout("one")
    shards = json.loads(two.step("shards", "2"))
    assert shards == ["1/2", "2/2"]
    two.step("fetch")
    two.step("announce", "2")
    announced = json.loads(two.files()["site/data/trial-v1/runs.json"])
    assert [(run["slug"], run["planned_shards"], run["segments"]) for run in announced["runs"]] == [
        (name, 2, []) for name in ("adjust-all", "exact", "random")
    ]
    assert json.loads(two.files()["site/data/trial-v1/leaderboard.json"])["rows"] == []
    both = [two.start("run", shard) for shard in shards]
    for step in both:
        out, errors = step.communicate(timeout=400)
        assert step.returncode == 0, (out, errors)
    one.step("run", "1/1")
    for place in (two, one):
        place.step("publish")
        assert place.git("status", "--porcelain").split() == []
        assert place.git("show", "--format=", "--name-only", "HEAD").startswith("site/data/")

    mine, theirs = two.files(), one.files()
    assert mine.keys() == theirs.keys()
    # The register says how many machines there were; the list of digests has its digest.
    told = {"site/data/trial-v1/runs.json", "site/data/digests.json"}
    assert {name for name in mine if mine[name] != theirs[name]} == told
    register = json.loads(mine["site/data/trial-v1/runs.json"])
    runs = register["runs"]
    assert [(line["slug"], line["retention"], line["first"]) for line in register["exposures"]] == [
        ("adjust-all", None, True), ("exact", "none", True), ("random", None, True),
    ]  # fmt: skip
    assert {(run["slug"], run["planned_shards"], run["ended"] is None) for run in runs} == {
        (name, 2, False) for name in ("exact", "adjust-all", "random")
    }
    board = json.loads(mine["site/data/trial-v1/leaderboard.json"])
    assert {row["entrant"]["slug"]: row["statuses"]["ok"] for row in board["rows"]} == {
        "exact": 20, "adjust-all": 20, "random": 20,
    }  # fmt: skip

    before = two.git("rev-parse", "HEAD")
    two.step("audit")
    two.step("publish")
    assert two.git("rev-parse", "HEAD~1") == before
    page = json.loads(two.files()["site/data/trial-v1/contamination.json"])
    assert (page["canonical_items"], page["fresh_items"], page["fresh"]) == (20, 20, "trial-v1-audit-1")
    assert {row["slug"] for row in page["rows"]} == {"exact", "adjust-all", "random"}
    two.step("verdict")
    two.step("push")
    assert git(two.remote, "rev-parse", "main:site/data") == two.git("rev-parse", "HEAD:site/data")
    assert check_publication(two.home / "site" / "data") == len(two.files())


def test_an_unfinished_or_hopeless_step_stops_and_says_so(checkout) -> None:
    place = checkout("odd")
    for words in ((), ("nosuch",), ("run",), ("shards", "0"), ("shards", "2; true")):
        step = place.start(*words)
        errors = step.communicate(timeout=60)[1]
        assert (step.returncode, errors.count("\n")) == (2, 1), (words, errors)
        assert errors.startswith("error: ")
    place.environment["BENCHPRESS_IDENTITY_FILE"] = ""
    step = place.start("publish")
    errors = step.communicate(timeout=240)[1].splitlines()
    assert step.returncode == 1
    assert ["needs a key" in errors[0], "is not shown" in errors[1]] == [True, True], errors
    assert place.git("log", "--format=%s").splitlines() == ["The code"]


@pytest.mark.parametrize(("step", "finds"), [(("run", "1/1"), "build/evaluate"), (("publish",), "site/data")])
def test_what_leak_check_stops_is_neither_shown_nor_committed(
    tmp_path: Path, step: tuple[str, ...], finds: str
) -> None:
    """A program that says something private, or exports it, and a leak-check that finds it there."""
    (tmp_path / "tools").mkdir()
    shutil.copy(ROOT / "tools" / "evaluate.sh", tmp_path / "tools")
    fake = tmp_path / "program"
    fake.write_text(
        "#!/bin/sh\n"
        'case "$1" in\n'
        f'leak-check) case "$*" in *{finds}*) echo "found CANARY"; exit 1 ;; esac ;;\n'
        "export) mkdir -p site/data && echo CANARY > site/data/x.json ;;\n"
        "*) echo CANARY; echo CANARY >&2 ;;\n"
        "esac\n"
    )
    fake.chmod(0o755)
    git(tmp_path, "init", "--quiet", "--initial-branch", "main")
    git(tmp_path, "add", "tools")
    git(tmp_path, "commit", "--quiet", "--message", "The code")
    environment = {**os.environ, **GIT, "BENCHPRESS": str(fake), "BENCHPRESS_VERSION": "v1", "BENCHPRESS_STORE": "s"}
    done = subprocess.run(
        ["tools/evaluate.sh", *step], cwd=tmp_path, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 1
    assert git(tmp_path, "log", "--format=%s").splitlines() == ["The code"]
    if finds == "build/evaluate":
        assert "CANARY" not in done.stdout + done.stderr
        assert "is not shown" in done.stderr


def test_the_workflow_calls_the_steps_of_the_script_and_nothing_else() -> None:
    for name, script in (("evaluate", "tools/evaluate.sh"), ("publish", "tools/publish.sh")):
        workflow = yaml.safe_load((ROOT / ".github" / "workflows" / f"{name}.yml").read_text())
        steps = [step for job in workflow["jobs"].values() for step in job["steps"] if "run" in step]
        assert steps
        for step in steps:
            lines = [line.strip() for line in step["run"].splitlines()]
            called = [line for line in lines if script in line]
            assert len(called) == 1, step
            assert all(line == called[0] or line.startswith('echo "shards=') for line in lines), step
