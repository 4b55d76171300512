"""The distributions as a stranger gets them: built, installed into an empty environment, used elsewhere."""

import json
import os
import shutil
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest
from installed import ROOT

pytestmark = pytest.mark.xdist_group("packages")

PACKAGES = {"generator": "benchpress", "evaluator": "benchpress_evaluator", "site": "benchpress_site"}


def call(*words: object, cwd: Path, **more: str) -> str:
    # What the tests' own environment sets must not leak in.
    kept = {name: os.environ[name] for name in os.environ if not name.startswith(("PYTHON", "BENCHPRESS", "VIRTUAL"))}
    done = subprocess.run(
        list(map(str, words)), capture_output=True, text=True, cwd=cwd, env={**kept, **more}, timeout=600, check=False
    )
    assert done.returncode == 0, (words, done.stdout[-2000:], done.stderr[-2000:])
    return done.stdout


@pytest.fixture(scope="session")
def dist(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Source distributions and wheels of all three, built from a copy that holds tracked files only."""
    place = tmp_path_factory.mktemp("packages")
    tracked = call("git", "ls-files", "-z", *PACKAGES, "docs", cwd=ROOT).split("\0")
    for name in filter(None, tracked):
        if (ROOT / name).is_file():
            (place / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, place / name)
    for name in PACKAGES:
        call(sys.executable, "-m", "hatchling", "build", "-d", place / "dist", cwd=place / name)
    return place / "dist"


@pytest.fixture(scope="session")
def alone(dist: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A fresh environment with nothing but `pip install benchpress-generator`."""
    place = tmp_path_factory.mktemp("alone")
    call(sys.executable, "-m", "venv", place / "env", cwd=place)
    (wheel,) = dist.glob("benchpress_generator-*.whl")
    versions = place / "versions.txt"
    lines = (ROOT / "requirements" / "run.txt").read_text().splitlines()
    versions.write_text(
        "\n".join(line.split(" \\")[0].split("[")[0] for line in lines if "==" in line and "[" not in line)
    )
    call(place / "env" / "bin" / "pip", "install", "-q", "-c", versions, wheel, cwd=place)
    return place / "env" / "bin"


@pytest.mark.parametrize("name", PACKAGES)
def test_a_wheel_from_the_source_distribution_is_the_wheel(name: str, dist: Path, tmp_path: Path) -> None:
    stem = f"benchpress_{name}-"
    (source,) = dist.glob(f"{stem}*.tar.gz")
    (wheel,) = dist.glob(f"{stem}*.whl")
    with tarfile.open(source) as archive:
        archive.extractall(tmp_path, filter="data")
    (folder,) = (path for path in tmp_path.iterdir() if path.is_dir())
    call(sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", tmp_path / "again", cwd=folder)
    (again,) = (tmp_path / "again").glob("*.whl")
    with zipfile.ZipFile(wheel) as first, zipfile.ZipFile(again) as second:
        assert {entry.filename: entry.CRC for entry in first.infolist()} == {
            entry.filename: entry.CRC for entry in second.infolist()
        }
        names = first.namelist()
        assert f"{PACKAGES[name]}/py.typed" in names
        assert any(entry.endswith("licenses/LICENSE") for entry in names)
        assert not [entry for entry in names if not entry.startswith(("benchpress",))]


def test_the_generator_alone_generates_verifies_and_grades(alone: Path, tmp_path: Path) -> None:
    program = alone / "benchpress"
    told = call(program, "--help", cwd=tmp_path)
    assert "generate" in told
    assert "seal" not in told
    call(
        program, "generate", "--module", "causal", "--level", 2, "--n", 1, "--seed", 1, "--out", "a.jsonl", cwd=tmp_path
    )
    call(program, "verify", "a.jsonl", cwd=tmp_path)
    items = [json.loads(line) for line in (tmp_path / "a.jsonl").read_text().splitlines()]
    with (tmp_path / "r.jsonl").open("w") as file:
        for item in items:
            said = [
                f"{part['id']}: {'{' + ', '.join(part['gold']) + '}' if part['type'] == 'node_set' else part['gold']}"
                for part in item["parts"]
                if part["type"] in ("node_set", "number", "verdict")
            ]
            file.write(json.dumps({"item_id": item["id"], "text": "\n".join(said)}) + "\n")
    call(program, "grade", "a.jsonl", "r.jsonl", "--out", "s.jsonl", cwd=tmp_path)
    scores = [json.loads(line) for line in (tmp_path / "s.jsonl").read_text().splitlines()]
    wanted = {item["id"]: {part["id"]: part["type"] for part in item["parts"]} for item in items}
    assert all(
        part["correct"] for score in scores for part in score["parts"]
        if wanted[score["item_id"]][part["id"]] in ("node_set", "number", "verdict")
    )  # fmt: skip
    for name in ("item", "response", "score", "recipe", "leaderboard", "commitment"):
        json.loads(call(program, "schema", name, cwd=tmp_path))
    solved = call(program, "modules", "--json", cwd=tmp_path)
    assert {room["module"] for room in json.loads(solved)} >= {"causal", "replay"}


def test_the_evaluator_and_the_site_work_beside_it(alone: Path, dist: Path, tmp_path: Path) -> None:
    wheels = [*dist.glob("benchpress_evaluator-*.whl"), *dist.glob("benchpress_site-*.whl")]
    call(alone / "pip", "install", "-q", *wheels, cwd=tmp_path)
    program = alone / "benchpress"
    call(
        program,
        "generate",
        "--module",
        "causal",
        "--bundle",
        "simpson",
        "--n",
        4,
        "--seed",
        1,
        "--out",
        "a.jsonl",
        cwd=tmp_path,
    )
    (tmp_path / "models.yaml").write_text("entrants:\n  - {id: exact, provider: reference, model: exact}\n")
    home = str(tmp_path)
    call(program, "run", "--items", "a.jsonl", cwd=tmp_path, BENCHPRESS_HOME=home)
    told = json.loads(call(program, "score", "--items", "a.jsonl", "--json", cwd=tmp_path, BENCHPRESS_HOME=home))
    assert [(row["entrant"], row["correct"]) for row in told] == [("exact", 20)]
    call(program, "export", "--items", "a.jsonl", "--out", "data", cwd=tmp_path, BENCHPRESS_HOME=home)
