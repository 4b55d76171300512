"""Probabilities of causation of a binary treatment X and outcome Y: closed-form sharp bounds.

PNS = P(Y(1) = 1, Y(0) = 0), the probability of benefit; PN = P(Y(0) = 0 | X = 1, Y = 1); PS = P(Y(1) = 1 | X = 0, Y =
0); harm = P(Y(1) = 0, Y(0) = 1).
"""

from dataclasses import dataclass
from fractions import Fraction

from benchpress.errors import UserError

Bounds = tuple[Fraction, Fraction]


@dataclass(frozen=True)
class Evidence:
    """What is known: the experimental risks P(Y = 1 | do(X = x)), and the observed joint probabilities P(X = x, Y = y).

    Either may be None; without experiment the treatment is not assumed exogenous. Raises UserError for numbers that no
    population has: the experiment must fit the observations, P(x, y = 1) <= P(y = 1 | do(x)) <= 1 - P(x, y = 0).
    """

    treated_risk: Fraction | None
    untreated_risk: Fraction | None
    joint: tuple[tuple[Fraction, Fraction], tuple[Fraction, Fraction]] | None
    """`joint[x][y]`."""

    def __post_init__(self) -> None:
        if (self.treated_risk is None) != (self.untreated_risk is None):
            raise UserError("causation: give both experimental risks or none")
        if self.treated_risk is None and self.joint is None:
            raise UserError("causation: give experimental risks, observed probabilities, or both")
        for risk, arm in ((self.untreated_risk, 0), (self.treated_risk, 1)):
            low, high = (Fraction(0), Fraction(1)) if self.joint is None else _range(self.joint, arm)
            if risk is not None and not low <= risk <= high:
                raise UserError(
                    f"causation: the experimental risk {risk} under X = {arm} cannot be, it lies in [{low}, {high}]"
                )
        if self.joint is not None and sum(map(sum, self.joint)) != 1:
            raise UserError("causation: the observed probabilities do not sum to one")


def benefit_bounds(evidence: Evidence) -> Bounds:
    """Sharp bounds on PNS. Reference: Tian and Pearl 2000 (Annals of Mathematics and AI 28), theorem 3.

    >>> low, high = benefit_bounds(Evidence(Fraction(49, 100), Fraction(21, 100), None))
    >>> print(low, high)
    7/25 49/100
    """
    if evidence.joint is None:
        treated, untreated = _risks(evidence)
        return max(Fraction(0), treated - untreated), min(treated, 1 - untreated)
    (n00, n01), (n10, n11) = evidence.joint
    if evidence.treated_risk is None:
        return Fraction(0), n11 + n00
    treated, untreated = _risks(evidence)
    outcome = n01 + n11
    return (
        max(Fraction(0), treated - untreated, outcome - untreated, treated - outcome),
        min(treated, 1 - untreated, n11 + n00, treated - untreated + n10 + n01),
    )


def harm_bounds(evidence: Evidence) -> Bounds:
    """Sharp bounds on P(Y(1) = 0, Y(0) = 1): benefit with the outcome recoded. Reference: Mueller and Pearl 2023."""
    joint = evidence.joint
    flipped = Evidence(
        None if evidence.treated_risk is None else 1 - evidence.treated_risk,
        None if evidence.untreated_risk is None else 1 - evidence.untreated_risk,
        None if joint is None else ((joint[0][1], joint[0][0]), (joint[1][1], joint[1][0])),
    )
    return benefit_bounds(flipped)


def necessity_bounds(evidence: Evidence) -> Bounds:
    """Sharp bounds on PN. Needs the observed probabilities. Reference: Tian and Pearl 2000, theorem 3."""
    if evidence.joint is None:
        raise UserError("causation: the probability of necessity needs the observed probabilities")
    (n00, n01), (_, n11) = evidence.joint
    if not n11:
        raise UserError("causation: nobody has X = 1 and Y = 1; the probability of necessity is not defined")
    if evidence.untreated_risk is None:
        return Fraction(0), Fraction(1)
    untreated = evidence.untreated_risk
    return (
        max(Fraction(0), (n01 + n11 - untreated) / n11),
        min(Fraction(1), (1 - untreated - n00) / n11),
    )


def sufficiency_bounds(evidence: Evidence) -> Bounds:
    """Sharp bounds on PS. Needs the observed probabilities. Reference: Tian and Pearl 2000, theorem 3."""
    if evidence.joint is None:
        raise UserError("causation: the probability of sufficiency needs the observed probabilities")
    (n00, n01), (_, n11) = evidence.joint
    if not n00:
        raise UserError("causation: nobody has X = 0 and Y = 0; the probability of sufficiency is not defined")
    if evidence.treated_risk is None:
        return Fraction(0), Fraction(1)
    treated = evidence.treated_risk
    return (
        max(Fraction(0), (treated - n01 - n11) / n00),
        min(Fraction(1), (treated - n11) / n00),
    )


def _risks(evidence: Evidence) -> tuple[Fraction, Fraction]:
    if evidence.treated_risk is None or evidence.untreated_risk is None:
        raise UserError("causation: experimental risks are needed")
    return evidence.treated_risk, evidence.untreated_risk


def _range(joint: tuple[tuple[Fraction, Fraction], tuple[Fraction, Fraction]], arm: int) -> Bounds:
    return joint[arm][1], 1 - joint[arm][0]
