"""Inputs that once broke a contract, as small as they could be made. They are read like all others ever since."""

import base64
import io
import json
import re

from benchpress_evaluator.journal.codec import Clear, checksum
from fuzzing import as_json
from targets_storage import register, segments

DEEP = b"[" * 2000


def _register(**run: object) -> bytes:
    value = json.loads(register()[0])
    value["runs"][0] |= run
    return as_json(value)


def _four_bits() -> bytes:
    """A Parquet file whose schema asks for whole numbers of four bits."""
    import pyarrow
    from pyarrow import parquet

    out = io.BytesIO()
    parquet.write_table(pyarrow.table({"answer": [0]}), out)
    stored = re.search(rb"ARROW:schema.{0,3}?([A-Za-z0-9+/=]{40,})", out.getvalue(), re.DOTALL)
    assert stored is not None
    schema = base64.b64decode(stored[1]).replace((64).to_bytes(4, "little"), (4).to_bytes(4, "little"), 1)
    return out.getvalue().replace(stored[1], base64.b64encode(schema))


def _length(size: bytes) -> bytes:
    """A segment in clear whose first record declares its length as `size`, with a checksum that fits."""
    header, _, records = segments(".jsonl")[0].partition(b"\n")
    prefix = b'{"length":"%b","check":"%b",' % (size, checksum(size).hex().encode())
    return header + b"\n" + prefix + records[Clear.prefix_size :]


MENDED: tuple[tuple[str, bytes], ...] = (
    # A tag that does not fit, a value that holds itself, aliases that multiply, an empty document.
    *(
        (name, b"a: " + tag)
        for name in ("yaml", "roster", "grid")
        for tag in (b"!!timestamp x", b"!!bool x", b"!!int x")
    ),
    *((name, b"entrants: &a [*a]") for name in ("yaml", "roster", "grid")),
    ("roster", b"entrants: [{id: a, provider: dummy, model: m, params: &p {a: *p}}]"),
    (
        "yaml",
        b"a0: &a0 [x]\n"
        + b"".join(b"a%d: &a%d [%s]\n" % (n, n, b",".join([b"*a%d" % (n - 1)] * 9)) for n in range(1, 12)),
    ),
    ("yaml", b""),
    # Addresses whose host or port cannot be told.
    *(
        ("roster", b"entrants: [{id: a, provider: dummy, model: m, base_url: '%s'}]" % url)
        for url in (b"http://[", b"http://a:99999", b"http://:80")
    ),
    ("method-text", b"pride{" + b'"a":' + DEEP + b"}"),
    *((name, DEEP) for name in ("table.json", "kms-identity", "register", "commitment", "run-file", "sealed-version")),
    ("batch-results", DEEP),
    ("batch-results", b'{"custom_id": "a", "response": {"status_code": 1e999}}'),
    # Gzip that ends early, and gzip that holds no such stream.
    ("table.csv.gz", b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x02\x03+"),
    ("table.csv.gz", b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x02\x03\xff\xff\xff\xff\xff"),
    # A length that no writer of ours writes, also where Python reads it as one.
    *(("journal-clear", _length(size)) for size in (b'{"value"', b"+0000102", b" 0000102", b"0x000102", b"000_0102")),
    ("table.parquet", _four_bits()),
    ("site-name", "a\uffffb\ufdd0".encode()),
    # Records whose checksums are right and that nothing of ours wrote.
    *(
        ("journal-records", body)
        for body in (b"O9", b"O{}", b"O" + DEEP, b'O{"generation":1}\nR9', b'O{"generation":1}\nR{"call":[]}')
    ),
    *(
        ("journal-records", b'O{"generation":1}\nR' + as_json(record))
        for record in (
            {"batch": "t"},
            {"batch": "t", "state": "intended", "entrant": "model-a", "shard": "1/1", "calls": [1]},
        )
    ),
    # A register whose runs name segments without a head, or have fields of another type.
    ("register", _register(segments=["ef" * 32])),
    ("register", _register(planned_shards="2")),
    ("register", _register(finished_shards=["1"])),
    ("register", _register(planned_shards=1 << 63, ended=None)),
    # A number of more digits than Python reads, in a list that may be bytes.
    ("unwrap", b"1" * 5000 + b","),
    # Dates that no calendar has, and pauses without an end.
    ("retry-after", b"retry-after: Wed, 21 Oct 99999 07:28:00 GMT"),
    ("retry-after", b"retry-after-ms: inf"),
    # Fields of another type, which vendors' packages hand on as they are.
    *(
        (
            "server-openai_compatible",
            b"\x00" + as_json({"choices": [{"message": {"content": "N: 2"}, "finish_reason": "stop"}], **more}),
        )
        for more in (
            {"usage": {"prompt_tokens": "9", "completion_tokens": 1.5}},
            {"id": [1], "model": {}},
            {"service_tier": 5},
        )
    ),
)
