"""Whether a clause says that a question is left open, in a vocabulary that has a class for that."""

from benchpress.parts.lexicon import Lexicon, phrase_at

_OPEN = frozenset(
    ["undetermined", "indeterminate", "undecided", "undecidable", "unknown", "unclear", "inconclusive", "unsettled"]
)
_NEGATORS = frozenset(["not", "no", "never", "nobody", "nothing", "neither", "insufficient", "impossible"])
_KNOWING = frozenset(
    [
        "say", "tell", "tells", "told", "decide", "decided", "determine", "determined", "know", "knows", "known",
        "conclude", "concluded", "infer", "inferred", "settle", "settled", "establish", "established", "judge", "clear",
        "answer", "possible",
    ]
)  # fmt: skip


def left_open(tokens: list[str], lexicon: Lexicon) -> str | None:
    """The class for an open question, where the clause says that nobody can tell which of the other classes holds, or
    whether a named one does: "not enough information to say yes or no", "unknown whether it is true". None for any
    other clause."""
    if "whether" not in tokens and "or" not in tokens:
        return None
    undecided = _class_left_open(lexicon)
    if undecided is None:
        return None
    denied = knowing = is_open = False
    index = 0
    while index < len(tokens):
        word = tokens[index]
        match = phrase_at(tokens, index, lexicon)
        if word == "whether" or (match is not None and match[1] != undecided and word != "no"):
            break
        if match is not None and match[1] == undecided:
            is_open = not denied
            index += match[0]
            continue
        is_open = is_open or (word in _OPEN and not denied)
        denied = denied or word in _NEGATORS
        knowing = knowing or word in _KNOWING
        index += 1
    if not is_open and not (denied and knowing):
        return None
    behind = list(tokens[index:])
    matches = [phrase_at(behind, place, lexicon) for place in range(len(behind))]
    named = {match[1] for match in matches if match is not None}
    if behind[:1] == ["whether"]:
        return undecided if named and undecided not in named else None
    return undecided if "or" in behind and named == set(lexicon.classes) - {undecided} else None


def _class_left_open(lexicon: Lexicon) -> str | None:
    classes = {
        verdict
        for phrase, verdict in lexicon.phrases.items()
        if _OPEN.intersection(phrase) or ("not" in phrase and ("enough" in phrase or _KNOWING.intersection(phrase)))
    }
    return classes.pop() if len(classes) == 1 and len(lexicon.classes) > 2 else None
