"""What a fuzz target is, when its contract is broken, and how inputs are bent: shared by both drivers.

A target reads bytes as one parser would meet them. It returns a value, or raises an error that the parser documents and
that says something (the program puts it on one line). Any other exception, another result for the same bytes, or a
reading that takes far too long is a fault.
"""

import contextlib
import json
import random
import signal
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from types import FrameType
from typing import Any

from benchpress.errors import UserError

SECONDS = 20
"""Processor time that one reading may take; what is asked for is that none hangs, not that all are fast."""
LONGEST = 1 << 16
"""Bytes of the longest input that is made."""


class BrokenContract(Exception):  # noqa: N818 - what a run looks for, not an error of ours
    """A parser did something that its contract does not allow."""


@dataclass(frozen=True)
class Target:
    """One parser of outside input."""

    name: str
    about: str
    """What is read, and from where it comes."""
    read: Callable[[bytes], Any]
    """The parser's value for these bytes; properties that must hold of it are checked inside by `require`."""
    seeds: Callable[[], Sequence[bytes]]
    refuses: tuple[type[Exception], ...] = (UserError,)
    """The errors that the parser documents."""
    words: tuple[bytes, ...] = ()
    """What is worth inserting."""
    rounds: int = 200
    """Bent inputs that a test takes."""

    def __call__(self, data: bytes) -> None:
        """Read `data` twice. Raises BrokenContract, or whatever the parser should not have raised."""
        with limited(SECONDS):
            first = self._outcome(data)
            second = self._outcome(data)
        require(first == second, f"two readings differ: {first[:200]} and {second[:200]}")

    def _outcome(self, data: bytes) -> str:
        try:
            return f"value {self.read(data)!r}"
        except self.refuses as refusal:
            text = str(refusal)
            require(bool(text.strip()), "an error without a word")
            return f"refused {text}"


@dataclass(frozen=True)
class Fault:
    """What a run found."""

    kind: str
    where: str
    text: str
    data: bytes = field(repr=False)

    def __str__(self) -> str:
        return f"{self.kind} in {self.where}: {self.text}"


def require(holds: bool, what: str) -> None:
    """Raise BrokenContract where a property does not hold."""
    if not holds:
        raise BrokenContract(what)


def fault_of(target: Target, data: bytes) -> Fault | None:
    """The fault that `data` shows, if it shows one."""
    try:
        target(data)
    except BaseException as problem:
        if isinstance(problem, KeyboardInterrupt):
            raise
        return Fault(type(problem).__name__, where(problem), str(problem)[:300], data)
    return None


def where(problem: BaseException) -> str:
    """The innermost function of the packages under test; of the fuzz target itself where there is none."""
    found = "?"
    trace = problem.__traceback__
    while trace is not None:
        code = trace.tb_frame.f_code
        ours = "/benchpress" in code.co_filename and "site-packages" not in code.co_filename
        if ours or (found == "?" and "/tests/fuzz/targets_" in code.co_filename):
            found = f"{Path(code.co_filename).stem}.{code.co_name}"
        trace = trace.tb_next
    return found


@contextlib.contextmanager
def limited(seconds: float) -> Iterator[None]:
    """End what takes more processor time than this with BrokenContract; where signals are to be had."""

    def over(number: int, frame: FrameType | None) -> None:
        raise BrokenContract(f"no end after {seconds:g} s of processor time")

    try:
        before = signal.signal(signal.SIGVTALRM, over)
    except ValueError:  # not the main thread
        yield
        return
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


@cache
def folder() -> Path:
    """A folder of this process for parsers that take a path; gone with the process."""
    holder = tempfile.TemporaryDirectory(prefix="benchpress-fuzz-")
    _HELD.append(holder)
    return Path(holder.name)


_HELD: list[Any] = []


def as_file(data: bytes, name: str = "input") -> Path:
    """`data` in a file that is overwritten by the next call with this name."""
    path = folder() / name
    path.write_bytes(data)
    return path


def json_of(data: bytes) -> Any:
    """`data` as JSON, for parsers of values. Raises UserError where it is none, which no such parser gets to see."""
    try:
        return json.loads(data)
    except (ValueError, RecursionError):
        raise UserError("no JSON") from None


def text_of(data: bytes) -> str:
    """`data` as text; halves of surrogate pairs, which some vendors send, are kept where all of it can be read so."""
    try:
        return data.decode("utf-8", "surrogatepass")
    except UnicodeDecodeError:
        return data.decode("utf-8", "replace")


def as_json(value: Any) -> bytes:
    """A seed."""
    return json.dumps(value, ensure_ascii=False).encode("utf-8", "surrogatepass")


ODD: tuple[Any, ...] = (
    None,
    True,
    False,
    0,
    1,
    -1,
    2**31,
    2**63,
    10**40,
    -(10**400),
    0.5,
    -0.0,
    1e308,
    float("nan"),
    float("inf"),
    "",
    " ",
    "0",
    "-1",
    "1/0",
    "1e9",
    "nan",
    "\n",
    "a\nb",
    "\x00",
    "\u2028",
    "\ud800",
    "é",
    "\u202e",
    "A",
    "None",
    "<b>",
    "[]",
    "__class__",
    ":",
    "a:b",
    ".a:b",
    "../x",
    "2024-13-45",
    "9" * 400,
    [],
    [None],
    [[]],
    ["A"],
    [["A", "B"]],
    [0],
    [{}],
    {},
    {"": None},
    {"id": 1},
    {"A": "B"},
)
"""Values that a field of a JSON document is not expected to have."""

