"""Distributions over options and what the order of options does to them, on plain lists of numbers.

Rotation k prints the option at place (j + k) mod n at place j, so the option at place c stands at (c - k) mod n.
`rows[k][j]` is the probability of the label at printed place j under rotation k, and None where that rotation failed:
a failed rotation is left out, never imputed. Equation numbers are those of Zheng et al., "Large Language Models Are Not
Robust Multiple Choice Selectors" (ICLR 2024).
"""

import math
from collections.abc import Collection, Sequence

Row = Sequence[float]
Rows = Sequence[Row | None]


def softmax(scores: Row) -> list[float]:
    """Probabilities in proportion to exp(score); they sum to 1."""
    highest = max(scores)
    weights = [math.exp(score - highest) for score in scores]
    return normalised(weights)


def normalised(weights: Row) -> list[float]:
    """Weights divided by their sum."""
    total = math.fsum(weights)
    return [weight / total for weight in weights]


def cyclic_average(rows: Rows) -> list[float] | None:
    """Equation 1: the mean probability of every option over the rotations that are there; None where none is."""
    held = [(k, row) for k, row in enumerate(rows) if row is not None]
    if not held:
        return None
    count = len(held[0][1])
    return normalised([math.fsum(row[(c - k) % count] for k, row in held) / len(held) for c in range(count)])


def question_prior(rows: Rows) -> list[float] | None:
    """Equation 7: the prior over labels that one question shows, softmax of the mean log-probability of each label.

    Exact where every row is proportional to prior x content. None where no rotation is there.
    """
    held = [row for row in rows if row is not None]
    if not held:
        return None
    count = len(held[0])
    return softmax([math.fsum(_log(row[j]) for row in held) / len(held) for j in range(count)])


def global_prior(priors: Sequence[Row]) -> list[float]:
    """The arithmetic mean of the priors of several questions with equally many options."""
    count = len(priors[0])
    return normalised([math.fsum(prior[j] for prior in priors) for j in range(count)])


def debias(observed: Row, prior: Row) -> list[float]:
    """Equation 8: the distribution over options as printed once, divided by the prior of their labels."""
    return softmax([_log(seen) - _log(expected) for seen, expected in zip(observed, prior, strict=True)])


def highest(values: Row) -> list[int]:
    """The places of the greatest value; several where they differ by rounding alone."""
    top = max(values)
    return [place for place, value in enumerate(values) if top - value <= ROUNDING]


def lead(values: Row) -> float:
    """How far the greatest value is ahead of the next; 0 for a tie."""
    first, second = sorted(values, reverse=True)[:2]
    return first - second


def pride_distributions(questions: Sequence[Rows], calibrated: Collection[int]) -> list[list[float] | None]:
    """The whole of PriDe on recorded rotations: one distribution over options a question.

    `calibrated` are the places of the questions that the prior is estimated on and that are answered by equation 1;
    the others are answered by equation 8 on their rotation 0. None for a question without the rotations it needs.
    Raises ValueError where no calibration question has a rotation.
    """
    priors = [prior for place in sorted(calibrated) if (prior := question_prior(questions[place])) is not None]
    if not priors:
        raise ValueError("no calibration question has a rotation")
    prior = global_prior(priors)
    return [
        cyclic_average(rows) if place in calibrated else None if rows[0] is None else debias(rows[0], prior)
        for place, rows in enumerate(questions)
    ]


ROUNDING = 1e-12
"""Probabilities that differ by less are equal."""
LEAST = 1e-300
"""Stands for a probability that underflowed, so that its logarithm is finite."""


def _log(probability: float) -> float:
    return math.log(max(probability, LEAST))
