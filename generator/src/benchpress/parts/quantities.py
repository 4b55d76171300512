"""The one number that a line of text gives.

Nothing is ever evaluated: sums, powers, ranges, bounds, times and ratios are no values. Figures in remarks do not
count.
"""

from fractions import Fraction
from itertools import takewhile

from benchpress.parts.bounds import only_bounds
from benchpress.parts.lexemes import Lexeme, lexemes
from benchpress.parts.outcome import Kind, Outcome, absent, found, unclear

_HEDGES = frozenset(
    [
        "about", "approximately", "approx", "roughly", "around", "circa", "ca", "c", "nearly", "almost", "exactly",
        "precisely", "just", "only", "simply",
    ]
)  # fmt: skip
_LEADS = _HEDGES | frozenset(
    [
        "is", "are", "be", "was", "of", "at", "to", "equals", "equal", "equalling", "gives", "give", "yields",
        "yield", "get", "gets", "obtain", "obtains", "value", "answer", "estimate", "effect", "result", "ate", "att",
        "atc", "difference", "usd", "eur", "gbp", "say", "estimated", "likely", "probably", "maybe", "perhaps",
        "hence", "so", "thus", "therefore", "then", "or", "and", "but", "ie", "positive", "plus", "minus",
        "negative", "becomes", "roughly", "thereby", "namely", "a", "an", "remains", "thinks", "that've", "been",
        "chf", "jpy",
    ]
)  # fmt: skip
_NEUTRAL_HEADS = _LEADS | frozenset(
    [
        "the", "final", "my", "our", "this", "it", "its", "numerical", "total", "average", "causal", "treatment",
        "adjusted", "overall", "answer's", "estimated", "i", "we", "here", "there", "probability", "in", "decimal",
        "form", "value",
    ]
)  # fmt: skip
_BOUNDS = frozenset(
    [
        "least", "most", "less", "more", "greater", "smaller", "larger", "higher", "lower", "fewer", "up", "over",
        "under", "above", "below", "exceeds", "exceed", "exceeding", "beyond", "minimum", "maximum", "min", "max",
        "between", "from", "bounded", "within", "not", "never", "no", "isn't", "cannot",
    ]
)  # fmt: skip
_BOUND_BEHIND = frozenset(
    ["more", "less", "higher", "lower", "greater", "above", "below", "fewer", "up", "over", "under", "beyond"]
)
_JOINS = frozenset(["or", "and", "to", "vs", "versus", "till", "until", "through", "resp", "respectively"])
_NEGATING = frozenset(["not", "than", "of"])
_REASONS = frozenset(
    [
        "because", "since", "as", "where", "using", "with", "given", "computed", "obtained", "derived", "based",
        "by", "via", "from", "after", "when", "which", "assuming", "note", "due", "if", "under", "following", "per",
        "see", "see_also", "while", "whereas", "though", "although", "but", "through",
    ]
)  # fmt: skip
_INTERVALS = frozenset(["ci", "confidence", "credible", "interval", "se", "sd"])
_STATISTICS = frozenset(
    ["n", "p", "se", "sd", "ci", "df", "t", "z", "r", "r2", "r_2", "alpha", "ss", "ess", "k", "m", "seed", "sigma"]
)
_SCALES = frozenset(["k", "bn", "mn", "mio", "mrd", "tn"])
_OPERATORS = frozenset("-+*/×÷·⋅^–:")


def the_number(text: str) -> Outcome:
    """The one number that a line gives, or why it gives none."""
    items = lexemes(text)
    if _two_cases(items):
        return unclear("several numbers are given, each for a case of its own")
    chain: list[list[Lexeme]] = [[]]
    signs: list[str] = []
    for item in items:
        if item.kind == "equal":
            chain.append([])
            signs.append(item.text)
        else:
            chain[-1].append(item)
    return _evaluate(chain[0]) if not signs else _end_of_chain(chain, signs)


def _two_cases(items: list[Lexeme]) -> bool:
    """Whether two numbers are given for two cases: "0.42 for x = 1 and 0.58 for x = 0", "0.42 if z = 1, else 0.58"."""
    case = value = ""
    for index in range(len(items) - 1):
        item, follower = items[index], items[index + 1]
        if case and item.text in _REASONS - _CASES:
            return False
        if item.kind != "number" or item.value is None:
            continue
        signed = _signed(items, index) or ""
        before = items[index - 1 - (signed != item.value)].text if index else ""
        if not case:
            case, value = (follower.text, signed) if follower.text in _CASES else ("", "")
        elif (before in _OTHERWISE) or (before in _BETWEEN_CASES and follower.text in (case, *_OTHERWISE)):
            return signed != value
    last = len(items) - 1
    return bool(case) and items[last].kind == "number" and items[last - 1].text in _OTHERWISE


_CASES = frozenset(["for", "if", "when", "where", "given", "in", "at", "with", "among"])
_OTHERWISE = ("otherwise", "else")
_BETWEEN_CASES = (",", ";", "and", "but", "while", "whereas", "/", "|", "vs", "versus", ".")


