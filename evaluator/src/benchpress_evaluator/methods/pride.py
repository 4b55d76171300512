"""PriDe: the prior over labels is estimated on a few questions and taken off the others (equations 7 and 8).

Three forms. With calibration questions from elsewhere, every question under test is answered by equation 8. With
`alpha`, the published form, that share of the questions under test is calibrated on and answered by the cyclic average,
which counts in the score, and the rest by equation 8. With neither there is no prior, and the answer is the likeliest
label, marked `uncalibrated`.
"""

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import Any

from benchpress.errors import UserError
from benchpress.items import Item
from benchpress.modules.choice.prompts import Prompts
from benchpress.modules.choice.question import Question

from benchpress_evaluator.methods.base import Answer, Ask, AskAbout, Gated
from benchpress_evaluator.methods.choice_method import (
    ChoiceMethod,
    decision,
    identities,
    option_probabilities,
    rotation_probabilities,
    rotation_step,
    rounded,
    seed_of,
)
from benchpress_evaluator.methods.cyclic_logprob import averaged
from benchpress_evaluator.methods.debias import Rows, debias, global_prior, highest, lead, question_prior
from benchpress_evaluator.methods.modal_k import DEFAULT_THRESHOLD, GateReport, modal_k_gate, share_above_zero
from benchpress_evaluator.methods.preflight import choose_calibration, sample
from benchpress_evaluator.providers.base import OPTION_SCORES
from benchpress_evaluator.records import Completion, Json, Request

DEFAULT_CALIBRATION = 100
AT_ONCE = 32
"""Calibration questions in flight; the provider's own limit is below them."""


@dataclass(frozen=True, slots=True)
class Prepared:
    """What every answer needs. `prior` is None where nothing was calibrated."""

    prompts: Prompts
    gate: GateReport
    prior: Sequence[float] | None
    calibrated_on: int
    calibration_failed: int
    """Calibration questions of which no rotation was scored: they are not in the prior."""
    cyclic: frozenset[str]
    """Ids of items under test that were calibrated on."""


class Pride(ChoiceMethod):
    name = "pride"
    requires = frozenset({OPTION_SCORES})
    parameters = frozenset({"seed", "alpha", "calibration", "calibration_n", "modal_k_threshold"})

    def check(self, params: Mapping[str, Json]) -> None:
        super().check(params)
        share_above_zero(params.get("modal_k_threshold", DEFAULT_THRESHOLD), "modal_k_threshold")
        count = params.get("calibration_n", DEFAULT_CALIBRATION)
        if type(count) is not int or count < 1:
            raise UserError(f"calibration_n must be a whole number above 0, not {count!r}")
        if "alpha" in params:
            share_above_zero(params["alpha"], "alpha")
            if "calibration" in params or "calibration_n" in params:
                raise UserError("alpha calibrates on the questions under test: leave the calibration questions out")

    def calls(self, item: Item, params: Mapping[str, Json]) -> int:
        return len(Question.of(item).options) if "alpha" in params else 1

    def planned_calls(self, items: Sequence[Item], params: Mapping[str, Json]) -> int:
        gate = self.gate(items, params)
        if not gate.passed:
            return 0
        calibrated = 0
        if "alpha" in params:
            calibrated = _share(params, gate.n_evaluated) * (gate.modal_k - 1)
        elif self.material.calibration:
            calibrated = int(params.get("calibration_n", DEFAULT_CALIBRATION)) * gate.modal_k
        return gate.n_evaluated + calibrated

    def gate(self, items: Sequence[Item], params: Mapping[str, Json]) -> GateReport:
        """What the modal-k gate says of these items. No call is made."""
        questions = [Question.of(item) for item in items]
        benchmarks = ", ".join(sorted({question.benchmark for question in questions}))
        threshold = params.get("modal_k_threshold", DEFAULT_THRESHOLD)
        return modal_k_gate([len(question.options) for question in questions], threshold, benchmarks)

    async def prepare(self, items: Sequence[Item], ask: AskAbout, params: Mapping[str, Json]) -> Any:
        gate = self.gate(items, params)
        if not gate.passed:
            raise Gated(gate.reason, gate.to_json())
        prompts, candidates = self.prompts, self.material.calibration
        if "alpha" in params:
            chosen = calibrated_on(items, gate, params)
            rows = await _together([partial(_rotations_of, item, ask, prompts) for item in chosen])
            return _prepared(prompts, gate, rows, frozenset(item.id for item in chosen))
        if not candidates:
            if "calibration" in params or "calibration_n" in params:
                raise UserError("calibration questions are asked for, and none were given")
            return Prepared(prompts, gate, None, 0, 0, frozenset())
        count = params.get("calibration_n", DEFAULT_CALIBRATION)
        drawn = choose_calibration(candidates, items, gate.modal_k, count, seed_of(params))
        rows = await _together(
            [partial(_rotations_beside, items[0], question, ask, prompts) for question in drawn.questions]
        )
        return _prepared(prompts, gate, rows, frozenset())

    async def answer(self, item: Item, ask: Ask, params: Mapping[str, Json], prepared: Prepared) -> Answer:
        question, gate, seed = Question.of(item), prepared.gate, seed_of(params)
        if len(question.options) != gate.modal_k:
            raise Gated(f"{len(question.options)} options, where {gate.modal_k} are calibrated for", gate.to_json())
        common = {
            "prior": rounded(prepared.prior),
            "calibrated_on": prepared.calibrated_on,
            "calibration_failed": prepared.calibration_failed,
            "gate": {
                "modal_k": gate.modal_k,
                "n_total": gate.n_total,
                "n_evaluated": gate.n_evaluated,
                "n_excluded": gate.n_excluded,
            },
        }
        if item.id in prepared.cyclic:
            rows = await rotation_probabilities(ask, question, prepared.prompts)
            return averaged(self, question, rows, seed, mode="cyclic", **common)
        mode = "uncalibrated" if prepared.prior is None else "pride"
        seen = await option_probabilities(ask, rotation_step(0), question, question.texts, prepared.prompts)
        extra: dict[str, Json] = {"mode": mode, "observed": rounded(seen), **common}
        if seen is None:
            return decision(question, None, {**extra, "picks": [None]})
        names = identities(question)
        plain = self.choose(question, [names[place] for place in highest(seen)], seed)
        found = seen if prepared.prior is None else debias(seen, prepared.prior)
        chosen = self.choose(question, [names[place] for place in highest(found)], seed)
        extra |= {"picks": [plain], "distribution": rounded(found), "margin": round(lead(found), 10)}
        return decision(question, chosen, extra)


