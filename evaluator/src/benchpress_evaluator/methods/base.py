"""What a method is: a coroutine over `ask`, which calls the provider in a run and the journal when scoring.

The same coroutine therefore makes the calls and later reads them, so scoring never calls a model. A method must
depend on nothing but its arguments and the completions it gets.
"""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, Self

from benchpress.canonical import canonical_text
from benchpress.errors import UserError
from benchpress.items import Item

from benchpress_evaluator.records import Completion, Json, Request, exact

if TYPE_CHECKING:
    from benchpress.modules.choice.prompts import Prompts

Ask = Callable[[str, Request], Awaitable[Completion]]
"""`ask(step, request)`: one call about the item at hand. A step's name is unique within the item."""

AskAbout = Callable[[Item, str, Request], Awaitable[Completion]]
"""`ask(item, step, request)`: a call about any item, for what spans items."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What a method reached for one item.

    `text` is what will be read and scored. `completion` is the call that gave it, whose stop reason and error decide
    the status; None where the answer was put together from several calls. With neither, the status is the gravest of
    the calls that were made.
    """

    text: str | None
    completion: Completion | None = None
    extra: Mapping[str, Json] = field(default_factory=dict)
    """What is stored beside the answer: per-rotation picks, margins, counts of failed calls."""
    decided: Mapping[str, Json] | None = None
    """Part id -> value, where the method decides from several calls or from scores, so that no text is to be read."""


@dataclass(frozen=True, slots=True)
class Material:
    """What a method is given beside the items under test.

    Its contents are in no key but through the requests they lead to; a condition that differs in its calibration
    questions says so in its parameters.
    """

    prompts: "Prompts | None" = None
    """The bundle of texts that multiple-choice questions are put in; None is the built-in one."""
    calibration: tuple[Item, ...] = ()
    """Candidates from another split or file, from which a prior may be estimated."""


NO_MATERIAL = Material()


class Gated(Exception):  # noqa: N818 - a declared outcome, not an error
    """Raised by a method that leaves out an item, or in `prepare` a whole condition, by a rule it declares."""

    def __init__(self, reason: str, report: Mapping[str, Json] | None = None) -> None:
        super().__init__(reason)
        self.reason = reason
        self.report = dict(report or {})


class Method:
    """Base of every method. Override `answer`, and the rest where it is not the plain case."""

    requires: ClassVar[frozenset[str]] = frozenset()
    """Capabilities that the provider must have; checked before anything runs."""

    parameters: ClassVar[frozenset[str]] = frozenset()
    """Names of the parameters it takes."""
    material: Material = NO_MATERIAL
    """What it was given: see :meth:`given`."""

    def given(self, material: Material) -> Self:
        """This method with its material; the registered one stays as it is."""
        if material is NO_MATERIAL:
            return self
        bound = copy(self)
        bound.material = material
        return bound

    def check(self, params: Mapping[str, Json]) -> None:
        """Raise UserError where the parameters are not this method's."""
        unknown = sorted(set(params) - self.parameters)
        if unknown:
            known = f"only {', '.join(sorted(self.parameters))}" if self.parameters else "no parameters"
            raise UserError(f"this method takes {known}, but was given {', '.join(unknown)}")

    def calls(self, item: Item, params: Mapping[str, Json]) -> int:  # noqa: ARG002
        """How many calls the item needs, for the estimate."""
        return 1

    def planned_calls(self, items: Sequence[Item], params: Mapping[str, Json]) -> int:
        """How many calls a whole condition needs at most, what spans items included."""
        return sum(self.calls(item, params) for item in items)

    async def prepare(self, items: Sequence[Item], ask: AskAbout, params: Mapping[str, Json]) -> Any:  # noqa: ARG002
        """What spans items, such as the calibration of a prior; handed to every `answer`.

        Calls are about `items` alone, since a journal holds calls about the items of its version and no others; what
        is asked here may be asked again in `answer` and is then not sent again. Raises Gated to leave out everything,
        UserError where the parameters and the items do not fit.
        """
        return None

    async def answer(self, item: Item, ask: Ask, params: Mapping[str, Json], prepared: Any) -> Answer:
        """Put `item` to the model."""
        raise NotImplementedError


@dataclass(frozen=True)
class MethodChoice:
    """A method by its registered name, with parameters."""

    name: str
    params: Mapping[str, Json] = field(default_factory=dict)
    material: Material = NO_MATERIAL

    @cached_property
    def key(self) -> str:
        """`direct`, or the name with its parameters in canonical form: part of the key of every call."""
        return self.name + (canonical_text(exact(self.params)) if self.params else "")
