"""What an item file gives away for nothing: fixed answers, text-blind guesses, shallow text rules, duplicates.

Every rule answers without reasoning. A rule is judged by the scorers that judge everybody, so a ceiling that holds
here holds for an entrant that only pattern-matches.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from math import log2
from statistics import median
from typing import Any

from benchpress import audit_choice
from benchpress.audit_choice import Rule
from benchpress.audit_rules import blind_rules, shallow_rules
from benchpress.canonical import canonical_text, digest
from benchpress.grading import grade_item
from benchpress.items import Item, Json, Part, Reading, Response
from benchpress.registry import PART_TYPES
from benchpress.wording.lint import lint

CEILINGS = {"fixed": 0.05, "shallow": 0.10, "example": 0.01, "modal verdict": 0.65}
"""At level 5 and above, the largest share of items that each kind of free answer may get right."""

STRUCTURES = 100
"""Distinct unlabelled structures that a bundle of graph problems must show, where it has ten times as many items."""

ROUNDS = 4
"""How often colours of nodes are refined when structures are compared."""

BEAM = 64
_EXAMPLE = "Example of the format"


@dataclass(frozen=True, slots=True)
class PartAudit:
    """How the keys of one part are spread."""

    part: str
    type: str
    n: int
    distinct: int
    entropy_bits: float
    modal_share: float
    modal: str


@dataclass(slots=True)
class BundleAudit:
    """What was found in one bundle. Shares are of its items, conjunctive."""

    bundle: str
    items: int
    parts: list[PartAudit]
    fixed: float
    blind: float
    blind_rule: str
    shallow: float
    shallow_rule: str
    example: float
    duplicate_prompts: int
    structures: int | None
    lint: list[str]
    prompt_characters: tuple[int, float, int]
    """Smallest, median, largest."""
    findings: list[str] = field(default_factory=list)


def audit(items: Iterable[Item]) -> list[BundleAudit]:
    """The audit of every bundle, in the order of the file."""
    groups: dict[str, list[Item]] = {}
    for item in items:
        groups.setdefault(f"{item.module}/{item.bundle}", []).append(item)
    return [audit_bundle(name, group) for name, group in groups.items()]


def audit_bundle(name: str, items: Sequence[Item]) -> BundleAudit:
    """The audit of items of one bundle."""
    parts = _spread(items)
    modal = {part.part: _modal(items, part.part) for part in parts}
    blind, blind_rule = _best(items, blind_rules(modal))
    shallow, shallow_rule = _best(items, shallow_rules(modal))
    sizes = [len(item.prompt) for item in items]
    prompts = Counter(item.prompt for item in items)
    found = BundleAudit(
        bundle=name,
        items=len(items),
        parts=parts,
        fixed=_best_fixed(items),
        blind=blind,
        blind_rule=blind_rule,
        shallow=shallow,
        shallow_rule=shallow_rule,
        example=_share(grade_item(item, Response(item.id, example_of(item))).correct for item in items),
        duplicate_prompts=len(items) - len(prompts),
        structures=_structures(items),
        lint=sorted({word for item in items for word in lint(item.prompt)}),
        prompt_characters=(min(sizes), median(sizes), max(sizes)),
    )
    found.findings = _findings(found, items)
    return found


def example_of(item: Item) -> str:
    """The worked example that the prompt prints."""
    return item.prompt[item.prompt.rfind(_EXAMPLE) :]


def right(item: Item, part: Part, value: Json) -> bool:
    """Whether `value` would be scored as right."""
    read = str(value) if part.type == "number" else value
    return bool(PART_TYPES.get(part.type).score(Reading(read), part, item).correct)


def _findings(found: BundleAudit, items: Sequence[Item]) -> list[str]:
    """What is wrong; the ceilings speak of level 5 and above."""
    wrong = [f"lint refuses {word!r}" for word in found.lint]
    if found.duplicate_prompts:
        wrong.append(f"{found.duplicate_prompts} duplicate prompts")
    if min(item.level for item in items) < 5:
        return wrong
    ceilings = CEILINGS
    if all(part.type == "choice" for item in items for part in item.parts):
        ceilings = {**CEILINGS, **audit_choice.ceilings(items)}
    if found.fixed > ceilings["fixed"]:
        wrong.append(f"one fixed answer gets {found.fixed:.1%}")
    if found.blind > ceilings["fixed"]:
        wrong.append(f"the text-blind rule [{found.blind_rule}] gets {found.blind:.1%}")
    if found.shallow > ceilings["shallow"]:
        wrong.append(f"the shallow rule [{found.shallow_rule}] gets {found.shallow:.1%}")
    if found.example > CEILINGS["example"]:
        wrong.append(f"copying the worked example gets {found.example:.1%}")
    for part in found.parts:
        if part.type == "verdict" and part.n >= 100 and part.modal_share > CEILINGS["modal verdict"]:
            wrong.append(f"part {part.part} is {part.modal} in {part.modal_share:.0%}")
        if part.distinct == 1 and part.n >= 20:
            wrong.append(f"part {part.part} has a constant answer")
    if found.structures is not None and found.items >= 10 * STRUCTURES and found.structures < STRUCTURES:
        wrong.append(f"only {found.structures} distinct structures")
    return wrong


def _share(hits: Iterable[bool]) -> float:
    listed = list(hits)
    return sum(listed) / len(listed)


def _labels(items: Sequence[Item]) -> list[str]:
    return list(dict.fromkeys(part.id for item in items for part in item.parts))


def _spread(items: Sequence[Item]) -> list[PartAudit]:
    found = []
    for label in _labels(items):
        parts = [part for item in items for part in item.parts if part.id == label]
        counts = Counter(canonical_text(part.gold) for part in parts)
        n = len(parts)
        entropy = -sum(count / n * log2(count / n) for count in counts.values())
        value, most = min(counts.items(), key=lambda entry: (-entry[1], entry[0]))
        found.append(PartAudit(label, parts[0].type, n, len(counts), abs(entropy), most / n, value))
    return found


def _modal(items: Sequence[Item], label: str) -> Json:
    golds = [part.gold for item in items for part in item.parts if part.id == label]
    texts = Counter(canonical_text(gold) for gold in golds)
    best = min(texts.items(), key=lambda entry: (-entry[1], entry[0]))[0]
    return next(gold for gold in golds if canonical_text(gold) == best)


def _best_fixed(items: Sequence[Item]) -> float:
    """The largest share of items that one tuple of values gets right; tried are the most frequent keys."""
    keys = Counter(canonical_text([[part.id, part.gold] for part in item.parts]) for item in items)
    golds = {canonical_text([[part.id, part.gold] for part in item.parts]): item.parts for item in items}
    best = 0.0
    for text, _ in sorted(keys.items(), key=lambda entry: (-entry[1], entry[0]))[:20]:
        values = {(part.id, part.type): part.gold for part in golds[text]}
        hits = sum(
            all((key := (part.id, part.type)) in values and right(item, part, values[key]) for part in item.parts)
            for item in items
        )
        best = max(best, hits / len(items))
    return best


def _best(items: Sequence[Item], rules: Mapping[str, Mapping[str, Rule]]) -> tuple[float, str]:
    """The combination of one rule per part that gets most items right, found by a beam over the parts.

    A part that an item does not have is right for free, as it is for an entrant.
    """
    every = (1 << len(items)) - 1
    beam: list[tuple[int, tuple[str, ...]]] = [(every, ())]
    for label in _labels(items):
        kind = next(part.type for item in items for part in item.parts if part.id == label)
        tried: dict[int, str] = {}
        for name, rule in rules.get(kind, {}).items():
            hits = 0
            for at, item in enumerate(items):
                part = next((part for part in item.parts if part.id == label), None)
                if part is None or (part.type == kind and right(item, part, rule(item, part))):
                    hits |= 1 << at
            tried.setdefault(hits, name)
        beam = sorted(
            ((mask & hits, (*names, f"{label}: {name}")) for mask, names in beam for hits, name in tried.items()),
            key=lambda entry: (-entry[0].bit_count(), entry[1]),
        )[:BEAM]
    if not beam:
        return 0.0, "none"
    return beam[0][0].bit_count() / len(items), ", ".join(beam[0][1])


def _structures(items: Sequence[Item]) -> int | None:
    """At least how many unlabelled structures occur; None where not every item has a graph in the form of ours."""
    graphs = [item.params for item in items if isinstance(item.params.get("graph"), dict)]
    if len(graphs) < len(items):
        return None
    try:
        return len({_shape(params) for params in graphs})
    except (LookupError, TypeError, ValueError, AttributeError):
        return None


def _shape(params: Mapping[str, Any]) -> str:
    """The same for graphs that differ in names alone: roles as colours, refined by the colours of causes and effects.

    Hidden common causes are nodes. Graphs that refinement cannot tell apart count as one, so none is counted twice.
    Reference: Weisfeiler and Leman 1968.
    """
    graph = params["graph"]
    roles = {name: role for role, name in params.get("roles", {}).items() if isinstance(name, str)}
    colour = {
        name: f"{roles.get(name, '')}/{'hidden' if name in params.get('unmeasured', ()) else ''}"
        for name in graph["nodes"]
    }
    edges = [(tail, head) for tail, head in graph["directed"]]
    for number, pair in enumerate(graph.get("bidirected", ())):
        latent = f"#{number}"
        colour[latent] = "latent"
        edges += [(latent, head) for head in pair]
    for _ in range(ROUNDS):
        around: dict[str, tuple[list[str], list[str]]] = {name: ([], []) for name in colour}
        for tail, head in edges:
            around[head][0].append(colour[tail])
            around[tail][1].append(colour[head])
        colour = {
            name: digest([colour[name], sorted(causes), sorted(effects)])[:16]
            for name, (causes, effects) in around.items()
        }
    return " ".join(sorted(colour.values()))
