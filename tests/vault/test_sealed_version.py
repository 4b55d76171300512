"""A sealed version opens only as what was committed, and everything wrong with it is named."""

import json
import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pyrage
import pytest
from benchpress.canonical import canonical_bytes
from benchpress.errors import UserError
from benchpress_evaluator.journal import Journal
from benchpress_evaluator.storage import ConflictError, Storage, open_storage
from benchpress_evaluator.vault.age import Keys, Recipient, check_recipients, read_recipients
from benchpress_evaluator.vault.ceremony import complete, draw, reveal, seed_document, store, with_beacon
from benchpress_evaluator.vault.checks import check_version
from benchpress_evaluator.vault.files import read_encrypted, write_encrypted
from benchpress_evaluator.vault.identities import find_identities, new_identity
from benchpress_evaluator.vault.keys import add_recipients, drill, rotate
from benchpress_evaluator.vault.sealed import open_sealed, pack, unpack
from second_reader import commitment_of, hkdf, mac
from versions import (
    ALICE,
    ALICE_KEY,
    BEACON,
    DIGESTS,
    RECIPE,
    RELEASE,
    REVEALED,
    SAFE,
    SAFE_KEY,
    SEALED,
    SEEDED,
    make_version,
    person,
    toy_items,
)

NAME = "toy-v1.age"
KEYS = Keys((ALICE_KEY,))


@pytest.fixture
def storage(tmp_path: Path) -> Storage:
    return open_storage(tmp_path)


def put(storage: Storage, plain: bytes) -> None:
    """Somebody who can write the file and knows the recipients, as age allows anybody."""
    keys = [pyrage.x25519.Recipient.from_str(person.key) for person in (ALICE, SAFE)]
    found = storage.read_tagged(NAME)
    storage.write(NAME, pyrage.encrypt(plain, keys), expected=found and found[1])


def test_every_recipient_opens_what_was_sealed(storage: Storage) -> None:
    sealed, commitment = make_version()
    store(storage, NAME, sealed)
    for key in (ALICE_KEY, SAFE_KEY):
        assert open_sealed(storage, NAME, Keys((key,)), commitment) == sealed
    assert [item.id for item in sealed.items] == [f"toy-{index}" for index in range(7)]
    assert commitment["bundles"] == {"chain": 4, "fork": 3}
    found = commitment_of(sealed.secret, sealed.salt, None, list(sealed.lines))
    assert found == (commitment["seed_commit"], commitment["root"])


def test_two_versions_share_no_secret_and_no_key() -> None:
    one, _ = make_version()
    two, _ = make_version()
    assert len({one.secret, two.secret, one.salt, two.salt, one.data_secret, two.data_secret}) == 6
    assert len(one.secret) == 32
    assert one.data_key != two.data_key
    assert replace(one, version="toy-v2").data_key != one.data_key
    info = b"benchpress.data/1 toy-v1"
    assert one.data_key == hkdf(one.data_secret, bytes.fromhex(one.seed_commit), info)


def test_nothing_private_is_shown_by_representations_and_messages(storage: Storage) -> None:
    sealed, commitment = make_version()
    store(storage, NAME, sealed)
    shown = repr(sealed) + repr(KEYS) + repr(Keys((), "PASS-CANARY")) + json.dumps(commitment)
    for secret in (sealed.secret, sealed.salt, sealed.data_secret, sealed.data_key):
        assert secret.hex() not in shown
        assert repr(secret) not in shown
    assert "CANARY" not in shown
    assert "AGE-SECRET-KEY" not in shown


def header_with(sealed: Any, **changes: Any) -> bytes:
    first, _, rest = pack(sealed).partition(b"\n")
    return canonical_bytes({**json.loads(first), **changes}) + b"\n" + rest


def with_lines(change: Callable[[list[bytes]], list[bytes]]) -> Callable[[Any], bytes]:
    return lambda sealed: pack(replace(sealed, lines=tuple(change(list(sealed.lines)))))


