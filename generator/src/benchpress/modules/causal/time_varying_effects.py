"""What treatments in several periods do: the g-formula, one-step standardisation and plain shares, exactly."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from typing import Any

from benchpress.graphs.adjustment import is_adjustment_set, minimal_adjustment_sets
from benchpress.graphs.dag import Graph
from benchpress.graphs.separation import separated
from benchpress.models.formulas import g_formula, standardised
from benchpress.models.table import Table
from benchpress.modules.causal.observed import Observed, table_of
from benchpress.streams import Stream

MARGIN = Fraction(1, 100)
"""The effect is at least this large, and so are its distance from a wrong way's result and that of two plans."""

ROUNDED = Fraction(1, 2000)
"""A value to three decimals lies within this of the share."""

TREATMENTS = ("first treatment", "second treatment", "third treatment", "fourth treatment")


def treatments_of(params: Mapping[str, Any]) -> list[str]:
    return [params["roles"][role] for role in TREATMENTS if role in params["roles"]]


def choose_plans(stream: Stream, response: Mapping[str, Fraction], wanted: int) -> list[str]:
    """Some plans in drawn order whose outcomes are far enough apart; none where the effect or too many are not.

    Nor where the effect of all treatments is close to the sum of their single effects.
    """
    every = list(response)
    nothing, whole = response[every[0]], response[every[-1]]
    single = [response[plan] - nothing for plan in every if plan.count("1") == 1]
    if abs(whole - nothing) < MARGIN or abs(sum(single) - (whole - nothing)) < MARGIN:
        return []
    chosen: list[str] = []
    for plan in stream.shuffled(every):
        if len(chosen) < wanted and all(abs(response[plan] - response[other]) >= MARGIN for other in chosen):
            chosen.append(plan)
    return chosen if len(chosen) == wanted else []


class Contrasts:
    """The exact figures of a problem, from printed shares or a printed table.

    `shares` and the outcome's shares under every plan save working them out again.
    """

    def __init__(
        self, params: Mapping[str, Any], shares: Observed | None = None, response: Mapping[str, Fraction] | None = None
    ) -> None:
        self.params, self.treatments, self.y = params, treatments_of(params), params["roles"]["outcome"]
        self.covariates = [one for one in params["graph"]["nodes"] if one not in (*self.treatments, self.y)]
        self.shares = shares or (Observed(params["shares"]) if "shares" in params else None)
        self.values = {plan: [int(value) for value in values] for plan, values in params["plans"]}
        # The outcome's shares depend on these covariates alone, so the others need not be stratified by.
        self.strata = [one for one in self.covariates if not self.shares or one in self.shares.given[self.y]]
        self.response = dict(response or {})
        if self.shares and not response:
            self.response = self.shares.responses(self.y, self.treatments)
        count = len(self.treatments)
        self.effect = self.planned([1] * count) - self.planned([0] * count)
        self.plans = {plan: self.planned(values) for plan, values in self.values.items()}

    @cached_property
    def table(self) -> Table:
        """The outcome by all treatments and whatever else its shares depend on."""
        return (
            self.shares.table([*self.strata, *self.treatments, self.y])
            if self.shares
            else table_of(self.params["joint"])
        )

    @cached_property
    def naive(self) -> Fraction:
        """The plain difference of shares."""
        count = len(self.treatments)
        return self.plain([1] * count) - self.plain([0] * count)

    @cached_property
    def graph(self) -> Graph:
        return Graph.from_json(self.params["graph"])

    @cached_property
    def one_step(self) -> Fraction:
        """The contrast standardised over all covariates at once."""
        return self._standardised(self.table, self.strata)

    def over(self, covariates: Sequence[str]) -> Fraction:
        """The contrast standardised over some covariates at once."""
        if list(covariates) == self.covariates:
            return self.one_step
        known = not self.shares or set(covariates) <= set(self.strata)
        names = [*covariates, *self.treatments, self.y]
        return self._standardised(self.table if known or not self.shares else self.shares.table(names), covariates)

    def _standardised(self, table: Table, covariates: Sequence[str]) -> Fraction:
        ones, zeros = (dict.fromkeys(self.treatments, value) for value in (1, 0))
        raised, lowered = (standardised(table, self.y, do, covariates) for do in (ones, zeros))
        return raised - lowered

    def minimal_sets(self) -> tuple[tuple[str, ...], ...]:
        """The minimal adjustment sets for the effect of all treatments together."""
        return minimal_adjustment_sets(self.graph, self.treatments, [self.y])

    def habitual(self, habit: str) -> list[str]:
        """What a bad habit standardises over."""
        if habit == "naive":
            return []
        if habit == "adjust_parents":
            steering = {tail for tail, head in self.graph.directed if head in self.treatments}
            return [one for one in self.covariates if one in steering]
        if habit == "ignore_colliders":
            return [
                one
                for one in self.covariates
                if not (separated(self.graph, [one], self.treatments) or separated(self.graph, [one], [self.y]))
            ]
        return self.covariates

    def planned(self, values: Sequence[int]) -> Fraction:
        """The share with the outcome if the treatments were set."""
        bits = "".join(map(str, values))
        if bits not in self.response:
            self.response[bits] = g_formula(self.table, self.y, self._stages, values)
        return self.response[bits]

    def plain(self, values: Sequence[int]) -> Fraction:
        """The share with the outcome among cases that happened to have these treatments."""
        return self.table.mean(self.y, dict(zip(self.treatments, values, strict=True)))

    @cached_property
    def _stages(self) -> list[tuple[list[str], str]]:
        """Every treatment with the covariates between it and the one before; each covariate precedes the last one."""
        stages, placed = [], set[str]()
        for treatment in self.treatments:
            later = set(self.graph.descendants([treatment]))
            fresh = [one for one in self.covariates if one not in later and one not in placed]
            stages.append((fresh, treatment))
            placed.update(fresh)
        return stages

    def clear(self, one_step: bool) -> bool:
        """Whether no wrong way comes near the effect, and one step over all covariates is right just where wanted.

        Wrong ways are the plain difference, and one step over the covariates that steer treatments where that is not
        right.
        """
        if abs(self.naive - self.effect) < MARGIN:
            return False
        if not (self.one_step == self.effect if one_step else abs(self.one_step - self.effect) >= MARGIN):
            return False
        steering = self.over(self.habitual("adjust_parents"))
        return steering == self.effect or abs(steering - self.effect) >= MARGIN

    def holds(self, claim: Mapping[str, Any]) -> bool:
        """Whether an analyst's claim is true."""
        kind = claim["kind"]
        if kind == "one_step":
            return is_adjustment_set(self.graph, self.treatments, [self.y], claim["zset"])
        if kind == "higher":
            return self.plans[claim["p"]] > self.plans[claim["q"]]
        if kind == "share":
            return abs(self.plans[claim["p"]] - Fraction(claim["value"])) <= ROUNDED
        return self.naive > self.effect if kind == "overstates" else self.naive < self.effect

    def distinct(self, claim: Mapping[str, Any]) -> bool:
        """Whether a claim that is false of the graph is false of the numbers, and a wrong value far from the right."""
        if claim["kind"] == "one_step":
            gap = abs(self.over(claim["zset"]) - self.effect)
            return gap >= MARGIN or self.holds(claim)
        return (
            claim["kind"] != "share"
            or self.holds(claim)
            or (abs(self.plans[claim["p"]] - Fraction(claim["value"])) >= MARGIN)
        )
