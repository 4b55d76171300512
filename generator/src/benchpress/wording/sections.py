"""The parts of a printed problem. Each section writes its share of `params` as lines and reads it back from them.

Lists in params stand in canonical (code-point) order; the order on the page is drawn, so reading sorts again.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Protocol

from benchpress.wording.sayings import Saying, Wording, listed, unlisted

Params = dict[str, Any]


class Section(Protocol):
    """One kind of fact that a prompt may state."""

    def lines(self, params: Mapping[str, Any], wording: Wording) -> list[str]:
        """The lines that state this section's share of `params`; none where there is nothing to say."""
        ...

    def read(self, line: str, found: Params) -> bool:
        """Take in one printed line; False where the line is not of this section."""
        ...


def _sorted_into(found: Params, key: str, entry: Any) -> None:
    found.setdefault(key, []).append(entry)


class Variables:
    """`graph.nodes`"""

    _saying = Saying(
        "Nodes: {names}.",
        "Quantities: {names}.",
        "The quantities in play are: {names}.",
        "These quantities matter here: {names}.",
        "The study speaks of: {names}.",
    )

    def lines(self, params: Mapping[str, Any], wording: Wording) -> list[str]:
        nodes = wording.stream.shuffled(params["graph"]["nodes"])
        return [self._saying.say(wording, names=listed(nodes))]

    def read(self, line: str, found: Params) -> bool:
        slots = self._saying.read(line)
        if slots is None:
            return False
        graph = found.setdefault("graph", {"nodes": [], "directed": [], "bidirected": []})
        graph["nodes"] = sorted(unlisted(slots["names"]))
        return True


class Edges:
    """`graph.directed`, one sentence an edge; left to WeightedEdges where `linear` gives coefficients."""

    _saying = Saying(
        "- {a} -> {b}",
        "- {a} directly affects {b}.",
        "- {b} is directly affected by {a}.",
        "- {a} has a direct influence on {b}.",
        "- {b} responds directly to {a}.",
        "- A change in {a} directly changes {b}.",
    )
    _header = Saying(
        "Arrows (no other direct effects exist):",
        "Direct effects, all there are:",
        "What acts directly on what (nothing else does):",
        "The complete list of direct influences:",
    )

    def lines(self, params: Mapping[str, Any], wording: Wording) -> list[str]:
        if "linear" in params:
            return []
        edges = wording.stream.shuffled(params["graph"]["directed"])
        said = [self._saying.say(wording, a=a, b=b) for a, b in edges]
        return [self._header.say(wording), *said] if said else []

    def read(self, line: str, found: Params) -> bool:
        slots = self._saying.read(line)
        if slots is None:
            return self._header.read(line) is not None
        found["graph"]["directed"].append([slots["a"], slots["b"]])
        return True


class WeightedEdges:
    """`graph.directed` and `linear.coefficients`: an edge and its coefficient in one sentence."""

    _saying = Saying(
        "- {a} -> {b}: coefficient {c}",
        "- One more unit of {a} directly changes {b} by {c}.",
        "- {b} moves by {c} for each extra unit of {a}.",
        "- Each further unit of {a} adds {c} to {b}.",
        "- The direct effect of {a} on {b} is {c} per unit.",
    )
    _header = Saying(
        "Linear structural equations with independent noise; arrows (all there are) and coefficients:",
        "All relations are linear with independent noise. Direct effects, all there are, the other causes held fixed:",
        "Each quantity is a weighted sum of its direct causes plus independent noise; all the direct effects:",
    )

    def lines(self, params: Mapping[str, Any], wording: Wording) -> list[str]:
        if "linear" not in params:
            return []
        edges = wording.stream.shuffled(params["linear"]["coefficients"])
        return [self._header.say(wording), *(self._saying.say(wording, a=a, b=b, c=c) for a, b, c in edges)]

    def read(self, line: str, found: Params) -> bool:
        slots = self._saying.read(line)
        if slots is None:
            return self._header.read(line) is not None
        found["graph"]["directed"].append([slots["a"], slots["b"]])
        linear = found.setdefault("linear", {"coefficients": [], "noise": []})
        linear["coefficients"].append([slots["a"], slots["b"], slots["c"]])
        return True


