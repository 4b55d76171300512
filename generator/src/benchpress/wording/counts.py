"""Counts of cases by stratum and treatment, with those that show the outcome, as a printed table."""

from collections.abc import Mapping
from typing import Any

from benchpress.wording.sayings import Saying, Wording
from benchpress.wording.sections import Params


class CountTable:
    """`counts`: {"strata": [names in code-point order], "rows": [[bits, cases, with the outcome], ...]}.

    The last bit of a row is the treatment; rows stand in code-point order of their bits.
    """

    _header = Saying(
        "Counts (1 = yes, 0 = no):",
        "Cases in the whole population by combination (1 = yes, 0 = no):",
        "How many cases there are of each combination, and how many of them show the outcome (1 = yes, 0 = no):",
    )
    _cases, _shown = "cases", "with the outcome"

    def lines(self, params: Mapping[str, Any], wording: Wording) -> list[str]:
        if "counts" not in params:
            return []
        names = [*params["counts"]["strata"], params["roles"]["treatment"]]
        order = wording.stream.shuffled(list(range(len(names))))
        said = [self._header.say(wording)]
        said.append("| " + " | ".join([*(names[at] for at in order), self._cases, self._shown]) + " |")
        said.append("|" + " --- |" * (len(names) + 2))
        rows = sorted(params["counts"]["rows"], key=lambda row: [row[0][at] for at in order])
        said += ["| " + " | ".join([*(bits[at] for at in order), cases, shown]) + " |" for bits, cases, shown in rows]
        return said

    def read(self, line: str, found: Params) -> bool:
        if self._header.read(line) is not None:
            found["counts"] = {"strata": [], "rows": []}
            return True
        if "counts" not in found or not line.startswith("|"):
            return False
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        counts = found["counts"]
        if cells[-1] == self._shown:
            found["columns"] = cells[:-2]
            counts["strata"] = sorted(set(cells[:-2]) - {found["roles"]["treatment"]})
        elif cells[0] != "---":
            bit = dict(zip(found["columns"], cells[:-2], strict=True))
            state = "".join(bit[name] for name in (*counts["strata"], found["roles"]["treatment"]))
            counts["rows"].append([state, *cells[-2:]])
        return True
