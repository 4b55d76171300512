"""A paired interval from published counts alone, for cells so small that their joint results stay private.

In a bundle two entrants' shares are published, but not which items each had right, so the number of items that only
one of them had right is not known. The interval here is the score interval (Tango 1998) for the most such items that
the counts allow. Every other number of them gives a narrower interval, so this one holds whatever the truth is.
"""

from math import sqrt

Z = 1.959963984540054
STEPS = 50


def widest(first: int, second: int, n: int) -> tuple[float, float]:
    """95 % limits of first/n - second/n, where `first` and `second` of the same `n` items were right."""
    only_first = min(first, n - second)
    only_second = only_first - first + second
    estimate = (first - second) / n

    def limit(side: float) -> float:
        inner, outer = estimate, side
        for _ in range(STEPS):
            middle = (inner + outer) / 2
            if abs(_score(only_first, only_second, n, middle)) <= Z:
                inner = middle
            else:
                outer = middle
        return inner

    return limit(-1.0), limit(1.0)


def _score(b: int, c: int, n: int, difference: float) -> float:
    """Tango's statistic: the observed difference less the assumed one, over its standard error under the latter."""
    apart = b - c - n * difference
    if apart == 0:
        return 0.0
    linear = (2 * n - b + c) * difference - b - c
    constant = c * difference * (1 - difference)
    q = (sqrt(max(linear * linear + 8 * n * constant, 0.0)) - linear) / (4 * n)
    variance = n * (2 * q + difference * (1 - difference))
    return apart / sqrt(variance) if variance > 0 else apart * float("inf")
