"""The life of a version through the program: two recipients, public randomness in two steps, drill, rotate, reveal."""

import json
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from benchpress.commitment import Reveal
from installed import Program, one_line_error
from pydantic import TypeAdapter

RECIPE = """\
version: trial-v1
module: causal
bundles: [confounding]
variants: [base]
per_variant: 20
levels: [4]
"""


@pytest.fixture
def keys(program: Program, tmp_path: Path) -> Path:
    """Two key files and the recipients of both."""
    lines = []
    for holder in ("maintainer", "recovery"):
        public = program("keys", "new", "--out", f"{holder}.key").stdout.strip()
        lines += [f"# {holder}", public]
    recipients = tmp_path / "recipients.txt"
    recipients.write_text("\n".join(lines) + "\n")
    (tmp_path / "recipe.yaml").write_text(RECIPE)
    return recipients


def test_from_a_secret_to_its_reveal(program: Program, tmp_path: Path, keys: Path) -> None:
    assert (tmp_path / "maintainer.key").stat().st_mode & 0o077 == 0
    one_line_error(program("keys", "new", "--out", "maintainer.key"))
    me = {"BENCHPRESS_IDENTITY_FILE": str(tmp_path / "maintainer.key")}

    done = program("seal", "--recipe", "recipe.yaml", "--recipients", keys)
    assert done.returncode == 0, done.stderr
    assert "never change" in one_line_error(program("seal", "--recipe", "recipe.yaml", "--recipients", keys))
    assert program("doctor", "trial-v1", **me).returncode == 0
    drill = json.loads(program("keys", "drill", "trial-v1", "--json", **me).stdout)
    assert [one["opened"] for one in drill] == [True, None]
    assert "key" in one_line_error(program("keys", "drill", "trial-v1"))

    commitment = tmp_path / "private" / "trial-v1.commitment.json"
    assert "--yes" in one_line_error(program("reveal", "trial-v1", "--out", "reveal.json", **me))
    assert program("reveal", "trial-v1", "--out", "reveal.json", "--yes", **me).returncode == 0
    done = program("check-reveal", commitment, "reveal.json")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "20 items" in done.stdout

    value = json.loads((tmp_path / "reveal.json").read_text())
    assert TypeAdapter(Reveal).validate_python(value).to_json() == value
    value["secret"] = "00" * 32
    (tmp_path / "reveal.json").write_text(json.dumps(value))
    done = program("check-reveal", commitment, "reveal.json")
    assert done.returncode == 1
    assert "seed commitment" in done.stdout


def test_public_randomness_in_two_steps(program: Program, tmp_path: Path, keys: Path) -> None:
    me = {"BENCHPRESS_IDENTITY_FILE": str(tmp_path / "maintainer.key")}
    when = datetime.now(UTC) + timedelta(seconds=25)
    waiting = ("--beacon", "drand round 9", "--beacon-time", when.strftime("%Y-%m-%dT%H:%M:%SZ"))
    done = program("seal", "--recipe", "recipe.yaml", "--recipients", keys, *waiting)
    assert done.returncode == 0, done.stderr
    seed = json.loads((tmp_path / "private" / "trial-v1.commitment.json").read_text())
    assert seed["stage"] == "seed"
    assert "root" not in seed
    time.sleep(max(0.0, (when - datetime.now(UTC)).total_seconds() + 1))
    done = program("seal", "--recipe", "recipe.yaml", "--beacon-value", "abc123", **me)
    assert done.returncode == 0, done.stderr
    whole = json.loads((tmp_path / "private" / "trial-v1.commitment.json").read_text())
    assert whole["stage"] == "items"
    assert whole["seed_commit"] == seed["seed_commit"]
    assert whole["beacon"]["value"] == "abc123"
    one_line_error(program("seal", "--recipe", "recipe.yaml", "--beacon-value", "other", **me))


def test_a_public_value_cannot_come_before_its_time(program: Program, tmp_path: Path, keys: Path) -> None:
    me = {"BENCHPRESS_IDENTITY_FILE": str(tmp_path / "maintainer.key")}
    waiting = ("--beacon", "drand round 9", "--beacon-time", "2099-01-01T00:00:00Z")
    assert program("seal", "--recipe", "recipe.yaml", "--recipients", keys, *waiting).returncode == 0
    assert "wait" in one_line_error(program("seal", "--recipe", "recipe.yaml", "--beacon-value", "abc123", **me))


def test_rotation_and_a_new_holder(program: Program, tmp_path: Path, keys: Path) -> None:
    me = {"BENCHPRESS_IDENTITY_FILE": str(tmp_path / "maintainer.key")}
    assert program("seal", "--recipe", "recipe.yaml", "--recipients", keys).returncode == 0
    public = program("keys", "new", "--out", "deputy.key").stdout.strip()
    (tmp_path / "deputy.txt").write_text(f"# deputy\n{public}\n")
    assert program("keys", "add", "trial-v1", "--recipients", "deputy.txt", **me).returncode == 0
    deputy = {"BENCHPRESS_IDENTITY_FILE": str(tmp_path / "deputy.key")}
    assert program("keys", "drill", "trial-v1", **deputy).returncode == 0
    done = program("keys", "rotate", "trial-v1", "--recipients", keys, **deputy)
    assert done.returncode == 0, done.stderr
    assert "copies" in done.stdout
    one_line_error(program("keys", "drill", "trial-v1", **deputy))
    assert program("keys", "drill", "trial-v1", **me).returncode == 0
    one_line_error(program("keys", "rotate", "trial-v1", "--recipients", "deputy.txt", **me))


def test_an_interrupted_seal_can_be_done_again(program: Program, tmp_path: Path, keys: Path) -> None:
    assert program("seal", "--recipe", "recipe.yaml", "--recipients", keys).returncode == 0
    (tmp_path / "private" / "trial-v1.commitment.json").unlink()
    assert program("seal", "--recipe", "recipe.yaml", "--recipients", keys).returncode == 0