class Noise:
    """`linear.noise`: the variance of each variable's own noise, on one line."""

    _saying = Saying(
        "Noise variances: {list}.",
        "Variances of the independent noise: {list}.",
        "What each quantity does on its own has these variances: {list}.",
    )

    def lines(self, params: Mapping[str, Any], wording: Wording) -> list[str]:
        if "linear" not in params:
            return []
        entries = wording.stream.shuffled(params["linear"]["noise"])
        return [self._saying.say(wording, list=listed([f"{name} = {value}" for name, value in entries]))]

    def read(self, line: str, found: Params) -> bool:
        slots = self._saying.read(line)
        if slots is None:
            return False
        linear = found.setdefault("linear", {"coefficients": [], "noise": []})
        for entry in unlisted(slots["list"]):
            name, _, value = entry.rpartition(" = ")
            linear["noise"].append([name, value])
        return True


class HiddenCauses:
    """`graph.bidirected`: pairs with a common cause that is not among the variables."""

    _saying = Saying(
        "- {a} <-> {b}",
        "- {a} and {b} share a cause that is not listed here.",
        "- Something unlisted acts on both {a} and {b}.",
        "- An unlisted common cause stands behind {a} and {b}.",
    )
    _header = Saying("Hidden common causes (all there are):", "Hidden common causes, all there are:")
    _none = Saying("Hidden common causes: none.", "There are no hidden common causes.", "No common cause is left out.")

    def lines(self, params: Mapping[str, Any], wording: Wording) -> list[str]:
        pairs = wording.stream.shuffled(params["graph"]["bidirected"])
        if not pairs:
            return [self._none.say(wording)]
        said = [self._saying.say(wording, a=a, b=b) for a, b in (wording.stream.shuffled(pair) for pair in pairs)]
        return [self._header.say(wording), *said]

    def read(self, line: str, found: Params) -> bool:
        slots = self._saying.read(line)
        if slots is None:
            return self._header.read(line) is not None or self._none.read(line) is not None
        found["graph"]["bidirected"].append(sorted([slots["a"], slots["b"]]))
        return True


class Unmeasured:
    """`unmeasured`: variables that exist and are not recorded."""

    _saying = Saying(
        "Unmeasured: {names}.",
        "Not recorded anywhere: {names}.",
        "Nobody keeps figures on: {names}.",
        "Without any record: {names}.",
    )
    _none = Saying("Unmeasured: none.", "Everything is recorded.", "There are figures on every quantity.")

    def lines(self, params: Mapping[str, Any], wording: Wording) -> list[str]:
        if not params["unmeasured"]:
            return [self._none.say(wording)]
        return [self._saying.say(wording, names=listed(wording.stream.shuffled(params["unmeasured"])))]

    def read(self, line: str, found: Params) -> bool:
        if self._none.read(line) is not None:
            found["unmeasured"] = []
            return True
        slots = self._saying.read(line)
        if slots is None:
            return False
        found["unmeasured"] = sorted(unlisted(slots["names"]))
        return True


class Roles:
    """`roles`: which variable plays which part, one line a role; a role is a plain phrase such as `treatment`."""

    _saying = Saying("{role}: {name}.", "The {role} is {name}.", "Here, the {role} is {name}.")

    def __init__(self, *roles: str) -> None:
        self.roles = roles

    def lines(self, params: Mapping[str, Any], wording: Wording) -> list[str]:
        present = [role for role in self.roles if role in params["roles"]]
        if wording.formal:
            return [self._saying.say(wording, role=role.capitalize(), name=params["roles"][role]) for role in present]
        return [self._saying.say(wording, role=role, name=params["roles"][role]) for role in present]

    def read(self, line: str, found: Params) -> bool:
        slots = self._saying.read(line)
        if slots is None or slots["role"].lower() not in self.roles:
            return False
        found.setdefault("roles", {})[slots["role"].lower()] = slots["name"]
        return True


