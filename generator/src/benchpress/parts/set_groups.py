"""Sets in brackets: one, several of equal standing, or one and what is said of others."""

from benchpress.parts.empty_set import SEVERAL
from benchpress.parts.lists import Piece, close_of
from benchpress.parts.names import Names
from benchpress.parts.outcome import Outcome, absent, found, unclear

HOLDING = frozenset(["containing", "consisting", "comprising", "comprised", "composed"])
LEADING = HOLDING | frozenset(
    [
        "the", "a", "an", "set", "sets", "adjustment", "is", "are", "be", "adjust", "for", "on", "condition",
        "conditioning", "control", "controlling", "adjusting", "variables", "variable", "nodes", "node", "yes",
        "minimal", "minimum", "valid", "sufficient", "answer", "final", "smallest", "only", "just", "frozenset",
        "both", "use", "include", "includes", "contains", "consists", "of", "contain", "comprises", "we", "should",
        "must", "need", "needs", "to", "one", "can", "by", "members", "elements", "my", "our", "its", "admissible",
        "back-door", "backdoor", "back", "door", "covariates", "covariate", "confounders", "confounder", "namely",
        "with", "list", "so", "thus", "therefore", "hence", "exactly", "simply", "you", "i", "would", "will",
        "observed", "optimal", "all", "possible", "single", "singleton", "unique", "correct", "required", "resulting",
        "separating", "blocking", "parents", "descendants", "ancestors", "children", "instruments", "instrument",
        "mediators", "mediator", "colliders", "collider", "it", "they", "these", "following", "result", "emptyset",
        "pair", "triple", "triplet",
    ]
)  # fmt: skip
LISTING = frozenset((",", ";", "/", "&", "+", "|", "•", "·", "∪"))
JOINING = frozenset(("and", "plus", "und", "et", "和", "与", "及", "と"))
_FAULTS = frozenset(
    [
        "not", "isn't", "doesn't", "aren't", "don't", "cannot", "can't", "never", "fails", "fail", "failed", "leaves",
        "leave", "opens", "open", "alone", "insufficient", "invalid", "inadmissible", "unnecessary", "redundant",
        "superfluous", "larger", "bigger", "biased", "biases", "wrong", "incorrect",
    ]
)  # fmt: skip
"""Words by which a sentence about a set says why it is not the answer."""
STOPPING = frozenset(["not", "without", "except", "excluding", "but", "never", "minus", "other", "than", "neither"])


def in_brackets(pieces: list[Piece], names: Names | None) -> Outcome:
    """Sets in brackets, one or several of equal standing."""
    single = _parenthesised(pieces)
    if single is not None:
        return single
    sets: list[list[str]] = []
    index = 0
    union = joined = apart = False
    while index < len(pieces) and pieces[index].kind == "open":
        stop = close_of(pieces, index)
        inner = pieces[index + 1 : stop]
        if sets and is_faulted(pieces, index):
            if not apart:
                return SEVERAL
            break
        if sets and _is_alternative(inner):
            nested = next((i for i, piece in enumerate(inner) if piece.kind == "open"), None)
            inner = inner[nested : close_of(inner, nested) + 1] if nested is not None else inner[1:]
        elif sets and (pieces[index].text == "(" or (pieces[index].text == "[" and not only_names(inner))):
            inner = []
        if not sets or inner or (joined and pieces[index].text == "{"):
            members = _members(inner, names)
            if members is None:
                template = not sets and bool(inner) and all(piece.kind != "name" for piece in inner)
                return absent("the template was left unfilled") if template else unclear("no set could be read")
            if union:
                sets[-1] = sorted({*sets[-1], *members})
            else:
                sets.append(members)
        index = stop + 1
        if _is_difference(pieces[index : index + 2]) and not is_faulted(pieces, index + 1):
            return unclear("a difference of sets is not worked out")
        union = index < len(pieces) and pieces[index].text in ("∪", "+", "union")
        joined = apart = False
        while index < len(pieces) and (pieces[index].text in LISTING or pieces[index].text.lower() in _BETWEEN_SETS):
            if pieces[index].text.lower() == "or" and offers_empty(pieces[index + 1 :]) and sets[0]:
                return SEVERAL
            joined = joined or pieces[index].text in LISTING or pieces[index].text.lower() in ("or", "and")
            apart = apart or pieces[index].text in (".", ";")
            index += 1
    if any(other != sets[0] for other in sets[1:]) or _names_another(pieces[index:], sets[0], names):
        return SEVERAL
    if _adds_names(pieces[stop + 1 :], sets[0]):
        return unclear("names stand beside the set")
    if is_faulted(pieces, 0) and any(piece.text == "{" for piece in pieces[index:]):
        return unclear("the set given is found wanting beside another one")
    return found(sets[0])


def _parenthesised(pieces: list[Piece]) -> Outcome | None:
    """Names in parentheses of their own, ``(A) and (B)``; None where there is at most one."""
    members: list[list[str]] = []
    marks: set[str] = set()
    index = 0
    while index < len(pieces):
        piece = pieces[index]
        if piece.kind == "open":
            stop = close_of(pieces, index)
            inner = pieces[index + 1 : stop]
            if piece.text != "(" or not only_names(inner):
                break
            members.append(sorted({other.text for other in inner if other.kind == "name"}))
            index = stop
        elif piece.text.lower() in (",", ";", "and", "or", "&", "+"):
            marks.add(piece.text.lower())
        else:
            break
        index += 1
    if len(members) < 2 or all(other == members[0] for other in members):
        return None
    if not marks or "or" in marks or any(len(other) > 1 for other in members):
        return SEVERAL
    return found(sorted({name for other in members for name in other}))


