"""Every way of damaging a journal is refused and named; vectors come from a second implementation of the format."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast

import make_vectors
import pytest
from benchpress.errors import UserError
from benchpress_evaluator.journal import Journal, SegmentHead
from benchpress_evaluator.register import Entries, check_journal
from benchpress_evaluator.storage import Storage, open_storage

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


class OneFile:
    """A storage in memory that holds one log: reading it thousands of times touches no disk."""

    def __init__(self, vector: dict[str, Any]) -> None:
        ((self.name, data),) = vector["files"].items()
        self.data = self.whole = bytes.fromhex(data)
        self.folder = vector["journal"]
        self.records = vector["records"]
        key = vector["data_key"] and bytes.fromhex(vector["data_key"])
        self.journal = Journal.open(cast(Storage, self), self.folder, key)

    def locate(self, name: str) -> str:
        return name

    def names(self, _: str) -> list[str]:
        return [f"{self.folder}/{self.name}"]

    def read_log(self, _: str) -> Iterator[bytes]:
        yield self.data

    def read(self, data: bytes) -> list[Any]:
        self.data = data
        return list(self.journal.records())

    def refuses(self, data: bytes) -> bool:
        try:
            self.read(data)
        except UserError as refusal:
            return f"journal segment {self.name[:12]}" in str(refusal)
        return False


@pytest.mark.parametrize("vector", [pytest.param(v, id=v["name"]) for v in FLIPPED])
def test_no_flipped_bit_anywhere_goes_unseen(vector: dict[str, Any]) -> None:
    file = OneFile(vector)
    for place in range(len(file.whole)):
        for bit in range(8):
            changed = bytearray(file.whole)
            changed[place] ^= 1 << bit
            assert file.refuses(bytes(changed)), f"bit {bit} of byte {place}"


@pytest.mark.parametrize("vector", [pytest.param(v, id=v["name"]) for v in FLIPPED])
def test_cut_at_any_byte_a_segment_gives_a_prefix_of_its_records(vector: dict[str, Any]) -> None:
    file = OneFile(vector)
    counts = []
    for size in range(len(file.whole) + 1):
        found = file.read(file.whole[:size])
        assert found == file.records[: len(found)]
        counts.append(len(found))
    assert counts == sorted(counts)
    assert counts[-1] == len(file.records)


@pytest.mark.parametrize("vector", [pytest.param(v, id=v["name"]) for v in FLIPPED])
def test_no_byte_can_be_removed_or_added_unseen(vector: dict[str, Any]) -> None:
    file = OneFile(vector)
    for place in range(len(file.whole)):
        assert file.refuses(file.whole[:place] + b"\x00" + file.whole[place:]), f"added at byte {place}"
        without = file.whole[:place] + file.whole[place + 1 :]
        if not file.refuses(without):
            found = file.read(without)
            assert found == file.records[: len(found)], f"removed at byte {place}"
