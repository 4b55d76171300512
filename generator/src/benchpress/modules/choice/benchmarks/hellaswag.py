"""HellaSwag (Zellers et al. 2019): `ctx`, four `endings`, `label` as text; the test split has no published labels."""

from benchpress.modules.choice.benchmarks.base import Benchmark, Row, RowError, list_of, missing, of_letters, text_of
from benchpress.modules.choice.question import Question


def question(row: Row) -> Question:
    if missing(row["label"]) or str(row["label"]).strip() == "":
        raise RowError("no label: the labels of this split are not published; use the split validation")
    endings = [text_of(ending, "an ending") for ending in list_of(row["endings"], "endings")]
    gold = of_letters(row["label"], len(endings), "label")
    subject, stem = text_of(row["activity_label"], "activity_label"), text_of(row["ctx"], "ctx")
    return Question.build("hellaswag", subject, stem, endings, gold)


HELLASWAG = Benchmark("hellaswag", question, "Rowan/hellaswag", split="validation")
