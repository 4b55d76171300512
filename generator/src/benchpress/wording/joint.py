"""A joint distribution of binary variables as a printed table."""

from collections.abc import Mapping
from typing import Any

from benchpress.wording.sayings import Saying, Wording
from benchpress.wording.sections import Params


class JointTable:
    """`joint`: {"columns": [names in code-point order], "rows": [[bits, probability], ...]}, printed row by row."""

    _header = Saying(
        "Joint distribution (1 = yes, 0 = no):",
        "How often each combination occurs in the whole population (1 = yes, 0 = no):",
        "Shares of all cases by combination (1 = yes, 0 = no):",
    )

    def lines(self, params: Mapping[str, Any], wording: Wording) -> list[str]:
        if "joint" not in params:
            return []
        columns = params["joint"]["columns"]
        order = wording.stream.shuffled(list(range(len(columns))))
        rows = [self._header.say(wording)]
        rows.append("| " + " | ".join([*(columns[at] for at in order), "share"]) + " |")
        rows.append("|" + " --- |" * (len(columns) + 1))
        by_printed = sorted(params["joint"]["rows"], key=lambda row: [row[0][at] for at in order])
        rows += ["| " + " | ".join([*(bits[at] for at in order), value]) + " |" for bits, value in by_printed]
        return rows

    def read(self, line: str, found: Params) -> bool:
        if self._header.read(line) is not None:
            found["joint"] = {"columns": [], "rows": []}
            return True
        if "joint" not in found or not line.startswith("|"):
            return False
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        joint = found["joint"]
        if cells[-1] == "share":
            found["columns"] = cells[:-1]
            joint["columns"] = sorted(cells[:-1])
        elif cells[0] != "---":
            bit = dict(zip(found["columns"], cells[:-1], strict=True))
            joint["rows"].append(["".join(bit[name] for name in joint["columns"]), cells[-1]])
        return True
