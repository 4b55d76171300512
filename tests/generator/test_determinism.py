"""Same arguments, same bytes: whatever the hash seed, the workers and the library versions."""

import hashlib
from pathlib import Path

import pytest
from installed import Program

PINNED = "a14c84b6e4560176b711fdee7508765aed0b99770d0fd54dfecbc66aa0c6f08d"
"""SHA-256 of the practice set below. It changes only when the generator changes what it draws or prints."""

ARGUMENTS = ("generate", "--module", "causal", "--level", "5", "--n", "4", "--seed", "1")


def digest_of(program: Program, path: Path, *more: str, **environment: str) -> str:
    done = program(*ARGUMENTS, "--out", path, *more, **environment)
    assert done.returncode == 0, done.stderr
    return hashlib.sha256(path.read_bytes()).hexdigest()


@pytest.mark.parametrize(("hash_seed", "workers"), [("0", "1"), ("4242", "2")])
def test_the_practice_set_has_its_pinned_digest(program: Program, tmp_path: Path, hash_seed: str, workers: str) -> None:
    found = digest_of(program, tmp_path / "a.jsonl", "--workers", workers, PYTHONHASHSEED=hash_seed)
    assert found == PINNED
