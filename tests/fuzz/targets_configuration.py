"""Targets of what the maintainer writes: the roster, grids, keys, names of methods, and tables of questions."""

import gzip
import io
import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from benchpress_evaluator.commands.grids import method_of
from benchpress_evaluator.commands.leaks import strings_of
from benchpress_evaluator.datasets.tables import rows_of
from benchpress_evaluator.entrants import load_entrants, read_keys
from benchpress_evaluator.exposure import exposure
from benchpress_evaluator.grid.config import load_config
from benchpress_evaluator.plan import Shard
from benchpress_evaluator.providers.dummy import Dummy
from benchpress_evaluator.records import Request
from benchpress_evaluator.vault.age import read_recipients
from benchpress_evaluator.vault.identities import parse_identities
from benchpress_evaluator.yaml_file import line_of, parse_yaml
from fuzz_seeds import ROOT
from fuzzing import Target, as_file, folder, text_of
from targets_files import ROWS, YAML_WORDS

ENTRANT = b"""entrants:
  - id: model-a
    name: Model A
    provider: openai_compatible
    model: a/b
    base_url: http://127.0.0.1:8000/v1
    params: {max_tokens: 400, stop: [a, b], nested: {temperature: 0.7}}
    price: {input: 0.5, output: 1.5, cached_input: 0.1, date: 2026-01-02}
    launch_date: 2026-01-01
    retention: none
  - {id: b, provider: reference, model: exact}
"""
GRID = b"""experiment: {name: try}
models:
  - model-a
  - {id: inline, provider: dummy, model: m, params: {a: 1}}
benchmarks:
  - {name: mmlu, split: test, n_samples: 20, subject_filter: [law]}
  - {name: own, path: questions.csv}
methods:
  - {name: direct}
  - {name: pride, params: {alpha: 0.2}, preflight: {source: benchmark, n: 10}}
metrics: [accuracy]
run: {seed: 1, max_cost: 2.5}
"""


def _roster(data: bytes) -> Any:
    """Every entrant that is accepted has an identity, a title and a line in the exposure ledger."""
    found = load_entrants(as_file(data, "models.yaml"))
    ask = Request.of("a question")
    told = []
    for entrant in found:
        line = exposure(entrant, Dummy.__new__(Dummy), "2026-01-01T00:00:00Z")
        told.append((entrant.title, entrant.kind, ask.digest(entrant.configuration), line, entrant.model_dump_json()))
    return told


def _yaml(data: bytes) -> Any:
    node, value = parse_yaml(text_of(data), "a.yaml")
    for place in ([], ["entrants", 0, "id"], ["a", "b"], [0, 1]):
        line_of(node, place)
    return repr(value)[:10_000]


def _grid(data: bytes) -> Any:
    return load_config(as_file(data, "grid.yaml")).config.model_dump_json()


def _env(data: bytes) -> Any:
    as_file(data, ".env")
    return sorted(read_keys(folder()).items())


def _method(data: bytes) -> Any:
    return method_of(text_of(data))


def _shard(data: bytes) -> Any:
    return Shard.parse(text_of(data))


def _table(suffix: str) -> Callable[[bytes], Any]:
    return lambda data: list(rows_of(as_file(data, f"table{suffix}")))


def _csv(separator: str) -> bytes:
    rows = [["question", "A", "B", "answer"], ["2+2?", "3", '"4"', "B"], ["x", "", "NA", "A"]]
    return "\n".join(separator.join(row) for row in rows).encode()


def _tables(suffix: str) -> Sequence[bytes]:
    rows = [row for one in ROWS.values() for row in one]
    match suffix:
        case ".parquet":
            import pyarrow as pa
            import pyarrow.parquet as pq

            out = io.BytesIO()
            pq.write_table(
                pa.table({"question": ["a", "b"], "choices": [["x", "y"], ["z", None]], "answer": [0, 1]}), out
            )
            return [out.getvalue()]
        case ".csv":
            return [_csv(","), b'"a\n', b"a,a\n1,2\n", b"a\n1,2,3\n"]
        case ".tsv":
            return [_csv("\t")]
        case ".csv.gz":
            return [gzip.compress(_csv(","), mtime=0)]
        case ".json":
            return [json.dumps(rows).encode(), json.dumps({"version": 1, "rows": rows[:1]}).encode()]
    return [b"\n".join(json.dumps(row).encode() for row in rows)]


