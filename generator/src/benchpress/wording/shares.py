"""What was observed of yes/no variables: conditional shares, and tables of states; several populations tell apart."""

from bisect import insort
from collections.abc import Mapping
from typing import Any

from benchpress.wording.sayings import Saying, Wording, listed, unlisted
from benchpress.wording.sections import Params


class Shares:
    """`key`: the share of ones of each variable under every state of some others, a line each.

    Entries {"of": name, "given": [names in code-point order], "rows": [[bits, value], ...]} in code-point order.
    `mark` is the symbol of the distribution, such as P.
    """

    def __init__(self, key: str, mark: str, header: Saying) -> None:
        self.key, self.header = key, header
        self._free = Saying(f"- {mark}({{b}} = 1) = {{p}}")
        self._under = Saying(f"- {mark}({{b}} = 1 | {{given}}) = {{p}}")

    def lines(self, params: Mapping[str, Any], wording: Wording) -> list[str]:
        if self.key not in params:
            return []
        said = [self.header.say(wording)]
        for entry in wording.stream.shuffled(params[self.key]):
            order = wording.stream.shuffled(list(range(len(entry["given"]))))
            for bits, value in entry["rows"]:
                if not bits:
                    said.append(self._free.say(wording, b=entry["of"], p=value))
                    continue
                given = listed([f"{entry['given'][at]} = {bits[at]}" for at in order])
                said.append(self._under.say(wording, b=entry["of"], given=given, p=value))
        return said

    def read(self, line: str, found: Params) -> bool:
        slots = self._under.read(line) or self._free.read(line)
        if slots is None:
            return self.header.read(line) is not None
        state = sorted(tuple(part.rsplit(" = ", 1)) for part in unlisted(slots.get("given", "none")))
        entries = found.setdefault(self.key, [])
        entry = next((one for one in entries if one["of"] == slots["b"]), None)
        if entry is None:
            entry = {"of": slots["b"], "given": [name for name, _ in state], "rows": []}
            insort(entries, entry, key=lambda one: str(one["of"]))
        insort(entry["rows"], ["".join(bit for _, bit in state), slots["p"]])
        return True


def probabilities() -> Shares:
    """`probabilities`: for each binary variable its chance of being 1 under every state of its direct causes."""
    return Shares(
        "probabilities",
        "P",
        Saying(
            "All variables are 0 or 1. Conditional probabilities:",
            "Everything is yes (1) or no (0). How likely a yes is, given the direct causes:",
            "Each of these either happens (1) or does not (0). Conditional probabilities:",
        ),
    )


class StateTable:
    """`key`: {"columns": [names in code-point order], "rows": [[bits, value], ...]}, a table row each.

    `last` heads the column of values; it tells the tables of one prompt apart.
    """

    def __init__(self, key: str, last: str, header: Saying) -> None:
        self.key, self.last, self.header = key, last, header

    def lines(self, params: Mapping[str, Any], wording: Wording) -> list[str]:
        if self.key not in params:
            return []
        columns = params[self.key]["columns"]
        order = wording.stream.shuffled(list(range(len(columns))))
        said = [self.header.say(wording), f"| {' | '.join([*(columns[at] for at in order), self.last])} |"]
        said.append("|" + " --- |" * (len(columns) + 1))
        by_printed = sorted(params[self.key]["rows"], key=lambda row: [row[0][at] for at in order])
        said += ["| " + " | ".join([*(bits[at] for at in order), value]) + " |" for bits, value in by_printed]
        return said

    def read(self, line: str, found: Params) -> bool:
        if self.header.read(line) is not None:
            return True
        if not line.startswith("| "):
            return False
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if cells[-1] == self.last:
            found["columns"] = cells
            found[self.key] = {"columns": sorted(cells[:-1]), "rows": []}
            return True
        if "columns" not in found or found["columns"][-1] != self.last:
            return False
        if cells[0] == "---":
            return True
        if not {"0", "1"}.issuperset(cells[:-1]):
            return False
        bit = dict(zip(found["columns"][:-1], cells[:-1], strict=True))
        table = found[self.key]
        insort(table["rows"], ["".join(bit[name] for name in table["columns"]), cells[-1]])
        return True
