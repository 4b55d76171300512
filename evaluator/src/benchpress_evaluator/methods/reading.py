"""What a completion says, as the one reader of answers takes it."""

from collections.abc import Sequence
from string import ascii_uppercase

from benchpress.grading import grade_item
from benchpress.items import Item, Part, Response
from benchpress.modules.choice.question import PART

from benchpress_evaluator.records import Completion


def response_of(item: Item, text: str | None, completion: Completion) -> Response:
    """A completion as the reader of answers takes it."""
    return Response(
        item_id=item.id,
        text=text,
        stop_reason=completion.stop_reason,
        error=completion.error,
        output_tokens=completion.output_tokens,
        max_tokens=completion.max_tokens,
    )


def read_place(item: Item, texts: Sequence[str], completion: Completion) -> int | None:
    """The printed place of the option that the completion picks; None where it picks none.

    `texts` are the item's options in the order in which they were printed.
    """
    if completion.error is not None or completion.text is None:
        return None
    # Reading does not look at the key, so any letter will do for it.
    part = Part(PART, "choice", ascii_uppercase[0], {"options": list(texts)})
    printed = Item(item.id, item.module, item.bundle, item.variant, item.level, item.params, item.prompt, (part,))
    letter = grade_item(printed, response_of(item, completion.text, completion)).parts[0].parsed
    return None if letter is None else ascii_uppercase.index(letter)
