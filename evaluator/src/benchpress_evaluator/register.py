"""The public register of runs: what was planned before the first call, and what binds the journal at the end.

A head that nobody published binds nobody: the register says, before an answer is known, which entrant is run in how
many shards, and afterwards fixes every segment of the journal, so that none can be dropped, swapped or cut.
"""

import json
import secrets
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from time import sleep
from typing import Any

from benchpress.commitment import Finding
from benchpress.errors import UserError

from benchpress_evaluator.exposure import Exposure, first_days
from benchpress_evaluator.journal import Journal, SegmentHead
from benchpress_evaluator.journal.segment import Checked, Segment
from benchpress_evaluator.json_text import parse_json
from benchpress_evaluator.storage import ConflictError, Storage

FORMAT = "benchpress.register/1"
ATTEMPTS = 100
MOST_SHARDS = 9_999
"""As many as `--shard i/n` takes."""


@dataclass(frozen=True, slots=True, order=True)
class Condition:
    """One run of one entrant with one method: run 0 is the first, each `--rerun` adds one."""

    entrant: str
    method: str
    run: int


@dataclass(frozen=True, slots=True)
class Run:
    """What the register says about one condition."""

    condition: Condition
    started: str
    planned_shards: int
    ended: str | None = None
    finished_shards: tuple[int, ...] = ()
    segments: tuple[str, ...] = ()
    """Ids of the segments in which its calls may stand."""

    def to_json(self) -> dict[str, Any]:
        return {
            "entrant": self.condition.entrant,
            "method": self.condition.method,
            "run": self.condition.run,
            "started": self.started,
            "ended": self.ended,
            "planned_shards": self.planned_shards,
            "finished_shards": list(self.finished_shards),
            "segments": list(self.segments),
        }

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> "Run":
        return cls(
            Condition(value["entrant"], value["method"], value["run"]),
            value["started"],
            value["planned_shards"],
            value["ended"],
            tuple(value["finished_shards"]),
            tuple(value["segments"]),
        )


@dataclass(frozen=True, slots=True)
class Entries:
    """The content of a register: runs in the order in which they started, and the heads of all segments by id."""

    version: str
    root: str | None
    """The root of the version's commitment; None for public items."""
    runs: tuple[Run, ...] = ()
    heads: Mapping[str, SegmentHead] = field(default_factory=dict)
    exposures: tuple[Exposure, ...] = ()
    """Sorted: which provider was sent items on which day."""

    def to_json(self) -> dict[str, Any]:
        return {
            "format": FORMAT,
            "version": self.version,
            "root": self.root,
            "runs": [run.to_json() for run in self.runs],
            "segments": [self.heads[name].to_json() for name in sorted(self.heads)],
            "exposures": [exposure.to_json() for exposure in self.exposures],
        }


