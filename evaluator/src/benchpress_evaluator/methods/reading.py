"""What a completion says, as the one reader of answers takes it."""

from dataclasses import replace

from benchpress.grading import grade_item
from benchpress.items import Item, Response
from benchpress.modules.choice.question import Question

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


def read_place(item: Item, question: Question, completion: Completion) -> int | None:
    """The printed place of the option that the completion picks out of `question`; None where it picks none.

    `question` is the item's question with its options in the order in which they were printed.
    """
    if completion.error is not None or completion.text is None:
        return None
    printed = replace(item, parts=(question.part(),))
    letter = grade_item(printed, response_of(item, completion.text, completion)).parts[0].parsed
    return None if letter is None else question.letters.index(letter)