def only_names(inner: list[Piece]) -> bool:
    return any(piece.kind == "name" for piece in inner) and all(
        piece.kind == "name" or piece.text in LISTING or piece.text.lower() in JOINING for piece in inner
    )


def is_faulted(pieces: list[Piece], index: int) -> bool:
    """Whether a set in brackets at `index` is the subject of a sentence that says why it is not the answer."""
    if index >= len(pieces) or pieces[index].kind != "open":
        return False
    words: list[str] = []
    stop = min(len(pieces), index + _PATIENCE)
    while index < stop:
        piece = pieces[index]
        if piece.kind == "open" and all(word in _SUBJECTS for word in words):
            index = close_of(pieces, index)  # one subject of several
        elif piece.text in (".", ";") or piece.kind == "open" or piece.text.lower() in _PREMISES:
            break
        else:
            words.append(piece.text.lower())
        index += 1
    if words and index < stop and pieces[index].kind == "open" and words[-1] in _FAULTS:
        words.pop()  # "not" the next set
    return not _FAULTS.isdisjoint(words) and (_ALSO.isdisjoint(words) or "but" in words)


_PATIENCE = 60
_SUBJECTS = (",", "and", "or", "nor")
_ALSO = frozenset(("also", "too", "equally", "likewise"))
_PREMISES = frozenset(("because", "since", "as", "while", "whereas", "although", "given", "if"))
_BETWEEN_SETS = frozenset(
    ("=", ".", "or", "and", "equivalently", "also", "union", "alternatively", "either", "the", "set")
)


def _is_alternative(inner: list[Piece]) -> bool:
    return len(inner) > 1 and inner[0].text.lower() == "or"


def offers_empty(rest: list[Piece]) -> bool:
    """Whether `rest`, behind an "or", begins with the empty set as the other choice."""
    words = [piece.text.lower() for piece in rest[:3]]
    while words and words[0] in ("the", "an", "a", "just", "simply"):
        words.pop(0)
    return bool(words) and (words[0] in _NO_ELEMENTS or (len(words) > 1 and words[0] == "{" and words[1] == "}"))


_NO_ELEMENTS = frozenset(("∅", "ø", "⌀", "empty", "none", "nothing"))


def _is_difference(pieces: list[Piece]) -> bool:
    if not pieces or pieces[0].text not in ("∖", "\\", "-", "minus"):
        return False
    return pieces[0].text in "∖\\" or (len(pieces) > 1 and pieces[1].kind == "open")


def _names_another(rest: list[Piece], first: list[str], names: Names | None) -> bool:
    """Whether what follows a set gives another one beside it, before any reason for it is given."""
    index = 0
    while index < len(rest):
        piece = rest[index]
        if piece.text == "." or (piece.kind == "word" and piece.text.lower() in _REASONING):
            return False
        if piece.kind == "open":
            stop = close_of(rest, index)
            other = _members(rest[index + 1 : stop], names) if piece.text == "{" else None
            if other not in (None, first) and not is_faulted(rest, index):
                return True
            index = stop
        index += 1
    return False


def _adds_names(rest: list[Piece], first: list[str]) -> bool:
    """Whether what follows a set joins names without brackets to it: ``{A} and B``."""
    if not rest or not (rest[0].text in LISTING or rest[0].text.lower() in (*JOINING, "with")):
        return False
    behind = rest[1:-1] if rest[-1].text == "." else rest[1:]
    return only_names(behind) and any(piece.kind == "name" and piece.text not in first for piece in behind)


_REASONING = STOPPING | _PREMISES | {"which", "blocks"}


def _members(inner: list[Piece], names: Names | None) -> list[str] | None:
    """The members listed between brackets; a word that is no name is kept as written. None where they are no list."""
    if any(piece.text in ("...", "…", "?") or piece.text.lower() == "etc" for piece in inner):
        return None
    members: set[str] = set()
    chunk: list[Piece] = []
    dots = 0
    for piece in [*inner, Piece("other", ",")]:
        if piece.kind in ("open", "close"):
            continue
        if piece.text in LISTING or piece.text in JOINING or piece.kind == "line":
            if chunk:
                named = _member(chunk, names)
                if named is None:
                    return None
                members.update(named)
            chunk = []
        elif piece.kind == "other" and piece.text in "∅Øø⌀.":
            dots += piece.text == "."
        elif piece.text.lower() != "or" or piece.kind == "name":
            chunk.append(piece)
    if dots > 1 or (inner and not members and all(piece.text in LISTING for piece in inner)):
        return None
    if names is not None and members and not any(member in names.exact.values() for member in members):
        return None
    return sorted(members)


def _member(chunk: list[Piece], names: Names | None) -> list[str] | None:
    colon = next((index for index, piece in enumerate(chunk) if piece.text == ":"), None)
    if colon is not None and names is not None:
        # ``A: confounder`` names A; ``"nodes": ["A"`` names A too.
        before, behind = chunk[:colon], chunk[colon + 1 :]
        chunk = before if any(piece.kind == "name" for piece in before) else behind
        if not chunk:
            return []
    if all(piece.kind == "name" for piece in chunk):
        return [piece.text for piece in chunk]
    if any(piece.kind == "name" for piece in chunk):
        known = [piece.text for piece in chunk if piece.kind == "name"]
        others = [piece.text.lower() for piece in chunk if piece.kind != "name"]
        return known if len(known) == 1 and all(word in LEADING for word in others) else None
    if all(piece.kind in ("word", "number") for piece in chunk) and len(chunk) <= (3 if names is not None else 6):
        return [" ".join(piece.text for piece in chunk)]
    return ["".join(piece.text for piece in chunk)] if names is None else None
