"""The empty set in words or signs, and the claim that no such set exists."""

import re

from benchpress.parts.names import Names
from benchpress.parts.outcome import Outcome, found, unclear
from benchpress.protocol import IMPOSSIBLE

_NEEDED = r"(?:needed|required|necessary)"
_ADJUST = r"(?:adjust|condition|control)"
EMPTY = re.compile(
    r"(?:[A-Za-z_]{1,20} ?= ?)?(?:(?:(?:the )?(?:\w+ ){0,2}set (?:is|=|must be|should be) |it is |this is |that is )?"
    r"(?:(?:the |an )?(?:empty|null|void) (?:(?:adjustment |conditioning )?set)|(?:the |an )?(?:empty|void))"
    r"|none of (?:(?:these|those|the)(?: (?:listed|given|other|observed|candidate))* (?:variables|nodes|covariates|"
    r"candidates|confounders)|these|those|them)"
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
    r"(?= ?$| ?[.,;:!(#—–=∅]| -|\s(?:because|since|as|due|so|or|here|is|needed|required|necessary|i\.e|\(|for this|in "
    r"this|for the|for identif))",
    re.IGNORECASE,
)
_EMPTY_OR = re.compile(
    r"(?:\W*(?:the |an )?(?:empty|none|null|nothing|no )[^.;]{0,30}[\s(]|(?:[∅Øø]|\{ ?\}),? )or\b", re.IGNORECASE
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
SEVERAL = unclear("several different sets are given")


def in_words(text: str, names: Names | None) -> Outcome | None:
    """What `text` says where it gives no names but words: nothing, or that there is no such set. None for any other."""
    offer = _EMPTY_OR.match(text)
    if offer is not None and not EMPTY.match(text[offer.end() :].strip()):
        return SEVERAL
    if EMPTY.match(text) and not _NO_SUCH.search(text):
        return found([], "the empty set in words or signs")
    if _NO_SUCH.search(text) and "{" not in text:
        if names is not None and IMPOSSIBLE in names.exact:
            return found([IMPOSSIBLE], "said to be impossible")
        return unclear("the claim that no such set exists is not a set")
    return None
