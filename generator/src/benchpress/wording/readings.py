"""Readings with error: what they read and the known variances of their errors."""

from collections.abc import Mapping
from typing import Any

from benchpress.wording.sayings import Saying, Wording
from benchpress.wording.sections import Params


class ErrorVariances:
    """`errors`: [reading, quantity, variance of the error], a line each."""

    _saying = Saying(
        "- {r} = {q} + error of variance {v}",
        "- {r} equals {q} plus an error of its own with variance {v}.",
        "- {r} reads {q} with an independent error of variance {v}.",
    )
    _header = Saying(
        "Readings (errors independent of everything else; variances known from repeated readings):",
        "Some quantities are known only through readings. The errors are independent of everything else; repeated "
        "readings gave their variances:",
    )

    def lines(self, params: Mapping[str, Any], wording: Wording) -> list[str]:
        if "errors" not in params:
            return []
        errors = wording.stream.shuffled(params["errors"])
        return [self._header.say(wording), *(self._saying.say(wording, r=r, q=q, v=v) for r, q, v in errors)]

    def read(self, line: str, found: Params) -> bool:
        slots = self._saying.read(line)
        if slots is None:
            if self._header.read(line) is None:
                return False
            found["errors"] = []
            return True
        found["errors"] = sorted([*found["errors"], [slots["r"], slots["q"], slots["v"]]])
        return True
