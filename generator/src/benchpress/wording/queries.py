"""Effects that a prompt asks about by number."""

from collections.abc import Mapping
from typing import Any

from benchpress.wording.sayings import Saying, Wording, listed, unlisted
from benchpress.wording.sections import Params


class Effects:
    """`queries`: [{"x": [names set from outside], "y": name}, ...], one numbered line each."""

    _saying = Saying(
        "Query {n}: P({y} | do({xs})).",
        "Query {n}: the distribution of {y} when {xs} is set from outside.",
        "Query {n}: how {y} is distributed once somebody sets {xs}.",
        "Query {n}: the effect on {y} of setting {xs}.",
    )

    def lines(self, params: Mapping[str, Any], wording: Wording) -> list[str]:
        return [
            self._saying.say(wording, n=str(at), y=query["y"], xs=listed(wording.stream.shuffled(query["x"])))
            for at, query in enumerate(params.get("queries", ()), 1)
        ]

    def read(self, line: str, found: Params) -> bool:
        slots = self._saying.read(line)
        if slots is None:
            return False
        found.setdefault("queries", []).append({"x": sorted(unlisted(slots["xs"])), "y": slots["y"]})
        return True
