"""Seeds from what the repository has anyway: cases of the readers, public items, published figures, stored vectors."""

import json
from functools import cache
from pathlib import Path
from typing import Any

from benchpress.items import Item
from benchpress.jsonl import read_items

ROOT = Path(__file__).resolve().parent.parent.parent
DATA = ROOT / "tests" / "data"
PUBLIC = ROOT / "public_examples"
SITE = ROOT / "site" / "data"


def lines(path: Path, most: int = 10**9) -> list[Any]:
    with path.open(encoding="utf-8") as file:
        return [json.loads(line) for _, line in zip(range(most), file, strict=False)]


def _texts(*names: str) -> list[str]:
    return [case["raw"] for name in names for case in lines(DATA / name) if isinstance(case.get("raw"), str)][::3]


def tagged_cases() -> list[str]:
    return _texts("tagged_cases.jsonl", "further_tagged_cases.jsonl")


def choice_cases() -> list[str]:
    return _texts("choice_cases.jsonl", "further_choice_cases.jsonl", "choice_second_reading.jsonl")


def hard_answers() -> list[str]:
    """Answers to all parts at once, in the forms that models use."""
    return [
        "SET: {A, X1}\nESTIMATE: 0.42\nEDGES: A -> B, B -> C\nORDER: A, B, X1\nVALID: yes\nANSWER: B\nSKELETON: A -- B",
        "<think>SET: {B}</think>\n| part | value |\n|---|---|\n| SET | A |\n| ESTIMATE | 1/2 |\n| VALID | no |",
        '```json\n{"SET": ["A"], "ESTIMATE": 0.5, "EDGES": [["A", "B"]], "ORDER": ["A"], "VALID": true}\n```',
        "**SET:** \\{A\\}\n**ESTIMATE:** $\\frac{1}{2}$\n\nWait, actually SET: IMPOSSIBLE",
        "ESTIMATE: about -3.5%\nSET: none\nEDGES: {}\nORDER: first A, then B\nVALID: <yes|no>",
    ]


@cache
def public_items(name: str, most: int = 10**9) -> tuple[Item, ...]:
    """Every n-th public item of a module, so that all bundles occur."""
    items = list(read_items(PUBLIC / f"{name}.jsonl"))
    return tuple(items[:: max(1, len(items) // most)])


@cache
def replay_items() -> tuple[Item, ...]:
    return public_items("replay", 12)


def replay_answers() -> list[tuple[int, str]]:
    """For each of the items an answer: the gold model where it is the whole answer, and forms of one."""
    found = []
    for place, item in enumerate(replay_items()):
        gold = item.parts[0].gold
        found.append((place, json.dumps(gold)))
        found.append((place, "So:\n```json\n" + json.dumps({"alternative": gold, "experiment": None}) + "\n```"))
        found.append(
            (place, json.dumps({"mechanisms": (gold or {}).get("mechanisms"), "roots": item.params.get("roots")}))
        )
    return found


def item_lines(most: int = 6) -> list[bytes]:
    """Item files of a few lines, one of each module."""
    return [
        b"\n".join(json.dumps(item.to_json(), ensure_ascii=False).encode() for item in public_items(name, most)[:2])
        for name in ("causal", "replay", "choice")
    ]
