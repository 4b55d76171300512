"""Small grids in a workspace of their own, with a provider that counts, and plug-ins that misbehave."""

import hashlib
import json
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar

import pytest
from benchpress.errors import UserError
from benchpress.items import Item
from benchpress_evaluator.commands.grids import run_config, score_run
from benchpress_evaluator.grid.config import load_config
from benchpress_evaluator.methods import Answer, Ask, Method
from benchpress_evaluator.providers.base import OPTION_SCORES, Provider, Stop
from benchpress_evaluator.providers.errors import ProviderError
from benchpress_evaluator.records import Completion, Json, Request

TOY = """
models: [{id: counting, provider: "grids:Counting", model: m, concurrency: 1}]
benchmarks: [{name: toy}]
methods: [{name: direct}, {name: cyclic_permutation}]
"""

METHOD_FILE = """
from benchpress_evaluator.methods import Answer, Method
from benchpress_evaluator.records import Request


class Mine(Method):
    async def answer(self, item, ask, params, prepared):
        completion = await ask("answer", Request.of(item.prompt))
        return Answer(completion.text, completion)


METHOD = Mine()
"""
"""A plug-in as its author wrote it."""


class Counting(Provider):
    """Answers by a digest of the prompt, scores likewise, and remembers what it was asked."""

    capabilities = frozenset({OPTION_SCORES})
    stops: ClassVar[Mapping[str, Stop]] = {"stop": Stop.DONE}
    concurrency = 1
    paid = False
    seen: ClassVar[list[Request]] = []
    down: ClassVar[bool] = False

    async def complete(self, request: Request) -> Completion:
        if Counting.down:
            raise ProviderError("the key sk-verysecretverysecret is not right at https://me:pw@host/v1")
        Counting.seen.append(request)
        text = request.messages[-1].content
        number = hashlib.sha256(text.encode()).digest()[0]
        if request.option_labels:
            scores = {label: -1.0 - (number + place) % 5 for place, label in enumerate(request.option_labels)}
            return Completion("A", "stop", option_scores=scores)
        return Completion("ABCD"[number % 4], "stop", input_tokens=len(text), output_tokens=1)


class Stumbling(Method):
    """Cannot cope with one of the questions."""

    async def answer(self, item: Item, ask: Ask, params: Mapping[str, Json], prepared: Any) -> Answer:
        completion = await ask("answer", Request.of(item.prompt))
        if "Nairobi" in item.prompt:
            raise ZeroDivisionError("api_key=sk-abcdefabcdefabcdef")
        return Answer(completion.text, completion)


class Broken(Method):
    """Cannot cope with any."""

    async def answer(self, item: Item, ask: Ask, params: Mapping[str, Json], prepared: Any) -> Answer:
        raise ZeroDivisionError


STUMBLING, BROKEN = Stumbling(), Broken()


class Workspace:
    """One folder with runs in it."""

    def __init__(self, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
        self.folder = folder
        self._capsys = capsys

    def run(self, text: str = TOY, run_id: str = "r", *, code: int = 0, **options: Any) -> dict[str, Any]:
        """Run a grid; what it told as JSON, and its warnings under `warnings`."""
        path = self.folder / "grid.yaml"
        path.write_text(text)
        Counting.seen.clear()
        self._capsys.readouterr()
        given = {"yes": True, "reset": False, "dry": False, "as_json": True, **options}
        left = 0
        try:
            run_config(load_config(path), None, None, run_id, **given)
        except SystemExit as end:
            left = int(end.code or 0)
        told = self._capsys.readouterr()
        assert left == code, told
        return {**json.loads(told.out), "warnings": told.err}

    def score(self, run_id: str = "r", metrics: Sequence[str] = (), *, reparse: bool = False) -> dict[str, Any]:
        self._capsys.readouterr()
        score_run(run_id, None, list(metrics), reparse=reparse, out=None, as_json=True)
        found: dict[str, Any] = json.loads(self._capsys.readouterr().out)
        return found

    def place(self, run_id: str = "r") -> Path:
        return self.folder / "runs" / run_id

    def rows(self, run_id: str = "r") -> list[dict[str, Any]]:
        lines = (self.place(run_id) / "results.jsonl").read_text().splitlines()
        return [json.loads(line) for line in lines]

    def files(self, run_id: str = "r") -> dict[str, bytes]:
        place = self.place(run_id)
        return {str(path.relative_to(place)): path.read_bytes() for path in sorted(place.rglob("*")) if path.is_file()}


def write_module(folder: Path, name: str, text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A module that can be imported, anew where it was imported before."""
    (folder / f"{name}.py").write_text(text)
    if str(folder) not in sys.path:
        monkeypatch.syspath_prepend(str(folder))
    sys.modules.pop(name, None)


def refused(space: Workspace, text: str = TOY, **options: Any) -> str:
    with pytest.raises(UserError) as problem:
        space.run(text, **options)
    assert "\n" not in str(problem.value)
    return str(problem.value)


def statuses(told: dict[str, Any]) -> dict[str, str]:
    return {f"{one['benchmark']}/{one['model']}/{one['method']}": one["status"] for one in told["conditions"]}
