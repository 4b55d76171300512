"""One segment: written by one process, read by anybody with the key."""

import asyncio
import hashlib
import os
import secrets
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from benchpress.errors import UserError

from benchpress_evaluator.journal.codec import (
    CLOSING,
    ID_SIZE,
    MAX_FRAME,
    OPENING,
    RECORD,
    Codec,
    DamagedError,
    Frames,
    Header,
    body_of,
)
from benchpress_evaluator.json_text import parse_json
from benchpress_evaluator.storage import Log, Storage

BUFFER = 1 << 20
END = b"E"


@dataclass(frozen=True, slots=True)
class SegmentHead:
    """What binds a segment: its id in hex, how many frames it has, and their running hash.

    `head` starts as SHA-256 of the header and becomes SHA-256(head || frame) with every frame.
    """

    id: str
    count: int
    head: str
    closed: bool

    def to_json(self) -> dict[str, Any]:
        return {"id": self.id, "count": self.count, "head": self.head, "closed": self.closed}

    @classmethod
    def from_json(cls, value: dict[str, Any]) -> "SegmentHead":
        return cls(value["id"], value["count"], value["head"], value["closed"])


class Writer:
    """The growing end of a segment. Nothing is written before the first record.

    A record is durable when `append(..., durable=True)`, `commit` or `append_durable` returns; until then it may be
    lost with the process, or, where `keeps` is true and `append_durable` has begun to wait, with the machine only.
    """

    def __init__(self, storage: Storage, folder: str, codec: Codec, generation: int) -> None:
        segment = secrets.token_bytes(ID_SIZE)
        header = codec.write_header(Header(segment, codec.binding(folder)))
        self.keeps = storage.keeps_unsynced
        self._storage = storage
        self._name = f"{folder}/{segment.hex()}{codec.suffix}"
        self._digest = hashlib.sha256(header).digest()
        self._frames = codec.frames(segment, self._digest)
        self._id = segment.hex()
        self._count = 0
        self._pending = bytearray(header)
        self._log: Log | None = None
        self._adding = threading.Lock()
        self._writing = threading.Lock()
        self._syncing = threading.Lock()
        self._durable = 0
        self._flush: asyncio.Task[None] | None = None
        self._closed = False
        # Two processes that went on from one state would use a nonce twice.
        self._process = os.getpid()
        self._add(OPENING, {"generation": generation})

    def _add(self, kind: bytes, value: Any) -> None:
        if os.getpid() != self._process:
            raise ValueError("a journal segment belongs to the process that opened it: open another writer")
        body = body_of(value)
        with self._adding:
            if self._closed:
                raise ValueError("this journal segment is closed")
            frame = self._frames.encode(self._count, kind, body)
            if len(frame) > MAX_FRAME:
                raise UserError(f"a record of {len(frame)} bytes is too large for the journal ({MAX_FRAME} at most)")
            self._digest = hashlib.sha256(self._digest + frame).digest()
            self._pending += frame
            self._count += 1
            self._closed = kind == CLOSING

    def append(self, record: dict[str, Any], *, durable: bool = False) -> None:
        """Add one record. Raises UserError where it cannot be written."""
        self._add(RECORD, record)
        if durable:
            self.commit()
        elif len(self._pending) > BUFFER:
            self._write(sync=False)

    def commit(self) -> None:
        """Make every record added so far durable.

        Raises UserError where that fails; nothing is forgotten, and the next commit tries again.
        """
        self._write(sync=True)

    def _write(self, *, sync: bool) -> None:
        with self._writing:
            with self._adding:
                batch, count = bytes(self._pending), self._count
            if batch:
                if self._log is None:
                    self._log = self._storage.new_log(self._name)
                self._log.append(batch, sync=False)
                with self._adding:
                    del self._pending[: len(batch)]
        if sync and self._log is not None:
            # Records may be written meanwhile; they wait for the next one.
            with self._syncing:
                if self._durable < count:
                    self._log.append(b"", sync=True)
                    self._durable = count

    async def append_durable(self, record: dict[str, Any]) -> None:
        """Add one record and return when it is durable; records that arrive meanwhile share the next write.

        For use from one event loop. Raises UserError where it cannot be written.
        """
        self._add(RECORD, record)
        wanted = self._count
        if self.keeps:
            self._write(sync=False)
        while self._durable < wanted:
            if self._flush is None or self._flush.done():
                self._flush = asyncio.create_task(asyncio.to_thread(self.commit))
            await asyncio.shield(self._flush)

    def close(self) -> SegmentHead | None:
        """Write the closing frame durably. None where there was no record, and so no segment."""
        if self._count > 1:
            if not self._closed:
                self._add(CLOSING, {"count": self._count, "head": self._digest.hex()})
            self.commit()
        if self._log is not None:
            self._log.close()
            self._log = None
        self._closed = True
        return SegmentHead(self._id, self._count, self._digest.hex(), closed=True) if self._count > 1 else None


@dataclass(frozen=True, slots=True)
class Checked:
    """What a complete reading of a segment found."""

    head: SegmentHead
    torn: int
    """Bytes at the end that belong to no complete frame: what was being written when the writer was stopped."""
    at: str | None
    """The running hash after as many frames as were asked about; None where there are fewer."""


