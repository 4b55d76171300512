"""Targets of what is stored: journals, sealed files, registers, caches, results, and files searched for leaks."""

import contextlib
import csv
import hashlib
import io
import json
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any
from unittest import mock

from benchpress.canonical import canonical_bytes
from benchpress.commitment import COMMITMENT_FORMAT, check_commitment, seed_commitment, tree_root
from benchpress.items import Response
from benchpress.spreadsheets import FORMULA
from benchpress.status import stop_of
from benchpress_evaluator.batching import open_batches
from benchpress_evaluator.entrants import Entrant
from benchpress_evaluator.exposure import Exposure
from benchpress_evaluator.grid.folder import RunFolder, check_run_id
from benchpress_evaluator.grid.rows import COLUMNS, TEXTS, from_csv, from_jsonl, to_csv, to_jsonl
from benchpress_evaluator.journal import Journal, SegmentHead
from benchpress_evaluator.journal.codec import CLOSING, OPENING, RECORD, Clear, Header, Sealed
from benchpress_evaluator.leaks.unwrap import Layer, layers
from benchpress_evaluator.methods import MethodChoice
from benchpress_evaluator.records import Call, CallKey, Completion
from benchpress_evaluator.register import Condition, Entries, Register, Run, check_journal, published
from benchpress_evaluator.scoring import score
from benchpress_evaluator.stats.cache import frame_from_bytes, frame_to_bytes
from benchpress_evaluator.stats.frame import results_frame
from benchpress_evaluator.storage import open_storage
from benchpress_evaluator.vault import identities
from benchpress_evaluator.vault.age import Keys, unlock
from benchpress_evaluator.vault.files import read_encrypted, write_encrypted
from benchpress_evaluator.vault.sealed import Sealed as SealedVersion
from benchpress_evaluator.vault.sealed import differences, pack, unpack
from benchpress_evaluator.workspace import commitment_name, read_commitment
from fuzz_seeds import DATA, lines, public_items
from fuzzing import Target, as_json, folder, json_of, require

KEY = bytes(range(32))
SEGMENT = b"\x0a" * 32
VERSION = "causal-v1"
ENTRANT = Entrant(id="model-a", provider="dummy", model="m")


class Held:
    """A storage that holds one log in memory."""

    keeps_unsynced = True

    def __init__(self, name: str, data: bytes) -> None:
        self.name, self.data = name, data

    def locate(self, name: str) -> str:
        return name

    def names(self, prefix: str) -> list[str]:
        return [self.name] if self.name.startswith(prefix) else []

    def read_log(self, name: str) -> Iterator[bytes]:
        for at in range(0, len(self.data), 100):
            yield self.data[at : at + 100]


def _journal(codec: Clear | Sealed, data: bytes) -> Any:
    folder_ = f"{VERSION}/journal"
    journal = Journal(Held(f"{folder_}/{SEGMENT.hex()}{codec.suffix}", data), folder_, codec)  # type: ignore[arg-type]
    return _used(journal)


def _used(journal: Journal) -> Any:
    """Everything that is done with a journal: what is read of it is checked, replayed and scored."""
    found = [str(one) for one in check_journal(journal, Entries(VERSION, None))]
    records = list(journal.records())
    segment = journal.stored()[0]
    require(segment.check().head.count >= len(records), "fewer frames than records")
    items = public_items("causal", 6)
    scored = list(score(items, iter(records), VERSION, [ENTRANT], (MethodChoice("direct"),)))
    open_batches([record for record in records if "batch" in record], ENTRANT.id, "1/1")
    return found, records, scored


def _clear(data: bytes) -> Any:
    return _journal(Clear(), data)


def _sealed_journal(data: bytes) -> Any:
    return _journal(Sealed(KEY), data)