def calibrated_on(items: Sequence[Item], gate: GateReport, params: Mapping[str, Json]) -> list[Item]:
    """The share `alpha` of the modal-k items, rounded down, drawn by the seed. Raises UserError for none."""
    named = {(Question.of(item).id, item.id): item for item in items}
    modal = [
        item
        for _, item in sorted(named.items(), key=lambda entry: entry[0])
        if len(Question.of(item).options) == gate.modal_k
    ]
    count = _share(params, len(modal))
    if not count:
        raise UserError(f"alpha {params['alpha']} of {len(modal)} questions is not one whole question")
    return sample(modal, count, seed_of(params))


def _share(params: Mapping[str, Json], total: int) -> int:
    return int(Fraction(str(params["alpha"])) * total)


def _prepared(prompts: Prompts, gate: GateReport, rows: Sequence[Rows], cyclic: frozenset[str]) -> Prepared:
    priors = [prior for prior in map(question_prior, rows) if prior is not None]
    if not priors:
        raise Gated(f"no rotation of the {len(rows)} calibration questions was scored", gate.to_json())
    return Prepared(prompts, gate, global_prior(priors), len(priors), len(rows) - len(priors), cyclic)


async def _rotations_of(item: Item, ask: AskAbout, prompts: Prompts) -> Rows:
    async def about(step: str, request: Request) -> Completion:
        return await ask(item, step, request)

    return await rotation_probabilities(about, Question.of(item), prompts)


async def _rotations_beside(carrier: Item, question: Question, ask: AskAbout, prompts: Prompts) -> Rows:
    """A question that is not under test: its calls are kept under an item that is, with its own id in the step."""

    async def about(step: str, request: Request) -> Completion:
        return await ask(carrier, f"calibration/{question.id}/{step}", request)

    return await rotation_probabilities(about, question, prompts)


async def _together(work: Sequence[Callable[[], Awaitable[Rows]]]) -> list[Rows]:
    """All results in order, some at a time; the first failure ends it once those in flight have ended."""
    found: list[Rows] = []
    for start in range(0, len(work), AT_ONCE):
        some = [begin() for begin in work[start : start + AT_ONCE]]
        for outcome in await asyncio.gather(*some, return_exceptions=True):
            if isinstance(outcome, BaseException):
                raise outcome
            found.append(outcome)
    return found


METHOD = Pride()
