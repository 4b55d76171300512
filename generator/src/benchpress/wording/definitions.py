"""What a term of the questions means, printed once in every prompt of a bundle."""

from collections.abc import Mapping
from typing import Any

from benchpress.wording.sayings import Wording
from benchpress.wording.sections import Params

_MARK = "Definition. "


class Definition:
    """A fixed sentence about the named roles, whose slots are the roles with `_` for blanks; it holds no facts."""

    def __init__(self, text: str) -> None:
        self.text = text

    def lines(self, params: Mapping[str, Any], wording: Wording) -> list[str]:  # noqa: ARG002
        names = {role.replace(" ", "_"): name for role, name in params["roles"].items()}
        return [_MARK + self.text.format(**names)]

    def read(self, line: str, found: Params) -> bool:  # noqa: ARG002
        return line.startswith(_MARK)
