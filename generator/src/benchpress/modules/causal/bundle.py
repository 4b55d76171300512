"""What a bundle is: one causal concept, from drawing a problem to keys by two methods.

A bundle is one file with one subclass. Keys are derived from `params` alone, so anybody can recompute them; the
prompt is written by sections that can be read back, so the key is what follows from the prompt as printed.
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar

from benchpress.gate import Key
from benchpress.items import Json, Part
from benchpress.protocol import OPENING
from benchpress.streams import Stream
from benchpress.wording.sections import Params, Section, read_problem

VARIANTS = ("base", "trap", "transfer", "numeric", "analyst")


@dataclass(frozen=True, slots=True)
class Asked:
    """One part as it is asked: label, type, the question in words, scorer parameters, skills."""

    id: str
    type: str
    question: str
    params: Mapping[str, Json] = field(default_factory=dict)
    skills: tuple[str, ...] = ()

    def part(self, key: Key) -> Part:
        """The part with its key; acceptable alternatives stand beside the scorer parameters."""
        params = dict(self.params)
        if key.accept:
            params["accept"] = list(key.accept)
        return Part(self.id, self.type, key.gold, params, self.skills)


@dataclass(frozen=True, slots=True)
class Drawn:
    """A drawn problem: its params and the sentence that opens the story (empty for a bare one)."""

    params: Params
    opening: str


class Bundle(ABC):
    """A family of items about one causal concept."""

    name: ClassVar[str]
    summary: ClassVar[str]
    parts: ClassVar[Mapping[str, str]]
    """Part id -> part type, of the base variant."""
    sections: ClassVar[tuple[Section, ...]]
    """What a prompt of this bundle may state, in the order of the page."""
    methods: ClassVar[tuple[str, str]]
    """Names of the two ways to the keys."""
    variants: ClassVar[tuple[str, ...]] = VARIANTS

    @abstractmethod
    def knobs(self, level: int) -> Mapping[str, int]:
        """What a level means in structure; every knob is monotone in the level."""

    @abstractmethod
    def draw(self, stream: Stream, variant: str, level: int) -> Drawn:
        """A problem. Raises Redraw with a reason found in exact arithmetic."""

    @abstractmethod
    def asked(self, params: Mapping[str, Any]) -> list[Asked]:
        """The parts that are asked about `params`, in order."""

    @abstractmethod
    def first(self, params: Mapping[str, Any]) -> dict[str, Key]:
        """Every key by the first method, from `params` alone. May raise Redraw where a margin is not kept."""

    @abstractmethod
    def second(self, params: Mapping[str, Any], keys: Mapping[str, Key]) -> dict[str, bool]:
        """Whether the second method, which shares no code with the first, confirms each key."""

    def mistaken(self, params: Mapping[str, Any], habit: str) -> dict[str, Json]:  # noqa: ARG002
        """What a solver with a bad `habit` answers (see :mod:`benchpress.modules.causal.reference`).

        Bundles override this for the habits that matter to their concept; elsewhere the habit does no harm.
        """
        return {part: key.gold for part, key in self.first(params).items()}

    def why(self, params: Mapping[str, Any], keys: Mapping[str, Key]) -> dict[str, str]:  # noqa: ARG002
        """For each part a sentence or two that a reader can follow: the paths, numbers or rule behind its key."""
        return {}

    def steps(self, params: Mapping[str, Any]) -> int:
        """Elementary steps of a careful solution by hand, for the solver that errs at a fixed rate per step."""
        graph = params.get("graph", {})
        return len(graph.get("directed", ())) + len(graph.get("bidirected", ())) + 2 * len(self.asked(params))

    def read(self, prompt: str) -> Params | None:
        """The params that `prompt` states, or None where it is not a prompt of this bundle."""
        try:
            params = read_problem(self.sections, prompt.partition(OPENING)[0])
            asked = self.asked(params)
        except (KeyError, ValueError, IndexError, TypeError):
            return None
        return params if all(f"{one.id}: {one.question}" in prompt for one in asked) else None
