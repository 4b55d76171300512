"""JSON that comes from elsewhere."""

import json
from typing import Any


def parse_json(text: str | bytes) -> Any:
    """The value of a JSON text. Raises ValueError whatever is wrong with it, nesting too deep to be read included."""
    try:
        return json.loads(text)
    except RecursionError:
        raise ValueError("it is nested too deeply") from None