def _end_of_chain(chain: list[list[Lexeme]], signs: list[str]) -> Outcome:
    """The value of ``a = b = c``: the last, unless what follows the value equates something else."""
    for index in range(len(chain) - 1):
        joint = _side_equation(chain[index])
        if joint is None:
            continue
        kept, listed, name = joint
        if _evaluate(kept, equated=index > 0).kind is not Kind.VALUE:
            continue
        if index > 0 and listed and name not in _STATISTICS:
            return unclear("several quantities are given")
        chain = [*chain[:index], kept]
        signs = signs[:index]
        break
    last = _evaluate(chain[-1], equated=len(chain) > 1)
    if not signs:
        return last
    if last.kind is Kind.VALUE:
        if "≈" in signs[-1] and any(item.fraction for item in chain[-2]):
            exact = _evaluate(chain[-2], equated=len(chain) > 2)
            return exact if exact.kind is Kind.VALUE else last
        return last
    for segment in reversed(chain[:-1]):
        earlier = _evaluate(segment)
        if earlier.kind is Kind.VALUE and not any(item.kind in ("compare", "plusminus") for item in chain[-1]):
            return earlier
    return last


def _side_equation(segment: list[Lexeme]) -> tuple[list[Lexeme], bool, str] | None:
    """Where a segment is a value and then the left side of another equation: the value, whether the two are merely
    listed, and the name on that left side."""
    name = segment[-1] if segment else None
    if name is None or name.kind != "word":
        return None
    for index in range(len(segment) - 2, 0, -1):
        item = segment[index]
        if item.kind == "number":
            return None
        if item.text in (",", ";", ".") or item.text in ("and", "for", "at") or item.text in _REASONS:
            if any(other.kind == "number" for other in segment[:index]):
                return segment[:index], item.text in (",", ";", "and"), name.text
            return None
    return None


def _evaluate(items: list[Lexeme], equated: bool = False) -> Outcome:
    """The one number of a stretch without equality signs; `equated` where one stands in front of it."""
    value: str | None = None
    plain_head = True
    remark = False  # past the value, in words about it
    last_number = -1
    for index, item in enumerate(items):
        if item.kind == "opaque" and value is None:
            return unclear("a formula is not evaluated")
        if item.kind == "word":
            if value is None:
                plain_head = plain_head and item.text in _NEUTRAL_HEADS
            elif item.text in _REASONS and not (item.text == "through" and _ends_range(items, index)):
                break
            elif item.text in _BOUNDS and not remark and item.text in _NEGATING:
                remark = True
        elif item.kind == "stop" and value is not None and plain_head:
            break
        if item.kind != "number":
            continue
        if value is None:
            if _negated(items, index):
                return _evaluate(items[index + 1 :])
            if only_bounds(items, index, equated):
                return unclear("a bound is not a value")
            outcome = _first(items, index)
            if outcome.kind is not Kind.VALUE:
                return outcome
            value = str(outcome.value)
        elif not remark:
            if index + 1 < len(items) and items[index + 1].text in _INTERVALS:
                break
            verdict = _competes(items, last_number, index, plain_head)
            if verdict is None:
                remark = True
            elif verdict:
                other = _signed(items, index)
                if other is None or Fraction(other) != Fraction(value):
                    return unclear("several numbers are given")
        last_number = index
    return unclear("no number stands behind the label") if value is None else found(value)


def _ends_range(items: list[Lexeme], index: int) -> bool:
    """Whether the word at `index` leads to the other end of a range; in "0.4 through 2 paths" it does not."""
    behind = [item for item in items[index + 1 : index + 4] if item.text not in ("-", "+", "minus", "negative")]
    if not behind or behind[0].kind != "number":
        return False
    return not behind[0].text.isdigit() or len(behind) == 1 or behind[1].kind != "word"


def _negated(items: list[Lexeme], index: int) -> bool:
    """Whether a number is only ruled out: ``not 0.40 but ...``."""
    return index > 0 and items[index - 1].text == "not" and any(item.kind == "number" for item in items[index + 1 :])


def _first(items: list[Lexeme], index: int) -> Outcome:
    """The value of the number at `index`, the first one, where what surrounds it leaves it a value."""
    number = items[index]
    before = items[index - 1] if index else None
    if index > 1 and items[index - 2].text == "|" and before is not None and before.text == "-":
        return unclear("an absolute value is not evaluated")
    signed = index > 0 and before is not None and (before.text in "-–+" or before.text in ("minus", "negative"))
    lead = items[: index - 1] if signed else items[:index]
    if len(lead) > 1 and lead[-1].kind == "stop" and lead[-2].text in _HEDGES:
        lead = lead[:-1]  # the full stop of an abbreviation
    if any(item.text in _BOUNDS or item.kind in ("compare", "plusminus") for item in lead[-3:]):
        return unclear("a bound or a range is not a value")
    if lead:
        last = lead[-1]
        if last.kind in ("number", "opaque") or (last.kind == "operator" and last.text in _OPERATORS - {":"}):
            return unclear("arithmetic is not evaluated")
        spaced_dash = signed and before is not None and before.text in "-–" and not number.tight and last.kind == "word"
        if spaced_dash or (last.kind == "word" and last.text not in _LEADS):
            return absent("the number belongs to something else in the sentence")
        if last.text in ("\\", "_", "^", ".", "!", "#") or (last.text == "—" and number.tight):
            return unclear("what stands there is not one readable number")
    behind = _behind(items, index)
    if behind is not None:
        return behind
    value = _signed(items, index)
    return unclear("what stands there is not one readable number") if value is None else found(value)


