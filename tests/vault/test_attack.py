"""An attacker with everything that is published and the public generator tries to learn of one item, or the seed.

Every attempt is described, with why it fails, in docs/attempts.md. The items are those of the public twin, taken for
private; what is attacked is the publication that export writes.
"""

import base64
import hashlib
import json
import random
from itertools import pairwise
from pathlib import Path
from typing import Any, Literal

import numpy as np
import numpy.typing as npt
import pytest
from benchpress.canonical import canonical_bytes
from benchpress.commitment import leaf_hashes, seed_commitment, tree_root
from benchpress.items import Item, ItemResult, PartResult, Status
from benchpress.jsonl import read_items
from benchpress.publication import Entrant
from benchpress.streams import derive, secret_from_seed
from benchpress_evaluator.publishing.describe import Description, Release
from benchpress_evaluator.publishing.export import export
from benchpress_evaluator.records import ScoredItem
from benchpress_evaluator.stats.frame import results_frame
from benchpress_evaluator.stats.metric import Settings
from installed import ROOT
from scipy.optimize import Bounds, LinearConstraint, milp

ITEMS = tuple(read_items(ROOT / "public_examples" / "versions" / "causal-public-v1.jsonl"))
SKILL = {"weak": 0.3, "middle": 0.55, "strong": 0.8}
Matrix = npt.NDArray[np.float64]


def asked(name: str, item: Item, result: ItemResult | None) -> ScoredItem:
    return ScoredItem(
        version="v",
        entrant=name,
        method="direct",
        run=1,
        item_id=item.id,
        module=item.module,
        bundle=item.bundle,
        variant=item.variant,
        level=item.level,
        skills={part.id: tuple(part.skills) for part in item.parts},
        result=result,
    )


def answered(name: str, item: Item, right: bool) -> ScoredItem:
    parts = tuple(PartResult(part.id, part.type, "x", "x", right or place > 0) for place, part in enumerate(item.parts))
    return asked(name, item, ItemResult(item.id, Status.OK, right, parts))


def truth() -> dict[str, list[bool]]:
    """Who has which item right; `twin` is `strong` but for a single item."""
    draw = random.Random(3)
    rights = {name: [draw.random() < share for _ in ITEMS] for name, share in SKILL.items()}
    rights["twin"] = list(rights["strong"])
    rights["twin"][137] = not rights["twin"][137]
    return rights


RIGHTS = truth()


