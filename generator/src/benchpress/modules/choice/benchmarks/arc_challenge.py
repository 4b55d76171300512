"""ARC-Challenge (Clark et al. 2018): `choices` holds `text` and `label`, labels letters or figures; 3 to 5 options.

The authors' own files have stem and choices inside `question`, the choices as a list; both layouts are read.
"""

from collections.abc import Mapping
from typing import Any

from benchpress.modules.choice.benchmarks.base import Benchmark, Row, RowError, list_of, mapping_of, text_of
from benchpress.modules.choice.question import Question

_LETTERS = dict(zip("12345", "ABCDE", strict=True))


def question(row: Row) -> Question:
    asked: Row = row["question"] if isinstance(row["question"], Mapping) else {**row, "stem": row["question"]}
    texts, labels = _choices(asked["choices"])
    if len(labels) != len(texts):
        raise RowError(f"{len(texts)} choices but {len(labels)} labels")
    gold = _letter(text_of(row["answerKey"], "answerKey"))
    if labels.count(gold) != 1:
        raise RowError(f"answerKey {gold!r} is not one of the labels {', '.join(labels)}")
    stem = text_of(asked["stem"], "question")
    return Question.build("arc_challenge", "science", stem, texts, labels.index(gold))


def _choices(value: Any) -> tuple[list[str], list[str]]:
    """Texts and letters, from one mapping of lists or from a list of mappings."""
    if isinstance(value, list):
        listed = [mapping_of(one, "a choice") for one in value]
        texts, labels = [one["text"] for one in listed], [one["label"] for one in listed]
    else:
        choices = mapping_of(value, "choices")
        texts, labels = list_of(choices["text"], "choices.text"), list_of(choices["label"], "choices.label")
    return [text_of(text, "a choice") for text in texts], [_letter(label) for label in labels]


def _letter(label: object) -> str:
    text = str(label).strip().upper()
    return _LETTERS.get(text, text)


ARC_CHALLENGE = Benchmark("arc_challenge", question, "allenai/ai2_arc", "ARC-Challenge")
