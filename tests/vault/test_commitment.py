"""A reveal that does not fit its commitment is explained, whatever is wrong with it."""

import hmac
import uuid
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest
from benchpress.canonical import canonical_bytes
from benchpress.commitment import (
    Release,
    bundle_counts,
    check_reveal,
    effective_secret,
    installed_release,
    leaf_hashes,
    seed_commitment,
    source_digest,
    tree_root,
)
from benchpress.errors import UserError
from benchpress_evaluator.vault.ceremony import complete, draw, reveal, seed_document
from hypothesis import given
from hypothesis import strategies as st
from second_reader import commitment_of, merkle_root, sha
from versions import ALICE, DIGESTS, RELEASE, REVEALED, SAFE, SEALED, SEEDED, make_version, toy_items

SECRET, SALT = bytes(range(32)), bytes(range(32, 64))

# The test vectors of the certificate-transparency log that RFC 9162 grew from (google/certificate-transparency,
# merkletree tests): eight inputs, and the root over the first n of them.
INPUTS = ["", "00", "10", "2021", "3031", "40414243", "5051525354555657", "606162636465666768696a6b6c6d6e6f"]
ROOTS = [
    "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
    "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
    "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
    "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
    "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
    "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
    "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
    "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
]


@pytest.mark.parametrize("count", range(1, 9))
def test_the_tree_has_the_published_roots(count: int) -> None:
    leaves = [sha(b"\x00" + bytes.fromhex(text)) for text in INPUTS[:count]]
    assert tree_root(leaves).hex() == ROOTS[count - 1]


@given(st.lists(st.binary(min_size=32, max_size=32), min_size=1, max_size=70))
def test_the_tree_built_bottom_up_is_the_same(leaves: list[bytes]) -> None:
    assert tree_root(leaves) == merkle_root(leaves)


@pytest.mark.parametrize("beacon", [None, "ab12 ü"])
def test_seed_commitment_and_root_agree_with_the_second_implementation(beacon: str | None) -> None:
    lines = [b'{"a":1}', b"", b"\xff" * 300]
    found = seed_commitment(SALT, SECRET), tree_root(leaf_hashes(effective_secret(SECRET, beacon), lines)).hex()
    assert found == commitment_of(SECRET, SALT, beacon, lines)


def test_a_secret_of_another_size_cannot_be_committed() -> None:
    with pytest.raises(ValueError, match="32 bytes"):
        seed_commitment(SALT, b"short")


@pytest.mark.parametrize("beacon", [None, "0f3e"])
def test_an_honest_reveal_has_no_findings(beacon: str | None) -> None:
    sealed, commitment = make_version(beacon=beacon)
    assert check_reveal(commitment, reveal(sealed, REVEALED), toy_items, RELEASE) == []


Documents = tuple[dict[str, Any], dict[str, Any]]


def documents(beacon: str | None = "0f3e") -> Documents:
    sealed, commitment = make_version(beacon=beacon)
    return commitment, reveal(sealed, REVEALED)


def other_hex(text: str) -> str:
    return ("0" if text[0] != "0" else "1") + text[1:]


def _late_beacon(c: dict[str, Any], r: dict[str, Any]) -> None:
    c["beacon"] = {**c["beacon"], "time": c["seed_time"]}


TAMPERINGS: dict[str, tuple[Callable[[dict[str, Any], dict[str, Any]], object], list[str]]] = {
    "another version": (lambda c, r: r.update(version="toy-v2"), ["version"]),
    "another secret": (lambda c, r: r.update(secret=other_hex(r["secret"])), ["seed commitment"]),
    "another salt": (lambda c, r: r.update(salt=other_hex(r["salt"])), ["seed commitment"]),
    "a secret that is no hex": (lambda c, r: r.update(secret="x" * 64), ["seed commitment"]),
    "a secret cut short": (lambda c, r: r.update(secret=r["secret"][:-2]), ["seed commitment"]),
    "another seed commitment": (lambda c, r: c.update(seed_commit=other_hex(c["seed_commit"])), ["seed commitment"]),
    "another beacon": (lambda c, r: r.update(beacon={**r["beacon"], "value": "0f3f"}), ["beacon"]),
    "no beacon": (lambda c, r: r.update(beacon=None), ["beacon"]),
    "a beacon that was known before": (_late_beacon, ["beacon"]),
    "items from before the beacon": (lambda c, r: c.update(time=c["seed_time"]), ["beacon"]),
    "a seed commitment alone": (lambda c, r: c.update(stage="seed"), ["stage"]),
    "another release": (lambda c, r: c.update(release={**c["release"], "version": "0.2.0"}), ["release"]),
    "a changed generator": (lambda c, r: c.update(release={**c["release"], "digest": "00" * 32}), ["release"]),
    "another root": (lambda c, r: c.update(root=other_hex(c["root"])), ["leaves", "root"]),
    "another number of items": (lambda c, r: c.update(items=8), ["number of items"]),
    "other bundles": (lambda c, r: c.update(bundles={"chain": 7}), ["items per bundle"]),
    "another recipe": (
        lambda c, r: c.update(recipe={**c["recipe"], "items": 6}),
        ["number of items", "items per bundle", "root"],
    ),
}


@pytest.mark.parametrize("name", TAMPERINGS)
def test_each_tampering_is_named(name: str) -> None:
    tamper, expected = TAMPERINGS[name]
    commitment, shown = documents()
    tamper(commitment, shown)
    findings = check_reveal(commitment, shown, toy_items, RELEASE)
    assert [found.check for found in findings] == expected
    assert all(found.problem and found.remedy and "\n" not in str(found) for found in findings)


