"""What multiple-choice forms of causal items give away, and what bad habits score on them.

usage: python benchmarks/choice_forms.py [--per-variant N] [--level L] [--seed S]

For every rule of the audit: on how many items it says anything, and how often it is right there. Then how telling the
wrong options are, and the accuracy of every reference solver.
"""

import argparse
from collections import Counter
from string import ascii_uppercase

from benchpress.audit_choice import RANKS
from benchpress.generation import addresses, generate
from benchpress.grading import grade_item
from benchpress.items import Item, Response
from benchpress.modules.choice.causal.said import SAID
from benchpress.modules.choice.question import Question
from benchpress.modules.choice.reference import SOLVERS
from benchpress.streams import secret_from_seed

HABITS = frozenset({"naive", "adjust_all", "adjust_parents", "ignore_colliders"})
TYPICAL = HABITS | {"another", "nothing", "impossible"}


def rules(items: list[Item]) -> list[tuple[float, int, str]]:
    """Share right, items it applies to, name; the best rule first. Ties count as fractions."""
    found = []
    for name, rank in RANKS.items():
        right, applies = 0.0, 0
        for item in items:
            texts = list(Question.of(item).texts)
            ranks = rank(texts, item)
            if ranks:
                lowest = [ascii_uppercase[at] for at, one in enumerate(ranks) if one == min(ranks)]
                applies += 1
                right += (item.parts[0].gold in lowest) / len(lowest)
        if applies:
            found.append((right / applies, applies, name))
    return sorted(found, reverse=True)


def main() -> None:
    words = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    words.add_argument("--per-variant", type=int, default=220)
    words.add_argument("--level", type=int, default=5)
    words.add_argument("--seed", type=int, default=7)
    chosen = words.parse_args()
    places = addresses("choice", "practice", levels=(chosen.level,), count=chosen.per_variant)
    items = [made.item for made in generate(secret_from_seed(chosen.seed), places)]
    golds = Counter(item.parts[0].gold for item in items)
    print(f"{len(items)} items of level {chosen.level}")
    print("right option:", ", ".join(f"{letter} {count / len(items):.1%}" for letter, count in sorted(golds.items())))
    for share, applies, name in rules(items):
        print(f"  {name:<36} {share:6.1%} of {applies}")
    wrong = [origin for item in items for origin in item.params["origins"] if origin != "key"]
    print(f"from a bad habit, items with one: {_with(items, HABITS):.1%}; items with a typical mistake:", end=" ")
    print(
        f"{_with(items, TYPICAL):.1%}; typical among wrong options: {sum(o in TYPICAL for o in wrong) / len(wrong):.1%}"
    )
    for origin, count in Counter(wrong).most_common():
        print(f"  {SAID[origin]:<70} {count / len(wrong):6.1%}")
    for name, solve in SOLVERS.items():
        right = sum(grade_item(item, Response(item.id, solve(item.prompt))).correct for item in items)
        print(f"  solver {name:<18} {right / len(items):6.1%}")


def _with(items: list[Item], origins: frozenset[str]) -> float:
    return sum(bool(origins & set(item.params["origins"])) for item in items) / len(items)


if __name__ == "__main__":
    main()
