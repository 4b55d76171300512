"""Writes tests/data/vault/journal.jsonl with the second implementation. Run by hand when docs/formats.md changes:

    .venv/bin/python tests/vault/make_vectors.py

Each line is one journal: `files` by name (in hex), the `journal` name, the `data_key` (hex, null in clear), and either
the `records` a reader must return, in order, or what it must refuse: the place and words of the message. `heads` is
the register, where there is one, and `finding` what checking against it must report.
"""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from second_reader import SecondWriter, canonical, crc

TARGET = Path(__file__).parents[1] / "data" / "vault" / "journal.jsonl"
JOURNAL = "journal/causal-v1"
KEY, OTHER_KEY = bytes(range(32)), bytes(range(1, 33))
ID, OTHER_ID, THIRD_ID = (bytes([byte]) * 32 for byte in (0x0A, 0x0B, 0x0C))
RECORDS: list[dict[str, Any]] = [
    {"call": ["causal-v1", "item-a"], "completion": {"text": "ANSWER: {X, Z}", "latency_s": 1.5}},
    {"call": ["causal-v1", "item-b"], "completion": {"text": "因果 ✓", "latency_s": None}},
    {"call": ["causal-v1", "item-c"], "completion": {"text": "", "latency_s": 0.25}},
]


def segment(
    key: bytes | None,
    identity: bytes = ID,
    *,
    name: str = JOURNAL,
    generation: int = 1,
    records: list[dict[str, Any]] | None = None,
    closed: bool = True,
) -> SecondWriter:
    writer = SecondWriter(key, name, identity)
    writer.add("O", {"generation": generation})
    for record in RECORDS if records is None else records:
        writer.add("R", record)
    if closed:
        writer.close()
    return writer


def head(writer: SecondWriter, *, closed: bool) -> dict[str, Any]:
    return {"id": writer.segment.hex(), "count": len(writer.frames), "head": writer.head(), "closed": closed}


def vectors(key: bytes | None, kind: str) -> Iterator[dict[str, Any]]:
    def case(name: str, *files: tuple[str, bytes], **rest: Any) -> dict[str, Any]:
        shown = {"name": f"{kind}: {name}", "journal": JOURNAL, "data_key": key and key.hex()}
        return shown | {"files": {file: data.hex() for file, data in files}} | rest

    def alone(name: str, writer: SecondWriter, **rest: Any) -> dict[str, Any]:
        return case(name, (writer.file, writer.data()), **rest)

    whole = segment(key)
    prefix = 8 if key else 40
    yield alone("a closed segment", whole, records=RECORDS)
    yield alone("an open segment, its writer still at work", segment(key, closed=False), records=RECORDS)
    yield alone("no records", segment(key, records=[]), records=[])
    first = segment(key, OTHER_ID, generation=1, records=RECORDS[:1])
    second = segment(key, ID, generation=2, records=RECORDS[1:])
    yield case(
        "two writers: generation counts before id",
        (first.file, first.data()),
        (second.file, second.data()),
        records=RECORDS,
    )
    surrogate = segment(key, records=[])
    surrogate.frames[-1:] = []
    surrogate.frames.append(surrogate.frame(1, "R", b'{"text":"\\ud83d alone","score":-Infinity}'))
    yield alone(
        "a lone surrogate and an infinite number", surrogate, records=[{"text": "\ud83d alone", "score": float("-inf")}]
    )

    yield from torn(key, alone, case)
    yield from tampered(key, prefix, whole, case)
    yield from rearranged(key, whole, alone)
    yield from misplaced(key, whole, case)
    yield from registered(key, whole, alone, case)


def torn(key: bytes | None, alone: Any, case: Any) -> Iterator[dict[str, Any]]:
    """An open segment cut at every byte around every boundary."""
    writer = segment(key, closed=False)
    size, ends = len(writer.header), [len(writer.header)]
    for frame in writer.frames:
        size += len(frame)
        ends.append(size)
    cuts = sorted({0, 1, 15, *(end + by for end in ends for by in (-1, 0, 1, 7, 8, 9, 39, 40, 41) if end + by < size)})
    for cut in cuts:
        complete = sum(1 for end in ends[2:] if end <= cut)
        yield case(f"cut after {cut} bytes", (writer.file, writer.data()[:cut]), records=RECORDS[:complete])


def tampered(key: bytes | None, prefix: int, whole: SecondWriter, case: Any) -> Iterator[dict[str, Any]]:
    """One bit changed in each field of the header and of every frame."""

    def flip(place: int) -> tuple[str, bytes]:
        data = bytearray(whole.data())
        data[place] ^= 0x01
        return whole.file, bytes(data)

    head = len(whole.header)
    fields = {"magic": 3, "id": 20, "binding": 60, "header checksum": 82}
    if key is None:
        fields = {
            "format": 12,
            "id": 60,
            "binding": 140,
            "header checksum": head - 5,
            "newline of the header": head - 1,
        }
    for field, place in fields.items():
        yield case(f"{field} tampered", flip(place), refuses=["header", "start"], record=None)
    start = head
    for number, frame in enumerate(whole.frames):
        inside = {"length": 2, "length checksum": 6, "content": prefix + 3, "end": len(frame) - 1}
        if key is None:
            inside = {"length": 15, "length checksum": 32, "sum": 50, "content": len(frame) - 5, "end": len(frame) - 1}
        for field, place in inside.items():
            words = ["length"] if field.startswith("length") else ["bytes were changed"]
            yield case(f"{field} of frame {number} tampered", flip(start + place), refuses=words, record=number)
        start += len(frame)
    longer = bytearray(whole.data())
    if key is not None:
        size = (1 << 27).to_bytes(4, "big")
        longer[head : head + 8] = size + crc(size)
        yield case("a length beyond the limit", (whole.file, bytes(longer)), refuses=["length"], record=0)


