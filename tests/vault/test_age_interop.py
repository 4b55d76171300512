"""Debian's age opens what we seal and we open what it seals; passphrases; keys in AWS KMS."""

import os
import pty
import shutil
import subprocess
import sys
from pathlib import Path

import pyrage
import pytest
from benchpress.errors import UserError
from benchpress_evaluator.storage import open_storage
from benchpress_evaluator.vault.age import Keys, Recipient
from benchpress_evaluator.vault.ceremony import store
from benchpress_evaluator.vault.checks import check_version
from benchpress_evaluator.vault.identities import (
    Identity,
    find_identities,
    new_identity,
    parse_identities,
    wrap_with_kms,
)
from benchpress_evaluator.vault.keys import add_recipients, drill, rotate
from benchpress_evaluator.vault.passphrases import passphrase_from_user
from benchpress_evaluator.vault.sealed import open_sealed, pack
from servers import ADMIN, Server
from versions import ALICE, ALICE_KEY, RELEASE, SAFE, SAFE_KEY, make_version

NAME = "toy-v1.age"
PASSPHRASE = "correct horse battery staple"


@pytest.fixture(scope="session")
def age() -> str:
    """Debian's own age, installed where it is missing."""
    if shutil.which("age") is None:
        script = Path(__file__).parents[2] / "tools" / "debian.sh"
        installed = subprocess.run([script, "age"], capture_output=True, text=True)
        if installed.returncode:
            pytest.skip(f"Debian's age cannot be installed here: {installed.stderr.strip().splitlines()[-1:]}")
    return "age"


def typed(command: list[str], text: str, times: int) -> None:
    """Run a program that asks for a passphrase at its terminal, and type it."""
    child, terminal = pty.fork()
    if child == 0:
        os.execvp(command[0], command)
    asked = b""
    try:
        while chunk := os.read(terminal, 1024):
            asked += chunk
            if asked.count(b"passphrase") > 0 and chunk.rstrip().endswith(b":") and times:
                os.write(terminal, text.encode() + b"\n")
                times -= 1
    except OSError:
        pass  # Linux reports the end of a terminal as an error
    _, status = os.waitpid(child, 0)
    assert status == 0, asked


def test_age_opens_our_file(age: str, tmp_path: Path) -> None:
    private, public = new_identity()
    key = tmp_path / "key.txt"
    key.write_text(private)
    sealed, _ = make_version(recipients=(Recipient("bob", public), SAFE))
    store(open_storage(tmp_path), NAME, sealed)
    opened = subprocess.run([age, "-d", "-i", key, tmp_path / NAME], capture_output=True, check=True)
    assert opened.stdout == pack(sealed)


def test_we_open_a_file_made_by_age(age: str, tmp_path: Path) -> None:
    recipients = tmp_path / "recipients.txt"
    recipients.write_text(f"# alice\n{ALICE.key}\n# recovery, in the safe\n{SAFE.key}\n")
    key = tmp_path / "key.txt"
    subprocess.run(["age-keygen", "-o", key], check=True, capture_output=True)
    (generated,) = find_identities([key], {})
    sealed, commitment = make_version()
    subprocess.run(
        [age, "-R", recipients, "-r", generated.public, "-o", tmp_path / NAME], input=pack(sealed), check=True
    )
    for identity in (ALICE_KEY, SAFE_KEY, generated):
        assert open_sealed(open_storage(tmp_path), NAME, Keys((identity,)), commitment) == sealed


def test_ssh_keys_are_recipients_too(age: str, tmp_path: Path) -> None:
    key = tmp_path / "id_ed25519"
    subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", "carol@host", "-f", key], check=True)
    carol = Recipient("carol", key.with_suffix(".pub").read_text().strip())
    sealed, commitment = make_version(recipients=(carol, SAFE))
    storage = open_storage(tmp_path)
    store(storage, NAME, sealed)
    opened = subprocess.run([age, "-d", "-i", key, tmp_path / NAME], capture_output=True, check=True)
    assert opened.stdout == pack(sealed)
    assert [entry.opened for entry in drill(storage, NAME, Keys(find_identities([key], {})), commitment)] == [
        True,
        None,
    ]
    subprocess.run(["ssh-keygen", "-q", "-p", "-N", "locked-key", "-f", key], check=True, capture_output=True)
    with pytest.raises(UserError, match="unusable ssh key; it must be ed25519 or RSA, without a passphrase"):
        find_identities([key], {})


