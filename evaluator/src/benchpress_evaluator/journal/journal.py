"""All segments of one journal together."""

from collections.abc import Iterator
from typing import Any

from benchpress.errors import UserError

from benchpress_evaluator.journal.codec import Clear, Codec, Sealed
from benchpress_evaluator.journal.segment import Segment, SegmentHead, Writer
from benchpress_evaluator.storage import Storage


class Journal:
    """Every call that was ever made for one version, append-only. Each writing process adds a segment of its own."""

    def __init__(self, storage: Storage, name: str, codec: Codec) -> None:
        self.storage = storage
        self.name = name
        self._codec = codec

    @classmethod
    def open(cls, storage: Storage, name: str, data_key: bytes | None) -> "Journal":
        """The journal in the folder `name`, such as `causal-v1/journal`; in clear where there is no data key.

        Nothing is read or written yet.
        """
        return cls(storage, name, Clear() if data_key is None else Sealed(data_key))

    def stored(self) -> list[Segment]:
        """The segments by id, none of them read yet."""
        return [
            Segment(self.storage, self.name, name, self._codec)
            for name in self.storage.names(self.name)
            if name.endswith(self._codec.suffix)
        ]

    def segments(self) -> list[Segment]:
        """The segments in the order in which they count: by generation, then by id. Raises UserError."""
        return sorted(self.stored(), key=lambda segment: (segment.generation(), segment.id))

    def records(self) -> Iterator[dict[str, Any]]:
        """Every record of every segment; memory does not grow with their number.

        Raises UserError where anything complete is not as it was written.
        """
        for segment in self.segments():
            yield from segment.records()

    def heads(self) -> list[SegmentHead]:
        """Check everything and return what binds each segment. Raises UserError."""
        return [segment.check().head for segment in self.segments()]

    def merge(self, other: "Journal") -> int:
        """Copy the segments of `other`, the same journal in another storage, that are not here; returns how many.

        Raises UserError where a segment is here with other content, or damaged there.
        """
        here = {segment.id: segment for segment in self.stored()}
        copied = 0
        for segment in other.stored():
            theirs = segment.check().head
            if segment.id in here:
                ours = here[segment.id].check().head
                if ours != theirs:
                    raise UserError(
                        f"{here[segment.id].place} has {ours.count} frames, the other one {theirs.count}: delete the "
                        "shorter one and merge again"
                    )
                continue
            segment.copy(self.storage)
            copied += 1
        return copied

    def writer(self) -> Writer:
        """A new segment that counts after all that are there now."""
        generation = max((segment.generation() for segment in self.segments()), default=0)
        return Writer(self.storage, self.name, self._codec, generation + 1)
