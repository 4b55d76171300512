"""Sets of variables with a part to play, such as covariates or what a sample was selected on."""

from collections.abc import Mapping
from typing import Any

from benchpress.wording.sayings import Saying, Wording, listed, unlisted
from benchpress.wording.sections import Params


class NamedSets:
    """`sets`: key -> sorted names, one line a set in the bundle's own words with the slot `names`."""

    def __init__(self, sayings: Mapping[str, Saying]) -> None:
        self.sayings = sayings

    def lines(self, params: Mapping[str, Any], wording: Wording) -> list[str]:
        present = [key for key in self.sayings if key in params.get("sets", {})]
        return [
            self.sayings[key].say(wording, names=listed(wording.stream.shuffled(params["sets"][key])))
            for key in present
        ]

    def read(self, line: str, found: Params) -> bool:
        for key, saying in self.sayings.items():
            slots = saying.read(line)
            if slots is not None:
                found.setdefault("sets", {})[key] = sorted(unlisted(slots["names"]))
                return True
        return False
