"""The modal-k gate: a method with one prior for all questions is put to questions with equally many options alone."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from fractions import Fraction

from benchpress.errors import UserError

from benchpress_evaluator.records import Json

DEFAULT_THRESHOLD = "0.95"


@dataclass(frozen=True, slots=True)
class GateReport:
    """What the gate decided, and about how many questions: `n_total` = `n_evaluated` + `n_excluded` where it passed."""

    benchmark: str
    modal_k: int
    """The most frequent number of options among the selected questions; the lowest of equally frequent ones."""
    threshold: str
    n_total: int
    n_evaluated: int
    """Questions with exactly `modal_k` options; 0 where the gate refuses."""
    n_excluded: int
    proportion: float
    """Share of the questions that have `modal_k` options."""
    passed: bool
    reason: str

    def to_json(self) -> dict[str, Json]:
        return asdict(self)


def modal_k_gate(counts: Sequence[int], threshold: Json = DEFAULT_THRESHOLD, benchmark: str = "") -> GateReport:
    """Judge questions with so many options each. A share equal to the threshold passes.

    A lower threshold lets a more mixed set through and never widens what is scored. Raises UserError for a threshold
    outside (0, 1] or without questions.
    """
    needed = share_above_zero(threshold, "modal_k_threshold")
    if not counts:
        raise UserError("the modal-k gate needs questions")
    frequency = Counter(counts)
    modal = min(frequency, key=lambda k: (-frequency[k], k))
    held, total = frequency[modal], len(counts)
    passed = Fraction(held, total) >= needed
    verdict = "which reaches" if passed else "which is below"
    reason = f"{held} of {total} questions have {modal} options, {verdict} the threshold of {threshold}"
    evaluated = held if passed else 0
    return GateReport(
        benchmark, modal, str(threshold), total, evaluated, total - evaluated, held / total, passed, reason
    )


def share_above_zero(value: Json, name: str) -> Fraction:
    """A share in (0, 1], exact in decimals. Raises UserError naming the parameter."""
    try:
        if isinstance(value, bool) or not isinstance(value, int | float | str):
            raise ValueError
        share = Fraction(str(value))
    except (ValueError, ZeroDivisionError):
        raise UserError(f"{name} must be a number above 0 and at most 1, not {value!r}") from None
    if not 0 < share <= 1:
        raise UserError(f"{name} must be above 0 and at most 1, not {value}")
    return share
