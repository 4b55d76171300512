"""What `doctor` and `leak-check` do where a store or a folder is not as it should be."""

import json
import os
import subprocess
from pathlib import Path

import pytest
from benchpress_evaluator.storage import FolderStorage
from benchpress_evaluator.vault.age import Recipient
from benchpress_evaluator.vault.ceremony import draw, seed_document, store
from benchpress_evaluator.vault.identities import new_identity
from benchpress_evaluator.workspace import commitment_name, sealed_name
from installed import Program, one_line_error
from versions import SAFE, SEEDED


@pytest.fixture
def sealed(tmp_path: Path) -> Path:
    """Two versions in the store of a workspace, sealed and still without items, and the key of both."""
    private, public = new_identity()
    (tmp_path / "me.key").write_text(private)
    folder = tmp_path / "private"
    for version in ("a-v1", "b-v1"):
        draft = draw(version, (Recipient("me", public), SAFE))
        store(FolderStorage(folder), sealed_name(version), draft)
        (folder / commitment_name(version)).write_text(json.dumps(seed_document(draft, SEEDED)))
    (tmp_path / "models.yaml").write_text("entrants:\n  - {id: exact, provider: reference, model: exact}\n")
    return folder


def findings(program: Program, *words: str) -> dict[str, tuple[str, str]]:
    done = program("doctor", *words, "--json", "--identity", "me.key")
    assert done.returncode == 1, done.stderr
    return {one["where"]: (one["check"], one["problem"]) for one in json.loads(done.stdout)["findings"] if one["grave"]}


def test_doctor_tells_of_a_lost_sealed_file_and_of_a_lost_commitment(program: Program, sealed: Path) -> None:
    (sealed / "a-v1.age").unlink()
    (sealed / "b-v1.commitment.json").unlink()
    found = findings(program)
    assert found["a-v1"][0] == "sealed file"
    assert "a-v1.age is missing" in found["a-v1"][1]
    assert found["b-v1"][0] == "commitment"
    assert "b-v1.age has no commitment" in found["b-v1"][1]
    assert findings(program, "a-v1") == {"a-v1": found["a-v1"]}
    assert findings(program, "b-v1") == {"b-v1": found["b-v1"]}
    assert "c-v1" in one_line_error(program("doctor", "c-v1"))


def test_doctor_tells_of_a_damaged_commitment_and_looks_at_the_others_too(program: Program, sealed: Path) -> None:
    (sealed / "a-v1.commitment.json").write_text("{")
    (sealed / "b-v1.age").unlink()
    found = findings(program)
    assert "not valid JSON" in found["a-v1"][1]
    assert found["b-v1"][0] == "sealed file"


def leaks(program: Program, *words: str) -> subprocess.CompletedProcess[str]:
    return program("leak-check", *words, "--identity", "me.key", "--json", "--canaries", "canaries.txt")


def test_a_link_to_a_file_is_looked_into_once_and_a_broken_one_is_told(
    program: Program, sealed: Path, tmp_path: Path
) -> None:
    (tmp_path / "canaries.txt").write_text("CANARY-OF-THE-TEST-4711\n")
    (tmp_path / "elsewhere.txt").write_text("... CANARY-OF-THE-TEST-4711 ...")
    site = tmp_path / "site"
    site.mkdir()
    for name in ("one.txt", "two.txt"):
        (site / name).symlink_to(tmp_path / "elsewhere.txt")
    (site / "broken.txt").symlink_to(tmp_path / "nowhere.txt")
    (site / "circle.txt").symlink_to(site / "circle.txt")
    (site / "endless.txt").symlink_to("/dev/zero")
    os.mkfifo(site / "pipe")
    done = leaks(program, "site")
    assert done.returncode == 1, done.stderr
    value = json.loads(done.stdout)
    assert value["files"] == 3
    kinds = {Path(one["file"]).name: one["kind"] for one in value["findings"]}
    assert kinds == {"one.txt": "canary", "broken.txt": "not read", "circle.txt": "not read"}


def test_an_interrupted_seal_is_named_where_leaks_are_looked_for(
    program: Program, sealed: Path, tmp_path: Path
) -> None:
    for version in ("a-v1", "b-v1"):
        (sealed / f"{version}.commitment.json").unlink()
    done = program("leak-check", "models.yaml", "--identity", "me.key")
    assert "no sealed version" in one_line_error(done)
    assert "b-v1 is not looked for" in done.stderr