def rearranged(key: bytes | None, whole: SecondWriter, alone: Any) -> Iterator[dict[str, Any]]:
    """Records swapped, dropped, repeated, forged; each with its closing frame as it was."""

    def changed(frames: list[bytes]) -> SecondWriter:
        writer = segment(key)
        writer.frames = frames
        return writer

    opening, a, b, c, closing = whole.frames
    order = ["record 2 stands in its place"]
    yield alone("records swapped", changed([opening, b, a, c, closing]), refuses=order, record=1)
    yield alone("a record dropped", changed([opening, b, c, closing]), refuses=order, record=1)
    repeated = changed([opening, a, a, b, c, closing])
    yield alone("a record repeated", repeated, refuses=["record 1 stands in its place"], record=2)
    yield alone("the opening dropped", changed([a, b, c, closing]), refuses=["record 1 stands in its place"], record=0)
    after = changed([*whole.frames, whole.frame(5, "R", canonical(RECORDS[0]))])
    yield alone("a record after the closing", after, refuses=["after it was closed"], record=5)
    again = changed([*whole.frames, opening])
    yield alone("the opening repeated at the end", again, refuses=["after it was closed"], record=5)
    short = changed([opening, a, whole.frame(2, "C", canonical({"count": 2, "head": "00" * 32}))])
    yield alone("a closing with another head", short, refuses=["closing"], record=2)
    foreign = segment(key, OTHER_ID).frames[2]
    yield alone("a record of another segment", changed([opening, a, foreign, c]), refuses=["another segment"], record=2)
    odd = changed([opening, whole.frame(1, "X", b"{}")])
    yield alone("a frame of unknown kind", odd, refuses=["kind"], record=1)
    text = changed([opening, whole.frame(1, "R", b"{")])
    yield alone("a record that is no JSON", text, refuses=["JSON"], record=1)


def misplaced(key: bytes | None, whole: SecondWriter, case: Any) -> Iterator[dict[str, Any]]:
    """Whole files in the wrong place."""
    other = segment(key, OTHER_ID)
    swapped = (whole.file, other.data()), (other.file, whole.data())
    yield case("two segments swapped", *swapped, refuses=["another's name"], record=None)
    yield case("a segment copied under a second name", (whole.file, whole.data()), (other.file, whole.data()),
               refuses=["another's name"], record=None)  # fmt: skip
    elsewhere = segment(key, name="journal/causal-v2")
    yield case(
        "a segment of another journal", (elsewhere.file, elsewhere.data()), refuses=["another journal"], record=None
    )
    if key is not None:
        version = segment(OTHER_KEY)
        yield case("a segment under another version's key", (version.file, version.data()),
                   refuses=["another version"], record=None)  # fmt: skip
        forged = SecondWriter(OTHER_KEY, JOURNAL, ID)
        forged.header = whole.header
        forged.add("O", {"generation": 1})
        yield case("a record under another version's key", (forged.file, forged.data()),
                   refuses=["authentication"], record=0)  # fmt: skip
    yield case(
        "a file of another kind", (whole.file, b"no segment at all" * 20), refuses=["does not start"], record=None
    )


def registered(key: bytes | None, whole: SecondWriter, alone: Any, case: Any) -> Iterator[dict[str, Any]]:
    """Checked against a register: what encryption alone cannot see."""
    opened = segment(key, closed=False)
    heads = [head(whole, closed=True)]
    yield alone("as registered", whole, records=RECORDS, heads=heads, finding=None)
    grown = [head(segment(key, records=RECORDS[:2], closed=False), closed=False)]
    yield alone("grown since it was registered open", whole, records=RECORDS, heads=grown, finding=None)
    yield alone("the closing cut off", opened, records=RECORDS, heads=heads, finding="stale segment")
    cut = segment(key, records=RECORDS[:1], closed=False)
    yield alone("cut back to an earlier record", cut, records=RECORDS[:1], heads=heads, finding="stale segment")
    yield case("the segment removed", records=[], heads=heads, finding="missing segment")
    other = segment(key, records=[RECORDS[0], RECORDS[2], RECORDS[1]])
    yield alone("written anew by a holder of the key", other, records=[RECORDS[0], RECORDS[2], RECORDS[1]], heads=heads,
                finding="segment head")  # fmt: skip
    stale = [head(segment(key, records=RECORDS[:1], closed=False), closed=True)]
    yield alone("a register older than the journal", whole, records=RECORDS, heads=stale, finding="stale head")
    broken = bytearray(whole.data())
    broken[-1] ^= 1
    yield case("damaged", (whole.file, bytes(broken)), refuses=["bytes were changed"], record=4, heads=heads,
               finding="damaged segment")  # fmt: skip
    half = opened.data()[:-3], segment(key, records=RECORDS[:2], closed=False)
    yield case("a torn end", (opened.file, half[0]), records=RECORDS[:2], heads=[head(half[1], closed=False)],
               finding="healed end")  # fmt: skip


def text() -> str:
    found = [*vectors(KEY, "sealed"), *vectors(None, "clear")]
    return "".join(json.dumps(vector, sort_keys=True) + "\n" for vector in found)


if __name__ == "__main__":
    TARGET.parent.mkdir(parents=True, exist_ok=True)
    TARGET.write_text(text(), encoding="utf-8")
    print(f"{TARGET}: {text().count(chr(10))} vectors")
