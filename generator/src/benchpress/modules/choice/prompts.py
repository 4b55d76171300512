"""The texts that a multiple-choice question is put in: a named bundle of three, built in or from a folder.

`direct` shows question and options; `free_text` the question alone; `match` the question, one's own free answer and the
options. A bundle's digest is taken over its contents, so it belongs to the identity of whatever was asked with it.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from string import ascii_uppercase

from benchpress.canonical import digest
from benchpress.errors import UserError

PLACEHOLDERS: Mapping[str, tuple[frozenset[str], frozenset[str]]] = {
    "direct": (frozenset({"question", "options"}), frozenset({"subject", "letters"})),
    "free_text": (frozenset({"question"}), frozenset({"subject"})),
    "match": (frozenset({"question", "options", "answer"}), frozenset({"subject", "letters"})),
}
"""Template name -> the placeholders it must have, and those it may have besides."""

_FIELD = re.compile(r"\{([a-z_]+)\}")


@dataclass(frozen=True, slots=True)
class Prompts:
    """A bundle of templates. Placeholders: {question}, {options}, {answer}, {subject}, {letters}."""

    version: str
    direct: str
    free_text: str
    match: str

    def __post_init__(self) -> None:
        for name, (needed, allowed) in PLACEHOLDERS.items():
            found = set(_FIELD.findall(getattr(self, name)))
            if missing := sorted(needed - found):
                raise UserError(f"prompt bundle {self.version}: {name} lacks {{{missing[0]}}}")
            if unknown := sorted(found - needed - allowed):
                known = ", ".join(f"{{{field}}}" for field in sorted(needed | allowed))
                raise UserError(f"prompt bundle {self.version}: {name} may hold {known}, not {{{unknown[0]}}}")

    @classmethod
    def load(cls, folder: Path) -> "Prompts":
        """The bundle of a folder that holds direct.txt, free_text.txt and match.txt; its name is the version.

        The newline that ends a file is not part of the template. Raises UserError naming what is missing.
        """
        texts = {}
        for name in PLACEHOLDERS:
            path = folder / f"{name}.txt"
            try:
                texts[name] = path.read_text(encoding="utf-8").removesuffix("\n")
            except (OSError, UnicodeDecodeError) as problem:
                why = getattr(problem, "strerror", None) or problem
                raise UserError(f"cannot read {path}: {why}; a bundle of prompts is a folder with {_FILES}") from None
        return cls(folder.resolve().name, **texts)

    @property
    def texts(self) -> dict[str, str]:
        """Template name -> template."""
        return {name: getattr(self, name) for name in PLACEHOLDERS}

    @property
    def digest(self) -> str:
        """SHA-256 over the contents of the bundle; its name and place do not count."""
        return digest(self.texts)

    def direct_prompt(self, question: str, options: Sequence[str], subject: str = "") -> str:
        """Question and options, as `direct` puts them; `options` in the order to be printed."""
        return _fill(self.direct, question=question, subject=subject, **_shown(options))

    def free_text_prompt(self, question: str, subject: str = "") -> str:
        """The question alone: no option and no letter is shown."""
        return _fill(self.free_text, question=question, subject=subject)

    def match_prompt(self, question: str, options: Sequence[str], answer: str, subject: str = "") -> str:
        """The question, one's own free `answer`, verbatim, and the options."""
        return _fill(self.match, question=question, answer=answer, subject=subject, **_shown(options))


_FILES = " and ".join(f"{name}.txt" for name in PLACEHOLDERS)


def _shown(options: Sequence[str]) -> dict[str, str]:
    letters = ascii_uppercase[: len(options)]
    lines = (f"{letter}. {text}" for letter, text in zip(letters, options, strict=True))
    return {"options": "\n".join(lines), "letters": ", ".join(letters)}


def _fill(template: str, **values: str) -> str:
    """All placeholders in one pass, so that braces inside a question or an answer stay what they are."""
    return _FIELD.sub(lambda match: values[match[1]], template)


V1 = Prompts(
    version="v1",
    direct="""{question}

{options}

Which of these options is correct? Respond with only its letter.
Answer:""",
    free_text="""{question}

Answer the question in your own words, in one or two sentences, and state your final answer in the last of them.
Answer:""",
    match="""{question}

You were asked this question before, without any options, and answered:
{answer}

These are the options:

{options}

Which option says the same as your answer, or comes closest to it? Respond with only its letter.
Answer:""",
)
"""The built-in bundle. It names no letter as an example, since an example is itself a bias towards a place."""
