"""A set of names out of one stretch of text: in brackets, as a bare list, or as words for the empty set."""

import re
from itertools import pairwise

from benchpress.parts.lists import Piece, balanced, close_of, is_article_or_pronoun, list_items, past_announcement
from benchpress.parts.names import Names
from benchpress.parts.outcome import Outcome, absent, found, unclear
from benchpress.protocol import IMPOSSIBLE

_NEEDED = r"(?:needed|required|necessary)"
_ADJUST = r"(?:adjust|condition|control)"
EMPTY = re.compile(
    r"(?:[A-Za-z_]{1,20} ?= ?)?(?:(?:(?:the )?(?:\w+ ){0,2}set (?:is|=|must be|should be) |it is |this is |that is )?"
    r"(?:(?:the |an )?(?:empty|null|void) (?:(?:adjustment |conditioning )?set)|(?:the |an )?(?:empty|void))"
    rf"|none(?: (?:is |are |at all |of them |of the (?:variables|nodes|covariates) )?(?:{_NEEDED}|needs? .{{0,40}}))?"
    rf"|(?:there is )?nothing(?: (?:to {_ADJUST}(?: (?:for|on))?|(?:is |else )?{_NEEDED}"
    rf"|(?:needs|has) to be (?:adjusted|conditioned|controlled)(?: (?:for|on))?))?"
    r"|(?:(?:there (?:is|are) )?no|without(?: any)?|zero) (?:further |additional |other |back-?door |covariate )?"
    r"(?:adjustments?|variables?|nodes?|covariates?|conditioning|controls?|confounders?|members?|elements?|"
    rf"adjustment set|set|need (?:to {_ADJUST}(?: for (?:anything|any .{{0,30}}))?|for (?:any )?(?:adjustment|"
    rf"conditioning))|"
    r"adjusting|conditioning variables?|adjustment variables?)"
    r"(?: (?:is |are |has to be |have to be |need to be |needs to be |must be |at all |"
    rf"to {_ADJUST} (?:for|on) ?)*(?:{_NEEDED}|needs? adjustment|adjusted for|conditioned on|controlled for|in the "
    rf"set)?)?"
    rf"|(?:we |you |i )?(?:do not|don't|need not|needn't) (?:need to )?{_ADJUST}(?: (?:for|on) (?:anything|any "
    rf"(?:variables?|nodes?|covariates?)))?"
    rf"|{_ADJUST}(?:ing)? (?:for|on) nothing|(?:(?:adjustment|conditioning) (?:is )?)?not {_NEEDED}|(?:(?:adjustment|"
    rf"conditioning) is )?unnecessary"
    r"|(?:set|frozenset|emptyset)\( ?(?:\[ ?\]|\{ ?\})? ?\)|empty_?set|[∅Øø⌀φϕΦ]|\\phi"
    r"|[\{\[\(] ?(?:[∅Øø⌀φϕΦ]|\\phi|none|(?:the )?empty(?: set)?|null set|nothing)? ?[\}\]\)])"
    r"(?= ?$| ?[.,;:(#—–=∅]| -|\s(?:because|since|as|due|so|here|is|needed|required|necessary|i\.e|\(|for this|in "
    r"this|for the|for identif))",
    re.IGNORECASE,
)
_EMPTY_OR = re.compile(r"\W*(?:the |an )?(?:empty|none|null|nothing|no )[^.;]{0,30}[\s(]or\b", re.IGNORECASE)
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
        "observed", "optimal", "all", "possible", "single", "singleton", "unique", "correct", "required", "resulting",
        "separating", "blocking", "parents", "descendants", "ancestors", "children", "instruments", "instrument",
        "mediators", "mediator", "colliders", "collider", "it", "they", "these", "following", "result", "emptyset",
    ]
)  # fmt: skip
_ANNOUNCING = _LEADING | {"as", "follows", "here"}
LISTING = frozenset((",", ";", "/", "&", "+", "|", "•", "·", "∪"))
JOINING = frozenset(("and", "und", "et", "和", "与", "及", "と"))
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
        if _EMPTY_OR.match(text):
            return unclear("several different sets are given")
        if EMPTY.match(text) and not _NO_SUCH.search(text):
            return found([], "the empty set in words or signs")
        if _NO_SUCH.search(text) and "{" not in text:
            if names is not None and IMPOSSIBLE in names.exact:
                return found([IMPOSSIBLE], "said to be impossible")
            return unclear("the claim that no such set exists is not a set")
    pieces = balanced(list_items(text, names))
    start = past_announcement(pieces, _ANNOUNCING) or _after_equals(pieces)
    if 0 < start < len(pieces) and pieces[start].text == ",":
        start += 1  # the items of a list below an announcement
    while (
        start < len(pieces)
        and pieces[start].kind in ("word", "other")
        and (pieces[start].text.lower() in _LEADING or pieces[start].text in ":=~≈_-|.")
    ):
        start += 1
    skipped, pieces = pieces[:start], pieces[start:]
    if not pieces or any(
        piece.text.lower() in _EITHER and behind.text.lower() == "of" for piece, behind in pairwise(skipped)
    ):
        return unclear("no names stand behind the label")
    first = pieces[0]
    if first.kind == "open":
        return _groups(pieces, names)
    if is_article_or_pronoun(pieces, 0):
        first = Piece("word", first.text)
    if first.kind == "name" or (names is None and first.kind in ("word", "number")):
        return _bare(pieces, names, prose=start > 0)
    if first.kind in ("word", "number") and first.text.lower() not in _NEGATING:
        index = next((i for i, piece in enumerate(pieces) if piece.text == "{"), None)
        if index is not None:
            return _groups(pieces[index:], names)
    return unclear("no set could be read")


