"""The contamination audit: an entrant that knows a version by heart is found out by a fresh sample, others are not."""

import json
import os
import shutil
import subprocess
from dataclasses import asdict
from pathlib import Path

import pytest
from benchpress.publication import Contamination, Runs
from benchpress.recipe import recipe_of
from benchpress_evaluator.audits import audit_name, audit_numbers, fresh_recipe, is_due
from benchpress_evaluator.publishing.model_json import ModelResults
from benchpress_evaluator.storage import open_storage
from installed import BENCHPRESS, Program, one_line_error
from pydantic import TypeAdapter

pytestmark = pytest.mark.xdist_group("audit_command")

RECIPE = """\
version: trial
module: causal
bundles: [confounding]
variants: [base, trap]
per_variant: 20
levels: [4, 5]
run_policy: {audit: {every_days: 30, alarm_points: 10}}
"""
ROSTER = """\
entrants:
  - {id: exact, provider: reference, model: exact}
  - {id: by-heart, provider: "heart:ByHeart", model: exact, retention: training}
  - {id: random, provider: reference, model: random}
"""
HEART = """\
from pathlib import Path
from benchpress_evaluator.providers.reference import Reference
from benchpress_evaluator.records import Completion

SEEN = Path(__file__).with_name("seen.txt")


class ByHeart(Reference):
    paid = True

    async def complete(self, request):
        prompt = request.messages[-1].content
        learning = not SEEN.with_name("learned").exists()
        if learning:
            with SEEN.open("a") as file:
                file.write(repr(prompt) + "\\n")
        if learning or repr(prompt) in SEEN.read_text().splitlines():
            return await super().complete(request)
        return Completion("I do not know this one.", "stop")
"""
PUBLIC = ("generate", "--module", "causal", "--bundle", "confounding", "--variant", "base", "--seed", "1")
RECIPIENTS = ("maintainer", "recovery")


def call(home: Path, *words: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "BENCHPRESS_HOME": str(home), "PYTHONPATH": str(home)}
    environment["BENCHPRESS_IDENTITY_FILE"] = str(home / "maintainer.key")
    return subprocess.run(
        [BENCHPRESS, *words], cwd=home, env=environment, capture_output=True, text=True, check=False, timeout=240
    )


@pytest.fixture(scope="module")
def audited(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, subprocess.CompletedProcess[str]]:
    """A workspace in which a version was run by all and audited, and what the audit said."""
    home = tmp_path_factory.mktemp("audited")
    (home / "recipe.yaml").write_text(RECIPE)
    (home / "models.yaml").write_text(ROSTER)
    (home / "heart.py").write_text(HEART)
    lines = [f"# {one}\n{call(home, 'keys', 'new', '--out', f'{one}.key').stdout}" for one in RECIPIENTS]
    (home / "recipients.txt").write_text("".join(lines))
    for words in (["seal", "--recipe", "recipe.yaml", "--recipients", "recipients.txt"], ["run", "trial"]):
        done = call(home, *words)
        assert done.returncode == 0, done.stderr
    assert "score" in one_line_error(call(home, "audit", "trial"))
    assert call(home, "score", "trial").returncode == 0
    (home / "learned").touch()
    return home, call(home, "audit", "trial", "--json")


@pytest.fixture
def home(audited: tuple[Path, object], tmp_path: Path) -> Path:
    return Path(shutil.copytree(audited[0], tmp_path / "home"))


def test_who_knows_the_items_by_heart_is_found_and_nobody_else(audited) -> None:
    home, done = audited
    assert done.returncode == 1
    assert "alarm" in done.stderr
    rows = {row["entrant"]: row for row in json.loads(done.stdout)["rows"]}
    assert (rows["by-heart"]["canonical"], rows["by-heart"]["fresh"], rows["by-heart"]["gap"]) == (1, 0, 1)
    assert {name for name, row in rows.items() if row["flagged"]} == {"by-heart"}
    assert rows["exact"]["gap"] == 0
    assert rows["by-heart"]["p_holm"] < 0.01 < rows["random"]["p_holm"]
    commitments = [
        json.loads((home / "private" / f"{name}.commitment.json").read_text()) for name in ("trial", "trial-audit-1")
    ]
    assert commitments[0]["seed_commit"] != commitments[1]["seed_commit"]
    assert commitments[0]["root"] != commitments[1]["root"]
    assert [one["recipe"]["levels"] for one in commitments] == [[4, 5], [4, 5]]


