"""A set of names out of one stretch of text: in brackets, as a bare list, or as words for the empty set."""

import re

from benchpress.parts.lists import Piece, balanced, close_of, is_article_or_pronoun, list_items
from benchpress.parts.names import Names
from benchpress.parts.outcome import Outcome, absent, found, unclear
from benchpress.protocol import IMPOSSIBLE

EMPTY = re.compile(
    r"(?:[A-Za-z_]{1,20} ?= ?)?(?:(?:the )?(?:\w+ ){0,2}set (?:is|=|must be|should be) |it is |this is |that is )"
    r"?(?:(?:the |an )?(?:empty|null|void)(?: (?:adjustment |conditioning )?set)?"
    r"|none(?: (?:is |are |at all |of them |of the (?:variables|nodes|covariates) )?(?:needed|required|necessary|"
    r"needs? .{0,40}))?"
    r"|(?:there is )?nothing(?: (?:to (?:adjust|condition|control)(?: (?:for|on))?|(?:is |else )?(?:needed|required|"
    r"necessary)))?"
    r"|(?:(?:there (?:is|are) )?no|without(?: any)?|zero) (?:further |additional |other |back-?door )"
    r"?(?:adjustments?|variables?|nodes?|covariates?|conditioning|controls?|"
    r"confounders?|members?|elements?|adjustment set|set|need to (?:adjust|condition|control)(?: for (?:anything|any "
    r".{0,30}))?|adjusting|conditioning variables?|adjustment variables?)"
    r"(?: (?:is |are |has to be |have to be |need to be |needs to be |must be |at all |to (?:adjust|condition|"
    r"control) (?:for|on) ?)*"
    r"(?:needed|required|necessary|adjusted for|conditioned on|controlled for|in the set)?)?"
    r"|(?:we |you |i )?(?:do not|don't|need not|needn't) (?:need to )?(?:adjust|condition|control)(?: (?:for|on) "
    r"(?:anything|any (?:variables?|nodes?|covariates?)))?"
    r"|(?:adjust|condition|control)(?:ing)? (?:for|on) nothing|not (?:needed|required|necessary)|unnecessary"
    r"|(?:set|frozenset|emptyset)\( ?(?:\[ ?\]|\{ ?\})? ?\)|empty_?set|[∅Øø⌀]"
    r"|[\{\[\(] ?(?:[∅Øø⌀]|none|empty|nothing)? ?[\}\]\)])"
    r"(?= ?$| ?[.,;:(#—–=∅]| -|\s(?:because|since|as|due|so|here|is|needed|required|necessary|i\.e|\(|for this|in "
    r"this|for the|for identif))",
    re.IGNORECASE,
)
_NO_SUCH = re.compile(
    r"(?:\b(?:no|not any|never any|there(?:'s| is) no)\b(?: \w+){0,2}? (?:valid|admissible|suitable|such|sufficient|"
    r"possible|appropriate|feasible|observed|observable|measured|measurable|available)\b"
    r"|\bno\b[^.;]{0,60}\b(?:exists?|(?:is|are) (?:possible|available|valid|admissible|sufficient|enough)|(?:can )"
    r"?(?:works?|suffices?|satisf(?:y|ies)|qualif(?:y|ies)|be found))"
    r"|\b(?:none|nothing) (?:exists?|(?:is|are) (?:valid|possible|available)|works?|suffices?|valid|possible|available)"
    r"|\b(?:does not|do not|doesn't|don't) exist|\bnon-?existent\b|\bnot possible\b|\bimpossible\b|\bcannot be "
    r"(?:found|constructed|achieved)|\bunattainable\b)",
    re.IGNORECASE,
)
_LEADING = frozenset(
    [
        "the", "a", "an", "set", "sets", "adjustment", "is", "are", "be", "adjust", "for", "on", "condition",
        "conditioning", "control", "controlling", "adjusting", "variables", "variable", "nodes", "node", "yes",
        "minimal", "minimum", "valid", "sufficient", "answer", "final", "smallest", "only", "just", "frozenset",
        "both", "use", "include", "includes", "contains", "consists", "of", "contain", "comprises", "we", "should",
        "must", "need", "needs", "to", "one", "can", "by", "members", "elements", "my", "our", "its", "admissible",
        "back-door", "backdoor", "back", "door", "covariates", "covariate", "confounders", "confounder", "namely",
        "with", "list", "so", "thus", "therefore", "hence", "exactly", "simply", "you", "i", "would", "will",
        "observed", "optimal", "possible", "single", "singleton", "unique", "correct", "required", "resulting",
        "separating", "blocking", "parents", "descendants", "ancestors", "children", "instruments", "instrument",
        "mediators", "mediator", "colliders", "collider", "it", "they", "these", "following", "result", "emptyset",
    ]
)  # fmt: skip
LISTING = frozenset((",", ";", "/", "&", "+", "|", "•", "·"))
_STOPPING = frozenset(["not", "without", "except", "excluding", "but", "never", "minus", "other", "than"])
_ONE = frozenset(
    [
        "is", "was", "has", "isn't", "must", "cannot", "stays", "opens", "lies", "blocks", "being", "as", "itself",
        "does", "would", "should", "can", "will", "may", "remains", "causes",
    ]
)  # fmt: skip
_MANY = frozenset(
    ["are", "block", "together", "suffice", "were", "both", "jointly", "only", "suffices", "form", "close"]
)


