"""A published file as text: one way of writing each, so that equal figures are equal bytes."""

import json

from pydantic import ValidationError

from benchpress.errors import UserError
from benchpress.publication.base import Published


def published_text(page: Published) -> str:
    """Sorted keys, one value a line, never NaN. Raises UserError where the content does not fit its own model."""
    value = page.model_dump(mode="json")
    try:
        type(page).model_validate(value)
    except ValidationError as problem:
        raise UserError(f"{type(page).__name__} cannot be published: {first_problem(problem)}") from None
    return json.dumps(value, ensure_ascii=False, sort_keys=True, indent=1, allow_nan=False) + "\n"


def first_problem(problem: ValidationError) -> str:
    """Place and reason of the first error, without the value that caused it."""
    first = problem.errors(include_url=False, include_input=False)[0]
    return f"{'.'.join(map(str, first['loc'])) or 'the top level'}: {first['msg']}"
