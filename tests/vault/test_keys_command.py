"""`benchpress keys`: a key file is whole or not there, and AWS KMS can keep an identity."""

import subprocess
from pathlib import Path

import pyrage
import pytest
from benchpress_evaluator.vault.identities import find_identities
from installed import BENCHPRESS, Program, one_line_error
from servers import ADMIN, Server


def test_a_key_that_cannot_be_written_whole_leaves_no_file(tmp_path: Path) -> None:
    done = subprocess.run(
        ["bash", "-c", f"ulimit -f 0; exec '{BENCHPRESS}' keys new --out me.key"],
        cwd=tmp_path, capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip
    assert "cannot write me.key" in one_line_error(done)
    assert done.stdout == ""
    assert list(tmp_path.iterdir()) == []


def test_a_wrapped_key_opens_by_kms_alone_and_is_never_overwritten(
    program: Program, moto: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import boto3

    moto.act_as(monkeypatch, ADMIN)
    key = boto3.session.Session().client("kms").create_key()["KeyMetadata"]["KeyId"]
    public = program("keys", "new", "--out", "me.key").stdout.strip()
    wrap = ("keys", "wrap", "--identity", "me.key", "--kms")
    done = program(*wrap, key, "--out", "me.kms")
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == public
    held = (tmp_path / "me.kms").read_bytes()
    assert b"AGE-SECRET-KEY" not in held
    assert (tmp_path / "me.kms").stat().st_mode & 0o077 == 0
    assert [one.public for one in find_identities((), {"BENCHPRESS_IDENTITY_KMS": str(tmp_path / "me.kms")})] == [
        public
    ]
    assert "never overwritten" in one_line_error(program(*wrap, key, "--out", "me.kms"))
    assert (tmp_path / "me.kms").read_bytes() == held
    assert "AWS KMS refuses" in one_line_error(program(*wrap, "00000000-0000-0000-0000-000000000000", "--out", "x.kms"))
    assert "no identity" in one_line_error(
        program("keys", "wrap", "--identity", "me.kms", "--kms", key, "--out", "x.kms")
    )
    assert "nowhere" in one_line_error(program("keys", "wrap", "--identity", "nowhere", "--kms", key, "--out", "x.kms"))
    assert not (tmp_path / "x.kms").exists()


def test_kms_takes_the_place_of_a_passphrase(
    program: Program, moto: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import boto3

    moto.act_as(monkeypatch, ADMIN)
    key = boto3.session.Session().client("kms").create_key()["KeyMetadata"]["KeyId"]
    public = program("keys", "new", "--out", "me.key").stdout.strip()
    (tmp_path / "locked.age").write_bytes(
        pyrage.passphrase.encrypt((tmp_path / "me.key").read_bytes(), "correct horse")
    )
    wrap = ("keys", "wrap", "--identity", "locked.age", "--kms", key, "--out", "me.kms")
    assert program(*wrap, BENCHPRESS_PASSPHRASE="correct horse").stdout.strip() == public
    assert [one.public for one in find_identities((), {"BENCHPRESS_IDENTITY_KMS": str(tmp_path / "me.kms")})] == [
        public
    ]
