"""ARC-Challenge (Clark et al. 2018): `choices` holds `text` and `label`, labels letters or figures; 3 to 5 options."""

from benchpress.modules.choice.benchmarks.base import Benchmark, Row, RowError, list_of, mapping_of, text_of
from benchpress.modules.choice.question import Question

_LETTERS = dict(zip("12345", "ABCDE", strict=True))


def question(row: Row) -> Question:
    choices = mapping_of(row["choices"], "choices")
    texts = [text_of(text, "a choice") for text in list_of(choices["text"], "choices.text")]
    labels = [_letter(label) for label in list_of(choices["label"], "choices.label")]
    if len(labels) != len(texts):
        raise RowError(f"{len(texts)} choices but {len(labels)} labels")
    gold = _letter(text_of(row["answerKey"], "answerKey"))
    if labels.count(gold) != 1:
        raise RowError(f"answerKey {gold!r} is not one of the labels {', '.join(labels)}")
    stem = text_of(row["question"], "question")
    return Question.build("arc_challenge", "science", stem, texts, labels.index(gold))


def _letter(label: object) -> str:
    text = str(label).strip().upper()
    return _LETTERS.get(text, text)


ARC_CHALLENGE = Benchmark("arc_challenge", question, "allenai/ai2_arc", "ARC-Challenge")