BROKEN: dict[str, tuple[Callable[[Any], bytes], str]] = {
    "another version": (lambda s: header_with(s, version="toy-v2"), "version 'toy-v2'"),
    "another secret": (lambda s: header_with(s, secret="00" * 32), "secret is another"),
    "another salt": (lambda s: header_with(s, salt="00" * 32), "secret is another"),
    "a secret cut short": (lambda s: header_with(s, secret="00" * 31), "holds no sealed version"),
    "another beacon": (lambda s: header_with(s, beacon={**s.beacon, "value": "ff"}), "beacon"),
    "another beacon source": (lambda s: header_with(s, beacon={**s.beacon, "source": "mine"}), "beacon"),
    "another recipe": (lambda s: header_with(s, recipe={**s.recipe, "items": 9}), "recipe is another"),
    "another format": (lambda s: header_with(s, format="benchpress.sealed/9"), "holds no sealed version"),
    "a missing field": (lambda s: header_with(s, data_secret=None), "holds no sealed version"),
    "another count": (lambda s: header_with(s, items=8), "not complete"),
    "a changed key": (
        with_lines(lambda lines: [lines[0].replace(b"KEY-CANARY", b"KEY-XXXXXX"), *lines[1:]]),
        "items are others",
    ),
    "swapped items": (with_lines(lambda lines: [lines[1], lines[0], *lines[2:]]), "items are others"),
    "a dropped item": (with_lines(lambda lines: lines[:-1]), "6 items instead of 7"),
    "a repeated item": (with_lines(lambda lines: [*lines, lines[0]]), "8 items instead of 7"),
    "a replaced item": (with_lines(lambda lines: [*lines[:-1], lines[0]]), "items are others"),
    "no items": (with_lines(lambda _: []), "items are missing"),
    "a cut inside": (lambda s: pack(s)[:-40], "not complete"),
    "the last newline missing": (lambda s: pack(s)[:-1], "not complete"),
    "nothing": (lambda _: b"", "holds no sealed version"),
    "something else": (lambda _: b"[]\n", "holds no sealed version"),
}


@pytest.mark.parametrize("name", BROKEN)
def test_a_file_that_was_not_committed_is_refused_and_named(name: str, storage: Storage) -> None:
    sealed, commitment = make_version(beacon="0f3e")
    change, words = BROKEN[name]
    put(storage, change(sealed))
    with pytest.raises(UserError) as refusal:
        open_sealed(storage, NAME, KEYS, commitment)
    assert words in str(refusal.value)
    assert "CANARY" not in str(refusal.value)
    assert "\n" not in str(refusal.value)
    findings = check_version(storage, NAME, KEYS, commitment, RELEASE)
    assert [(found.check, found.grave) for found in findings] == [("sealed file", True)]


def test_another_versions_file_swapped_in_is_refused(storage: Storage) -> None:
    _, commitment = make_version("toy-v1")
    other, _ = make_version("toy-v1")
    store(storage, NAME, other)
    with pytest.raises(UserError, match="secret is another one than was committed"):
        open_sealed(storage, NAME, KEYS, commitment)


@pytest.mark.parametrize("kind", ["flip", "cut", "longer"])
def test_no_byte_of_a_sealed_file_can_change_unseen(kind: str, storage: Storage) -> None:
    sealed, commitment = make_version()
    store(storage, NAME, sealed)
    whole = storage.read(NAME)
    header = whole.index(b"\n--- ") + 60
    for place in sorted({*range(header if kind == "flip" else 0), *range(0, len(whole), 13), len(whole) - 1}):
        changed = {"flip": whole[:place] + bytes([whole[place] ^ 4]) + whole[place + 1 :], "cut": whole[:place]}
        Path(storage.locate(NAME)).write_bytes(changed.get(kind, whole + whole[: place + 1]))
        with pytest.raises(UserError, match=r"toy-v1\.age"):
            open_sealed(storage, NAME, KEYS, commitment)