def _frames(data: bytes) -> Any:
    """Lines `kind body` as somebody who can write the journal would put them: every checksum is right."""
    codec = Clear()
    start = codec.write_header(Header(SEGMENT, codec.binding(f"{VERSION}/journal")))
    frames = codec.frames(SEGMENT, hashlib.sha256(start).digest())
    bodies = [line for line in data.split(b"\n") if line]
    kinds = {b"O": OPENING, b"R": RECORD, b"C": CLOSING}
    stored = start + b"".join(frames.encode(n, kinds.get(body[:1], RECORD), body[1:]) for n, body in enumerate(bodies))
    return _journal(codec, stored)


def _bodies() -> Sequence[bytes]:
    item = public_items("causal", 6)[0]
    call = CallKey(VERSION, item.id, ENTRANT.id, "direct", 1, "answer", "0" * 12)
    done = Completion("ADJUSTMENT_SET: {}", "stop", input_tokens=9, output_tokens=9, native_config={"a": 1})
    record = Call(call, done, "2026-01-01T00:00:00Z").to_json()
    intent = {
        "batch": "t",
        "state": "intended",
        "entrant": ENTRANT.id,
        "shard": "1/1",
        "calls": {"t-0": call.to_json()},
    }
    steps = [intent, *({"batch": "t", "state": state, "id": "b"} for state in ("submitted", "fetched", "done"))]
    opening = b'O{"generation":1}'
    return [
        b"\n".join([opening, b"R" + as_json(record)]),
        b"\n".join([opening, *(b"R" + as_json(step) for step in steps)]),
        opening,
    ]


def segments(suffix: str) -> Sequence[bytes]:
    """What the second implementation of the format wrote."""
    vectors = lines(DATA / "vault" / "journal.jsonl")
    stored = [data for one in vectors for name, data in one["files"].items() if name == f"{SEGMENT.hex()}{suffix}"]
    codec = Clear() if suffix == Clear.suffix else Sealed(KEY)
    start = codec.write_header(Header(SEGMENT, codec.binding(f"{VERSION}/journal")))
    frames = codec.frames(SEGMENT, hashlib.sha256(start).digest())
    own = [frames.encode(n, body[:1], body[1:]) for n, body in enumerate(_bodies()[0].split(b"\n"))]
    return [start + b"".join(own), *(bytes.fromhex(data) for data in stored)]


@cache
def _encrypted_seed() -> bytes:
    storage = open_storage(folder() / "private")
    (folder() / "private").mkdir(exist_ok=True)
    with mock.patch("secrets.token_bytes", lambda size: b"n" * size):
        if storage.read_tagged("file.bin") is None:
            write_encrypted(storage, "file.bin", KEY, b"what is private")
    return storage.read("file.bin")


def _encrypted(data: bytes) -> Any:
    place = folder() / "encrypted"
    place.mkdir(exist_ok=True)
    (place / "file.bin").write_bytes(data)
    return read_encrypted(open_storage(place), "file.bin", KEY)


def _sealed() -> SealedVersion:
    made = [canonical_bytes(item.to_json()) for item in public_items("causal", 3)]
    beacon = {"source": "drand", "time": "2026-01-01T00:00:00Z", "value": "abc"}
    return SealedVersion(VERSION, b"s" * 32, b"t" * 32, b"d" * 32, beacon, (), {"version": VERSION}, {}, tuple(made))


def _commitment() -> dict[str, Any]:
    one = _sealed()
    return {
        "format": COMMITMENT_FORMAT,
        "version": VERSION,
        "stage": "items",
        "seed_time": "t",
        "time": "t",
        "seed_commit": seed_commitment(one.salt, one.secret),
        "beacon": one.beacon,
        "recipe": one.recipe,
        "release": {},
        "digests": {},
        "items": len(one.lines),
        "bundles": {},
        "root": tree_root(one.leaves).hex(),
    }


def _unpacked(data: bytes) -> Any:
    found = unpack(data, "a file")
    require(unpack(pack(found), "a file") == found, "packed again, it is another version")
    return differences(found, _commitment())


@cache
def _age_identity() -> tuple[identities.Identity, ...]:
    private, _ = identities.new_identity()
    return tuple(identities.parse_identities(private.encode(), "keys.txt"))


