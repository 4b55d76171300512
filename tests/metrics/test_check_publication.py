"""What publish refuses: anything that is not the publication as it was exported, in one clear line."""

import hashlib
import json
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from benchpress.errors import UserError
from benchpress.publication import DIGESTS, VERSIONS, CommitmentPage
from benchpress.publication.check import check_publication
from benchpress_evaluator.publishing.describe import Description, Release
from benchpress_evaluator.publishing.export import export
from benchpress_evaluator.stats.metric import Settings
from installed import ROOT, Program, one_line_error
from results_by_hand import ability_matrix, answer, entrant, results

Edit = Callable[[dict], None]


@pytest.fixture(scope="module")
def exported(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A publication of a sealed version with two entrants."""
    out = tmp_path_factory.mktemp("publication")
    names, items = ("alpha", "beta"), 120
    rights = ability_matrix((0.7, 0.4), items, 3)
    rows = [
        answer(name, f"i-{i:012x}", [bool(rights[e, i])], bundle=f"b{i % 4}", variant=f"v{i % 5}", level=4 + i % 6)
        for e, name in enumerate(names)
        for i in range(items)
    ]
    plain = {"version": "v1", "seed_commit": "ab", "root": "cd", "items": items, "bundles": {"b0": 30}, "digests": {}}
    commitment = CommitmentPage.model_validate({**plain, "sealed_at": "2026-01-01T00:00:00Z", "revealed": False})
    release = Release("v1", "causal", "Sealed", "current", "2026-01-01", sealed=True)
    described = {name: Description(entrant(name)) for name in names}
    export(results(rows), release, described, commitment, None, out, settings=Settings(resamples=200))
    return out


@pytest.fixture
def data(exported: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(exported, tmp_path / "data"))


def edit(data: Path, name: str, change: Edit, *, relist: bool = True) -> None:
    """Change a published file as somebody would who knows the format, and renew its digest or not."""
    path = data / name
    value = json.loads(path.read_text())
    change(value)
    path.write_text(json.dumps(value, ensure_ascii=False, sort_keys=True, indent=1) + "\n")
    if relist:
        listed = json.loads((data / DIGESTS).read_text())
        listed["files"][name] = hashlib.sha256(path.read_bytes()).hexdigest()
        (data / DIGESTS).write_text(json.dumps(listed, sort_keys=True, indent=1) + "\n")


def test_what_export_writes_is_a_publication(program: Program, data: Path) -> None:
    done = program("check-publication", data)
    assert done.returncode == 0, done.stderr
    assert f"{len([path for path in data.rglob('*') if path.is_file()])} files" in done.stdout


def small(name: str) -> Edit:
    def change(value: dict) -> None:
        value[name][0]["n"] = 19

    return change


@pytest.mark.parametrize(
    ("name", "change", "says"),
    [
        ("v1/leaderboard.json", lambda v: v["rows"][0].update(prompt="Which set ..."), "rows.0.prompt"),
        ("v1/leaderboard.json", lambda v: v["rows"][0].update(correct="80"), "rows.0.correct"),
        ("v1/leaderboard.json", lambda v: v["rows"][0].update(correct=-1), "rows.0.correct"),
        ("v1/leaderboard.json", lambda v: v["rows"][0]["accuracy"].update(value=float("nan")), "leaderboard.json"),
        ("v1/leaderboard.json", lambda v: v["rows"][0]["accuracy"].update(value=1.5), "rows.0.accuracy.value"),
        ("v1/leaderboard.json", lambda v: v.update(version="v2"), "is of version v2, not of v1"),
        ("v1/models/alpha.json", lambda v: v["row"]["entrant"].update(slug="beta"), "is the page of beta"),
        ("v1/models/alpha.json", small("bundles"), "bundles b0 rests on 19 items"),
        ("v1/models/alpha.json", small("variants"), "variants v0 rests on 19 items"),
        ("v1/models/alpha.json", small("levels"), "levels 4 rests on 19 items"),
        ("v1/models/alpha.json", small("parts"), "rests on 19 items"),
        ("v1/pairs.json", small("pairs"), "pair 0, 1 rests on 19 items"),
        ("v1/leaderboard.json", lambda v: v["rows"][0]["statuses"].update(planned=3), "row alpha rests on 3 items"),
        (
            VERSIONS,
            lambda v: v["versions"].append({**v["versions"][0], "version": "v9"}),
            "v9, which has no leaderboard",
        ),
        (VERSIONS, lambda v: v["versions"].append(v["versions"][0]), "lists a version twice"),
        (VERSIONS, lambda v: v["versions"].clear(), "does not list"),
    ],
)
def test_a_changed_file_is_refused_though_its_digest_was_renewed(
    program: Program, data: Path, name: str, change: Edit, says: str
) -> None:
    edit(data, name, change)
    assert says in one_line_error(program("check-publication", data))


def test_a_value_in_a_message_is_not_repeated(program: Program, data: Path) -> None:
    edit(data, "v1/leaderboard.json", lambda v: v["rows"][0].update(method={"SECRET-PROMPT": 1}))
    assert "SECRET" not in one_line_error(program("check-publication", data))


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (lambda d: edit(d, "v1/pareto.json", lambda v: v["axes"].pop(), relist=False), "does not match its digest"),
        (lambda d: (d / "v1" / "pareto.json").unlink(), "listed in digests.json and missing"),
        (lambda d: (d / DIGESTS).unlink(), "digests.json is missing"),
        (lambda d: (d / VERSIONS).unlink(), "is no publication"),
        (lambda d: (d / "v1" / "notes.json").write_text("{}"), "is no file of a publication"),
        (lambda d: (d / "v1" / "models" / "gamma.txt").write_text("x"), "is no file of a publication"),
        (lambda d: (d / ".env").write_text("KEY=1"), "is no file of a publication"),
        (lambda d: shutil.copytree(d / "v1", d / "v0"), "does not list"),
        (lambda d: (d / "v1" / "pairs.json").write_text("{"), "violates the schema"),
        (lambda d: (d / "v1" / "items.json").write_text((d / "v1" / "items.json").read_text() + " "), "not written as"),
        (lambda d: (d / "v1" / "replay.json").symlink_to("/etc/hostname"), "is no file of a publication"),
    ],
)
def test_a_file_that_is_changed_missing_or_added_is_refused(
    program: Program, data: Path, change: Callable[[Path], object], says: str
) -> None:
    change(data)
    assert says in one_line_error(program("check-publication", data))


def test_the_publish_step_stops_there_and_builds_nothing(data: Path, tmp_path: Path) -> None:
    checkout = tmp_path / "checkout"
    (checkout / "tools").mkdir(parents=True)
    shutil.copy(ROOT / "tools" / "publish.sh", checkout / "tools")
    shutil.copytree(data, checkout / "site" / "data")
    edit(checkout / "site" / "data", "v1/models/alpha.json", small("levels"))
    environment = {"PATH": "/usr/bin:/bin", "BENCHPRESS": str(Path(sys.executable).with_name("benchpress"))}
    done = subprocess.run(
        ["tools/publish.sh", "build"], cwd=checkout, env=environment, capture_output=True, text=True, check=False
    )
    assert "rests on 19 items" in one_line_error(done)
    assert not (checkout / "build").exists()


def test_other_versions_keep_the_digests_they_were_published_with(data: Path) -> None:
    """An export never vouches for a file that it did not write."""
    edit(data, "v1/pareto.json", lambda v: v["axes"].pop(), relist=False)
    rows = [answer("alpha", f"i-{i:012x}", [True], version="v2") for i in range(20)]
    release = Release("v2", "causal", "Next", "demo", "2026-02-01", sealed=False)
    export(results(rows), release, {}, None, None, data, settings=Settings(resamples=200))
    with pytest.raises(UserError, match=r"v1/pareto\.json does not match its digest"):
        check_publication(data)
