"""Anybody's own file of multiple-choice questions: CSV, JSON, JSON Lines or Parquet with columns of the usual names.

The question stands in `question`, `question_text` or `stem`; the options in a list (`choices`, `options` or
`choices_json`, members being texts or objects with `text` and `source_index`) or in columns A, B, C, ... or `option_a`,
`option_b`, ...; the right one in `answer_index`, `correct_index` or `label` (from 0), `correct_option` (a letter) or
`answer` (a letter, an option's text, or an index from 0). `subject` may be there.
"""

from collections.abc import Mapping
from string import ascii_uppercase
from typing import Any

from benchpress.modules.choice.benchmarks.base import (
    Benchmark,
    Row,
    RowError,
    index_of,
    list_of,
    missing,
    of_letters,
    text_of,
    without_nulls,
)
from benchpress.modules.choice.question import Option, Question, question_id

STEMS = ("question", "question_text", "stem")
LISTS = ("choices", "options", "choices_json")
INDICES = ("answer_index", "correct_index", "label")


def local(name: str) -> Benchmark:
    """The set of that name whose rows have the usual columns."""
    return Benchmark(name, lambda row: question(name, row))


def question(name: str, row: Row) -> Question:
    """One row. Raises RowError where the question, the options or the right one cannot be made out."""
    stem = text_of(row[_first(row, STEMS, "the question")], "the question")
    subject = "" if missing(row.get("subject")) else str(row["subject"])
    texts, places = _options(row)
    kept, gold = without_nulls(texts, _gold(row, texts))
    options = tuple(Option(text, places[at]) for text, at in kept)
    in_source = [option.text for option in sorted(options, key=lambda option: option.source_index)]
    return Question(question_id(subject, stem, in_source), name, subject, stem, options, gold)


def _first(row: Row, names: tuple[str, ...], what: str) -> str:
    for name in names:
        if name in row and not missing(row[name]):
            return name
    raise RowError(f"no column for {what}; it is looked for in {', '.join(names)}")


def _options(row: Row) -> tuple[list[Any], list[int]]:
    """The option texts, null where one is missing, and their places in the source."""
    for name in LISTS:
        if name in row and not missing(row[name]):
            listed = list_of(row[name], name)
            if all(isinstance(one, Mapping) for one in listed):
                places = [index_of(one.get("source_index", at), "source_index") for at, one in enumerate(listed)]
                return [one.get("text") for one in listed], places
            return listed, list(range(len(listed)))
    columns = next(
        (found for form in ("{}", "option_{}", "choice_{}") if len(found := _lettered(row, form)) >= 2), None
    )
    if columns is None:
        raise RowError(f"no options; they are looked for in {', '.join(LISTS)}, or in columns A, B, C, ...")
    texts = [None if missing(row[name]) or str(row[name]) == "" else row[name] for name in columns]
    return texts, list(range(len(texts)))


def _lettered(row: Row, form: str) -> list[str]:
    """The columns of the form for A, B, C, ..., as far as they go without a gap."""
    named = {str(name).casefold(): str(name) for name in row}
    found = []
    for letter in ascii_uppercase:
        name = named.get(form.format(letter).casefold())
        if name is None:
            break
        found.append(name)
    return found


def _gold(row: Row, texts: list[Any]) -> int:
    for name in INDICES:
        if name in row and not missing(row[name]):
            return of_letters(row[name], len(texts), name)
    if not missing(row.get("correct_option")):
        return of_letters(row["correct_option"], len(texts), "correct_option")
    if missing(row.get("answer")):
        raise RowError(
            f"the right option is not given; it is looked for in {', '.join(INDICES)}, correct_option, answer"
        )
    said = row["answer"]
    same = [at for at, text in enumerate(texts) if not missing(text) and str(text).strip() == str(said).strip()]
    try:
        place: int | None = of_letters(said, len(texts), "answer")
    except RowError:
        place = None
    if len(same) > 1 or (same and place is not None and same[0] != place):
        raise RowError(f"answer {said!r} can be read in two ways; give the index of the right option in answer_index")
    if same:
        return same[0]
    if place is None:
        raise RowError(f"answer {said!r} is neither a letter nor an index nor the text of an option")
    return place