class Register:
    """The register of one version, in one file that several shards may write."""

    def __init__(self, storage: Storage, name: str, version: str, root: str | None) -> None:
        self._storage = storage
        self._name = name
        self._new = Entries(version, root)

    @property
    def place(self) -> str:
        return self._storage.locate(self._name)

    def entries(self) -> Entries:
        """What stands in it now. Raises UserError where it is unreadable or of another version."""
        return self._read()[0]

    def start(
        self, conditions: Iterable[Condition], planned_shards: int, time: str, exposures: Iterable[Exposure] = ()
    ) -> None:
        """Register runs before their first call; one that is registered already is joined (resume, other shards).

        `exposures` says to which providers items are about to be sent. Raises UserError where a run was registered
        with another number of shards.
        """
        wanted = sorted(set(conditions))
        sent = set(exposures)

        def change(entries: Entries) -> Entries:
            known = {run.condition: run for run in entries.runs}
            for condition in wanted:
                if condition in known and known[condition].planned_shards != planned_shards:
                    raise UserError(
                        f"{self.place}: run {condition.run} of {condition.entrant} was started with "
                        f"{known[condition].planned_shards} shard(s); finish it with the same number (--shard i/n)"
                    )
            added = [Run(condition, time, planned_shards) for condition in wanted if condition not in known]
            ledger = tuple(sorted({*entries.exposures, *sent}, key=_ledger_order))
            return replace(entries, runs=(*entries.runs, *added), exposures=ledger)

        self._change(change)

    def finish(self, conditions: Iterable[Condition], shard: int, heads: Sequence[SegmentHead], time: str) -> None:
        """Record that shard `shard` (from 1) of runs is done, with the heads of all segments of the journal.

        A run has ended when all its planned shards have. Raises UserError where a head contradicts an earlier one.
        """
        done = set(conditions)

        def change(entries: Entries) -> Entries:
            merged = merge_heads(entries.heads, heads, self.place)
            names = tuple(sorted(head.id for head in heads))
            return replace(
                entries,
                heads=merged,
                runs=tuple(
                    _finished(run, shard, names, time) if run.condition in done else run for run in entries.runs
                ),
            )

        self._change(change)

    def _read(self) -> tuple[Entries, str | None]:
        found = self._storage.read_tagged(self._name)
        if found is None:
            return self._new, None
        try:
            value = parse_json(found[0])
            if value["format"] != FORMAT:
                raise ValueError
            heads = {entry["id"]: SegmentHead.from_json(entry) for entry in value["segments"]}
            runs = tuple(Run.from_json(entry) for entry in value["runs"])
            exposures = tuple(Exposure(**entry) for entry in value["exposures"])
            entries = Entries(value["version"], value["root"], runs, heads, exposures)
            _check_types(entries)
        except (ValueError, KeyError, TypeError, AttributeError):
            raise UserError(f"{self.place} is no register ({FORMAT}); restore it from version control") from None
        if (entries.version, entries.root) != (self._new.version, self._new.root):
            raise UserError(f"{self.place} is of {entries.version} under another commitment; check the path")
        return entries, found[1]

    def _change(self, change: Callable[[Entries], Entries]) -> None:
        for _ in range(ATTEMPTS):
            entries, tag = self._read()
            changed = change(entries)
            if changed == entries:
                return
            data = json.dumps(changed.to_json(), indent=1, ensure_ascii=False).encode() + b"\n"
            try:
                self._storage.write(self._name, data, expected=tag)
            except ConflictError:
                sleep(secrets.randbelow(1000) / 10_000)
                continue
            return
        raise UserError(f"{self.place} is being changed by others all the time; run the same command again")


def _finished(run: Run, shard: int, names: tuple[str, ...], time: str) -> Run:
    shards = tuple(sorted({*run.finished_shards, shard}))
    ended = time if len(shards) == run.planned_shards else None
    segments = tuple(sorted({*run.segments, *names}))
    return replace(run, finished_shards=shards, segments=segments, ended=run.ended or ended)


def _ledger_order(line: Exposure) -> tuple[str, str, str, str, str, bool]:
    return (line.date, line.provider, line.entrant, line.endpoint, line.retention or "", line.batch)


def merge_heads(known: Mapping[str, SegmentHead], found: Iterable[SegmentHead], place: str) -> dict[str, SegmentHead]:
    """The later head of each segment; a shard may have looked before another one went on.

    Raises UserError where a segment has two heads at one count.
    """
    merged = dict(known)
    for head in found:
        earlier = merged.get(head.id)
        if earlier and head.count == earlier.count and head.head != earlier.head:
            raise UserError(
                f"journal segment {head.id[:12]} is not the one in {place}: after {head.count} frames it has another "
                "head; restore it from a backup before any further run"
            )
        if earlier is None or head.count >= earlier.count:
            merged[head.id] = head
    return merged


def _check_types(entries: Entries) -> None:
    """Raise TypeError or ValueError where a field is of another type, a run names a segment that has no head, or has
    another number of shards than a run can have."""
    for run in entries.runs:
        texts = (run.condition.entrant, run.condition.method, run.started, run.ended or "", *run.segments)
        numbers = (run.condition.run, run.planned_shards, *run.finished_shards)
        if not _are(str, texts) or not _are(int, numbers) or not entries.heads.keys() >= set(run.segments):
            raise TypeError
        if not all(1 <= shard <= run.planned_shards <= MOST_SHARDS for shard in (1, *run.finished_shards)):
            raise ValueError
    for head in entries.heads.values():
        if not _are(str, (head.id, head.head)) or not _are(int, (head.count,)) or not _are(bool, (head.closed,)):
            raise TypeError
    for line in entries.exposures:
        texts = (line.date, line.provider, line.entrant, line.endpoint, line.retention or "")
        if not _are(str, texts) or not _are(bool, (line.batch,)):
            raise TypeError


