"""Which parts of a causal problem stand as a question of their own, and what values their answers can have."""

from collections.abc import Mapping
from fractions import Fraction

FOCAL: Mapping[str, tuple[str, ...]] = {
    "confounding": ("EFFECT", "ADJUSTMENT_SET"),
    "collider_bias": ("OPENED_BY", "SAFE_COVARIATES"),
    "m_bias": ("EFFECT", "ADJUSTMENT_SET"),
    "mediation": ("NDE", "NIE"),
    "simpson": ("EFFECT",),
    "base_rate": ("POSTERIOR_TWO", "POSTERIOR"),
    "instrument": ("EFFECT", "CONDITION_ON"),
    "front_door": ("EFFECT", "FRONT_DOOR_SET"),
    "selection": ("EFFECT", "NEEDED_EXTERNAL"),
    "transport": ("EFFECT", "ADMISSIBLE_SET"),
    "time_varying": ("EFFECT", "ORDER"),
    "d_separation": ("MINIMAL_SEPARATOR",),
    "equivalence": ("V_STRUCTURES", "CLASS_SIZE"),
    "discovery": ("GRAPHS_LEFT",),
    "counterfactual": ("COUNTERFACTUAL", "ORDER"),
    "causation_probability": ("LOWER", "UPPER"),
    "identification": ("EFFECT", "C_COMPONENT"),
    "effect_modification": ("ATT", "MODIFIERS"),
    "measurement_error": ("CORRECTED", "USABLE"),
    "do_vs_observe": ("P_DO", "WHY"),
    "difference_in_differences": ("EFFECT", "DID"),
    "experiment_design": ("TARGETS", "REMAINING"),
}
"""Bundle -> the parts whose question needs no other part to be understood; a problem is asked about one of them."""

CHANCES = frozenset({"POSTERIOR", "POSTERIOR_TWO", "P_DO", "LOWER", "UPPER", "PN_LOWER", "PN_UPPER"})
"""Parts whose answer is a probability."""

Range = tuple[Fraction | None, Fraction | None]


def range_of(part: str, tolerance: Fraction) -> Range:
    """The smallest and largest value that anybody would believe; None where there is no such bound."""
    if tolerance == 0:
        return Fraction(1), None
    if part in CHANCES:
        return Fraction(0), Fraction(1)
    if tolerance < Fraction(1, 100):
        return Fraction(-1), Fraction(1)
    return None, None


def options_at(level: int) -> int:
    """How many options an item of that level has."""
    return 4 if level <= 6 else 5 if level <= 8 else 6
