"""Everything that is looked for, and looking for it in a file."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt
from benchpress.canonical import canonical_bytes
from benchpress.commitment import canary
from benchpress.items import Item

from benchpress_evaluator.leaks.needles import Needle, Needles, secret_needles
from benchpress_evaluator.leaks.public import Known
from benchpress_evaluator.leaks.unwrap import Closed, Layer, layers
from benchpress_evaluator.leaks.windows import Hashes, Tokens, WindowSet, sequence, tokens
from benchpress_evaluator.vault.sealed import Sealed

UNREAD = "not read"


@dataclass(frozen=True, slots=True)
class Finding:
    """What was found where. `what` names a version and the place of an item in it, never a text.

    `wrapped` are the wrappings around it, outermost first; `position` is the first byte of the first one in the
    innermost; `times` how many places or windows were found.
    """

    file: str
    kind: str
    what: str
    wrapped: str
    position: int
    times: int = 1

    def to_json(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in ("file", "kind", "what", "wrapped", "position", "times")}


@dataclass(frozen=True, slots=True)
class _Line:
    """A parameter line none of whose windows is telling: it is found by a common window and compared in full."""

    owner: int
    before: int
    hashes: Hashes = field(repr=False)


class Search:
    """What is private of some versions, ready to be looked for."""

    def __init__(self, versions: Sequence[Sealed], known: Known, canaries: Iterable[str] = ()) -> None:
        self.owners: list[str] = []
        needles: list[Needle] = []
        prompts: list[tuple[Tokens, int]] = []
        params: list[tuple[Tokens, int]] = []
        for sealed in versions:
            needles += _needles_of(sealed)
            for place, item in enumerate(sealed.items, start=1):
                owner = len(self.owners)
                self.owners.append(f"item {place} of {sealed.version}")
                needles += _id_needles(item, self.owners[owner])
                prompts.append((tokens(item.prompt.encode()), owner))
                params.append((tokens(canonical_bytes(item.params)), owner))
        for place, text in enumerate(canaries, start=1):
            needles.append(Needle("canary", f"canary {place}", text.encode()))
        self.needles = Needles(needles)
        self.prompts = _telling(prompts, known.windows)
        self.params = _telling(params, known.windows)
        self.lines = _lines(params, self.params, known.lines)
        self.probes = WindowSet.of(
            np.array(sorted(self.lines), dtype=np.uint64), np.zeros(len(self.lines), dtype=np.int64)
        )

    @property
    def windows(self) -> int:
        """How many windows are looked for."""
        return len(self.prompts.hashes) + len(self.params.hashes)

    def file(self, name: str, data: bytes) -> list[Finding]:
        """Everything that is found in a file, the same thing once: where it has the fewest wrappings."""
        best: dict[tuple[str, str], Finding] = {}
        for layer in layers(data):
            if isinstance(layer, Closed):
                found = [Finding(name, UNREAD, layer.reason, " > ".join(layer.path), 0)]
            else:
                found = list(self._layer(name, layer))
            for one in found:
                key = (one.kind, one.what)
                if key not in best or _rank(one) < _rank(best[key]):
                    best[key] = one
        return sorted(best.values(), key=lambda one: (one.kind, one.what))

    def _layer(self, name: str, layer: Layer) -> Iterator[Finding]:
        wrapped = " > ".join(layer.path)
        places: dict[tuple[str, str], list[int]] = {}
        for at, needle in self.needles.find(layer.data):
            places.setdefault((needle.kind, needle.what), []).append(at)
        text = tokens(layer.data)
        hashed = text.windows()
        for kind, wanted in (("prompt", self.prompts), ("parameters", self.params)):
            found, owners = wanted.find(hashed)
            for at, owner in zip(text.places[found].tolist(), owners.tolist(), strict=True):
                places.setdefault((kind, self.owners[owner]), []).append(at)
        for at, owner in self._whole_lines(text, hashed):
            places.setdefault(("parameters", self.owners[owner]), []).append(at)
        for (kind, what), held in places.items():
            yield Finding(name, kind, what, wrapped, min(held), len(held))

    def _whole_lines(self, text: Tokens, hashed: Hashes) -> Iterator[tuple[int, int]]:
        for place in self.probes.find(hashed)[0].tolist():
            for line in self.lines[int(hashed[place])]:
                start = place - line.before
                if start >= 0 and np.array_equal(text.hashes[start : start + len(line.hashes)], line.hashes):
                    yield int(text.places[start]), line.owner


def _rank(one: Finding) -> tuple[int, str, int]:
    return (one.wrapped.count(">") + bool(one.wrapped), one.wrapped, one.position)


def _needles_of(sealed: Sealed) -> Iterator[Needle]:
    version = sealed.version
    yield Needle("canary", f"the canary of {version}", canary(sealed.secret).encode(), True)
    yield Needle("canary", f"the canary of {version}", canary(sealed.secret).replace("-", "").encode(), True)
    yield from secret_needles(f"the secret of {version}", sealed.secret)
    yield from secret_needles(f"the salt of {version}", sealed.salt)
    yield from secret_needles(f"the data secret of {version}", sealed.data_secret)
    yield from secret_needles(f"the data key of {version}", sealed.data_key)
    if sealed.beacon is not None and sealed.beacon.get("value") is not None:
        yield from secret_needles(f"the effective secret of {version}", sealed.effective)


def _id_needles(item: Item, what: str) -> Iterator[Needle]:
    """The digest at the end of an id says as much as the whole id."""
    tail = item.id.rpartition("-")[2]
    yield Needle("item id", what, (tail if len(tail) >= 12 else item.id).lower().encode(), True)


def _telling(texts: Sequence[tuple[Tokens, int]], public: Hashes) -> WindowSet:
    """The windows that stand in no public item."""
    own = [np.unique(text.windows()[text.telling()]) for text, _ in texts]
    hashes = np.concatenate([np.zeros(0, dtype=np.uint64), *own])
    owners = np.repeat(np.array([owner for _, owner in texts], dtype=np.int64), [len(held) for held in own])
    telling = ~_among(hashes, public)
    return WindowSet.of(hashes[telling], owners[telling])


def _among(hashes: Hashes, public: Hashes) -> npt.NDArray[np.bool_]:
    """Which of `hashes` are in `public`, which is in ascending order."""
    if not len(public):
        return np.zeros(len(hashes), dtype=np.bool_)
    return np.asarray(public[np.minimum(np.searchsorted(public, hashes), len(public) - 1)] == hashes, dtype=np.bool_)


def _lines(params: Sequence[tuple[Tokens, int]], telling: WindowSet, public: Hashes) -> Mapping[int, tuple[_Line, ...]]:
    """Window -> the parameter lines that are to be compared in full where it stands."""
    found: dict[int, list[_Line]] = {}
    with_windows = set(telling.owners.tolist())
    for text, owner in params:
        if owner in with_windows:
            continue
        hashed = text.windows()
        whole = np.array([sequence(text.hashes)], dtype=np.uint64)
        if not len(hashed) or _among(whole, public)[0]:
            continue
        middle = len(hashed) // 2
        found.setdefault(int(hashed[middle]), []).append(_Line(owner, middle, text.hashes))
    return {window: tuple(lines) for window, lines in found.items()}
