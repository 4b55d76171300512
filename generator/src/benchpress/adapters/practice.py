"""Practice items by address: any one of an endless, public sequence, made when it is asked for."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import overload

from benchpress import generation
from benchpress.errors import UserError
from benchpress.grading import grade_item
from benchpress.items import Item, Json, Response
from benchpress.streams import secret_from_seed

Entry = Mapping[str, Json]


@dataclass(frozen=True, slots=True)
class PracticeItems(Sequence[Entry]):
    """`size` items of a module as questions with a scorer, the same for the same arguments on every machine.

    Items go round bundles and variants and then on to the next index, so that any stretch is mixed; levels take
    turns too. The form is that of procedural data sets for training: `dataset[k]` has `question`, `answer` (null, as an
    item may have many right answers) and `metadata`, and `score_answer(text, entry)` is the reward between 0 and 1.

    Raises UserError for an unknown module, bundle, variant or level, or a size below 0.
    """

    module: str = "causal"
    bundles: tuple[str, ...] = ()
    variants: tuple[str, ...] = ()
    levels: tuple[int, ...] = (5,)
    seed: int = 0
    size: int = 500
    _turn: tuple[generation.Address, ...] = field(init=False, repr=False, compare=False, default=())

    def __post_init__(self) -> None:
        if self.size < 0:
            raise UserError(f"the size of a data set must not be negative, and {self.size} is")
        if not self.levels:
            raise UserError("name at least one level, 1 to 10")
        room = generation.addresses(self.module, generation.PRACTICE, self.bundles, self.variants, self.levels, 1)
        object.__setattr__(self, "_turn", tuple(room))

    def __len__(self) -> int:
        return self.size

    def item(self, index: int) -> Item:
        """The item behind entry `index`. Raises IndexError past the end."""
        if not 0 <= index < self.size:
            raise IndexError(index)
        turn, place = divmod(index, len(self._turn))
        first = self._turn[place]
        address = generation.Address(self.module, first.version, first.bundle, first.variant, first.level, turn)
        return generation.make(secret_from_seed(self.seed), address).item

    @overload
    def __getitem__(self, index: int) -> Entry: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Entry]: ...
    def __getitem__(self, index: int | slice) -> Entry | Sequence[Entry]:
        if isinstance(index, slice):
            return [self[place] for place in range(*index.indices(self.size))]
        item = self.item(index + self.size if index < 0 else index)
        return {
            "question": item.prompt,
            "answer": None,
            "metadata": {
                "source_dataset": f"benchpress/{self.module}",
                "source_index": index,
                "item_id": item.id,
                "bundle": item.bundle,
                "variant": item.variant,
                "difficulty": {"level": item.level},
                "item": item.to_json(),
            },
        }

    def __iter__(self) -> Iterator[Entry]:
        return (self[index] for index in range(self.size))

    def score_answer(self, answer: str | None, entry: Entry, conjunctive: bool = False) -> float:
        """The share of the parts that `answer` has right; with `conjunctive` 1 only where all are."""
        parts = self.score_parts(answer, entry)
        right = sum(parts.values())
        return float(right == len(parts)) if conjunctive else right / len(parts)

    def score_parts(self, answer: str | None, entry: Entry) -> dict[str, bool]:
        """Which parts `answer` has right, by their ids: one reward a part."""
        item = Item.from_json(entry["metadata"]["item"])
        result = grade_item(item, Response(item.id, answer))
        return {part.id: part.correct for part in result.parts}
