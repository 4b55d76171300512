"""Reference solvers: they read the printed prompt, as any entrant must, and answer in its format."""

import asyncio
from collections.abc import Callable, Mapping
from importlib import import_module
from typing import ClassVar

from benchpress.errors import UserError

from benchpress_evaluator.providers.base import Provider, Settings, Stop, check_known
from benchpress_evaluator.providers.errors import ProviderError
from benchpress_evaluator.records import Completion, Request

Solver = Callable[[str], str]

SOLVERS = (
    "benchpress.modules.causal.reference",
    "benchpress.modules.replay.reference",
    "benchpress.modules.choice.reference",
)
"""Modules with a dictionary SOLVERS: name -> function from prompt to answer. A solver raises ValueError for a
prompt of another module."""


class Reference(Provider):
    """`model` names a solver (`exact`, `adjust_all`, `ignore_colliders`, `random`), or `package.module:function`."""

    concurrency: ClassVar[int] = 1
    paid: ClassVar[bool] = False
    stops: ClassVar[Mapping[str, Stop]] = {"stop": Stop.DONE}

    def __init__(self, settings: Settings) -> None:
        super().__init__(settings)
        check_known(settings, ())
        self._solvers = _find(settings)

    async def complete(self, request: Request) -> Completion:
        # A thread, so that a long proof does not hold up the calls of other entrants.
        text = await asyncio.to_thread(self._solve, request.messages[-1].content)
        return Completion(text, "stop", model_served=self.settings.model)

    def _solve(self, prompt: str) -> str:
        refused: Exception | None = None
        for solver in self._solvers:
            try:
                return solver(prompt)
            except (ValueError, UserError) as problem:
                refused = problem
            except Exception as problem:
                # Asked again it would fail again, so this is no fault to retry.
                raise ProviderError(f"the solver {self.settings.model!r} failed: {type(problem).__name__}") from problem
        raise ProviderError(f"the solver {self.settings.model!r} cannot read this prompt") from refused


def _find(settings: Settings) -> list[Solver]:
    """Every solver of that name."""
    name = settings.model
    if ":" in name:
        module, _, attribute = name.partition(":")
        try:
            return [getattr(import_module(module), attribute)]
        except (ImportError, AttributeError) as problem:
            raise UserError(f"entrant {settings.entrant!r}: solver {name!r} cannot be loaded ({problem})") from None
    known: dict[str, list[Solver]] = {}
    for module in SOLVERS:
        try:
            table: Mapping[str, Solver] = import_module(module).SOLVERS
        except ModuleNotFoundError as problem:
            if problem.name is not None and module.startswith(problem.name):
                continue
            raise
        for solver, function in table.items():
            known.setdefault(solver, []).append(function)
    if name not in known:
        raise UserError(f"entrant {settings.entrant!r}: unknown solver {name!r}; known are {', '.join(known)}")
    return known[name]
