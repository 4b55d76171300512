"""The evaluator's vocabulary on one page: request, completion, call, scored item."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from operator import attrgetter
from typing import Any

from benchpress.canonical import digest
from benchpress.items import ItemResult

Json = Any


def configuration_digest(provider: str, model: str, params: Mapping[str, Json]) -> str:
    """Digest of a native configuration as it is written for the entrant.

    Defaults that a later release adds do not enter, so they never buy an answer again.
    """
    return digest([provider, model, exact(params)])


def exact(value: Json) -> Json:
    """`value` without floating-point numbers: 0.0 is 0, and .7 is its shortest decimal, marked as such."""
    if isinstance(value, float):
        return int(value) if value.is_integer() else {"decimal": repr(value)}
    if isinstance(value, Mapping):
        return {str(name): exact(inner) for name, inner in value.items()}
    if isinstance(value, list | tuple):
        return [exact(inner) for inner in value]
    return value


@dataclass(frozen=True, slots=True)
class Message:
    """One turn of the conversation that is sent; `role` is user or assistant."""

    role: str
    content: str


@dataclass(frozen=True, slots=True)
class Request:
    """What a method asks of a model in one call, before the entrant's native configuration is added."""

    messages: tuple[Message, ...]
    system: str | None = None
    option_labels: tuple[str, ...] = ()
    """Labels whose log-probability is wanted; only providers with the capability `option_scores` take them."""

    @classmethod
    def of(cls, prompt: str) -> "Request":
        """A request of one user turn."""
        return cls((Message("user", prompt),))

    def digest(self, configuration: str) -> str:
        """Twelve hex digits of what is sent under a :func:`configuration_digest`."""
        turns = [[message.role, message.content] for message in self.messages]
        return digest([self.system, turns, list(self.option_labels), configuration])[:12]


WORDS = frozenset({"text", "stop_reason", "stop_details", "error", "request_id", "model_served", "service_tier"})
"""Fields of a completion that are text, where they are known."""

COUNTS = frozenset(
    {"input_tokens", "output_tokens", "thinking_tokens", "cached_tokens", "cache_write_tokens", "billed_input_tokens"}
    | {"billed_output_tokens", "max_tokens"}
)
"""Fields of a completion that are whole numbers, where they are known."""

_TEXT = frozenset({str, type(None)})
_words_of, _counts_of = attrgetter(*sorted(WORDS)), attrgetter(*sorted(COUNTS))

MOST = 1 << 53
"""No count is as large; from here on a number is not told from the next one everywhere."""


@dataclass(frozen=True, slots=True)
class Completion:
    """What came back, as the vendor reported it. Unknown is null, never zero."""

    text: str | None
    stop_reason: str | None = None
    stop_details: str | None = None
    error: str | None = None
    """Set where the call failed for good: such a completion has status api_error and is asked again by the next run."""
    input_tokens: int | None = None
    """Everything read, cached tokens included."""
    output_tokens: int | None = None
    """Everything generated, thinking included."""
    thinking_tokens: int | None = None
    cached_tokens: int | None = None
    """Of the input, what was served from a cache."""
    cache_write_tokens: int | None = None
    latency_s: float | None = None
    """The model's working time: neither queueing nor backoff."""
    waited_s: float | None = None
    attempts: int = 1
    max_tokens: int | None = None
    """The effective output cap, where one was in force."""
    request_id: str | None = None
    model_served: str | None = None
    native_config: Mapping[str, Json] = field(default_factory=dict)
    option_scores: Mapping[str, float] | None = None
    """Natural log-probabilities per requested label."""
    batch: bool = False
    service_tier: str | None = None
    """The vendor's name for how the call was served, where the price depends on it."""
    billed_input_tokens: int | None = None
    billed_output_tokens: int | None = None
    """Set where the vendor bills other counts than it used."""
    flags: tuple[str, ...] = ()
    """What a person should look at: an unknown stop value, a prompt cut by the server."""

    def to_json(self) -> dict[str, Json]:
        """What is known; a field that is missing is unknown."""
        found = {name: getattr(self, name) for name in self.__slots__}
        value = {name: inner for name, inner in found.items() if inner is not None}
        value["text"] = self.text
        value["native_config"] = dict(self.native_config)
        value["flags"] = list(self.flags)
        return value

    @classmethod
    def from_json(cls, value: Mapping[str, Json]) -> "Completion":
        """Raises TypeError for a field that is unknown or of another type."""
        found = cls(**{**value, "flags": tuple(value.get("flags") or ())})
        if odd := found.misfits():
            raise TypeError(f"{odd[0]} of a completion is of another type")
        return found

    def misfits(self) -> list[str]:
        """The fields whose content is of another type than declared: what a server or a damaged file may give."""
        odd = []
        if not _TEXT.issuperset(map(type, _words_of(self))):
            odd += [name for name in WORDS if not isinstance(getattr(self, name), str | None)]
        if not all(map(_is_count, _counts_of(self))):
            odd += [name for name in COUNTS if not _is_count(getattr(self, name))]
        odd += [name for name in ("latency_s", "waited_s") if not _is_number(getattr(self, name))]
        native, flags, scores = (getattr(self, name) for name in ("native_config", "flags", "option_scores"))
        if not isinstance(native, Mapping):
            odd.append("native_config")
        if not all(isinstance(flag, str) for flag in flags):
            odd.append("flags")
        if scores is not None and not (isinstance(scores, Mapping) and all(map(_is_number, scores.values()))):
            odd.append("option_scores")
        return sorted(odd)