def read_set(text: str, names: Names | None) -> Outcome:
    """The set that `text` gives, or why it gives none."""
    text = text.strip()
    if names is None or names.of(text) is None:
        if EMPTY.match(text) and not _NO_SUCH.search(text):
            return found([], "the empty set in words or signs")
        if _NO_SUCH.search(text) and "{" not in text:
            if names is not None and IMPOSSIBLE in names.exact:
                return found([IMPOSSIBLE], "said to be impossible")
            return unclear("the claim that no such set exists is not a set")
    pieces = balanced(list_items(text, names))
    start = _after_equals(pieces)
    while (
        start < len(pieces)
        and pieces[start].kind in ("word", "other")
        and (pieces[start].text.lower() in _LEADING or pieces[start].text in ":=~≈_-|.")
    ):
        start += 1
    pieces = pieces[start:]
    if not pieces:
        return unclear("no names stand behind the label")
    first = pieces[0]
    if first.kind == "open":
        return _groups(pieces, names)
    if is_article_or_pronoun(pieces, 0):
        first = Piece("word", first.text)
    if first.kind == "name" or (names is None and first.kind in ("word", "number")):
        return _bare(pieces, names, prose=start > 0)
    if first.kind in ("word", "number") and not _negating(first.text):
        index = next((i for i, piece in enumerate(pieces) if piece.text == "{"), None)
        if index is not None:
            return _groups(pieces[index:], names)
        if any(piece.kind == "name" and piece.exact for piece in pieces[1:3]) and pieces[1].text in LISTING:
            return _bare(pieces, names, prose=False)
    return unclear("no set could be read")


def _negating(word: str) -> bool:
    return word.lower() in ("no", "not", "never", "none", "neither")


def _after_equals(pieces: list[Piece]) -> int:
    """Where a set begins that is given a name first: ``Z = {A, B}``."""
    for index, piece in enumerate(pieces[:12]):
        if piece.kind == "open" and index and not (pieces[index - 1].kind in ("word", "name") and piece.tight):
            return 0
        if piece.text == "=" and index and index + 1 < len(pieces):
            return index + 1
    return 0


def _groups(pieces: list[Piece], names: Names | None) -> Outcome:
    """Sets in brackets, one or several of equal standing."""
    sets: list[list[str]] = []
    index = 0
    union = False
    while index < len(pieces) and pieces[index].kind == "open":
        stop = close_of(pieces, index)
        inner = pieces[index + 1 : stop]
        if not sets or pieces[index].text != "(":
            members = _members(inner, names)
            if members is None:
                return (
                    absent("the template was left unfilled")
                    if not sets and _all_unknown(inner)
                    else unclear("no set could be read")
                )
            if union:
                sets[-1] = sorted({*sets[-1], *members})
            else:
                sets.append(members)
        index = stop + 1
        union = index < len(pieces) and pieces[index].text in ("∪", "+", "union", "U")
        if index < len(pieces) and pieces[index].text in ("∖", "\\", "-", "minus"):
            after = pieces[index + 1 : index + 2]
            if (after and after[0].kind == "open") or (pieces[index].text in "∖\\"):
                return unclear("a difference of sets is not worked out")
        while index < len(pieces) and (
            pieces[index].text in LISTING
            or pieces[index].text in ("∪", "=", ".")
            or pieces[index].text.lower()
            in ("or", "and", "equivalently", "also", "union", "alternatively", "either", "the", "set")
        ):
            index += 1
    if not sets:
        return unclear("no set could be read")
    if any(other != sets[0] for other in sets[1:]):
        return unclear("several different sets are given")
    return found(sets[0])


def _all_unknown(inner: list[Piece]) -> bool:
    return bool(inner) and all(piece.kind != "name" for piece in inner)


