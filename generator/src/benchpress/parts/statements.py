"""Where a new statement begins within a clause: a negation in front of it is about something else.

"The path is not blocked and the claim is true" says that the claim is true; "it is not clear that it is true" does not.
"""

import re
from collections.abc import Sequence

_NOUNS = frozenset(
    [
        "claim", "statement", "assertion", "proposition", "hypothesis", "conclusion", "answer", "verdict", "effect",
        "query", "result", "bias", "estimate", "association", "difference", "slope", "probability", "sign", "direction",
    ]
)  # fmt: skip
_COPULAS = frozenset(
    ["is", "are", "was", "were", "remains", "remain", "stays", "stay", "becomes", "become", "must", "it's", "they're"]
)
_GOVERNING = (
    "that", "how", "why", "which", "ensur", "guarant", "show", "prov", "say", "said", "think",
    "thought", "believ", "claim", "conclud", "see", "suggest", "know", "assum", "clear", "certain", "sure", "evident",
    "obvious", "case", "possib", "likely", "demonstrat", "establish", "convinc", "follow", "agree",
)  # fmt: skip
"""How words begin that govern the statement behind them, so that their negation is its own."""

_NAME = re.compile(r"(?!a$|i$)[a-z]\d{0,3}")


def begins_statement(tokens: Sequence[str], index: int) -> bool:
    """Whether "the claim is", "it is", "and Z is" or "making" stands at `index`, governed by nothing in front of it."""
    if tokens[index] == "making":
        return True
    if tokens[index] == "and":
        return any(word in _COPULAS for word in tokens[index + 1 : index + 6])
    behind = _behind_subject(tokens, index)
    is_subject = behind < len(tokens) and tokens[behind] in _COPULAS
    before = tokens[index - 1] if index else ""
    # "Does not mean they are" denies it; "no open path means they are" says so.
    return is_subject and before not in ("mean", "imply") and not before.startswith(_GOVERNING)


def _behind_subject(tokens: Sequence[str], index: int) -> int:
    if tokens[index] in ("it's", "they're"):
        return index
    if _NAME.fullmatch(tokens[index]):
        return index + (3 if tokens[index + 1 : index + 2] == ["and"] else 1)
    if tokens[index] in ("the", "this", "our", "my"):
        for place in range(index + 1, min(index + 4, len(tokens))):
            if tokens[place] in _COPULAS:
                break
            if tokens[place] in _NOUNS:
                while tokens[place + 1 : place + 2] and tokens[place + 1] in ("of", "on", "from"):
                    place += 2
                return place + 1
    if tokens[index] in ("it", "this", "they", "these"):
        return index + 1
    return len(tokens)


def end_of_quoted_statement(tokens: Sequence[str]) -> int | None:
    """Where the verb stands that judges what "that" introduces: the second one of "that Z is not open is true"."""
    if "that" not in tokens:
        return None
    begin = tokens.index("that")
    if begin and tokens[begin - 1] not in _NOUNS:
        return None
    return next((place for place in range(len(tokens) - 1, begin + 2, -1) if tokens[place] in _COPULAS), None)