class Segment:
    """A stored segment. Reading streams: memory does not grow with its size."""

    def __init__(self, storage: Storage, folder: str, name: str, codec: Codec) -> None:
        self._storage = storage
        self._folder = folder
        self._name = name
        self._codec = codec
        self.id = name.rpartition("/")[2].removesuffix(codec.suffix)

    @property
    def place(self) -> str:
        return f"journal segment {self.id[:12]} ({self._storage.locate(self._name)})"

    def generation(self) -> int:
        """How many generations of writers came before this segment's, by its opening frame; 0 where it is torn."""
        return next((value["generation"] for kind, value, _ in self._read() if kind == OPENING), 0)

    def records(self) -> Iterator[dict[str, Any]]:
        """Every complete record in order.

        An end that was cut short is healed by reading up to it. Raises UserError naming segment and record where
        anything complete is not as it was written.
        """
        for kind, value, _ in self._read():
            if kind == RECORD:
                yield value

    def check(self, count: int = 0) -> Checked:
        """Read everything; `count` is the number of frames after which the running hash is wanted. Raises UserError."""
        frames, torn, closed, at = 0, 0, False, None
        digest = b""
        for kind, value, digest in self._read():
            if kind == END:
                torn = value
                break
            frames += 1
            closed = kind == CLOSING
            if frames == count:
                at = digest.hex()
        return Checked(SegmentHead(self.id, frames, digest.hex(), closed), torn, at if count else digest.hex())

    def copy(self, target: Storage) -> None:
        """Put the same bytes under the same name in another storage. Raises UserError."""
        log = target.new_log(self._name)
        for chunk in self._storage.read_log(self._name):
            log.append(chunk, sync=False)
        log.append(b"", sync=True)
        log.close()

    def _read(self) -> Iterator[tuple[bytes, Any, bytes]]:
        """Kind, content and running hash of each frame; at last END with the number of torn bytes."""
        sequence, at = -1, 0
        try:
            codec, stream = self._codec, _Stream(self._storage.read_log(self._name))
            start = stream.take(codec.header_size)
            digest = hashlib.sha256(start).digest()
            if len(start) < codec.header_size and codec.magic[: len(start)] == start[: len(codec.magic)]:
                yield END, len(start), digest
                return
            frames, closed, sequence, at = self._frames(start), False, 0, len(start)
            while prefix := stream.take(codec.prefix_size):
                if closed:
                    raise DamagedError("it continues after it was closed")
                if len(prefix) < codec.prefix_size:
                    break
                size = frames.length(prefix)
                if not codec.prefix_size <= size <= MAX_FRAME:
                    raise DamagedError(f"it declares a length of {size} bytes")
                prefix += stream.take(size - codec.prefix_size)
                if len(prefix) < size:
                    break
                kind, value = _content(frames, sequence, prefix)
                if kind == CLOSING and value != {"count": sequence, "head": digest.hex()}:
                    raise DamagedError("the closing frame does not fit what stands before it")
                closed = kind == CLOSING
                digest = hashlib.sha256(digest + prefix).digest()
                sequence += 1
                at += size
                yield kind, value, digest
            yield END, len(prefix), digest
        except DamagedError as problem:
            where = "" if sequence < 0 else f", record {sequence} at byte {at}"
            raise UserError(
                f"{self.place}{where}: {problem}; nothing of this journal is used until the segment is restored from a "
                "backup"
            ) from None

    def _frames(self, start: bytes) -> Frames:
        """The reader of this segment's frames, if the header is its own. Raises DamagedError."""
        header = self._codec.read_header(start)
        if header.segment.hex() != self.id:
            raise DamagedError(f"it is segment {header.segment.hex()[:12]} under another's name: files were swapped")
        if header.binding != self._codec.binding(self._folder):
            raise DamagedError("it belongs to another version or another journal, or the key is not this version's")
        return self._codec.frames(header.segment, hashlib.sha256(start).digest())


def _content(frames: Frames, sequence: int, frame: bytes) -> tuple[bytes, Any]:
    """Kind and content of a complete frame. Raises DamagedError."""
    kind, body = frames.decode(sequence, frame)
    if (kind == OPENING) != (sequence == 0) or kind not in (OPENING, RECORD, CLOSING):
        raise DamagedError("a frame of this kind has no place here")
    try:
        value = parse_json(body)
    except ValueError:
        raise DamagedError("it is not JSON") from None
    if not isinstance(value, dict) or (kind == OPENING and not isinstance(value.get("generation"), int)):
        raise DamagedError("it is no record of a journal")
    return kind, value


class _Stream:
    """Exact stretches out of chunks of any size."""

    def __init__(self, chunks: Iterator[bytes]) -> None:
        self._chunks = chunks
        self._buffer = bytearray()
        self._at = 0

    def take(self, size: int) -> bytes:
        """The next `size` bytes, fewer only at the end."""
        while len(self._buffer) - self._at < size:
            chunk = next(self._chunks, None)
            if chunk is None:
                break
            del self._buffer[: self._at]
            self._at = 0
            self._buffer += chunk
        found = bytes(self._buffer[self._at : self._at + size])
        self._at += len(found)
        return found
