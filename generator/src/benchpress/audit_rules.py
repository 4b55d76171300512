"""Rules that answer without reasoning, for the audit: from labels and types alone, or from the surface of the text."""

import re
from collections.abc import Callable, Mapping

from benchpress import audit_choice
from benchpress.audit_choice import Rule
from benchpress.items import Item, Json, Part
from benchpress.protocol import IMPOSSIBLE

_NUMBER = re.compile(r"(?<![\w.])-?\d+(?:\.\d+|/0*[1-9]\d*)?(?![\w.]*\d)")


def _names(part: Part) -> list[str]:
    return [name for name in part.params.get("universe") or () if name != IMPOSSIBLE]


def _vocabulary(part: Part) -> list[str]:
    return list(part.params.get("vocabulary") or ("yes", "no"))


def blind_rules(modal: Mapping[str, Json]) -> dict[str, dict[str, Rule]]:
    """Answers without a look at the text: from labels, types and names alone."""
    usual: Rule = lambda _, part: modal[part.id]  # noqa: E731
    return {
        "number": {"most frequent": usual, "0": lambda *_: "0", "1": lambda *_: "1"},
        "verdict": {"most frequent": usual},
        "node_set": {
            "most frequent": usual,
            "empty set": lambda *_: [],
            "all nodes": lambda _, part: sorted(_names(part)),
            "alphabetical": lambda _, part: sorted(_names(part))[:1],
            "impossible": lambda *_: [IMPOSSIBLE],
        },
        "sequence": {"most frequent": usual, "alphabetical": lambda _, part: sorted(_names(part))},
        "edges": {"most frequent": usual, "none": lambda *_: []},
        "choice": audit_choice.places(),
    }


def shallow_rules(modal: Mapping[str, Json]) -> dict[str, dict[str, Rule]]:
    """Answers from the surface of the text: positions and counts, no structure."""
    blind = blind_rules(modal)

    def ranked(choose: Callable[[Item, list[str]], list[str]]) -> Rule:
        return lambda item, part: sorted(choose(item, _names(part)))

    def by_count(item: Item, names: list[str], wanted: int) -> list[str]:
        text = _problem(item)
        return [name for name in names if text.count(name) == wanted]

    return {
        "number": {
            **blind["number"],
            "first number": lambda item, _: _number(item, 0),
            "last number": lambda item, _: _number(item, -1),
            "largest number": lambda item, _: max(_numbers(item), key=_value, default="0"),
            "smallest number": lambda item, _: min(_numbers(item), key=_value, default="0"),
            "number nearest the treatment": lambda item, _: _nearest(item, "treatment"),
            "number nearest the outcome": lambda item, _: _nearest(item, "outcome"),
        },
        "verdict": {
            **blind["verdict"],
            "first word of the vocabulary that the problem names": lambda item, part: next(
                (word for word in _vocabulary(part) if word in _problem(item)), _vocabulary(part)[0]
            ),
        },
        "node_set": {
            **blind["node_set"],
            "first listed": ranked(lambda item, names: sorted(names, key=_problem(item).find)[:1]),
            "last listed": ranked(lambda item, names: sorted(names, key=_problem(item).rfind)[-1:]),
            "most often named": ranked(
                lambda item, names: sorted(names, key=lambda name: (-_problem(item).count(name), name))[:1]
            ),
            "named twice": ranked(lambda item, names: by_count(item, names, 2)),
            "named three times": ranked(lambda item, names: by_count(item, names, 3)),
        },
        "sequence": {
            **blind["sequence"],
            "as first named": lambda item, part: sorted(_names(part), key=_problem(item).find),
            "as last named": lambda item, part: sorted(_names(part), key=_problem(item).rfind),
        },
        "edges": blind["edges"],
        "choice": audit_choice.surfaces(),
    }


def _problem(item: Item) -> str:
    """The prompt without its questions and answer format."""
    first = min((at for part in item.parts if (at := item.prompt.find(f"\n{part.id}: ")) >= 0), default=None)
    return item.prompt[:first]


def _numbers(item: Item) -> list[str]:
    return _NUMBER.findall(_problem(item))


def _number(item: Item, at: int) -> str:
    numbers = _numbers(item)
    return numbers[at] if numbers else "0"


def _value(text: str) -> float:
    top, _, bottom = text.partition("/")
    return float(top) / float(bottom or 1)


def _nearest(item: Item, role: str) -> str:
    roles = item.params.get("roles")
    text, name = _problem(item), str(roles.get(role, role) if isinstance(roles, Mapping) else role)
    at = text.find(name)
    return min(((abs(match.start() - at), match.group()) for match in _NUMBER.finditer(text)), default=(0, "0"))[1]
