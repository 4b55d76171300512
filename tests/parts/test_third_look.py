# ruff: noqa: E501 - an answer stays on one line, as it is read
"""Answers by a third blind look: bounds on both sides, blank decimals, quoted words for nothing, ticks and emoji, lists
in other words, numbered orders.

Expected values are what a patient person reads, and nothing where such a person would have to guess.
"""

from fractions import Fraction
from typing import Any

import pytest
from reading import read

NUMBERS: list[tuple[str, str | None]] = [
    ("0 < ATE < 1", None), ("0.3 <= ATE <= 0.5", None), (r"$0.3 \le \tau \le 0.5$", None), ("0.3 ≤ ATE ≤ 0.5", None), ("0.3 < 0.42", None), ("1/2 < x", None), ("1 > ATE", None), ("-0.1 < x", None), ("ATE = 0.3 < x < 0.5", None),
    ("0.42 at most", None), ("0.42 at least", None), ("0.42, at most", None), ("0.42 (at most)", None), ("0.42 (or less)", None), ("0.42 maximum", None), ("0.42 at the minimum", None),
    ("0.42 > 0", "0.42"), ("-0.2 < 0", "-0.2"), ("0.42 > 0, p < 0.05", "0.42"), ("0.42 ≠ 0.58", "0.42"), ("ATE = 0.42 < 0.58", "0.42"), ("0.3 ≤ ATE = 0.42 ≤ 0.5", "0.42"), ("0.42 (0 < ATE < 1)", "0.42"), ("0.42 (p < 0.05)", "0.42"), ("0.42, p < 0.05", "0.42"), ("0.42 <x>", "0.42"),
    ("0.42, the maximum likelihood estimate", "0.42"), ("0.42 max over z", "0.42"), ("0.42 at x = 1", "0.42"), ("0.42 at best", "0.42"), ("0.42, which is at most 0.5", "0.42"), ("5 min", "5"),
    ("0.__", None), ("0._", None), ("0.__%", None), ("0.#", None), ("0.##", None), ("-0.__", None), ("$0.__$", None), ("0,__", None), (r"0.\_\_", None), ("0.__ (two decimals)", None), ("0.□□", None), ("0.XX", None), ("0.??", None),
    ("__0.42__", "0.42"), ("_0.42_", "0.42"), ("0.42__", "0.42"), ("_0.0_", "0"), ("0.", "0"), ("0.00", "0"), ("**0.**", "0"), ("0. # none", "0"), ("0.42 #", "0.42"), ("0.42 ?", "0.42"),
    ("0.42\nLABEL: 0.__", "0.42"), ("0.42\nLABEL: 0.XX", "0.42"), ("0.42\nLABEL: 0.5 at most", None),
]  # fmt: skip


@pytest.mark.parametrize(("text", "value"), NUMBERS, ids=range(len(NUMBERS)))
def test_bounds_and_blank_decimals_are_no_numbers(text: str, value: str | None) -> None:
    got = read("number", text)
    assert (None if got is None else Fraction(got)) == (None if value is None else Fraction(value))