_NEGATING = ("no", "not", "never", "none", "neither")
_EITHER = ("one", "any", "either", "some")
_SEVERAL = unclear("several different sets are given")


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
    union = joined = False
    while index < len(pieces) and pieces[index].kind == "open":
        stop = close_of(pieces, index)
        inner = pieces[index + 1 : stop]
        if sets and _is_alternative(inner):
            nested = next((i for i, piece in enumerate(inner) if piece.kind == "open"), None)
            inner = inner[nested : close_of(inner, nested) + 1] if nested is not None else inner[1:]
        elif sets and pieces[index].text == "(":
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
        if _is_difference(pieces[index : index + 2]):
            return unclear("a difference of sets is not worked out")
        union = index < len(pieces) and pieces[index].text in ("∪", "+", "union")
        joined = False
        while index < len(pieces) and (pieces[index].text in LISTING or pieces[index].text.lower() in _BETWEEN_SETS):
            if pieces[index].text.lower() == "or" and _offers_empty(pieces[index + 1 :]) and sets[0]:
                return _SEVERAL
            joined = joined or pieces[index].text in LISTING or pieces[index].text.lower() in ("or", "and")
            index += 1
    if any(other != sets[0] for other in sets[1:]) or _names_another(pieces[index:], sets[0], names):
        return _SEVERAL
    return found(sets[0])


_BETWEEN_SETS = frozenset(
    ("=", ".", "or", "and", "equivalently", "also", "union", "alternatively", "either", "the", "set")
)


def _is_alternative(inner: list[Piece]) -> bool:
    return len(inner) > 1 and inner[0].text.lower() == "or"


def _offers_empty(rest: list[Piece]) -> bool:
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
            if piece.text == "{" and _members(rest[index + 1 : stop], names) not in (None, first):
                return True
            index = stop
        index += 1
    return False