@cache
def _age_file() -> bytes:
    import pyrage

    recipient = pyrage.x25519.Recipient.from_str(_age_identity()[0].public)
    return bytes(pyrage.encrypt(b"what is private", [recipient]))


def _age(data: bytes) -> Any:
    # A file that a passphrase opens takes a second, and may take what it likes to be refused.
    return None if b"-> scrypt " in data[:64] else unlock(data, "a file", Keys(_age_identity()))


class _Kms:
    def decrypt(self, **given: Any) -> dict[str, bytes]:
        return {"Plaintext": bytes(given["CiphertextBlob"])}


@contextlib.contextmanager
def _kms_client(_: str) -> Iterator[_Kms]:
    yield _Kms()


def _kms(data: bytes) -> Any:
    with mock.patch.object(identities, "_kms", _kms_client):
        return identities.unwrap_with_kms(data, "a file")


def _registered(data: bytes) -> Any:
    place = folder() / "register"
    place.mkdir(exist_ok=True)
    (place / "runs.json").write_bytes(data)
    entries = Register(open_storage(place), "runs.json", VERSION, None).entries()
    written = json.loads(json.dumps(entries.to_json()))
    require(written == json.loads(json.dumps(Entries.to_json(entries))), "written twice, it differs")
    return published(entries), [str(one) for one in check_journal(Journal(Held("none", b""), "x", Clear()), entries)]  # type: ignore[arg-type]


def register() -> Sequence[bytes]:
    head = SegmentHead("ab" * 32, 3, "cd" * 32, closed=True)
    run = Run(Condition("model-a", "direct", 1), "2026-01-01T00:00:00Z", 2, None, (1,), (head.id,))
    sent = Exposure("2026-01-01", "openai", "model-a", "usual", None, False)
    return [as_json(Entries(VERSION, None, (run,), {head.id: head}, (sent,)).to_json())]


def _stored_commitment(data: bytes) -> Any:
    place = folder() / "commitments"
    place.mkdir(exist_ok=True)
    (place / commitment_name(VERSION)).write_bytes(data)
    found = read_commitment(open_storage(place), VERSION)
    check_commitment(found)
    return found


def _run_file(data: bytes) -> Any:
    home = RunFolder(folder() / "runs", "run")
    home.path.mkdir(parents=True, exist_ok=True)
    (home / "state.json").write_bytes(data)
    return home.read_json("state.json")


def _run_id(data: bytes) -> Any:
    name = check_run_id(data.decode("utf-8", "replace"))
    require((Path("/runs") / name).resolve().parent == Path("/runs"), "the run lies elsewhere")
    return name


def _rows(data: bytes) -> Any:
    """What is written as CSV and as JSON lines reads back exactly, and no text in the CSV is a formula."""
    found = json_of(data)
    if not isinstance(found, list) or not all(isinstance(row, dict) for row in found):
        return None
    rows = [{name: _text(name, row.get(name)) for name in COLUMNS} for row in found]
    try:
        table, plain = to_csv(rows), to_jsonl(rows)
    except ValueError:
        return "not a number"
    csv.field_size_limit(1 << 30)
    _, *lines = csv.reader(io.StringIO(table.decode(), newline=""))
    require(from_csv(table) == rows, "as CSV, the rows read back as others")
    texts = [cell for line in lines for name, cell in zip(COLUMNS, line, strict=True) if name in TEXTS]
    require(not any(cell.startswith(FORMULA) for cell in texts), "a cell of text is a formula")
    require(list(from_jsonl(plain)) == rows, "as JSON lines, the rows read back as others")
    return table


def _text(name: str, value: Any) -> Any:
    return value if value is None or name not in TEXTS else str(value)


def _row_seeds() -> Sequence[bytes]:
    row = {
        "item_id": "a",
        "raw_text": 'x, "y"\nz',
        "parsed_choice": "B",
        "picks": [0, 1],
        "extra": {"a": 0.5},
        "seed": 1,
    }
    return [as_json([row, {**row, "raw_text": ""}, {**row, "raw_text": '"'}, {**row, "raw_text": "a\rb"}])]


