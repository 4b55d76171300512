"""How a panel of groups and periods is printed: levels, shifts, covariates, starts of a scheme, or a table of means."""

from bisect import insort
from collections.abc import Mapping, Sequence
from typing import Any

from benchpress.streams import Stream
from benchpress.wording.definitions import Definition
from benchpress.wording.entries import Entries, Series
from benchpress.wording.sayings import Saying, Wording
from benchpress.wording.sections import Params, Roles, Section
from benchpress.wording.sets import NamedSets
from benchpress.wording.stories import SYMBOLS

TREES = (
    "ash", "aspen", "beech", "birch", "cedar", "cherry", "elm", "fir", "hazel", "holly", "juniper", "larch", "linden",
    "maple", "oak", "olive", "pine", "poplar", "rowan", "spruce", "walnut", "willow",
)  # fmt: skip
"""Names of groups and strata that fit any story."""


def group_names(stream: Stream, count: int, taken: Sequence[str] = ()) -> list[str]:
    """Names for groups and strata: trees, or bare symbols beside those that a formal problem has taken."""
    if taken:
        return stream.sample([symbol for symbol in SYMBOLS if symbol not in taken], count)
    return stream.sample(TREES, count)


class CellTable:
    """`cells`: [group, stratum, [[count, mean], ...]], a table row each, one column a period, `count x mean` inside."""

    _header = Saying(
        "Number of units and their mean by period, written as number x mean:",
        "Units and mean outcome by period (number x mean):",
        "For every group and stratum the number of units and their mean outcome (number x mean):",
    )

    def lines(self, params: Mapping[str, Any], wording: Wording) -> list[str]:
        if "cells" not in params:
            return []
        periods = range(1, len(params["cells"][0][2]) + 1)
        columns = ["group", "stratum", *(f"period {period}" for period in periods)]
        said = [self._header.say(wording), f"| {' | '.join(columns)} |", "|" + " --- |" * len(columns)]
        for group, stratum, row in wording.stream.shuffled(params["cells"]):
            said.append(f"| {group} | {stratum} | {' | '.join(f'{count} x {mean}' for count, mean in row)} |")
        return said

    def read(self, line: str, found: Params) -> bool:
        if self._header.read(line) is not None:
            found["cells"] = []
            return True
        if "cells" not in found or not line.startswith("|"):
            return False
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if cells[0] not in ("group", "---"):
            insort(found["cells"], [cells[0], cells[1], [cell.split(" x ") for cell in cells[2:]]])
        return True


class PanelDefinition(Definition):
    """The definition of a cell mean, printed only where the problem is a panel and no table."""

    def lines(self, params: Mapping[str, Any], wording: Wording) -> list[str]:
        return super().lines(params, wording) if "groups" in params else []


SECTIONS: tuple[Section, ...] = (
    Roles("outcome"),
    PanelDefinition(
        "The mean {outcome} of a group in a period is the group's base level, plus the shift of the period, plus for "
        "every covariate its mean there times its slope in that period, plus the group's drift times the number of "
        "periods since period 1, plus what the scheme adds: its effect from the group's start on, an early reaction "
        "in the last period before the group's start, an effect from outside from the first start of any group on."
    ),
    Entries(
        "groups",
        ("g", "n", "b"),
        Saying(
            "- {g}: size {n}; base level {b}",
            "- {g} has {n} units and the base level {b}.",
            "- The {n} units of {g} start from the base level {b}.",
        ),
        Saying("Groups:", "The groups:", "These groups are followed:"),
        Saying("Groups: none."),
    ),
    Series(
        "shifts",
        Saying(
            "Shifts of periods 1 onwards: {series}.",
            "All groups share these shifts in periods 1 onwards: {series}.",
            "Period by period everybody is shifted by: {series}.",
        ),
    ),
    Entries(
        "slopes",
        ("k", "series"),
        Saying(
            "- covariate {k} with slopes {series}",
            "- One more unit of {k} adds in the successive periods: {series}",
            "- {k} counts per unit in the successive periods: {series}",
        ),
        Saying("Covariates and their slopes by period:", "What covariates add per unit by period:"),
        Saying("Covariates: none."),
    ),
    Entries(
        "means",
        ("k", "g", "series"),
        Saying(
            "- mean of {k} in {g}: {series}",
            "- {g} has in the successive periods a mean {k} of: {series}",
            "- In {g} the mean {k} runs: {series}",
        ),
        Saying("Means of the covariates by period:", "How the covariates' means run from period to period:"),
        Saying("Means: none."),
    ),
    Entries(
        "drifts",
        ("g", "d"),
        Saying("- drift of {g}: {d}", "- {g} drifts by {d} per period.", "- Each period carries {g} off by {d}."),
        Saying("Drifts (all others are 0):", "Some groups drift, the others do not:"),
        Saying("Drifts: none.", "No group has a drift."),
    ),
    Entries(
        "starts",
        ("g", "p"),
        Saying("- start of {g}: {p}", "- {g} takes up the scheme in period {p}.", "- From period {p} on {g} is in."),
        Saying("Starts of the scheme (other groups never start):", "Who takes up the scheme (nobody else does):"),
        Saying("Starts: none."),
    ),
    Series(
        "effects",
        Saying(
            "Effect in the first period of the scheme and the following ones: {series}.",
            "Counted from its start in a group, the scheme adds period by period: {series}.",
            "In a group that has taken it up, the scheme adds in its first, second and later periods: {series}.",
        ),
    ),
    Entries(
        "anticipation",
        ("g", "d"),
        Saying(
            "- early reaction of {g}: {d}",
            "- {g} changes by {d} in the last period before its start.",
            "- Just before its start {g} moves by {d}.",
        ),
        Saying("Early reactions (no others):", "Some groups react early (no others do):"),
        Saying("Early reactions: none.", "Nobody reacts before the start."),
    ),
    Entries(
        "spillover",
        ("g", "d"),
        Saying(
            "- outside effect on {g}: {d}",
            "- {g} changes by {d} from the first start anywhere on.",
            "- As soon as anybody has started {g} moves by {d}.",
        ),
        Saying("Effects from outside (no others):", "The scheme is felt elsewhere (nowhere but here):"),
        Saying("Effects from outside: none.", "Nobody feels the scheme of others."),
    ),
    CellTable(),
    NamedSets(
        {
            "treated": Saying("Treated side: {names}.", "On the treated side stand: {names}."),
            "untreated": Saying("Untreated side: {names}.", "On the untreated side stand: {names}."),
            "before": Saying("Before periods: {names}.", "The before periods are: {names}."),
            "after": Saying("After periods: {names}.", "The after periods are: {names}."),
            "placebo": Saying("Placebo periods: {names}.", "The placebo periods are: {names}."),
        }
    ),
)
"""What a prompt about a panel may state, in the order of the page."""