def test_the_same_command_goes_on_and_new_draws_another(home: Path) -> None:
    call(home, "audit", "trial")
    storage = open_storage(home / "private")
    assert audit_numbers(storage, "trial") == [1]
    register = json.loads((home / "private" / "trial-audit-1" / "runs.json").read_text())
    assert {run["entrant"]: run["planned_shards"] for run in register["runs"]} == {
        "exact": 1,
        "by-heart": 1,
        "random": 1,
    }
    done = call(home, "audit", "trial", "--new", "--per-variant", "15", "--entrant", "exact", "--json")
    assert done.returncode == 0, done.stderr
    assert [row["entrant"] for row in json.loads(done.stdout)["rows"]] == ["exact"]
    assert audit_numbers(storage, "trial") == [1, 2]
    assert json.loads((home / "private" / "trial-audit-2.commitment.json").read_text())["items"] == 30
    assert call(home, "export", "trial", "--out", "data").returncode == 0
    page = json.loads((home / "data" / "trial" / "contamination.json").read_text())
    assert (page["fresh"], [row["slug"] for row in page["rows"]]) == ("trial-audit-2", ["exact"])
    history = json.loads((home / "data" / "trial" / "changelog.json").read_text())["changes"]
    told = [change["text"] for change in history if change["kind"] == "audit"]
    assert ["by-heart" in text for text in told] == [True, False], "an alarm stays on record"
    assert "itself a fresh sample" in one_line_error(call(home, "audit", "trial-audit-2"))


def test_the_publication_shows_the_alarm_and_the_exposure(home: Path) -> None:
    assert call(home, *PUBLIC, "--n", "25", "--out", "public.jsonl").returncode == 0
    assert call(home, "run", "--items", "public.jsonl").returncode == 0
    assert call(home, "score", "--items", "public.jsonl").returncode == 0
    done = call(home, "export", "trial", "--out", "data", "--public", "public.jsonl")
    assert done.returncode == 0, done.stderr
    page = Contamination.model_validate_json((home / "data" / "trial" / "contamination.json").read_bytes())
    assert (page.alarm_threshold, page.every_days, page.fresh) == (0.1, 30, "trial-audit-1")
    assert (page.canonical_items, page.fresh_items) == (40, 40)
    assert [row.slug for row in page.rows if row.flagged] == ["by-heart"]
    assert "by-heart" in page.sentence
    assert [(line.slug, line.retention, line.first) for line in page.exposures] == [("by-heart", "training", True)]
    board = json.loads((home / "data" / "trial" / "leaderboard.json").read_text())
    rows = {row["entrant"]["slug"]: row for row in board["rows"]}
    # It has learned the version, and never saw the public items.
    assert rows["by-heart"]["public_minus_private"] == -1
    assert rows["exact"]["public_minus_private"] == 0
    model = json.loads((home / "data" / "trial" / "models" / "by-heart.json").read_text())
    assert model["public_gap"]["value"] == -1
    exposures = Runs.model_validate_json((home / "data" / "trial" / "runs.json").read_bytes()).exposures
    assert [(line.slug, line.retention, line.first) for line in exposures] == [("by-heart", "training", True)]
    assert rows["by-heart"]["first_exposure"] == exposures[0].date
    assert rows["exact"]["first_exposure"] is None
    history = json.loads((home / "data" / "trial" / "changelog.json").read_text())
    assert {change["kind"] for change in history["changes"]} == {"audit", "run", "major"}


