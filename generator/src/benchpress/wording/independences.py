"""What a search for a graph starts from: recorded variables, listed independences, and what experiments changed."""

from bisect import insort
from collections.abc import Mapping
from typing import Any

from benchpress.wording.sayings import Saying, Wording, listed, unlisted
from benchpress.wording.sections import Params


class Names:
    """`variables`"""

    _saying = Saying("Variables: {names}.", "These quantities were recorded: {names}.", "On record are: {names}.")

    def lines(self, params: Mapping[str, Any], wording: Wording) -> list[str]:
        return [self._saying.say(wording, names=listed(wording.stream.shuffled(params["variables"])))]

    def read(self, line: str, found: Params) -> bool:
        slots = self._saying.read(line)
        if slots is None:
            return False
        found["variables"] = sorted(unlisted(slots["names"]))
        return True


class Independences:
    """`independences`: [a, b, [given]], one for every pair that some set separates."""

    _header = Saying(
        "Pairs that become independent, each with one smallest set given which they do; every other pair stays "
        "dependent whatever is held fixed:"
    )
    _alone = Saying("- {a} and {b} are independent, given nothing.")
    _given = Saying("- {a} and {b} are independent given {set}.")

    def lines(self, params: Mapping[str, Any], wording: Wording) -> list[str]:
        if "independences" not in params:
            return []
        said = [self._header.say(wording)]
        for one, other, given in wording.stream.shuffled(params["independences"]):
            a, b = wording.stream.shuffled([one, other])
            names = wording.stream.shuffled(given)
            said.append(
                self._given.say(wording, a=a, b=b, set=listed(names)) if given else self._alone.say(wording, a=a, b=b)
            )
        return said

    def read(self, line: str, found: Params) -> bool:
        if self._header.read(line) is not None:
            found["independences"] = []
            return True
        slots = self._alone.read(line) or self._given.read(line)
        if slots is None:
            return False
        given = sorted(unlisted(slots.get("set", "none")))
        insort(found["independences"], [*sorted([slots["a"], slots["b"]]), given])
        return True


class Experiments:
    """`experiments`: [target, [variables that changed]]."""

    _none = Saying("No experiment was made.")
    _changed = Saying("- When {target} was set at random, these changed: {names}; the others did not.")
    _nothing = Saying("- When {target} was set at random, nothing else changed.")

    def lines(self, params: Mapping[str, Any], wording: Wording) -> list[str]:
        if not params["experiments"]:
            return [self._none.say(wording)]
        said = []
        for target, changed in wording.stream.shuffled(params["experiments"]):
            names = listed(wording.stream.shuffled(changed))
            saying = self._changed if changed else self._nothing
            said.append(saying.say(wording, target=target, names=names))
        return ["Experiments:", *said]

    def read(self, line: str, found: Params) -> bool:
        if line == "Experiments:" or self._none.read(line) is not None:
            found["experiments"] = []
            return True
        slots = self._changed.read(line) or self._nothing.read(line)
        if slots is None:
            return False
        insort(found["experiments"], [slots["target"], sorted(unlisted(slots.get("names", "none")))])
        return True
