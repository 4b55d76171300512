"""A multiple-choice question: a stem, two to twenty-six options in printed order, and which of them is right.

Letters are never stored: an option's letter is its printed place, and its identity is `source_index`, its place in the
source. So any order of the same options is the same question, and a pick is carried back by place, never by text.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from string import ascii_uppercase

from benchpress.errors import UserError
from benchpress.items import Item, Part, item_id
from benchpress.modules.choice.prompts import V1, Prompts

PART = "ANSWER"
"""The one part of a multiple-choice item, and its label in an answer."""

FEWEST, MOST = 2, len(ascii_uppercase)
"""How few and how many options a question may have."""


@dataclass(frozen=True, slots=True)
class Option:
    """One of the answers that a question offers."""

    text: str
    source_index: int
    """The option's place in the source, from 0: its identity in whatever order it is printed."""


@dataclass(frozen=True, slots=True)
class Question:
    """One question as it is printed. Raises UserError where it cannot be asked."""

    id: str
    """The published digest of subject, stem and option texts: see :func:`question_id`."""
    benchmark: str
    subject: str
    stem: str
    options: tuple[Option, ...]
    gold: int
    """The printed place of the right option, from 0."""

    def __post_init__(self) -> None:
        where = f"question {self.id} of {self.benchmark}"
        if not FEWEST <= len(self.options) <= MOST:
            raise UserError(f"{where}: {len(self.options)} options; a question has {FEWEST} to {MOST}")
        if type(self.gold) is not int or not 0 <= self.gold < len(self.options):
            raise UserError(f"{where}: the right option is said to be number {self.gold} of {len(self.options)}")
        if len({option.source_index for option in self.options}) != len(self.options):
            raise UserError(f"{where}: two options have the same source_index")

    @classmethod
    def build(cls, benchmark: str, subject: str, stem: str, texts: Sequence[str], gold: int) -> "Question":
        """The question whose options are printed in the order of the source."""
        options = tuple(Option(text, index) for index, text in enumerate(texts))
        return cls(question_id(subject, stem, texts), benchmark, subject, stem, options, gold)

    @property
    def letters(self) -> str:
        """The labels in printed order: A, B, C, ..."""
        return ascii_uppercase[: len(self.options)]

    @property
    def gold_letter(self) -> str:
        return ascii_uppercase[self.gold]

    @property
    def gold_source_index(self) -> int:
        """The identity of the right option."""
        return self.options[self.gold].source_index

    @property
    def texts(self) -> tuple[str, ...]:
        """The option texts in printed order."""
        return tuple(option.text for option in self.options)

    @property
    def source_order(self) -> tuple[Option, ...]:
        """The options in the order of the source, which the question's id is taken over."""
        return tuple(sorted(self.options, key=lambda option: option.source_index))

    def permuted(self, order: Sequence[int]) -> "Question":
        """The same question with the option now at place `order[j]` printed at place j."""
        if sorted(order) != list(range(len(self.options))):
            raise ValueError(f"{list(order)} is not an order of {len(self.options)} options")
        options = tuple(self.options[place] for place in order)
        return replace(self, options=options, gold=list(order).index(self.gold))

    def rotated(self, k: int) -> "Question":
        """Rotation k: the option at place (j + k) mod n is printed at place j. Rotation 0 is the question itself."""
        count = len(self.options)
        return self.permuted([(place + k) % count for place in range(count)])

    def item(self, prompts: Prompts = V1) -> Item:
        """The question as an item, put directly: the options as printed, one part, no verification."""
        item = Item(
            id="",
            module="choice",
            bundle=self.benchmark,
            variant="original",
            level=1,
            params=self.params(),
            prompt=prompts.direct_prompt(self.stem, self.texts, self.subject),
            parts=(self.part(),),
        )
        return replace(item, id=item_id(item))

    def params(self) -> dict[str, object]:
        """What :meth:`of` needs beside the gold of the part."""
        return {
            "question": self.stem,
            "options": [{"text": option.text, "source_index": option.source_index} for option in self.options],
            "subject": self.subject,
            "benchmark": self.benchmark,
            "question_id": self.id,
        }

    def part(self) -> Part:
        """The part that an answer is read by."""
        return Part(PART, "choice", self.gold_letter, {"options": list(self.texts)})

    @classmethod
    def of(cls, item: Item) -> "Question":
        """The question of a multiple-choice item. Raises UserError where the item is not one."""
        try:
            (part,) = item.parts
            options = tuple(Option(str(one["text"]), int(one["source_index"])) for one in item.params["options"])
            stem, subject = str(item.params["question"]), str(item.params["subject"])
            benchmark, identity = str(item.params["benchmark"]), str(item.params["question_id"])
            if part.type != "choice" or list(part.params.get("options") or ()) != [one.text for one in options]:
                raise ValueError
            gold = ascii_uppercase.index(part.gold)
        except (KeyError, TypeError, ValueError):
            raise UserError(
                f"item {item.id} is not a multiple-choice question: it needs the params question, options, subject, "
                "benchmark and question_id, and one part of type choice with the same options"
            ) from None
        return cls(identity, benchmark, subject, stem, options, gold)


def question_id(subject: str, stem: str, texts: Sequence[str]) -> str:
    """The first 16 hex digits of the SHA-256 of subject, stem and the option texts in the order of the source.

    The digest is the one that published results of the field go by:

    >>> question_id("math", "What is 2+2?", ["3", "4", "5", "None"])
    'cf03108493b0bb3d'
    """
    try:
        return sha256("|".join([subject, stem, *texts]).encode()).hexdigest()[:16]
    except UnicodeEncodeError:
        raise UserError("the question holds half a character (a lone surrogate); mend its source") from None
