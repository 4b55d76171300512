"""MMLU (Hendrycks et al. 2021): `question`, `choices` (exactly four), `answer` from 0, `subject`."""

from benchpress.modules.choice.benchmarks.base import Benchmark, Row, RowError, list_of, of_letters, text_of
from benchpress.modules.choice.question import Question


def question(row: Row) -> Question:
    texts = list_of(row["choices"], "choices")
    if len(texts) != 4:
        raise RowError(f"{len(texts)} choices; a question of this set has exactly four")
    options = [text_of(text, "a choice") for text in texts]
    gold = of_letters(row["answer"], 4, "answer")
    return Question.build(
        "mmlu", text_of(row["subject"], "subject"), text_of(row["question"], "question"), options, gold
    )


MMLU = Benchmark("mmlu", question, "cais/mmlu", "all")