@pytest.fixture(scope="module")
def published(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """What anybody can download."""
    out = tmp_path_factory.mktemp("attack")
    scored = [
        answered(name, item, right)
        for name, rights in RIGHTS.items()
        for item, right in zip(ITEMS, rights, strict=True)
    ]
    about = dict.fromkeys(("openness", "size_class", "reasoning", "launch_date"))
    known = {
        name: Description(Entrant(slug=name, name=name, organisation="", kind="model", **about)) for name in RIGHTS
    }
    release = Release("v", "causal", "Sealed", "current", "2026-01-01", sealed=True)
    export(results_frame(scored), release, known, None, None, out, settings=Settings(resamples=200))
    files = sorted((out / "v").rglob("*.json"))
    return {path.relative_to(out / "v").as_posix(): json.loads(path.read_text()) for path in files}


def margins_of(page: dict[str, Any]) -> tuple[Matrix, Matrix]:
    """The published one-way margins as equations over the items: which items each sums up, and to what."""
    rows, sums = [np.ones(len(ITEMS))], [float(page["row"]["correct"])]
    for margin, of in (("bundles", "bundle"), ("variants", "variant"), ("levels", "level")):
        for cell in page[margin]:
            rows.append(np.array([float(str(getattr(item, of)) == cell["name"]) for item in ITEMS]))
            sums.append(float(round(cell["accuracy"] * cell["n"])))
    return np.array(rows), np.array(sums)


def possible(rows: Matrix, sums: Matrix, place: int, value: int) -> npt.NDArray[np.int64] | None:
    """A world of right and wrong answers that fits everything published, in which item `place` has this value."""
    low, high = np.zeros(rows.shape[1]), np.ones(rows.shape[1])
    low[place] = high[place] = value
    found = milp(
        np.zeros(rows.shape[1]),
        integrality=np.ones(rows.shape[1]),
        bounds=Bounds(low, high),
        constraints=LinearConstraint(rows, sums, sums),
        options={"time_limit": 60},
    )
    return None if found.x is None else np.round(found.x).astype(np.int64)


def test_margins_are_what_they_say(published: dict[str, Any]) -> None:
    """Or else the attempts below would attack something else."""
    for name, rights in RIGHTS.items():
        rows, sums = margins_of(published[f"models/{name}.json"])
        assert rows.shape[0] == 1 + 22 + 5 + 6
        assert np.array_equal(rows @ np.array(rights, dtype=float), sums)


def test_least_squares_settles_no_item_and_no_cell_under_twenty(published: dict[str, Any]) -> None:
    """A sum over items is determined by the margins exactly where its indicator lies in their row space."""
    rows, _ = margins_of(published["models/strong.json"])
    space = np.linalg.svd(rows, full_matrices=False)
    basis = space.Vh[space.S > 1e-9]
    assert len(basis) == 31

    def outside(indicator: Matrix) -> float:
        return float(np.linalg.norm(indicator - basis.T @ (basis @ indicator)))

    assert all(outside(row) < 1e-9 for row in rows)
    for place in range(len(ITEMS)):
        assert outside(np.eye(len(ITEMS))[place]) > 0.5
    for one, other in (("bundle", "variant"), ("bundle", "level"), ("variant", "level")):
        cells = {(getattr(item, one), getattr(item, other)) for item in ITEMS}
        for cell in sorted(cells, key=str):
            held = [float((getattr(item, one), getattr(item, other)) == cell) for item in ITEMS]
            if sum(held) < 20:
                assert outside(np.array(held)) > 0.1


@pytest.mark.parametrize("name", ["weak", "strong"])
def test_integer_programming_leaves_every_tried_item_open(published: dict[str, Any], name: str) -> None:
    """Right and wrong both fit all that is published, so no cleverness tells which it is."""
    rows, sums = margins_of(published[f"models/{name}.json"])
    for place in random.Random(1).sample(range(len(ITEMS)), 10):
        for value in (0, 1):
            world = possible(rows, sums, place, value)
            assert world is not None
            assert world[place] == value
            assert np.array_equal(rows @ world, sums)


def test_the_difference_of_near_twins_does_not_settle_the_item_in_which_they_differ(published: dict[str, Any]) -> None:
    """Their margins differ by one in a bundle, a variant and a level. That it is one item would be told by their paired
    figures, which are withheld; without these, both may have the item alike and differ in others."""
    rows, strong = margins_of(published["models/strong.json"])
    _, twin = margins_of(published["models/twin.json"])
    changed = rows[np.flatnonzero(strong != twin)]
    suspects = np.flatnonzero(changed.all(axis=0))
    assert suspects.tolist() == [137]
    sides = [side["slug"] for side in published["pairs.json"]["sides"]]
    (pair,) = (p for p in published["pairs.json"]["pairs"] if {sides[p["a"]], sides[p["b"]]} == {"strong", "twin"})
    assert (pair["difference"]["low"], pair["p_value"], pair["p_holm"], pair["probability"]) == (None,) * 4
    none = np.zeros_like(rows)
    both = np.block([[rows, none], [none, rows]])
    alike = np.zeros(2 * len(ITEMS))
    alike[137], alike[len(ITEMS) + 137] = 1, -1
    world = possible(np.vstack([both, alike]), np.concatenate([strong, twin, [0]]), 0, int(RIGHTS["strong"][0]))
    assert world is not None
    assert world[137] == world[len(ITEMS) + 137]


def test_two_exports_tell_nothing_of_what_came_between(tmp_path: Path) -> None:
    """Nothing is written for a run that only began; what tests/metrics/test_export.py shows of the rest."""
    release = Release("v", "causal", "Sealed", "current", "2026-01-01", sealed=True)
    for count in (1, 2):
        some = [answered("strong", item, True) for item in ITEMS[:count]]
        rest = [asked("strong", item, None) for item in ITEMS[count:]]
        export(results_frame([*some, *rest]), release, {}, None, None, tmp_path / str(count))
    one, two = (
        {path.relative_to(tmp_path / count): path.read_bytes() for path in sorted((tmp_path / count).rglob("*.json"))}
        for count in ("1", "2")
    )
    assert one == two


ORDERS: tuple[Literal["big", "little"], ...] = ("big", "little")
SECRET = bytes(random.Random(11).randbytes(32))
SALT = bytes(random.Random(12).randbytes(32))
LINES = [canonical_bytes(item.to_json()) for item in ITEMS]


def test_a_known_item_cannot_be_recognised_in_the_tree() -> None:
    """Even with the very items, and with one leaf, the hashes need the nonces, which need the secret."""
    leaves = leaf_hashes(SECRET, LINES)
    assert tree_root(leaves).hex() == tree_root(leaf_hashes(SECRET, LINES)).hex()
    guesses = [
        *(hashlib.sha256(line).digest() for line in LINES),
        *(hashlib.sha256(b"\x00" + line).digest() for line in LINES),
        *(hashlib.sha256(b"\x00" + bytes(32) + line).digest() for line in LINES),
        *(leaf for seed in range(20) for leaf in leaf_hashes(secret_from_seed(seed), LINES)),
        *leaf_hashes(SALT, LINES),
    ]
    assert not set(leaves) & set(guesses)
    assert tree_root(leaf_hashes(secret_from_seed(0), LINES)) != tree_root(leaves)


def test_the_seed_is_in_no_small_space() -> None:
    """All guesses that a public integer, a clock or a word could have made miss the seed commitment; a secret is 256
    bits of the system's randomness, and the commitment is salted with 256 more."""
    committed = seed_commitment(SALT, SECRET)
    guesses = [secret_from_seed(seed) for seed in range(5_000)]
    guesses += [seed.to_bytes(32, order) for seed in range(2_000) for order in ORDERS]
    guesses += [hashlib.sha256(str(clock).encode()).digest() for clock in range(1_767_225_600, 1_767_225_600 + 5_000)]
    guesses += [hashlib.sha256(word).digest() for word in (b"", b"secret", b"benchpress", b"causal-v1")]
    assert committed not in {seed_commitment(SALT, guess) for guess in guesses}
    assert committed not in {hashlib.sha256(b"seed" + guess).hexdigest() for guess in guesses}


def test_fresh_versions_share_no_bits() -> None:
    from benchpress_evaluator.vault.ceremony import draw

    drawn = [draw("trial", ()) for _ in range(64)]
    kept = [key for one in drawn for key in (one.secret, one.salt, one.data_secret)]
    assert len(set(kept)) == len(kept)
    bits = np.unpackbits(np.frombuffer(b"".join(kept), dtype=np.uint8))
    assert abs(bits.mean() - 0.5) < 6 * 0.5 / np.sqrt(len(bits))
    assert all(len(key) == 32 for key in kept)


def test_one_item_leads_to_no_other() -> None:
    """Streams of neighbouring addresses, and of secrets a bit apart, have nothing in common."""
    secret = SECRET
    near = bytes([secret[0] ^ 1, *secret[1:]])
    streams = [
        derive(key, "causal", "v", "confounding", "base", 4, index, attempt, "draw").bits(256).to_bytes(32, "big")
        for key in (secret, near)
        for index in range(40)
        for attempt in range(3)
    ]
    assert len(set(streams)) == len(streams)
    apart = [bin(int.from_bytes(a, "big") ^ int.from_bytes(b, "big")).count("1") for a, b in pairwise(streams)]
    assert min(apart) > 80
    assert max(apart) < 176


def test_published_files_hold_no_id_and_no_secret(published: dict[str, Any]) -> None:
    text = json.dumps(published)
    assert not any(item.id in text or item.id[-12:] in text for item in ITEMS)
    for form in (SECRET.hex(), base64.b64encode(SECRET).decode().rstrip("="), str(int.from_bytes(SECRET, "big"))):
        assert form not in text
