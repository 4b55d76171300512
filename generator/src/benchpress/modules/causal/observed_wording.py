"""How an observed distribution with hidden causes is stated, and claims about its plain difference of shares."""

from benchpress.wording.joint import JointTable
from benchpress.wording.sayings import Saying
from benchpress.wording.sections import Edges, HiddenCauses, Section, Variables
from benchpress.wording.shares import Shares

OBSERVED: tuple[Section, ...] = (
    Variables(),
    Edges(),
    HiddenCauses(),
    Shares(
        "shares",
        "P",
        Saying(
            "All nodes are 0 or 1. The observed distribution is the product of these conditional probabilities:",
            "Everything is yes (1) or no (0). Observed shares of yes; their product is the whole distribution:",
            "Each of these either happens (1) or does not (0). The records are described by these observed shares, "
            "whose product is the whole distribution:",
        ),
    ),
    JointTable(),
)
"""Diagram and distribution: a table where the problem is numeric, shares elsewhere."""

BIAS = {
    "overstates": Saying(
        "the plain difference of shares exceeds the effect",
        "without any correction the effect comes out too high",
    ),
    "understates": Saying(
        "the plain difference of shares falls short of the effect",
        "without any correction the effect comes out too low",
    ),
}
"""The two claims about the direction of the bias; a problem makes one of them."""

BIAS_SKILLS = dict.fromkeys(BIAS, "bias_direction")
