"""The distributions as a stranger gets them: built, installed into an empty environment, used elsewhere."""

import json
import os
import re
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
from installed import ROOT, one_line_error

pytestmark = pytest.mark.xdist_group("packages")

PACKAGES = {"generator": "benchpress", "evaluator": "benchpress_evaluator", "site": "benchpress_site"}


def run(*words: object, cwd: Path) -> subprocess.CompletedProcess[str]:
    # What the tests' own environment sets must not leak in.
    kept = {name: os.environ[name] for name in os.environ if not name.startswith(("PYTHON", "BENCHPRESS", "VIRTUAL"))}
    return subprocess.run(
        list(map(str, words)), capture_output=True, text=True, cwd=cwd, env=kept, timeout=600, check=False
    )


def call(*words: object, cwd: Path) -> str:
    done = run(*words, cwd=cwd)
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


def environment(place: Path, dist: Path, *names: str) -> Path:
    """A fresh environment with nothing but these of our wheels and what they ask for; its folder of programs."""
    call(sys.executable, "-m", "venv", place / "env", cwd=place)
    lines = (ROOT / "requirements" / "run.txt").read_text().splitlines()
    versions = place / "versions.txt"
    versions.write_text(
        "\n".join(line.split(" \\")[0].split("[")[0] for line in lines if "==" in line and "[" not in line)
    )
    wheels = [wheel for name in names for wheel in dist.glob(f"benchpress_{name}-*.whl")]
    call(place / "env" / "bin" / "pip", "install", "-q", "-c", versions, *wheels, cwd=place)
    return place / "env" / "bin"


@pytest.fixture(scope="session")
def alone(dist: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Nothing but `pip install benchpress-generator`."""
    return environment(tmp_path_factory.mktemp("alone"), dist, "generator")


@pytest.fixture(scope="session")
def site_alone(alone: Path, dist: Path) -> Path:
    """The generator's environment, with the site and without the evaluator."""
    call(alone / "pip", "install", "-q", *dist.glob("benchpress_site-*.whl"), cwd=alone)
    return alone


@pytest.fixture(scope="session")
def evaluator_alone(dist: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The evaluator and what it asks for, which is the generator and not the site."""
    return environment(tmp_path_factory.mktemp("evaluator"), dist, "generator", "evaluator")


@pytest.fixture(scope="session")
def exported(evaluator_alone: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An empty folder in which the evaluator's wheels generated, ran, scored and exported."""
    place, program = tmp_path_factory.mktemp("exported"), evaluator_alone / "benchpress"
    drawing = ("--module", "causal", "--bundle", "simpson", "--n", 4, "--seed", 1)
    call(program, "generate", *drawing, "--out", "a.jsonl", cwd=place)
    (place / "models.yaml").write_text(
        "entrants:\n  - {id: exact, name: Exact solver, provider: reference, model: exact}\n"
    )
    call(program, "run", "--items", "a.jsonl", cwd=place)
    told = json.loads(call(program, "score", "--items", "a.jsonl", "--json", cwd=place))
    assert [(row["entrant"], row["correct"]) for row in told] == [("exact", 20)]
    call(program, "export", "--items", "a.jsonl", "--out", "data", cwd=place)
    call(program, "check-publication", "data", cwd=place)
    return place


@pytest.mark.parametrize("name", PACKAGES)
def test_a_wheel_from_the_source_distribution_is_the_wheel(name: str, dist: Path, tmp_path: Path) -> None:
    stem = f"benchpress_{name}-"
    (source,) = dist.glob(f"{stem}*.tar.gz")
    (wheel,) = dist.glob(f"{stem}*.whl")
    shutil.unpack_archive(source, tmp_path)
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


def test_the_site_alone_builds_all_its_pages_from_exported_data(
    site_alone: Path, exported: Path, tmp_path: Path
) -> None:
    shutil.copytree(exported / "data", tmp_path / "data")
    told = call(site_alone / "benchpress", "site", "build", "--strict", cwd=tmp_path)
    assert "The site is in build/site;" in told
    site = tmp_path / "build" / "site"
    (version,) = json.loads((tmp_path / "data" / "versions.json").read_text())["versions"]
    for board in (site / "index.html", site / version["version"] / "index.html"):
        assert len(re.findall(r'<tr[^>]* data-slug="exact"', board.read_text())) == 1, board
        assert "Exact solver" in board.read_text()
    pages = {path.relative_to(site).as_posix(): path.read_text() for path in site.rglob("*.html")}
    # Every page of prose, and what the program says about itself.
    prose = {path.stem for path in (ROOT / "docs").glob("*.md")} - {"index"}
    assert len(prose) > 20
    assert {f"{name}/index.html" for name in prose | {"reference/commands", "reference/seams"}} <= pages.keys()
    assert "benchpress.items.Item" in pages["reference/api/index.html"]
    shown = {name: re.sub(r"(?s)<(code|script|style)\b.*?</\1>", "", text) for name, text in pages.items()}
    broken = re.compile(r"\{\{|\{%|%\}|\bUndefined\b|TemplateNotFound")
    assert [name for name, text in shown.items() if broken.search(text)] == []
    for page, text in pages.items():
        for address in re.findall(r'(?:href|src)="([^"#?]+)', text):
            if page == "404.html" or re.match(r"[a-z]+:", address):
                continue
            target = (site / page).parent / address
            assert (target / "index.html" if target.is_dir() else target).is_file(), (page, address)


def test_the_same_pages_come_from_all_three_together(
    evaluator_alone: Path, dist: Path, exported: Path, tmp_path: Path
) -> None:
    call(evaluator_alone / "pip", "install", "-q", *dist.glob("benchpress_site-*.whl"), cwd=tmp_path)
    words = ("site", "build", "--strict", "--data", exported / "data", "--out", "pages")
    call(evaluator_alone / "benchpress", *words, cwd=tmp_path)
    assert 'data-slug="exact"' in (tmp_path / "pages" / "index.html").read_text()


@pytest.mark.parametrize(
    ("words", "says"),
    [((), "no published data here"), (("--data", "."), "no versions.json in"), (("--data", "x"), "no folder x")],
)
def test_a_site_without_data_is_one_clear_line(
    words: tuple[str, ...], says: str, site_alone: Path, tmp_path: Path
) -> None:
    done = run(site_alone / "benchpress", "site", "build", *words, cwd=tmp_path)
    assert says in one_line_error(done)
    assert list(tmp_path.iterdir()) == []