def _behind(items: list[Lexeme], index: int) -> Outcome | None:
    """Why what follows the number takes its value away, None where nothing does."""
    rest = items[index + 1 : index + 4]
    if not rest:
        return None
    follower = rest[0]
    after = rest[1] if len(rest) > 1 else None
    if (
        follower.kind == "word"
        and follower.tight
        and (follower.text[0] in "x_" or any(c.isdigit() for c in follower.text))
    ):
        return unclear("what stands there is not one readable number")
    if follower.kind == "word" and follower.tight and follower.text in ("st", "nd", "rd", "th", "i", "j", "e"):
        return unclear("what stands there is not one readable number")
    if (
        follower.text in (".", ",")
        and after is not None
        and after.tight
        and follower.tight
        and after.kind in ("word", "opaque", "stop", "other")
    ):
        return unclear("what stands there is not one readable number")
    if (
        (follower.text in _OPERATORS or follower.text == "x")
        and after is not None
        and after.kind in ("number", "opaque")
    ):
        return unclear("a range, a ratio or arithmetic is not a value")
    if follower.text in "-–" and after is not None and after.text in "-+–":
        return unclear("arithmetic is not evaluated")
    if follower.text == "^" and follower.tight:
        return unclear("a power is not evaluated")
    if follower.kind == "word" and _is_share(items, index):
        return unclear("a share is not evaluated")
    if follower.kind == "word" and follower.tight and (follower.text in _SCALES or _is_exponent(items, index)):
        return unclear("what stands there is not one readable number")
    if follower.text in ("^", "*") and after is None:
        return unclear("what stands there is not one readable number")
    if follower.text == "+" and after is None:
        return unclear("a bound is not a value")
    if follower.text in ("or", "and") and after is not None and after.text in _BOUND_BEHIND:
        return unclear("a bound is not a value")
    if follower.kind == "dots" and after is not None and after.kind == "number":
        return unclear("a range is not a value")
    if follower.text in "*×·⋅/^" and follower.kind == "operator" and after is not None:
        return unclear("a formula is not evaluated") if after.kind == "word" and follower.text != "/" else None
    return None


def _is_share(items: list[Lexeme], index: int) -> bool:
    """Whether two whole numbers are a share in words: "5 out of 7", "1 in 4"."""
    behind = items[index + 1 : index + 4]
    words = list(takewhile(lambda item: item.text in ("out", "of", "over", "in", "from", "divided", "by"), behind))
    other = behind[len(words)] if words and len(words) < len(behind) else None
    return other is not None and items[index].text.isdigit() and other.text.isdigit()


def _is_exponent(items: list[Lexeme], index: int) -> bool:
    """Whether a letter and a signed number stand close behind, as in ``4.2D-1``."""
    behind = items[index + 2 : index + 4]
    return len(behind) == 2 and behind[0].text in "-+" and behind[1].kind == "number" and behind[1].tight


def _competes(items: list[Lexeme], previous: int, index: int, plain_head: bool) -> bool | None:
    """Whether the number at `index` stands beside the value: True as an equal, False as a part of it, None as a figure
    in a remark, after which nothing counts."""
    between = items[previous + 1 : index]
    texts = [item.text for item in between]
    if any(item.kind == "plusminus" for item in between):
        return False
    while texts and (
        texts[-1] in "-–+~∼("
        or texts[-1] in _HEDGES
        or texts[-1] in ("minus", "negative", "equivalently", "also", "even")
    ):
        texts.pop()
    if not texts:
        return True
    last = texts[-1]
    if last in ("not", "than", "of") and not (last == "of" and not plain_head):
        return None
    if last in _JOINS or last in (
        ",",
        ";",
        "/",
        ":",
        "|",
        "—",
        "&",
        "...",
        "..",
        "…",
        "ie",
        "is",
        "are",
        "be",
        ".",
    ):
        return True
    return None if plain_head or last not in _LEADS else True


def _signed(items: list[Lexeme], index: int) -> str | None:
    value = items[index].value
    if value is None or index == 0:
        return value
    before = items[index - 1]
    if before.text in ("-", "–", "minus", "negative"):
        return f"-{value}" if not value.startswith("-") else None
    return value