def test_a_throw_away_version_under_a_passphrase(age: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One test for all of it: the age format makes every attempt slow, ours four times slower than Debian's."""
    storage = open_storage(tmp_path)
    sealed, commitment = make_version(recipients=())
    store(storage, NAME, sealed, passphrase=PASSPHRASE)
    typed([age, "-d", "-o", str(tmp_path / "plain"), str(tmp_path / NAME)], PASSPHRASE, 1)
    assert (tmp_path / "plain").read_bytes() == pack(sealed)
    (tmp_path / NAME).unlink()
    typed([age, "-p", "-o", str(tmp_path / NAME), str(tmp_path / "plain")], PASSPHRASE, 2)
    monkeypatch.delenv("BENCHPRESS_PASSPHRASE", raising=False)
    monkeypatch.setattr(sys, "stdin", open(os.devnull))  # noqa: PTH123, SIM115 - closed with the process
    with pytest.raises(UserError, match=r"passphrase for .*toy-v1\.age is needed: set BENCHPRESS_PASSPHRASE"):
        open_sealed(storage, NAME, Keys(), commitment)
    monkeypatch.setenv("BENCHPRESS_PASSPHRASE", "wrong")
    with pytest.raises(UserError, match=r"wrong passphrase for .*toy-v1\.age; try again"):
        open_sealed(storage, NAME, Keys(), commitment)
    monkeypatch.setenv("BENCHPRESS_PASSPHRASE", PASSPHRASE)
    assert [found.check for found in check_version(storage, NAME, Keys(), commitment, RELEASE)] == ["recipients"]
    with pytest.raises(UserError, match="has a passphrase alone; rotate it"):
        add_recipients(storage, NAME, Keys(), commitment, [ALICE])
    rotate(storage, NAME, Keys(), commitment, [ALICE, SAFE])
    assert open_sealed(storage, NAME, Keys((ALICE_KEY,)), commitment).lines == sealed.lines


def test_a_locked_identity_file_asks_for_its_passphrase(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    private, public = new_identity()
    monkeypatch.setenv("BENCHPRESS_PASSPHRASE", PASSPHRASE)
    file = tmp_path / "recovery.age"
    file.write_bytes(pyrage.passphrase.encrypt(private.encode(), PASSPHRASE, armored=True))
    assert [identity.public for identity in find_identities([file], {})] == [public]


def test_a_passphrase_is_typed_twice_where_it_is_chosen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("BENCHPRESS_PASSPHRASE", raising=False)
    monkeypatch.setattr(sys.stdin, "isatty", lambda: True, raising=False)
    answers = iter(["one", "two", "three", "three", ""])
    monkeypatch.setattr("getpass.getpass", lambda _: next(answers))
    with pytest.raises(UserError, match="not repeated alike"):
        passphrase_from_user("for x", confirm=True)
    assert passphrase_from_user("for x", confirm=True) == "three"
    with pytest.raises(UserError, match="empty"):
        passphrase_from_user("for x")


def test_an_identity_kept_by_kms_opens_a_version(moto: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import boto3

    moto.act_as(monkeypatch, ADMIN)
    keys = boto3.session.Session().client("kms")
    key = keys.create_key()["KeyMetadata"]["KeyId"]
    private, public = new_identity()
    file = tmp_path / "identity.kms"
    file.write_bytes(wrap_with_kms(private, key))
    assert private.encode() not in file.read_bytes()
    sealed, commitment = make_version(recipients=(Recipient("evaluate workflow", public), SAFE))
    storage = open_storage(tmp_path)
    store(storage, NAME, sealed)
    found = find_identities((), {"BENCHPRESS_IDENTITY_KMS": str(file)})
    assert open_sealed(storage, NAME, Keys(found), commitment) == sealed

    def refused(words: str, place: str = str(file)) -> None:
        with pytest.raises(UserError, match=words) as refusal:
            find_identities((), {"BENCHPRESS_IDENTITY_KMS": place})
        assert "\n" not in str(refusal.value)

    other = keys.create_key()["KeyMetadata"]["Arn"]
    whole = file.read_text()
    file.write_text(whole.replace(key, other.rpartition("/")[2]))
    refused("AWS KMS refuses .*check that the key exists")
    file.write_text(whole.replace("kms-identity/1", "kms-identity/2"))
    refused("is no identity encrypted by KMS")
    file.write_text(whole)
    monkeypatch.setenv("AWS_ENDPOINT_URL", "http://127.0.0.1:1")
    refused("AWS KMS cannot be asked")
    refused("does not exist", str(tmp_path / "none"))
    assert isinstance(found[0], Identity)
    with pytest.raises(UserError, match="holds no identity"):
        parse_identities(b"", "an empty file")