_REASONING = _STOPPING | frozenset(
    ["because", "since", "as", "while", "whereas", "although", "which", "blocks", "given", "if"]
)


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
        return known if len(known) == 1 and all(word in _LEADING for word in others) else None
    if all(piece.kind in ("word", "number") for piece in chunk) and len(chunk) <= (3 if names is not None else 6):
        return [" ".join(piece.text for piece in chunk)]
    return ["".join(piece.text for piece in chunk)] if names is None else None


def _bare(pieces: list[Piece], names: Names | None, prose: bool) -> Outcome:
    """Names without brackets, up to a remark."""
    members: list[str] = []
    joint = ""
    marks: set[str] = set()
    index = 0
    while index < len(pieces):
        piece = pieces[index]
        follower = pieces[index + 1] if index + 1 < len(pieces) else None
        word = piece.text.lower() if piece.kind != "name" else ""
        if word in JOINING:
            joint = "and"
        elif word in ("or", "vs", "versus"):
            behind = pieces[index + 1 : index + 6]
            if any(other.kind == "name" and other.text not in members for other in behind) or _offers_empty(behind):
                return _SEVERAL
            break
        elif piece.kind == "name" or (names is None and piece.kind in ("word", "number")):
            if len(piece.text) == 1 and not piece.exact and (prose or _goes_on(follower)):
                return unclear("no set could be read")
            if names is None:
                text, index = _phrase(pieces, index)
                members.append(text)
            else:
                belongs = _belongs(joint, follower)
                if belongs is None:
                    return unclear("the list runs into a sentence")
                if not belongs:
                    break
                members.append(piece.text)
            joint = ""
        elif piece.kind in ("word", "number") and joint and members:
            # A single word in the place of a name is one that does not exist; more words are a remark.
            ends = follower is None or follower.text in LISTING or follower.text == "."
            if not ends or word in _STOPPING or word in _NO_MEMBERS or len(word) > 20:
                break
            members.append(piece.text)
            joint = ""
        elif piece.text in LISTING or piece.kind == "line":
            joint = joint or piece.text
            marks.add(piece.text)
        elif piece.kind == "open":
            stop = close_of(pieces, index)
            inner = pieces[index + 1 : stop]
            adds = bool(inner) and inner[0].text.lower() in ("or", "and", "plus", "with")
            if piece.text != "(" or (adds and any(other.kind == "name" for other in inner)):
                return _SEVERAL if adds else unclear("no set could be read")
            index = stop
            if joint:
                break
        elif (
            piece.text in (".", ":")
            and piece.tight
            and follower is not None
            and follower.kind == "name"
            and follower.tight
        ):
            return unclear("no set could be read")
        else:
            break
        index += 1
    if not members or {",", "|"} <= marks:
        return unclear("no set could be read")
    return found(sorted(set(members)))


_NO_MEMBERS = ("etc", "so", "i", "no", "none", "nothing", "both", "all", "only")


def _belongs(joint: str, follower: Piece | None) -> bool | None:
    """Whether a name behind `joint` is a member, by the word that follows: not where a clause about it begins, as in
    "A, B is a collider"; None where that cannot be told."""
    if follower is None or follower.kind != "word" or joint not in (",", ";"):
        return True
    word = follower.text.lower()
    if word in _ONE:
        return False
    known = word in _MANY or word in _STOPPING or word in JOINING or word in ("because", "since", "due", "or", "only")
    return True if known else None


def _phrase(pieces: list[Piece], index: int) -> tuple[str, int]:
    """Without a universe, the words up to the next separator are one name: the name, and the index of its last word."""
    words = [pieces[index].text]
    while index + 1 < len(pieces) and pieces[index + 1].kind in ("word", "number"):
        if pieces[index + 1].text.lower() in ("and", "or"):
            break
        index += 1
        words.append(pieces[index].text)
    return " ".join(words), index


def _goes_on(follower: Piece | None) -> bool:
    """Whether a small letter before `follower` is rather the article or pronoun of a sentence."""
    return (
        follower is not None and follower.kind == "word" and follower.text.lower() not in ("and", "or", "only", "alone")
    )