def test_a_retired_and_revealed_version_keeps_its_pages_and_stays_so(home: Path) -> None:
    assert "sealed versions" in one_line_error(
        call(home, "export", "--items", _public(home), "--out", "other", "--retired", "no use")
    )
    assert call(home, "reveal", "trial-audit-1", "--yes", "--out", "wrong.json").returncode == 0
    assert "not the reveal of trial" in one_line_error(
        call(home, "export", "trial", "--out", "data", "--reveal", "wrong.json")
    )
    assert call(home, "reveal", "trial", "--yes", "--out", "reveal.json").returncode == 0
    assert call(home, "export", "trial", "--out", "data", "--reveal", "reveal.json").returncode == 0
    for _ in range(2):
        entry = json.loads((home / "data" / "versions.json").read_text())["versions"][0]
        assert entry["status"] == "retired"
        assert "revealed" in entry["note"]
        assert json.loads((home / "data" / "trial" / "commitment.json").read_text())["revealed"] is True
        first = json.loads((home / "data" / "trial" / "changelog.json").read_text())["changes"][0]
        assert first["kind"] == "retired"
        assert (home / "data" / "trial" / "models" / "exact.json").is_file()
        assert call(home, "export", "trial", "--out", "data").returncode == 0
    assert call(home, "check-publication", "data").returncode == 0
    done = call(home, "check-reveal", "data/trial/version.json", "reveal.json")
    assert done.returncode == 0, done.stdout
    assert "trial is what was committed: 40 items" in done.stdout


def _public(home: Path) -> str:
    words = (
        "generate",
        "--module",
        "causal",
        "--bundle",
        "confounding",
        "--variant",
        "base",
        "--n",
        "2",
        "--seed",
        "1",
    )
    call(home, *words, "--out", "few.jsonl")
    call(home, "run", "--items", "few.jsonl", "--entrant", "exact")
    call(home, "score", "--items", "few.jsonl")
    return "few.jsonl"


def test_every_answer_as_model_json_is_encrypted_for_a_sealed_version(home: Path) -> None:
    import pyrage

    done = call(home, "export", "trial", "--format", "model-json")
    assert done.returncode == 0, done.stderr
    folder = home / "private" / "trial" / "models"
    assert sorted(path.name for path in folder.iterdir()) == ["by-heart.json.age", "exact.json.age", "random.json.age"]
    key = next(line for line in (home / "recovery.key").read_text().splitlines() if line.startswith("AGE-SECRET"))
    view = json.loads(pyrage.decrypt((folder / "exact.json.age").read_bytes(), [pyrage.x25519.Identity.from_str(key)]))
    assert asdict(TypeAdapter(ModelResults).validate_python(view)) == view
    assert len(view["runs"]) == 40
    for runs in view["runs"].values():
        assert [(run["status"], run["item_correct"], run["run"]) for run in runs] == [("ok", True, 1)]
        assert runs[0]["content"]
        assert all("expected" not in part and part["correct"] for part in runs[0]["parts"])
    assert call(home, "export", "--items", _public(home), "--format", "model-json", "--out", "views").returncode == 0
    public = json.loads((home / "views" / "exact.json").read_text())
    assert all(part["expected"] for runs in public["runs"].values() for part in runs[0]["parts"])


def test_a_sample_is_due_by_the_age_of_the_last_one(tmp_path: Path) -> None:
    storage = open_storage(tmp_path)
    assert is_due(storage, "v1", 30, "2026-02-01T00:00:00Z")
    for number, day in ((1, "2026-01-01"), (10, "2026-01-20"), (2, "2026-01-10")):
        name = f"{audit_name('v1', number)}.commitment.json"
        storage.write(name, json.dumps({"time": f"{day}T12:00:00Z"}).encode(), expected=None)
    assert audit_numbers(storage, "v1") == [1, 2, 10]
    assert not is_due(storage, "v1", 30, "2026-02-19T11:00:00Z")
    assert is_due(storage, "v1", 30, "2026-02-19T12:00:00Z")


def test_a_fresh_sample_has_the_recipe_and_publishes_no_margin() -> None:
    import yaml

    recipe = recipe_of(yaml.safe_load(RECIPE), "recipe")
    fresh = fresh_recipe(recipe, "trial-audit-1", None)
    assert [(a.bundle, a.variant, a.level, a.index) for a in fresh.addresses] == [
        (a.bundle, a.variant, a.level, a.index) for a in recipe.addresses
    ]
    assert fresh.margins == ()
    assert len(fresh_recipe(recipe, "trial-audit-1", 10).addresses) == 20


def test_an_audit_of_what_is_not_there_is_one_line(program: Program) -> None:
    assert "no version 'nosuch'" in one_line_error(program("audit", "nosuch"))