DEEP = (b"[" * 3000, b"[" * 990 + b"]" * 990, b'{"a":' * 990 + b"1" + b"}" * 990, b"[" * 30_000 + b"]" * 30_000)
COMMON = (
    b"",
    b"\x00",
    b"\n",
    b"\r\n",
    b" ",
    b'"',
    b"{",
    b"}",
    b"[",
    b"]",
    b":",
    b",",
    b"\\",
    b"\xff",
    b"\xed\xa0\x80",
    b"\xef\xbb\xbf",
    b"9" * 5000,
    b"-1",
    b"1e999",
    b"NaN",
    b"\\ud800",
    "é\u2028\u200b".encode(),
)


def mutated(data: bytes, draw: random.Random, words: Sequence[bytes] = ()) -> bytes:
    """`data` bent in one to four places: as JSON where it is JSON, or JSON Lines, and as bytes."""
    for _ in range(draw.randint(1, 4)):
        bent = _bend_json(data, draw) if draw.random() < 0.6 else None
        data = bent if bent is not None else _bend_bytes(data, draw, words)
    return data[:LONGEST]


def _bend_json(data: bytes, draw: random.Random) -> bytes | None:
    """One line, or the whole, with a value of its tree changed; None where there is no JSON."""
    lines = data.split(b"\n")
    places = [place for place, line in enumerate(lines) if line[:1] in (b"{", b"[")]
    if not places:
        return None
    try:
        # A document over several lines, after a first line that names it or not.
        if lines[places[0]] in (b"{", b"["):
            value, first, last = json.loads(b"\n".join(lines[places[0] :])), places[0], len(lines)
        else:
            first = draw.choice(places)
            value, last = json.loads(lines[first]), first + 1
        written = as_json(_bent(value, draw))
    except (ValueError, RecursionError):
        return None
    return b"\n".join([*lines[:first], written, *lines[last:]])


def _bent(value: Any, draw: random.Random) -> Any:
    """`value` with one node of its tree replaced, left out, doubled or moved."""
    nodes: list[tuple[Any, Any]] = []
    waiting = [value]
    while waiting:
        node = waiting.pop()
        keys: Iterable[Any] = node if isinstance(node, dict) else range(len(node)) if isinstance(node, list) else ()
        for key in keys:
            nodes.append((node, key))
            waiting.append(node[key])
    if not nodes or draw.random() < 0.02:
        return draw.choice(ODD)
    node, key = draw.choice(nodes)
    kind = draw.randrange(8)
    if kind < 3:
        node[key] = draw.choice(ODD)
    elif kind == 3:
        del node[key]
    elif kind == 4 and isinstance(node, dict):
        node[draw.choice([str(draw.choice(ODD)), key.upper() if isinstance(key, str) else key])] = node[key]
    elif kind == 4:
        node.insert(draw.randint(0, len(node)), node[key])
    elif kind == 5:
        other, at = draw.choice(nodes)
        if at in other if isinstance(other, dict) else at < len(other):
            node[key] = json.loads(json.dumps(other[at]))
    elif kind == 6:
        node[key] = [node[key]] if draw.random() < 0.5 else {"value": node[key]}
    elif isinstance(node[key], str):
        node[key] = _bend_bytes(node[key].encode("utf-8", "surrogatepass"), draw, ()).decode("utf-8", "replace")
    else:
        node[key] = str(node[key])
    return value


def _bend_bytes(data: bytes, draw: random.Random, words: Sequence[bytes]) -> bytes:
    at = draw.randint(0, len(data))
    upto = min(len(data), at + draw.choice((1, 1, 2, 4, 16, 64)))
    kind = draw.randrange(8)
    if kind == 0 and at < len(data):
        return data[:at] + bytes([data[at] ^ 1 << draw.randrange(8)]) + data[at + 1 :]
    if kind == 1:
        return data[:at] + data[upto:]
    if kind == 2:
        return data[:upto] + data[at:upto] * draw.choice((1, 2, 50)) + data[upto:]
    if kind == 3:
        return data[:at]
    if kind == 4 and data:
        other = draw.randrange(len(data))
        return data[:at] + data[other : other + 32] + data[at:]
    if kind == 5:
        return data[:at] + bytes([draw.randrange(256)]) + data[upto:]
    if kind == 6 and draw.random() < 0.05:
        return data[:at] + draw.choice(DEEP) + data[at:]
    return data[:at] + draw.choice([*words, *words, *COMMON]) + data[(at if draw.random() < 0.5 else upto) :]


def inputs(target: Target, count: int, seed: int = 1) -> Iterator[bytes]:
    """The seeds of a target and `count` inputs bent from them: the same ones on every machine."""
    seeds = target.seeds()
    yield from seeds
    draw = random.Random(f"{target.name} {seed}")
    kept = list(seeds) or [b""]
    for _ in range(count):
        made = mutated(draw.choice(kept), draw, target.words)
        if draw.random() < 0.1 and len(kept) < 500:
            kept.append(made)
        yield made