def _scored(data: bytes) -> Any:
    return list(frame_from_bytes(data).columns)


def _unwrapped(data: bytes) -> Any:
    found = list(layers(data))
    require(isinstance(found[0], Layer) and found[0].data == data, "the file itself comes first")
    return found


def _wrapped() -> Sequence[bytes]:
    import base64
    import bz2
    import gzip
    import io
    import lzma
    import zipfile
    import zlib

    text = b"A prompt of a sealed version, which nobody may read before it is revealed. " * 3
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as file:
        file.writestr(zipfile.ZipInfo("a.txt"), text)
    return [
        text,
        base64.b64encode(text),
        base64.b64encode(gzip.compress(text, mtime=0)),
        zlib.compress(text),
        bz2.compress(text),
        lzma.compress(text),
        archive.getvalue(),
        text.hex().encode(),
        b",".join(b"%d" % byte for byte in text),
        b"<p>" + text + b"&amp;&#65;</p>",
        json.dumps({"a": json.dumps(text.decode())}).encode(),
        text.decode().encode("utf-16"),
        b"%41%42" + text,
        b"\\x41\\u0041\\101" + text,
    ]


def _completion(data: bytes) -> Any:
    """What a cache or a journal holds of an answer."""
    value = json_of(data)
    if not isinstance(value, dict):
        return None
    found = Completion.from_json(value)
    return stop_of(Response("x", None, found.stop_reason)) if isinstance(found.stop_reason, str | None) else None


def _scored_seed() -> Sequence[bytes]:
    item = public_items("causal", 6)[0]
    return [frame_to_bytes(results_frame(list(score([item], [], VERSION, [ENTRANT], (MethodChoice("direct"),)))))]


PACKED = (
    b"1" * 40,
    b"9" * 5000 + b",",
    b"QUJD" * 10,
    b"\x1f\x8b\x08",
    b"PK\x03\x04",
    b"BZh91AY&SY",
    b"&#x41;",
    b"\\u0041",
    b"%41",
)

TARGETS = (
    Target("journal-clear", "a segment of a journal in clear", _clear, lambda: segments(".jsonl")),
    Target("journal-sealed", "a sealed segment of a journal", _sealed_journal, lambda: segments(".seg")),
    Target("journal-records", "records of a journal, every checksum right", _frames, _bodies),
    Target("encrypted-file", "a file under a version's data key", _encrypted, lambda: [_encrypted_seed()]),
    Target("sealed-version", "what is inside a sealed file", _unpacked, lambda: [pack(_sealed())]),
    Target("age-file", "an age file", _age, lambda: [_age_file()], words=(b"-> X25519 ", b"---", b"\n-> ")),
    Target(
        "kms-identity",
        "an identity that KMS opens",
        _kms,
        lambda: [as_json({"format": identities.KMS_FORMAT, "key_id": "k", "blob": "YWJj"})],
    ),
    Target("register", "the register of runs", _registered, register),
    Target("commitment", "a commitment in a store", _stored_commitment, lambda: [as_json(_commitment())]),
    Target("run-file", "a JSON file of a run's folder", _run_file, lambda: [b'{"a": [1, 2]}', b"[]"]),
    Target("run-id", "the name of a run", _run_id, lambda: [b"run-1", b"..", b"a/b"], words=(b".", b"/", b"..")),
    Target("grid-rows", "rows of results, as CSV and JSON lines", _rows, _row_seeds),
    Target("scored-cache", "the scored cache of public items", _scored, _scored_seed),
    Target(
        "completion",
        "a stored completion",
        _completion,
        lambda: [as_json(Completion("a", "stop").to_json())],
        (TypeError, *Target.refuses),
    ),
    Target("unwrap", "a file that is searched for leaks", _unwrapped, _wrapped, words=PACKED),
)
