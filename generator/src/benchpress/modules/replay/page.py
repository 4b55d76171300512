"""A readable page of a replay item: the worlds as tables, the key, and one replay that a reader can follow by hand."""

from collections.abc import Iterator, Mapping, Sequence
from math import log2
from typing import Any

from benchpress.items import Item
from benchpress.models.boolean_cells import names_in, replayed_row, tree, value_of
from benchpress.modules.replay.problems import key_answer


def page(item: Item) -> str:
    """The item as Markdown, with its answer."""
    return "\n\n".join(_sections(item)) + "\n"


def _sections(item: Item) -> Iterator[str]:
    params, gold = item.params, item.parts[0].gold
    train = [world for world in params["worlds"] if world["split"] == "train"]
    heldout = [world for world in params["worlds"] if world["split"] == "heldout"]
    yield f"# {item.id}"
    yield (
        f"Setting `{item.bundle}`, evidence `{item.variant}`, level {item.level}: "
        f"{len(params['variables'])} variables, {len(train)} worlds shown, {len(heldout)} held out."
    )
    yield "## What a solver is told\n\n" + "\n".join(_told(params))
    yield "## The worlds shown"
    for world in train:
        yield _table(world, params)
    yield "## The key"
    lines = [f"- `{name} = {text}`" for name, text in _in_order(gold).items()]
    yield "\n".join([f"Roots: {', '.join(gold['roots'])}", "", *lines])
    yield "## One replay by hand"
    yield "\n".join(_walk(_telling(train, gold), gold))
    if "example" in gold:
        yield "## One alternative, told apart by hand"
        yield "\n".join(_comparison(params, gold))
    yield "## How much is left open"
    yield _ambiguity(params)
    yield "## The held-out worlds"
    for world in heldout:
        yield _table(world, params)
    yield "## A right answer\n\n```json\n" + key_answer(item) + "\n```"


def _told(params: Mapping[str, Any]) -> Iterator[str]:
    if params["roots"] is None:
        yield f"- Of the variables {', '.join(params['variables'])}, {params['root_count']} are roots."
    else:
        yield f"- Roots: {', '.join(params['roots'])}; computed: {', '.join(params['endogenous'])}."
    order = params["order"]
    if order is None:
        yield "- The order is hidden."
    elif isinstance(order[0], list):
        yield "- Blocks of the order: " + " < ".join("{" + ", ".join(block) + "}" for block in order) + "."
    else:
        yield f"- Order: {' < '.join(order)}."
    yield f"- Each mechanism depends on at most {params['most_parents']} variables."
    if params["reference"]:
        for name, text in sorted(params["reference"]["mechanisms"].items()):
            yield f"- Reference: `{name} = {text}`"


def _table(world: Mapping[str, Any], params: Mapping[str, Any]) -> str:
    """A world as a table; intervened columns are marked."""
    targets = world["targets"]
    names = params["variables"]
    if not targets:
        what = "no intervention"
    elif "assigned" in targets.values():
        what = f"set in every row: {', '.join(targets)}"
    else:
        what = "held constant: " + ", ".join(f"{name} = {value}" for name, value in targets.items())
    head = "| row | " + " | ".join(f"*{name}*" if name in targets else name for name in names) + " |"
    rule = "|---|" + "---|" * len(names)
    rows = [
        f"| {number} | " + " | ".join(f"*{row[name]}*" if name in targets else str(row[name]) for name in names) + " |"
        for number, row in enumerate(world["rows"], 1)
    ]
    return "\n".join([f"**{world['id']}**: {what}", "", head, rule, *rows])


def _in_order(gold: Mapping[str, Any]) -> dict[str, str]:
    return {name: gold["mechanisms"][name] for name in gold["order"] if name in gold["mechanisms"]}


def _telling(worlds: Sequence[Mapping[str, Any]], gold: Mapping[str, Any]) -> Mapping[str, Any]:
    """The world that intervenes on some computed variable, and on the fewest: most is left to follow."""
    held = {world["id"]: len(set(world["targets"]) & set(gold["mechanisms"])) for world in worlds}
    return min(worlds, key=lambda world: held[world["id"]] or len(gold["order"]))


def _walk(world: Mapping[str, Any], gold: Mapping[str, Any]) -> Iterator[str]:
    """The first row of a world, variable by variable in the true order."""
    row = world["rows"][0]
    mechanisms = {name: tree(text) for name, text in gold["mechanisms"].items()}
    values = replayed_row(mechanisms, world["targets"], row)
    yield f"Row 1 of {world['id']}, by the key, in the true order:"
    yield ""
    for name in gold["order"]:
        if name in world["targets"]:
            yield f"1. {name} is intervened: it has the value it was set to, {row[name]}. Not judged."
        elif name not in mechanisms:
            yield f"1. {name} is a root: its value is taken from the row, {row[name]}. Not judged."
        else:
            known = ", ".join(f"{need} = {values[need]}" for need in sorted(names_in(mechanisms[name])))
            value = value_of(mechanisms[name], values)
            verdict = "as shown" if value == row[name] else f"but {row[name]} is shown"
            yield f"1. {name} = `{gold['mechanisms'][name]}` with {known} gives {value}, {verdict}."


def _comparison(params: Mapping[str, Any], gold: Mapping[str, Any]) -> Iterator[str]:
    """The example answer of an Alt-SCM item: both models under the experiment, at the witness."""
    example = gold["example"]
    reference, alternative = params["reference"]["mechanisms"], example["alternative"]["mechanisms"]
    held, roots = example["experiment"]["assignments"], example["witness"]["rootAssignment"]
    for name in sorted(reference):
        if reference[name] != alternative[name]:
            yield f"- The reference has `{name} = {reference[name]}`, the alternative `{name} = {alternative[name]}`."
    do = ", ".join(f"{name} = {value}" for name, value in held.items())
    witness = ", ".join(f"{name} = {roots[name]}" for name in sorted(roots))
    yield f"- Experiment: hold {do}. Witness: roots at {witness}."
    row = {**dict.fromkeys(params["variables"], 0), **roots}
    first, second = (
        replayed_row({name: tree(text) for name, text in model.items()}, held, row)
        for model in (reference, alternative)
    )
    yield ""
    yield "| variable | reference | alternative |"
    yield "|---|---|---|"
    for name in params["variables"]:
        mark = "**" if first[name] != second[name] else ""
        yield f"| {name} | {mark}{first[name]}{mark} | {mark}{second[name]}{mark} |"


def _ambiguity(params: Mapping[str, Any]) -> str:
    facts = params["ambiguity"]
    models = facts["models"]
    local = ", ".join(f"{name} {count}" for name, count in facts["local"].items())
    seen, patterns = map(int, params["coverage"].split("/"))
    proof = (
        "So the key is the only answer in this class: a proof, not a search."
        if models == 1
        else f"That is {log2(models):.1f} bits that the worlds shown leave open."
    )
    return (
        f"Exactly {models} model{'s fit' if models != 1 else ' fits'} every world shown, among those in which each "
        f"mechanism depends on at most {facts['parents']} variables. {proof} Other functions that fit when the rest of "
        f"the key stays: {local}; pairs of changes that fit together: {facts['pairs']}. Of the assignments of the "
        f"variables just before each one, {100 * seen / patterns:.1f} % were seen."
    )