def test_the_wrong_key_and_no_key_are_one_clear_line(storage: Storage, monkeypatch: pytest.MonkeyPatch) -> None:
    sealed, commitment = make_version()
    store(storage, NAME, sealed)
    _, stranger = person("stranger")
    with pytest.raises(UserError, match=r"not sealed for any of the keys given .stranger's file.; use the key of one"):
        open_sealed(storage, NAME, Keys((stranger,)), commitment)
    with pytest.raises(UserError, match="needs a key: name an identity file, or set BENCHPRESS_IDENTITY_FILE"):
        open_sealed(storage, NAME, Keys(), commitment)
    with pytest.raises(UserError, match="does not exist"):
        open_sealed(storage, "other.age", KEYS, commitment)
    with pytest.raises(UserError, match="this is no commitment"):
        open_sealed(storage, NAME, KEYS, {})


def test_at_least_two_recipients_one_of_them_for_recovery() -> None:
    bob, _ = person("bob")
    for recipients in ([ALICE], [SAFE], [ALICE, bob]):
        with pytest.raises(UserError, match="two recipients or more, one of them a recovery key"):
            check_recipients(recipients)
    for recipients in ([ALICE, ALICE, SAFE], [ALICE, SAFE, Recipient("alice", bob.key)]):
        with pytest.raises(UserError, match="listed twice"):
            check_recipients(recipients)
    with pytest.raises(UserError, match="'age1nonsense' is no recipient"):
        check_recipients([Recipient("bob", "age1nonsense"), SAFE])
    check_recipients([ALICE, SAFE])


def test_recipients_stand_in_a_file_that_age_reads_too(tmp_path: Path) -> None:
    path = tmp_path / "recipients.txt"
    path.write_text(f"# alice\n{ALICE.key}\n\n# recovery, in the safe\n{SAFE.key}\n")
    assert read_recipients(path) == (ALICE, SAFE)
    path.write_text(f"{ALICE.key}\n")
    with pytest.raises(UserError, match="line 1: put a comment line with the holder's name"):
        read_recipients(path)
    with pytest.raises(UserError, match="cannot read recipients"):
        read_recipients(tmp_path / "none")


def test_a_sealed_file_is_never_overwritten_unknowingly(storage: Storage) -> None:
    sealed, commitment = make_version()
    store(storage, NAME, sealed)
    other, _ = make_version()
    with pytest.raises(ConflictError, match="exists already; nothing was written"):
        store(storage, NAME, other)
    assert open_sealed(storage, NAME, KEYS, commitment) == sealed


def test_public_randomness_in_two_steps(storage: Storage) -> None:
    draft = draw("toy-v1", (ALICE, SAFE), beacon=BEACON)
    seed = seed_document(draft, SEEDED)
    store(storage, NAME, draft)
    with pytest.raises(UserError, match=r"waits for the public value of drand.*2027-01-01T00:30:00Z"):
        _ = draft.effective
    waiting = open_sealed(storage, NAME, KEYS, seed)
    assert waiting == draft
    assert [found.check for found in check_version(storage, NAME, KEYS, seed, RELEASE)] == ["stage"]
    ready = with_beacon(waiting, " 0f3e \n")
    assert ready.effective == mac(draft.secret, b"0f3e")
    lines = toy_items(ready.effective, "toy-v1", RECIPE)
    sealed, commitment = complete(ready, seed, RECIPE, lines, {}, release=RELEASE, digests=DIGESTS, time=SEALED)
    found = storage.read_tagged(NAME)
    store(storage, NAME, sealed, expected=found and found[1])
    assert open_sealed(storage, NAME, KEYS, commitment) == sealed
    assert commitment["seed_commit"] == seed["seed_commit"]
    assert commitment["beacon"] == {"source": BEACON[0], "time": BEACON[1], "value": "0f3e"}
    with pytest.raises(UserError, match="commitment is of the seed only"):
        open_sealed(storage, NAME, KEYS, seed)
    with pytest.raises(UserError, match="does not wait"):
        with_beacon(ready, "0f3f")


