"""Same arguments, same bytes: whatever the hash seed, the workers and the library versions."""

import hashlib
from pathlib import Path

import pytest
from installed import Program

PINNED = {
    "causal": "a14c84b6e4560176b711fdee7508765aed0b99770d0fd54dfecbc66aa0c6f08d",
    "choice": "7f02d40b4d0f5181e1aacc7d3b1911c7d46c7e74e209efc784b3b613aedb531c",
    "replay": "21e38185371f67537fbcdba5ec71a94ecf904129658b3c426161e09d7927d056",
}
"""SHA-256 of the practice sets below. They change only when the generator changes what it draws or prints."""


@pytest.mark.parametrize(("hash_seed", "workers"), [("0", "1"), ("4242", "2")])
@pytest.mark.parametrize("module", PINNED)
def test_the_practice_set_has_its_pinned_digest(
    program: Program, tmp_path: Path, module: str, hash_seed: str, workers: str
) -> None:
    path = tmp_path / "items.jsonl"
    words = ("generate", "--module", module, "--level", "5", "--n", "4", "--seed", "1", "--workers", workers)
    done = program(*words, "--out", path, PYTHONHASHSEED=hash_seed)
    assert done.returncode == 0, done.stderr
    assert hashlib.sha256(path.read_bytes()).hexdigest() == PINNED[module]
