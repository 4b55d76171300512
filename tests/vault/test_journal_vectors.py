"""Every way of damaging a journal is refused and named; vectors come from a second implementation of the format."""

import json
from pathlib import Path
from typing import Any

import make_vectors
import pytest
from benchpress.errors import UserError
from benchpress_evaluator.journal import Journal, SegmentHead
from benchpress_evaluator.register import Entries, check_journal
from benchpress_evaluator.storage import open_storage

VECTORS = [json.loads(line) for line in make_vectors.TARGET.read_text(encoding="utf-8").splitlines()]
FLIPPED = [v for v in VECTORS if v["name"] in ("sealed: a closed segment", "clear: a closed segment")]


def laid_out(vector: dict[str, Any], folder: Path) -> Journal:
    place = folder / vector["journal"]
    place.mkdir(parents=True)
    for name, data in vector["files"].items():
        (place / name).write_bytes(bytes.fromhex(data))
    key = vector["data_key"] and bytes.fromhex(vector["data_key"])
    return Journal.open(open_storage(folder), vector["journal"], key)


def test_the_vectors_are_those_that_the_second_implementation_makes() -> None:
    assert make_vectors.TARGET.read_text(encoding="utf-8") == make_vectors.text()


@pytest.mark.parametrize("vector", [pytest.param(v, id=v["name"]) for v in VECTORS])
def test_vector(vector: dict[str, Any], tmp_path: Path) -> None:
    journal = laid_out(vector, tmp_path)
    if "records" in vector:
        assert list(journal.records()) == vector["records"]
    else:
        with pytest.raises(UserError) as refusal:
            list(journal.records())
        message = str(refusal.value)
        assert any(words in message for words in vector["refuses"]), message
        place = "" if vector["record"] is None else f", record {vector['record']} at byte "
        assert any(f"journal segment {name[:12]}" in message for name in vector["files"])
        assert place in message
        assert "\n" not in message
    if "heads" in vector:
        heads = {head["id"]: SegmentHead.from_json(head) for head in vector["heads"]}
        findings = check_journal(journal, Entries("causal-v1", None, heads=heads))
        assert [found.check for found in findings] == ([vector["finding"]] if vector["finding"] else [])


@pytest.mark.parametrize("vector", [pytest.param(v, id=v["name"]) for v in FLIPPED])
def test_no_flipped_bit_anywhere_goes_unseen(vector: dict[str, Any], tmp_path: Path) -> None:
    journal = laid_out(vector, tmp_path)
    ((name, data),) = vector["files"].items()
    whole, path = bytes.fromhex(data), tmp_path / vector["journal"] / name
    for place in range(len(whole)):
        for bit in range(8):
            changed = bytearray(whole)
            changed[place] ^= 1 << bit
            path.write_bytes(changed)
            with pytest.raises(UserError, match=f"journal segment {name[:12]}"):
                list(journal.records())


@pytest.mark.parametrize("vector", [pytest.param(v, id=v["name"]) for v in FLIPPED])
def test_cut_at_any_byte_a_segment_gives_a_prefix_of_its_records(vector: dict[str, Any], tmp_path: Path) -> None:
    journal = laid_out(vector, tmp_path)
    ((name, data),) = vector["files"].items()
    whole, path = bytes.fromhex(data), tmp_path / vector["journal"] / name
    counts = []
    for size in range(len(whole) + 1):
        path.write_bytes(whole[:size])
        found = list(journal.records())
        assert found == vector["records"][: len(found)]
        counts.append(len(found))
    assert counts == sorted(counts)
    assert counts[-1] == len(vector["records"])


@pytest.mark.parametrize("vector", [pytest.param(v, id=v["name"]) for v in FLIPPED])
def test_no_byte_can_be_removed_or_added_unseen(vector: dict[str, Any], tmp_path: Path) -> None:
    journal = laid_out(vector, tmp_path)
    ((name, data),) = vector["files"].items()
    whole, path = bytes.fromhex(data), tmp_path / vector["journal"] / name
    for place in range(len(whole) - 1):
        path.write_bytes(whole[:place] + b"\x00" + whole[place:])
        with pytest.raises(UserError):
            list(journal.records())
        path.write_bytes(whole[:place] + whole[place + 1 :])
        read: list[Any] = []
        try:
            read.extend(journal.records())
        except UserError:
            continue
        assert read == vector["records"][: len(read)]
        assert len(read) <= len(vector["records"])