def test_items_that_the_generator_does_not_make_are_named_by_their_place() -> None:
    commitment, shown = documents()

    def other(effective: bytes, version: str, recipe: Mapping[str, Any]) -> list[bytes]:
        lines = toy_items(effective, version, recipe)
        return [*lines[:3], lines[3] + b" ", *lines[4:6], lines[6] + b" "]

    findings = check_reveal(commitment, shown, other, RELEASE)
    assert [found.check for found in findings] == ["items", "root"]
    assert "2 of 7" in findings[0].problem
    assert "3, 6" in findings[0].problem


def test_another_release_is_refused_before_anything_is_made() -> None:
    commitment, shown = documents()

    def never(*_: object) -> list[bytes]:
        raise AssertionError("nothing may be regenerated")

    other = Release(RELEASE.name, "9.9", RELEASE.digest)
    findings = check_reveal(commitment, shown, never, other)
    assert [found.check for found in findings] == ["release"]
    assert "install benchpress-generator==0.1.0" in findings[0].remedy
    assert [found.check for found in check_reveal(commitment, shown, never)] == ["release"]


def test_a_generator_that_fails_is_a_finding() -> None:
    commitment, shown = documents()

    def failing(*_: object) -> list[bytes]:
        raise UserError("no module named toy")

    assert "no module named toy" in check_reveal(commitment, shown, failing, RELEASE)[0].problem


@pytest.mark.parametrize("field", ["format", "version", "stage", "seed_commit", "root", "items", "recipe", "release"])
def test_a_file_that_is_no_commitment_is_one_clear_line(field: str) -> None:
    commitment, shown = documents()
    del commitment[field]
    with pytest.raises(UserError, match="commitment"):
        check_reveal(commitment, shown, toy_items, RELEASE)


@pytest.mark.parametrize("document", [None, [], {}, {"format": "benchpress.reveal/1"}, {"format": 1}])
def test_a_file_that_is_no_reveal_is_one_clear_line(document: Any) -> None:
    commitment, _ = documents()
    with pytest.raises(UserError, match="reveal"):
        check_reveal(commitment, document, toy_items, RELEASE)


def test_an_unpublished_item_cannot_be_tried_against_its_leaf() -> None:
    line = b'{"gold":"yes"}'
    assert leaf_hashes(SECRET, [line]) != leaf_hashes(SALT, [line])
    assert len(set(leaf_hashes(SECRET, [line, line]))) == 2


def test_the_digest_of_a_release_is_over_names_and_contents(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("1")
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "b.py").write_text("2")
    first = source_digest(tmp_path)
    (tmp_path / "__pycache__").mkdir()
    (tmp_path / "__pycache__" / "a.pyc").write_bytes(b"x")
    (tmp_path / ".hidden").write_text("x")
    assert source_digest(tmp_path) == first
    assert source_digest(tmp_path, ["a.py", "sub"]) == first
    assert source_digest(tmp_path, ["sub"]) != first
    (tmp_path / "sub" / "b.py").write_text("3")
    assert source_digest(tmp_path) != first
    (tmp_path / "sub" / "b.py").write_text("2")
    (tmp_path / "a.py").rename(tmp_path / "c.py")
    assert source_digest(tmp_path) != first


def test_the_installed_release_names_itself() -> None:
    release = installed_release()
    assert (release.name, len(release.digest)) == ("benchpress-generator", 64)


def test_items_are_counted_per_bundle() -> None:
    assert bundle_counts([b'{"bundle":"b"}', b'{"bundle":"a"}', b'{"bundle":"b"}']) == {"a": 1, "b": 2}


def test_the_canary_is_in_the_reveal_and_follows_from_the_secret_alone() -> None:
    sealed, _ = make_version()
    shown = reveal(sealed, REVEALED)["canary"]
    digest = bytearray(hmac.new(sealed.secret, b"canary", "sha256").digest()[:16])
    digest[6] = 0x80 | digest[6] & 0x0F
    digest[8] = 0x80 | digest[8] & 0x3F
    assert shown == str(uuid.UUID(bytes=bytes(digest)))
    assert uuid.UUID(shown).version == 8
    assert reveal(make_version()[0], REVEALED)["canary"] != shown


def test_items_whose_margins_together_tell_too_much_are_not_sealed() -> None:
    """The check is over the items as they are: 24 of bundle `chain`, and level 4 on 20 of them alone."""
    items = [
        {"id": f"toy-{n}", "bundle": "chain" if n < 24 else "fork", "level": 4 if n < 20 else 5, "params": {"n": n}}
        for n in range(48)
    ]
    rest = {"schema": "benchpress.item/1", "module": "toy", "variant": "base", "prompt": "?", "parts": []}
    lines = [canonical_bytes({**rest, **item, "verification": []}) for item in items]
    draft = draw("toy-v1", (ALICE, SAFE))
    recipe = {"module": "toy", "margins": ["bundle", "level"], "run_policy": {}}
    with pytest.raises(UserError, match=r"margins bundle and level: .* would tell of 4 items"):
        complete(draft, seed_document(draft, SEEDED), recipe, lines, {}, release=RELEASE, digests=DIGESTS, time=SEALED)
    fine = {**recipe, "margins": ["bundle"]}
    complete(draft, seed_document(draft, SEEDED), fine, lines, {}, release=RELEASE, digests=DIGESTS, time=SEALED)
