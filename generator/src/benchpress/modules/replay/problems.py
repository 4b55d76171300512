"""Items from matched models: what each setting discloses, the key, and the proof of the key by two evaluators."""

import json
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

from benchpress.items import Item, Part
from benchpress.models.boolean_cells import replay_metrics, replayed_row, tree
from benchpress.models.boolean_replay import Model
from benchpress.modules.replay.alternatives import answer
from benchpress.modules.replay.ambiguity import (
    Support,
    Tables,
    coordinated_pairs,
    count_acyclic,
    count_hidden_roots,
    count_ordered,
    local_alternatives,
    tables,
)
from benchpress.modules.replay.ladder import coverage
from benchpress.modules.replay.matched import Matched, packed_rows, training_worlds, world_json
from benchpress.modules.replay.observed import observe
from benchpress.modules.replay.prompts import compose, read_prompt, stated
from benchpress.modules.replay.regimes import World
from benchpress.parts.mechanisms import MECHANISMS

METHODS = ("bit-parallel replay", "replay by single values")

SKILLS = ("mechanism_induction",)


def build(matched: Matched, secret: bytes, bundle: str, variant: str, level: int) -> Item:
    """The item of one setting, without id and verification."""
    train = training_worlds(matched, secret, bundle, variant)
    gold: dict[str, Any] = {
        "mechanisms": {name: str(formula) for name, formula in sorted(matched.latent.model.formulas.items())},
        "order": list(matched.latent.order),
        "roots": sorted(matched.latent.roots, key=matched.latent.variables.index),
    }
    params = _params(matched, secret, bundle, variant, train)
    if bundle.startswith("alt"):
        params["reference"], gold["example"] = _reference(matched, secret)
    part = Part("MODEL", "mechanisms", gold, skills=SKILLS)
    return Item("", "replay", bundle, variant, level, params, compose(params), (part,))


def _params(matched: Matched, secret: bytes, bundle: str, variant: str, train: Sequence[World]) -> dict[str, Any]:
    latent, configuration = matched.latent, matched.configuration
    variables = latent.variables
    hides_roots = bundle == "hidden_roots"
    order: Any = None
    if bundle in ("ordered", "alt_ordered"):
        order = list(latent.order)
    elif bundle == "block_order":
        order = _blocks(matched, secret)
    seen, patterns = coverage(matched.designer(matched.stream(secret, "coverage")), train)
    params: dict[str, Any] = {
        "variant": bundle,
        "rules": "strict",
        "variables": list(variables),
        "roots": None if hides_roots else sorted(latent.roots, key=variables.index),
        "endogenous": None if hides_roots else sorted(latent.endogenous, key=variables.index),
        "order": order,
        "operators": ["not", "and", "or", "xor", "iff"],
        "allow_constants": False,
        "most_parents": configuration.most_parents,
        "reference": None,
        "worlds": [
            *(world_json(world, f"train_{number:02d}", "train", variables) for number, world in enumerate(train)),
            *(
                world_json(world, f"heldout_{number:02d}", "heldout", variables)
                for number, world in enumerate(matched.heldout)
            ),
        ],
        "evidence": variant,
        "configuration": configuration.name,
        "matched": matched.id,
        "coverage": f"{seen}/{patterns}",
    }
    if hides_roots:
        params["root_count"] = len(latent.roots)
    params["ambiguity"] = _ambiguity(matched, bundle, params, train)
    return params


def _blocks(matched: Matched, secret: bytes) -> list[list[str]]:
    """The true order cut into two blocks (even indices) or three (odd ones) of two variables or more, each shuffled."""
    stream = matched.stream(secret, "blocks")
    order = matched.latent.order
    pieces = 3 if int(matched.path[-1]) % 2 and len(order) >= 6 else 2
    while True:
        cuts = sorted(stream.sample(range(2, len(order) - 1), pieces - 1))
        ends = [0, *cuts, len(order)]
        blocks = [list(order[start:end]) for start, end in pairwise(ends)]
        if min(map(len, blocks)) >= 2:
            return [stream.shuffled(block) for block in blocks]


def _ambiguity(matched: Matched, bundle: str, params: Mapping[str, Any], train: Sequence[World]) -> dict[str, Any]:
    """How many models fit, in the class of at most so many functional parents, and how many are near the true one."""
    place = {name: index for index, name in enumerate(matched.latent.variables)}
    usable = matched.usable(bundle)
    if bundle == "block_order":
        known = 0
        for block in params["order"]:
            known |= sum(1 << place[name] for name in block)
            usable |= {place[name]: known & ~(1 << place[name]) for name in block if place[name] in usable}
    most = matched.configuration.most_parents
    table = tables(packed_rows(train), most, None if bundle == "hidden_roots" else sorted(usable))
    parents = {
        place[name]: sum(1 << place[parent] for parent in matched.latent.parents(name))
        for name in matched.latent.endogenous
    }
    local = local_alternatives(table, usable, parents)
    return {
        "parents": most,
        "models": count_models(table, bundle, usable, len(matched.latent.roots)),
        "local": {matched.latent.variables[target]: count for target, count in sorted(local.items())},
        "pairs": coordinated_pairs(table, usable, parents),
    }


