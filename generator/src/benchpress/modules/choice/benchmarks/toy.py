"""Ten questions that come with the program, to try everything without a data set: three have A as the right option."""

from benchpress.modules.choice.benchmarks.base import Benchmark, Row
from benchpress.modules.choice.question import Question

_ROWS: tuple[tuple[str, str, tuple[str, str, str, str], int], ...] = (
    ("arithmetic", "What is 7 times 8?", ("56", "54", "64", "48"), 0),
    ("arithmetic", "Which of these numbers is prime?", ("21", "27", "29", "33"), 2),
    ("geography", "Which ocean lies between Portugal and the United States?",
     ("the Indian Ocean", "the Atlantic Ocean", "the Pacific Ocean", "the Arctic Ocean"), 1),
    ("geography", "Of which country is Nairobi the capital?", ("Kenya", "Ghana", "Uganda", "Tanzania"), 0),
    ("language", "Which word means the opposite of ancient?", ("broad", "quiet", "heavy", "modern"), 3),
    ("language", "What is the plural of mouse, the animal?", ("mouses", "mouse", "mice", "meese"), 2),
    ("physics", "At sea level, at what temperature does water boil?", ("50 °C", "100 °C", "150 °C", "200 °C"), 1),
    ("physics", "What does a thermometer measure?", ("pressure", "speed", "mass", "temperature"), 3),
    ("music", "How many lines has a musical staff?", ("five", "four", "six", "seven"), 0),
    ("music", "Which of these instruments has keys and strings?", ("flute", "trumpet", "drum", "piano"), 3),
)  # fmt: skip


def rows() -> list[Row]:
    return [dict(zip(("subject", "question", "choices", "answer"), row, strict=True)) for row in _ROWS]


def question(row: Row) -> Question:
    return Question.build("toy", row["subject"], row["question"], row["choices"], row["answer"])


TOY = Benchmark("toy", question, rows=rows)