def _recipients(data: bytes) -> Any:
    return read_recipients(as_file(data, "recipients.txt"))


def _identities(data: bytes) -> Any:
    return [one.public for one in parse_identities(data, "keys.txt")]


def _key_files() -> Sequence[bytes]:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
    from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

    ssh = Ed25519PrivateKey.from_private_bytes(b"k" * 32)
    own = b"# created: 2026-01-01\nAGE-SECRET-KEY-1GFPYYSJZGFPYYSJZGFPYYSJZGFPYYSJZGFPYYSJZGFPYYSJZGFPQ4EGAEX\n"
    plain = ssh.private_bytes(Encoding.PEM, PrivateFormat.OpenSSH, NoEncryption())
    return [own, _fixed(plain)]


def _fixed(key: bytes) -> bytes:
    """An OpenSSH key without the random number that is in it twice, so that a run can be repeated."""
    import base64

    head, *body, tail = key.strip().split(b"\n")
    raw = base64.b64decode(b"".join(body))
    at = raw.rindex(b"\0\0\0\x0bssh-ed25519") - 8
    raw = raw[:at] + b"\1\2\3\4" * 2 + raw[at + 8 :]
    return b"\n".join([head, base64.b64encode(raw), tail, b""])


def _public_keys() -> Sequence[bytes]:
    age = b"age1ql3z7hjy54pw3hyww5ayyfg7zqgvc7w3j2elw8zmrj2kudpxkp2s5tz2ar"
    ssh = b"ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIGPKSUHSSXuPpZyYQ0d4nRmDYpEYJhVTDXqLCz8gYvPB a"
    return [b"# Maintainer\n" + age + b"\n", b"# recovery, in the safe\n" + age + b"\n# B\n" + ssh + b"\n"]


def _canaries(data: bytes) -> Any:
    return strings_of(as_file(data, "canaries.txt"))


def _grids() -> Sequence[bytes]:
    templates = ROOT / "evaluator/src/benchpress_evaluator/grid/templates"
    return [GRID, *(path.read_bytes() for path in sorted(Path(templates).glob("*.yaml")))]


ENV_WORDS = (b"export ", b"=", b'"', b"'", b" # ", b"A_KEY=", b" " * 200, b"\t" * 200, b"=" * 100)

TARGETS = (
    Target(
        "roster",
        "models.yaml",
        _roster,
        lambda: [ENTRANT, (ROOT / "models.yaml").read_bytes()],
        rounds=60,
        words=(
            *YAML_WORDS,
            b"http://[",
            b"http://a:99999",
            b"http://a:b@c",
            b"http://[::1]:8000/v1",
            b"https://\xc3\xa9",
        ),
    ),
    Target("yaml", "YAML that a person writes", _yaml, lambda: [ENTRANT, GRID], words=YAML_WORDS, rounds=60),
    Target("grid", "a grid in YAML", _grid, _grids, words=YAML_WORDS, rounds=60),
    Target(
        "env", ".env of the workspace", _env, lambda: [b"A=1\nexport B='x y' # c\n# d\nC=\"q\"\nD=\n"], words=ENV_WORDS
    ),
    Target(
        "method-text",
        "a method with parameters on the command line",
        _method,
        lambda: [b"direct", b'pride{"alpha": 0.2}'],
    ),
    Target("shard-text", "a shard on the command line", _shard, lambda: [b"1/1", b"2/8", b"9/1"]),
    Target(
        "recipients", "a file of age recipients", _recipients, _public_keys, words=(b"# ", b"age1", b"ssh-rsa ", b"\n")
    ),
    Target(
        "identities",
        "a file of private keys",
        _identities,
        _key_files,
        words=(b"PRIVATE KEY-----", b"AGE-SECRET-KEY-1"),
    ),
    Target(
        "canaries", "a file of further strings to look for", _canaries, lambda: [b"a canary of some length\n", b"x\n"]
    ),
    *(
        Target(
            f"table{suffix}",
            f"rows of a {suffix} file",
            _table(suffix),
            lambda suffix=suffix: _tables(suffix),
            rounds=60,
        )
        for suffix in (".parquet", ".jsonl", ".json", ".csv", ".csv.gz", ".tsv")
    ),
)