def count_models(table: Tables, bundle: str, usable: Mapping[int, Support], root_count: int) -> int:
    """The number of fitting models under what a setting discloses."""
    if bundle in ("ordered", "alt_ordered"):
        return count_ordered(table, usable)
    if bundle == "hidden_roots":
        return count_hidden_roots(table, root_count)
    return count_acyclic(table, usable)


def _reference(matched: Matched, secret: bytes) -> tuple[dict[str, Any], dict[str, Any]]:
    """The reference of an Alt-SCM item (the true model at even indices, an alternative at odd ones), and an answer."""
    stream = matched.stream(secret, "reference")
    other, told = stream.choice(matched.alternatives)
    truth = matched.latent.model
    is_truth = int(matched.path[-1]) % 2 == 0
    reference, alternative = (truth, other) if is_truth else (other, truth)
    return (
        {"mechanisms": _texts(reference), "role": "gold" if is_truth else "alternative"},
        answer(alternative, told, reference_first=is_truth),
    )


def _texts(model: Model) -> dict[str, str]:
    return {name: str(formula) for name, formula in sorted(model.formulas.items())}


def confirm(item: Item) -> tuple[bool, str]:
    """Does the key hold by both evaluators, does the prompt state the problem, and do as many models fit as stated?
    With a note where not.

    The bit-parallel evaluator reads the key as an entrant's answer would be read. The other one, which shares no code
    with it, replays every row value by value; for an Alt-SCM item also the reference and the example answer.
    """
    gold = item.parts[0].gold
    if not isinstance(gold, Mapping) or "mechanisms" not in gold:
        return False, "a replay key is checked, not derived: this item has none"
    if read_prompt(item.prompt) != stated(item.params):
        return False, "the printed problem does not read back as params"
    result = MECHANISMS.score(MECHANISMS.read(key_answer(item), item.parts[0], item), item.parts[0], item)
    if not result.correct:
        return False, f"bit-parallel replay refuses the key {result.note}".rstrip()
    single = replay_metrics(item.params["worlds"], gold["mechanisms"], gold["mechanisms"])
    if not (single["heldout_exact"] and single["parents_exact"]):
        return False, "replay by single values refuses the key"
    if item.bundle.startswith("alt") and not _alternative_holds(item):
        return False, "replay by single values refuses the example answer"
    models = models_that_fit(item.prompt)
    if models != item.params["ambiguity"]["models"]:
        return False, f"{models} models fit, another number than params say"
    if item.variant == "counterexample" and models != 1:
        return False, f"{models} models fit"
    return True, ""


def models_that_fit(prompt: str) -> int:
    """The exact number of models that fit a printed problem, in the class that it states, from its text alone."""
    problem = observe(prompt)
    usable = {target: problem.usable[target] for target in problem.endogenous}
    return count_models(
        tables(problem.rows, problem.most, problem.endogenous), problem.variant, usable, problem.root_count
    )


def key_answer(item: Item) -> str:
    """The right answer to an item, as an entrant would write it."""
    gold = item.parts[0].gold
    if "example" in gold:
        return json.dumps(gold["example"])
    if item.bundle == "hidden_roots":
        return json.dumps({"roots": gold["roots"], "mechanisms": gold["mechanisms"]})
    return json.dumps({"mechanisms": gold["mechanisms"]})


def _alternative_holds(item: Item) -> bool:
    """The example answer of an Alt-SCM item, by replaying row by row."""
    params, example = item.params, item.parts[0].gold["example"]
    reference, alternative = params["reference"]["mechanisms"], example["alternative"]["mechanisms"]
    for mechanisms in (reference, alternative):
        if not replay_metrics(params["worlds"], mechanisms, reference)["train_exact"]:
            return False
    held = example["experiment"]["assignments"]
    row = {**dict.fromkeys(params["variables"], 0), **example["witness"]["rootAssignment"]}
    values = [
        replayed_row({name: tree(text) for name, text in mechanisms.items()}, held, row)
        for mechanisms in (reference, alternative)
    ]
    claims = example["witness"]["differences"]
    return bool(claims) and all(
        claim["variable"] not in held
        and [value[claim["variable"]] for value in values] == [claim["reference"], claim["alternative"]]
        and claim["reference"] != claim["alternative"]
        for claim in claims
    )
