"""Multiple-choice examples for reading: the question as printed, and for every option what leads to it."""

from collections.abc import Iterable, Iterator

from benchpress.items import Item
from benchpress.modules.choice.causal.form import reasons
from benchpress.modules.choice.question import Question


def page(concept: str, items: Iterable[Item]) -> str:
    """The page of one causal concept."""
    blocks = [
        f"# {concept}, as multiple choice",
        "The problems are those of the public version of the causal module. Two methods that share no code agree on "
        "the key, and both refuse every other option.",
    ]
    for number, item in enumerate(items, 1):
        blocks += _blocks(number, item)
    return "\n\n".join(blocks) + "\n"


def _blocks(number: int, item: Item) -> Iterator[str]:
    question = Question.of(item)
    right, wrong = reasons(item.params)
    yield f"## Example {number}: level {item.level}, `{item.id}`"
    yield f"The same problem with all its parts: `{item.params['problem']['item']}`."
    yield "\n".join(f"> {line}" if line else ">" for line in item.prompt.split("\n"))
    rows = ["| option | | what leads to it |", "|---|---|---|"]
    for letter, text in zip(question.letters, question.texts, strict=True):
        said = f"**The key.** {right}".strip() if letter == question.gold_letter else wrong[letter]
        rows.append(f"| {letter} | `{_cell(text)}` | {_cell(said)} |")
    yield "\n".join(rows)


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", " ")