def _is_count(value: Json) -> bool:
    return value is None or (isinstance(value, int) and not isinstance(value, bool) and 0 <= value < MOST)


def _is_number(value: Json) -> bool:
    return value is None or (isinstance(value, int | float) and not isinstance(value, bool))


@dataclass(frozen=True, slots=True)
class CallKey:
    """Identifies one call. The first record of a key that is no api_error is the answer."""

    version: str
    item_id: str
    entrant: str
    method: str
    """The method's name with its parameters in canonical form, `direct` or `cyclic_permutation{"k":4}`."""
    run: int
    step: str
    request: str
    """Digest of the request, native configuration included: see :meth:`Request.digest`."""

    def to_json(self) -> list[Json]:
        return [self.version, self.item_id, self.entrant, self.method, self.run, self.step, self.request]

    @classmethod
    def from_json(cls, value: list[Json]) -> "CallKey":
        """Raises TypeError for anything else than six texts round a number."""
        found = cls(*value)
        texts = (found.version, found.item_id, found.entrant, found.method, found.step, found.request)
        if set(map(type, texts)) != {str} or not isinstance(found.run, int):
            raise TypeError("the key of a call is of another form")
        return found


@dataclass(frozen=True, slots=True)
class Call:
    """One line of the journal: a call that was made."""

    key: CallKey
    completion: Completion
    at: str
    """UTC time at which the completion arrived, ISO 8601 to the second."""
    shard: str = "1/1"

    def to_json(self) -> dict[str, Json]:
        return {
            "call": self.key.to_json(),
            "completion": self.completion.to_json(),
            "at": self.at,
            "shard": self.shard,
        }

    @classmethod
    def from_json(cls, value: Mapping[str, Json]) -> "Call":
        """Raises TypeError, ValueError or KeyError for what is no call."""
        date.fromisoformat(value["at"][:10])
        return cls(
            CallKey.from_json(value["call"]),
            Completion.from_json(value["completion"]),
            value["at"],
            value.get("shard", "1/1"),
        )


@dataclass(frozen=True, slots=True)
class ScoredItem:
    """One answer of one condition, scored: the row that every statistic is computed from.

    `result` is None where the answer is pending (a call is missing). Token counts, cost and latency are summed over
    the calls that the answer needed; null where any of them is unknown.
    """

    version: str
    entrant: str
    method: str
    run: int
    item_id: str
    module: str
    bundle: str
    variant: str
    level: int
    skills: Mapping[str, tuple[str, ...]]
    """Part id -> skill tags."""
    result: ItemResult | None
    stop_reason: str | None = None
    input_tokens: int | None = None
    output_tokens: int | None = None
    thinking_tokens: int | None = None
    cost_usd: float | None = None
    latency_s: float | None = None
    max_tokens: int | None = None
    at: str | None = None
    extra: Mapping[str, Json] = field(default_factory=dict)
    """What the method stores beside the answer: per-rotation picks, margins, gate counts."""
    gated: bool = False
    """The method left this item out by a declared rule: neither answered nor pending."""
    flags: tuple[str, ...] = ()
    """What a person should look at, from the calls the answer needed."""
