"""What a multiple-choice set is, and how its rows become questions, whatever file they were read from."""

import ast
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from benchpress.errors import UserError
from benchpress.modules.choice.question import Question
from benchpress.modules.choice.shuffling import shuffled

Row = Mapping[str, Any]
"""One row as a Parquet, CSV or JSON file gives it: lists may be arrays or written as text, missing values NaN."""

MANY = 8
"""From so many questions on, a right option that is always at one place is the source's habit, not chance."""


class RowError(ValueError):
    """A row that is not what the set's layout promises; the message says how."""


@dataclass(frozen=True, slots=True)
class Benchmark:
    """A set by its public name; `question` is pure and reads one row."""

    name: str
    question: Callable[[Row], Question]
    """Raises RowError or KeyError for a row of another layout."""
    repository: str = ""
    """`owner/name` on the Hugging Face hub; empty for a set that is not there."""
    subset: str = ""
    """The configuration of the repository that is meant; empty for its only one."""
    split: str = "test"
    """The split that results are published on."""
    rows: Callable[[], Iterable[Row]] | None = None
    """The rows themselves, for a set that comes with the program."""

    def questions(self, rows: Iterable[Row]) -> list[Question]:
        """Every row as a question, in order. Raises UserError naming the row that cannot be one.

        Where the right option of all of many questions is at one place, each question's options are put into an order
        that depends on nothing but the question, and keep their `source_index`.
        """
        made = []
        for number, row in enumerate(rows, 1):
            try:
                made.append(self.question(row))
            except KeyError as problem:
                raise UserError(
                    f"{self.name}, row {number}: no column {problem}; it has {', '.join(map(str, row))}"
                ) from None
            except (RowError, UserError) as problem:
                raise UserError(f"{self.name}, row {number}: {problem}") from None
        if len(made) >= MANY and len({question.gold for question in made}) == 1:
            return [shuffled(question) for question in made]
        return made


def missing(value: Any) -> bool:
    """Whether a cell is empty: null, or the NaN that table readers put there."""
    return value is None or (isinstance(value, float) and value != value)


def text_of(value: Any, what: str) -> str:
    """A text that must be there."""
    if missing(value):
        raise RowError(f"{what} is missing")
    return str(value)


def list_of(value: Any, what: str) -> list[Any]:
    """A list, an array, or a list written as text in JSON or Python."""
    if hasattr(value, "tolist"):
        value = value.tolist()
    if isinstance(value, str):
        value = literal(value, what)
    if not isinstance(value, list | tuple):
        raise RowError(f"{what} is not a list")
    return list(value)


def mapping_of(value: Any, what: str) -> Mapping[str, Any]:
    """A mapping, or one written as text in JSON or Python."""
    if isinstance(value, str):
        value = literal(value, what)
    if not isinstance(value, Mapping):
        raise RowError(f"{what} is not a mapping")
    return value


def literal(text: str, what: str) -> Any:
    """A value written in JSON or as a Python literal. Adjacent strings without a comma are refused, not joined."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        pass
    try:
        tree = ast.parse(text.strip(), mode="eval")
        value = ast.literal_eval(tree)
    except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
        raise RowError(f"{what} cannot be read: {text[:60]!r}") from None
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and _is_joined(text.strip(), node):
            raise RowError(
                f"{what} is a printed array without commas, whose members cannot be told apart: {text[:60]!r}"
            )
    return value


def _is_joined(text: str, node: ast.Constant) -> bool:
    """Whether a string constant was put together from several literals: it then spans more than one token."""
    import io
    import tokenize

    source = ast.get_source_segment(text, node) or ""
    tokens = tokenize.generate_tokens(io.StringIO(f"({source})").readline)
    return sum(token.type == tokenize.STRING for token in tokens) > 1


def index_of(value: Any, what: str) -> int:
    """A whole number, however the file writes it."""
    if isinstance(value, bool) or missing(value):
        raise RowError(f"{what} is {value!r}, not a number")
    try:
        number = int(value)
    except (TypeError, ValueError, OverflowError):
        raise RowError(f"{what} is {value!r}, not a number") from None
    if not isinstance(value, str) and number != value:
        raise RowError(f"{what} is {value!r}, not a whole number")
    return number


def of_letters(value: Any, count: int, what: str) -> int:
    """An index from 0 that is written as a number or as a letter A, B, ..."""
    if isinstance(value, str) and len(value.strip()) == 1 and value.strip().isalpha():
        at = ord(value.strip().upper()) - ord("A")
    else:
        at = index_of(value, what)
    if not 0 <= at < count:
        raise RowError(f"{what} is {value!r}, and there are {count} options")
    return at


def without_nulls(texts: Sequence[Any], gold: int) -> tuple[list[tuple[str, int]], int]:
    """The options that are there, each with its place in the source, and the new place of the right one.

    Raises RowError where the right option itself is null.
    """
    kept = [(str(text), place) for place, text in enumerate(texts) if not missing(text)]
    places = [place for _, place in kept]
    if gold not in places:
        raise RowError(f"the right option, number {gold + 1} of {len(texts)}, is null")
    return kept, places.index(gold)
