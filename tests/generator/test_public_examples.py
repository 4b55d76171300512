"""The public examples in the repository are what the program writes, and say of themselves what they are."""

import hashlib
import hmac
import subprocess
import sys
import uuid
from pathlib import Path

from installed import ROOT, Program

SECRET = ROOT / "generator" / "src" / "benchpress" / "recipes" / "causal-public-v1.secret"


def files(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_the_examples_are_made_by_one_command_and_never_by_hand(program: Program, tmp_path: Path) -> None:
    done = program("examples", "--out", "made")
    assert done.returncode == 0, done.stderr
    assert files(tmp_path / "made") == files(ROOT / "public_examples")


def test_every_page_carries_the_canary_of_its_version() -> None:
    digest = bytearray(hmac.new(bytes.fromhex(SECRET.read_text().strip()), b"canary", hashlib.sha256).digest()[:16])
    digest[6], digest[8] = 0x80 | digest[6] & 0x0F, 0x80 | digest[8] & 0x3F
    canary = str(uuid.UUID(bytes=bytes(digest)))
    pages = list((ROOT / "public_examples").rglob("*.md"))
    assert len(pages) > 40
    assert [page.name for page in pages if canary not in page.read_text(encoding="utf-8")] == []


def test_the_program_runs_as_a_module_with_workers_of_its_own(tmp_path: Path) -> None:
    words = ("generate", "--module", "causal", "--bundle", "simpson", "--n", "4", "--seed", "1", "--workers", "2")
    done = subprocess.run(
        [sys.executable, "-m", "benchpress", *words, "--out", tmp_path / "a.jsonl"],
        capture_output=True,
        text=True,
        check=False,
        timeout=240,
    )
    assert done.returncode == 0, done.stderr
    assert len((tmp_path / "a.jsonl").read_text().splitlines()) == 20