def test_the_ceremony_refuses_shortcuts() -> None:
    draft = draw("toy-v1", (ALICE, SAFE))
    seed = seed_document(draft, SEEDED)
    lines = toy_items(draft.effective, "toy-v1", RECIPE)

    def attempt(**changes: Any) -> object:
        given = {"draft": draft, "seed": seed, "recipe": RECIPE, "lines": lines, "metadata": {}}
        options = {"release": RELEASE, "digests": DIGESTS, "time": SEALED}
        return complete(**{**given, **options, **changes})

    with pytest.raises(UserError, match="no items, or one of them twice"):
        attempt(lines=[])
    with pytest.raises(UserError, match="no items, or one of them twice"):
        attempt(lines=[*lines, lines[0]])
    with pytest.raises(UserError, match="lacks the digest of prompts"):
        attempt(digests={"scorer": "0", "run_policy": "0"})
    with pytest.raises(UserError, match=r"cannot be committed: floating-point number 0\.5"):
        attempt(recipe={**RECIPE, "share": 0.5})
    with pytest.raises(UserError, match="cannot be committed"):
        attempt(metadata={"refused": 0.5})
    with pytest.raises(UserError, match="secret is another"):
        attempt(draft=draw("toy-v1", (ALICE, SAFE)))
    with pytest.raises(UserError, match="has its items already"):
        attempt(draft=replace(draft, lines=tuple(lines)))
    waiting = draw("toy-v1", (ALICE, SAFE), beacon=BEACON)
    with pytest.raises(UserError, match="source of public randomness"):
        attempt(draft=waiting, seed={**seed_document(waiting, SEEDED), "beacon": {"source": "x", "time": "y"}})
    with pytest.raises(UserError, match="cannot be known yet"):
        attempt(draft=with_beacon(waiting, "0f3e"), seed=seed_document(waiting, SEEDED), time=SEEDED)
    with pytest.raises(UserError, match="not later than the commitment"):
        seed_document(waiting, "2027-01-01T00:30:00Z")
    with pytest.raises(UserError, match="no version name"):
        draw("../toy", (ALICE, SAFE))
    with pytest.raises(UserError, match="neither recipients nor a passphrase"):
        store(open_storage("/nonexistent"), NAME, draw("toy-v1", ()))


def test_a_reveal_opens_no_journal() -> None:
    sealed, _ = make_version()
    shown = json.dumps(reveal(sealed, REVEALED))
    assert sealed.secret.hex() in shown
    assert sealed.data_secret.hex() not in shown
    assert sealed.data_key.hex() not in shown
    with pytest.raises(UserError, match="nothing to reveal"):
        reveal(draw("toy-v1", (ALICE, SAFE)), REVEALED)


def test_adding_rotating_and_drilling_keys(storage: Storage) -> None:
    sealed, commitment = make_version()
    store(storage, NAME, sealed)
    bob, bob_key = person("bob")
    add_recipients(storage, NAME, KEYS, commitment, [bob])
    assert open_sealed(storage, NAME, Keys((bob_key,)), commitment).lines == sealed.lines
    proved = drill(storage, NAME, Keys((ALICE_KEY, bob_key)), commitment)
    assert [(entry.recipient.name, entry.opened) for entry in proved] == [
        ("alice", True),
        ("recovery, in the safe", None),
        ("bob", True),
    ]
    assert drill(storage, NAME, Keys((SAFE_KEY,)), commitment)[1].opened is True
    rotate(storage, NAME, Keys((SAFE_KEY,)), commitment, [bob, SAFE])
    with pytest.raises(UserError, match="not sealed for any of the keys"):
        open_sealed(storage, NAME, KEYS, commitment)
    with pytest.raises(UserError, match="not sealed for any of the keys"):
        drill(storage, NAME, KEYS, commitment)
    assert open_sealed(storage, NAME, Keys((bob_key,)), commitment).data_key == sealed.data_key
    with pytest.raises(UserError, match="two recipients or more"):
        rotate(storage, NAME, Keys((bob_key,)), commitment, [bob])
    with pytest.raises(UserError, match="no key was given"):
        drill(storage, NAME, Keys(), commitment)