def _are(kind: type, values: Iterable[Any]) -> bool:
    return all(isinstance(value, kind) for value in values)


def published(entries: Entries) -> dict[str, Any]:
    """The register as the publication's `runs.json` has it."""
    first = first_days(entries.exposures)
    return {
        "version": entries.version,
        "runs": [
            {
                "slug": run.condition.entrant,
                "method": run.condition.method,
                "run": run.condition.run,
                "started": run.started,
                "ended": run.ended,
                "planned_shards": run.planned_shards,
                "segments": [[name, entries.heads[name].count, entries.heads[name].head] for name in run.segments],
            }
            for run in entries.runs
        ],
        "exposures": [
            {
                "slug": line.entrant,
                "provider": line.provider,
                "endpoint": line.endpoint,
                "retention": line.retention,
                "batch": line.batch,
                "date": line.date,
                "first": line.date == first[line.provider],
            }
            for line in entries.exposures
        ],
    }


def check_journal(journal: Journal, entries: Entries) -> list[Finding]:
    """What there is to say about a journal by itself and against its register; nothing grave means that it is whole."""
    findings = []
    present = set()
    for segment in journal.stored():
        present.add(segment.id)
        findings.extend(_check_segment(segment, entries))
    for name in sorted(set(entries.heads) - present):
        problem = f"segment {name[:12]} ({entries.heads[name].count} frames) is in the register but not in the journal"
        findings.append(Finding("missing segment", problem, "restore it from a backup or copy it from its shard"))
    findings.extend(_unfinished(run) for run in entries.runs if run.ended is None)
    return findings


def _check_segment(segment: Segment, entries: Entries) -> list[Finding]:
    known = entries.heads.get(segment.id)
    try:
        checked = segment.check(known.count if known else 0)
    except UserError as refusal:
        return [Finding("damaged segment", str(refusal), "until then no run and no score uses this journal")]
    findings = [] if known is None else _against(known, checked, segment.place)
    if known is None and checked.head.count > 1 and entries.runs and all(run.ended for run in entries.runs):
        problem = f"{segment.place} stands in no run of the register, though all have ended"
        findings.append(
            Finding("unregistered segment", problem, "run the same command again to register it", grave=False)
        )
    if checked.torn and not findings:
        problem = f"{segment.place} ends inside a record: its writer was stopped; {checked.torn} bytes are not used"
        findings.append(Finding("healed end", problem, "nothing that was acknowledged is lost", grave=False))
    return findings


def _against(known: SegmentHead, checked: Checked, place: str) -> list[Finding]:
    head = checked.head
    if checked.at is None:
        problem = f"{place} has {head.count} frames, the register {known.count}: its end was cut off"
        return [Finding("stale segment", problem, "restore the longer one from a backup")]
    if checked.at != known.head:
        problem = f"{place} does not have the head in the register after {known.count} frames: it was replaced"
        return [Finding("segment head", problem, "restore the registered one from a backup")]
    if known.closed and head.count != known.count:
        problem = f"{place} has {head.count} frames, the register closed it at {known.count}"
        return [Finding("stale head", problem, "take the register of the latest run from version control")]
    return []


def _unfinished(run: Run) -> Finding:
    lacking = sorted(set(range(1, run.planned_shards + 1)) - set(run.finished_shards))
    shards = ", ".join(f"{shard}/{run.planned_shards}" for shard in lacking)
    problem = f"run {run.condition.run} of {run.condition.entrant} ({run.condition.method}) lacks shard {shards}"
    remedy = "run the same command again; what was answered is not asked again"
    return Finding("unfinished run", problem, remedy, grave=False)