class Covariances:
    """`covariance`: entries [a, b, value] of a covariance matrix, printed as a table of its lower triangle."""

    _header = Saying(
        "Population covariances (variances on the diagonal):",
        "The covariances in the whole population, with variances on the diagonal:",
        "Covariance table of the population (the diagonal holds variances):",
    )

    def lines(self, params: Mapping[str, Any], wording: Wording) -> list[str]:
        if "covariance" not in params:
            return []
        value = {(a, b): v for a, b, v in params["covariance"]}
        names = wording.stream.shuffled(sorted({a for a, _ in value}))
        rows = [self._header.say(wording), f"| | {' | '.join(names)} |", "|" + " --- |" * (len(names) + 1)]
        for place, name in enumerate(names):
            cells = [value[min(name, other), max(name, other)] for other in names[: place + 1]]
            cells += [""] * (len(names) - place - 1)
            rows.append(f"| {name} | {' | '.join(cells)} |")
        return rows

    def read(self, line: str, found: Params) -> bool:
        if self._header.read(line) is not None:
            found["covariance"] = []
            return True
        if "covariance" not in found or not line.startswith("|"):
            return False
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if not cells[0]:
            found["columns"] = cells[1:]
        elif cells[0] != "---":
            for other, value in zip(found["columns"], cells[1:], strict=True):
                if value:
                    found["covariance"].append([*sorted([cells[0], other]), value])
        return True


class Claims:
    """`claims`: statements to be judged, [{"id", "kind", slot: value ...}], said by the bundle's own templates.

    Slots whose name ends in `set` hold lists of names and are printed in braces.
    """

    def __init__(self, kinds: Mapping[str, Saying]) -> None:
        self.kinds = kinds
        self._line = Saying("{id}: {text}")

    def lines(self, params: Mapping[str, Any], wording: Wording) -> list[str]:
        if not params.get("claims"):
            return []
        said = ["An analyst claims:"]
        for claim in params["claims"]:
            slots = {
                slot: "{" + ", ".join(wording.stream.shuffled(value)) + "}" if slot.endswith("set") else value
                for slot, value in claim.items()
                if slot not in ("id", "kind")
            }
            said.append(self._line.say(wording, id=claim["id"], text=self.kinds[claim["kind"]].say(wording, **slots)))
        return said

    def read(self, line: str, found: Params) -> bool:
        if line == "An analyst claims:":
            return True
        parts = self._line.read(line)
        if parts is None or not parts["id"].startswith("CLAIM_"):
            return False
        for kind, saying in self.kinds.items():
            slots = saying.read(parts["text"])
            if slots is not None:
                claim: Params = {"id": parts["id"], "kind": kind}
                for slot, value in slots.items():
                    claim[slot] = sorted(filter(None, value[1:-1].split(", "))) if slot.endswith("set") else value
                _sorted_into(found, "claims", claim)
                return True
        return False


def say_problem(sections: Iterable[Section], params: Mapping[str, Any], wording: Wording) -> list[list[str]]:
    """The printed problem, a block of lines per section that has something to say."""
    return [block for section in sections if (block := section.lines(params, wording))]


def read_problem(sections: Sequence[Section], prompt: str) -> Params:
    """The params that a prompt states, by the sections it was written with; lists in canonical order."""
    found: Params = {}
    current: Section | None = None
    for line in prompt.split("\n"):
        if not line:
            current = None
        elif current is None or not current.read(line, found):
            # A block belongs to one section, so most lines are read by the section that read the line before.
            current = next((one for one in sections if one is not current and one.read(line, found)), None)
    found.pop("columns", None)
    return _canonical(found)


_ORDERED = frozenset({"directed", "bidirected", "coefficients", "noise", "covariance", "rows"})


def _canonical(found: Params) -> Params:
    for key, value in found.items():
        if isinstance(value, dict):
            _canonical(value)
        elif key in _ORDERED:
            value.sort()
        elif key == "probabilities":
            value.sort(key=lambda table: table["of"])
            for table in value:
                table["rows"].sort()
    return found