def test_identities_from_files_and_environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made = [new_identity() for _ in range(3)]
    file = tmp_path / "key.txt"
    file.write_text(f"# created: today\n# public key: {made[0][1]}\n{made[0][0]}\n")
    other = tmp_path / "other.txt"
    other.write_text(made[1][0])
    environment = {"BENCHPRESS_IDENTITY_FILE": str(other), "BENCHPRESS_IDENTITY": made[2][0]}
    found = find_identities([file], environment)
    assert [identity.public for identity in found] == [public for _, public in made]
    assert find_identities((), {}) == ()
    file.write_text("AGE-SECRET-KEY-1CANARY")
    with pytest.raises(UserError, match=r"key\.txt, line 1: no identity") as refusal:
        find_identities([file], {})
    assert "CANARY" not in str(refusal.value)
    file.write_text("# nothing\n")
    with pytest.raises(UserError, match="holds no identity"):
        find_identities([file], {})
    with pytest.raises(UserError, match="cannot read the identity file"):
        find_identities([tmp_path / "none"], {})


def test_encrypted_files_are_bound_to_name_version_and_content(storage: Storage) -> None:
    one, two = (make_version()[0].data_key for _ in range(2))
    write_encrypted(storage, "cache/a.bin", one, b"SCORES-CANARY" * 10)
    write_encrypted(storage, "cache/b.bin", one, b"")
    assert read_encrypted(storage, "cache/a.bin", one) == b"SCORES-CANARY" * 10
    assert read_encrypted(storage, "cache/b.bin", one) == b""
    stored = storage.read("cache/a.bin")
    assert b"CANARY" not in stored
    write_encrypted(storage, "cache/a.bin", one, b"SCORES-CANARY" * 10)
    assert storage.read("cache/a.bin") != stored
    with pytest.raises(UserError, match="fails authentication"):
        read_encrypted(storage, "cache/a.bin", two)
    storage.write("cache/c.bin", stored, expected=None)
    with pytest.raises(UserError, match="swapped with another file"):
        read_encrypted(storage, "cache/c.bin", one)
    path = Path(storage.locate("cache/a.bin"))
    for place in range(len(stored)):
        path.write_bytes(stored[:place] + bytes([stored[place] ^ 1]) + stored[place + 1 :])
        with pytest.raises(UserError):
            read_encrypted(storage, "cache/a.bin", one)
        path.write_bytes(stored[:place])
        with pytest.raises(UserError):
            read_encrypted(storage, "cache/a.bin", one)


def test_no_canary_stands_in_clear_anywhere_on_disk(storage: Storage, tmp_path: Path) -> None:
    sealed, commitment = make_version()
    store(storage, NAME, sealed)
    writer = Journal.open(storage, "journal/toy-v1", sealed.data_key).writer()
    for item in sealed.items:
        writer.append({"prompt": item.prompt, "response": "RESPONSE-CANARY", "gold": item.parts[0].gold}, durable=True)
    writer.close()
    write_encrypted(storage, "cache/toy-v1.bin", sealed.data_key, pack(sealed))
    (tmp_path / "commitment.json").write_text(json.dumps(commitment))
    secrets = [sealed.secret, sealed.salt, sealed.data_secret, sealed.data_key, sealed.effective]
    numbers = [item.params["number"].encode() for item in sealed.items]
    wanted = [b"CANARY", *secrets, *(secret.hex().encode() for secret in secrets), *numbers]
    files = [Path(folder) / name for folder, _, names in os.walk(tmp_path) for name in names]
    assert len(files) >= 4
    for file in files:
        content = file.read_bytes()
        assert not [text for text in wanted if text in content], file


def test_unpacking_checks_what_packing_writes() -> None:
    sealed, _ = make_version(beacon="0f3e")
    assert unpack(pack(sealed), "here") == sealed
