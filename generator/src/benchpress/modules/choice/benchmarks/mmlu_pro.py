"""MMLU-Pro (Wang et al. 2024): up to ten `options`, `answer_index` from 0, `category`; null distractors left out."""

from benchpress.modules.choice.benchmarks.base import (
    Benchmark,
    Row,
    RowError,
    index_of,
    list_of,
    text_of,
    without_nulls,
)
from benchpress.modules.choice.question import Option, Question, question_id


def question(row: Row) -> Question:
    texts = list_of(row["options"], "options")
    at = index_of(row["answer_index"], "answer_index")
    if not 0 <= at < len(texts):
        raise RowError(f"answer_index is {at}, and there are {len(texts)} options")
    kept, gold = without_nulls(texts, at)
    subject, stem = text_of(row["category"], "category"), text_of(row["question"], "question")
    identity = question_id(subject, stem, [text for text, _ in kept])
    options = tuple(Option(text, place) for text, place in kept)
    return Question(identity, "mmlu_pro", subject, stem, options, gold)


MMLU_PRO = Benchmark("mmlu_pro", question, "TIGER-Lab/MMLU-Pro")
