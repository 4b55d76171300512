"""Numbers that only bound a quantity, by what stands behind them."""

from fractions import Fraction
from itertools import takewhile

from benchpress.parts.lexemes import Lexeme


def only_bounds(items: list[Lexeme], index: int, equated: bool) -> bool:
    """Whether the number at `index` only bounds something: ``0 < ATE``, "0.42 at most".

    What is said of a value is no bound: its sign (``0.42 > 0``), or, of one that is equated, how it compares with
    another (``ATE = 0.42 < NAIVE``).
    """
    rest = items[index + 1 : index + 6]
    if rest and rest[0].kind == "compare" and rest[0].text != "≠":
        if len(rest) > 2 and rest[0].text == "<" and rest[1].tight and rest[2].text == ">":
            return False  # a tag
        clause = takewhile(lambda item: item.kind not in ("mark", "stop"), rest[1:])
        if any(item.kind == "compare" for item in clause):
            return True
        of_its_sign = len(rest) > 1 and rest[1].value is not None and Fraction(rest[1].value) == 0
        return not (equated or of_its_sign)
    texts = [item.text for item in rest if item.kind != "mark"]
    at = texts[:1] == ["at"]
    if at:
        texts = texts[2:] if texts[1:2] == ["the"] else texts[1:]
    if at and texts[:1] in (["most"], ["least"]):
        return True
    ends = len(texts) < 2 or not texts[1][:1].isalpha()
    return texts[:1] in (["max"], ["maximum"], ["minimum"]) and ends
