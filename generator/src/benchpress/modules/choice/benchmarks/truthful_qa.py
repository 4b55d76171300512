"""TruthfulQA, single true answer (Lin et al. 2022): `mc1_targets` holds 2 to 13 `choices` and their `labels`.

The source lists the true answer first in every row, so the options are put into an order drawn from the question. The
authors' own files map each choice to its label; both layouts are read.
"""

from benchpress.modules.choice.benchmarks.base import (
    Benchmark,
    Row,
    RowError,
    index_of,
    list_of,
    mapping_of,
    text_of,
)
from benchpress.modules.choice.question import Question
from benchpress.modules.choice.shuffling import shuffled


def question(row: Row) -> Question:
    targets = mapping_of(row["mc1_targets"], "mc1_targets")
    if "choices" in targets:
        pairs = list_of(targets["choices"], "mc1_targets.choices"), list_of(targets["labels"], "mc1_targets.labels")
    else:
        pairs = list(targets), list(targets.values())
    texts, labels = [text_of(text, "a choice") for text in pairs[0]], [index_of(label, "a label") for label in pairs[1]]
    if len(labels) != len(texts) or 1 not in labels:
        raise RowError(f"{len(texts)} choices with the labels {labels}: one must be 1")
    stem = text_of(row["question"], "question")
    return shuffled(Question.build("truthful_qa", "truthfulness", stem, texts, labels.index(1)))


TRUTHFUL_QA = Benchmark("truthful_qa", question, "truthfulqa/truthful_qa", "multiple_choice", "validation")