def _members(inner: list[Piece], names: Names | None) -> list[str] | None:
    """The members listed between brackets; a word that is no name is kept as written."""
    while len(inner) > 1 and inner[0].kind == "open" and close_of(inner, 0) == len(inner) - 1:
        inner = inner[1:-1]
    members: set[str] = set()
    chunk: list[Piece] = []
    for piece in [*inner, Piece("other", ",")]:
        if piece.kind in ("open", "close"):
            continue
        if piece.text in LISTING or piece.text in ("and", "∪", ":") or piece.kind == "line":
            if chunk:
                name = _member(chunk, names)
                if name is None:
                    return None
                members.update(name)
            chunk = []
        elif piece.kind == "other" and piece.text in "∅Øø⌀.":
            continue
        else:
            chunk.append(piece)
    if names is not None and members and not any(member in names.exact.values() for member in members):
        return None
    return sorted(members)


def _member(chunk: list[Piece], names: Names | None) -> list[str] | None:
    if all(piece.kind == "name" for piece in chunk):
        return [piece.text for piece in chunk]
    if any(piece.kind == "name" for piece in chunk):
        known = [piece.text for piece in chunk if piece.kind == "name"]
        others = [piece.text.lower() for piece in chunk if piece.kind != "name"]
        return known if len(known) == 1 and all(word in _LEADING for word in others) else None
    if all(piece.kind in ("word", "number") for piece in chunk) and len(chunk) <= (3 if names is not None else 6):
        return [" ".join(piece.text for piece in chunk)]
    if names is None:
        return ["".join(piece.text for piece in chunk)]
    return None


def _bare(pieces: list[Piece], names: Names | None, prose: bool) -> Outcome:
    """Names without brackets, up to a remark."""
    members: list[str] = []
    joint = ""
    index = 0
    while index < len(pieces):
        piece = pieces[index]
        follower = pieces[index + 1] if index + 1 < len(pieces) else None
        word = piece.text.lower() if piece.kind == "word" else ""
        if word == "and":
            joint = "and"
        elif word in ("or", "vs", "versus"):
            after = next((other for other in pieces[index + 1 :] if other.kind == "name"), None)
            if after is not None and after.text not in members:
                return unclear("several different sets are given")
            break
        elif piece.kind == "name" or (names is None and piece.kind in ("word", "number")):
            if len(piece.text) == 1 and not piece.exact and (prose or _goes_on(follower)):
                return unclear("no set could be read")
            text = piece.text
            if names is None:
                while (
                    follower is not None
                    and follower.kind in ("word", "number")
                    and follower.text.lower() not in ("and", "or")
                ):
                    text += " " + follower.text
                    index += 1
                    follower = pieces[index + 1] if index + 1 < len(pieces) else None
            elif (
                follower is not None
                and follower.kind == "word"
                and joint in (",", ";")
                and follower.text.lower() not in ("and", "or", "only")
            ):
                # A clause about the last name: "A, B is a collider".
                word = follower.text.lower()
                if word in _ONE:
                    break
                if word not in _MANY and word not in _STOPPING and word not in ("because", "since", "due"):
                    return unclear("the list runs into a sentence")
            members.append(text)
            joint = ""
        elif piece.kind in ("word", "number") and names is not None and joint in (",", ";", "and") and members:
            ends = follower is None or follower.text in LISTING or follower.text == "."
            if (
                not ends
                or piece.text.lower() in _STOPPING
                or len(piece.text) > 20
                or piece.text.lower() in ("etc", "so", "i", "no", "none")
            ):
                break
            members.append(piece.text)
            joint = ""
        elif (
            piece.kind == "word"
            and names is not None
            and not members
            and follower is not None
            and follower.text in LISTING
        ):
            members.append(piece.text)
        elif piece.text in LISTING or piece.kind == "line":
            joint = joint or piece.text
        elif piece.kind == "open":
            group = pieces[index : close_of(pieces, index) + 1]
            if len(group) > 1 and group[1].text.lower() == "or" and any(other.kind == "name" for other in group):
                return unclear("several different sets are given")
            if piece.text != "(":
                return unclear("no set could be read")
            index = close_of(pieces, index)
            if joint:
                break
        else:
            break
        index += 1
    if not members:
        return unclear("no set could be read")
    return found(sorted(set(members)))


def _goes_on(follower: Piece | None) -> bool:
    """Whether a small letter before `follower` is rather the article or pronoun of a sentence."""
    return (
        follower is not None and follower.kind == "word" and follower.text.lower() not in ("and", "or", "only", "alone")
    )
