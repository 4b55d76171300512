"""`modules`, `generate`, `show`, `verify`."""

import os
import sys
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import Executor
from contextlib import nullcontext
from pathlib import Path
from typing import IO, Annotated, Any

import typer

from benchpress import generation
from benchpress.canonical import canonical_text
from benchpress.commands.work import AsJson, Cluster, Workers, executor, print_json, print_table, progress, read_secret
from benchpress.errors import UserError
from benchpress.items import Item
from benchpress.jsonl import atomic_write, read_items, write_lines
from benchpress.registry import MODULES
from benchpress.terminal import printable


def modules(as_json: AsJson = False) -> None:
    """List modules, bundles, variants, part types and levels."""
    rooms = [MODULES.get(name) for name in MODULES]
    if as_json:
        print_json(
            [
                {
                    "module": room.name,
                    "bundle": name,
                    "summary": info.summary,
                    "variants": list(info.variants),
                    "parts": dict(info.parts),
                    "levels": list(info.levels),
                }
                for room in rooms
                for name, info in room.bundles.items()
            ]
        )
        return
    for room in rooms:
        rows = [
            [
                name,
                info.summary,
                " ".join(info.variants),
                ", ".join(f"{part} ({kind})" for part, kind in info.parts.items()),
                f"{info.levels[0]}-{info.levels[-1]}",
            ]
            for name, info in room.bundles.items()
        ]
        print_table(f"module {room.name}", ["bundle", "about", "variants", "parts", "levels"], rows)


def generate(
    module: Annotated[str, typer.Option("--module", help="Module to generate from.")],
    out: Annotated[Path, typer.Option("--out", help="Where the items go, one JSON line each.")],
    n: Annotated[int | None, typer.Option("--n", help="Items per bundle and variant.")] = None,
    bundle: Annotated[list[str] | None, typer.Option("--bundle", help="Only this bundle; may be repeated.")] = None,
    variant: Annotated[list[str] | None, typer.Option("--variant", help="Only this variant; may be repeated.")] = None,
    level: Annotated[int, typer.Option("--level", help="Difficulty, 1 to 10.")] = 5,
    suite: Annotated[
        str | None, typer.Option("--suite", help="A named set of the module instead, such as paper.")
    ] = None,
    prompts: Annotated[
        Path | None, typer.Option("--prompts", help="Also write id and prompt, one JSON line each.")
    ] = None,
    secret_file: Annotated[
        Path | None, typer.Option("--secret-file", help="File with a 256-bit secret in hex.")
    ] = None,
    seed: Annotated[
        int | None, typer.Option("--seed", help="A public practice set; anybody can make it again.")
    ] = None,
    workers: Workers = 1,
    cluster: Cluster = None,
) -> None:
    """Generate practice items with keys; every key is confirmed by two methods before it is written."""
    secret = read_secret(secret_file, seed)
    if suite is not None:
        if n is not None or bundle or variant:
            raise UserError("--suite fixes the items itself: leave --n, --bundle and --variant out")
        places = suite_of(module, suite)
    elif n is None:
        raise UserError("say how many with --n, or name a set with --suite")
    else:
        places = generation.addresses(module, generation.PRACTICE, bundle or (), variant or (), (level,), n)
    refusals: Counter[str] = Counter()
    seen: set[str] = set()

    def lines(pool: Executor | None, texts: IO[str] | None) -> Iterator[dict[str, Any]]:
        for made in generation.generate(secret, places, pool):
            item = made.item
            if item.id in seen:
                raise UserError(
                    f"{item.module} {item.bundle} {item.variant} has too few different items at level {item.level}: "
                    "one was drawn twice; ask for fewer with --n, or for another level"
                )
            seen.add(item.id)
            refusals.update(made.refusals)
            if texts is not None:
                texts.write(canonical_text({"item_id": item.id, "prompt": item.prompt}) + "\n")
            yield item.to_json()

    if prompts is not None and os.path.realpath(prompts) == os.path.realpath(out):
        raise UserError("--out and --prompts name the same file; give each its own")
    with (
        executor(workers, cluster) as pool,
        progress("generating", len(places)) as step,
        nullcontext() if prompts is None else atomic_write(prompts) as texts,
    ):
        count = write_lines(out, lines(pool, texts), step)
    print(f"{count} items written to {out}; every key agreed by two methods")
    if refusals:
        total = sum(refusals.values())
        most = "; ".join(f"{times} {why}" for why, times in refusals.most_common(5))
        print(f"{total} drawings refused and drawn again: {most}")


def suite_of(module: str, name: str) -> list[generation.Address]:
    """The addresses of a module's named set. Raises UserError where it has none."""
    find = getattr(MODULES.get(module), "suite", None)
    if find is None:
        raise UserError(f"module {module} has no named sets: leave --suite out and use --n")
    found: list[generation.Address] = find(name)
    return found


def show(
    items: Annotated[Path, typer.Argument(help="An item file.")],
    item_id: Annotated[str, typer.Argument(metavar="ID", help="Which item; the beginning or end of an id is enough.")],
    as_json: AsJson = False,
) -> None:
    """Show prompt, key and verification of one item."""
    item = find_item(items, item_id)
    if as_json:
        print_json(item.to_json())
        return
    where = f"module {item.module}, bundle {item.bundle}, variant {item.variant}, level {item.level}"
    print(printable(f"{item.id}\n{where}\n\n{item.prompt}\n"))
    methods = {entry.part: ", ".join(entry.methods) for entry in item.verification}
    rows = [[part.id, part.type, _gold(part.gold, part.params), methods.get(part.id, "")] for part in item.parts]
    print_table("key", ["part", "type", "gold", "agreed by"], rows)


def _gold(gold: Any, params: Any) -> str:
    import json

    text = gold if isinstance(gold, str) else json.dumps(gold, ensure_ascii=False)
    others = params.get("accept") or []
    return text + "".join(f" or {json.dumps(other, ensure_ascii=False)}" for other in others)


def find_item(path: Path, wanted: str) -> Item:
    """The one item whose id is, begins with or ends with `wanted`."""
    matches: list[Item] = []
    for item in read_items(path):
        if item.id == wanted:
            return item
        if item.id.startswith(wanted) or item.id.endswith(wanted):
            matches.append(item)
    if len(matches) == 1:
        return matches[0]
    if matches:
        raise UserError(
            f"{len(matches)} items in {path} match {wanted!r}; give more of the id, such as {matches[0].id}"
        )
    raise UserError(f"no item {wanted!r} in {path}")


def verify(
    items: Annotated[Path, typer.Argument(help="An item file; keys may be missing.")],
    workers: Workers = 1,
    cluster: Cluster = None,
    as_json: AsJson = False,
) -> None:
    """Derive every key anew by both methods, from params alone. Exits with 1 on any disagreement."""
    given, total, checked, missing, problems = 0, 0, 0, 0, []

    def counted() -> Iterator[Item]:
        nonlocal given
        for item in read_items(items):
            given += 1
            yield item

    with executor(workers, cluster) as pool, progress("verifying") as step:
        for found in generation.ordered(verify_item, counted(), pool):
            step()
            total += 1
            checked += found["parts"]
            missing += found["without_gold"]
            problems += found["problems"]
    if total != given:
        raise UserError(f"{items} holds {given} items and {total} came back verified: verify it again with --workers 1")
    if as_json:
        print_json({"items": total, "parts": checked, "without_gold": missing, "disagreements": problems})
    else:
        for problem in problems:
            print(printable(f"{problem['item']} {problem['part']}: {problem['what']}"))
        print(f"{total} items, {checked} parts derived by two methods, {len(problems)} disagreements")
        if missing:
            print(f"{missing} parts had no gold; it was derived")
    if problems:
        sys.exit(1)


def verify_item(item: Item) -> dict[str, Any]:
    """What verification finds in one item: parts checked, parts without gold, and disagreements."""
    if item.module not in MODULES:
        raise UserError(f"item {item.id}: no module {item.module!r} here to verify it with")
    room = MODULES.get(item.module)
    try:
        checks = room.verify(item)
    except (LookupError, ValueError, TypeError, AttributeError, ArithmeticError, UserError) as problem:
        what = f"params do not state a problem of this bundle ({type(problem).__name__}: {problem})"
        return _found(item, len(item.parts), 0, [("params", what)])
    parts = {part.id: part for part in item.parts}
    problems = [
        (name, "asked about, but not a part of this problem") for name in parts if name not in {c.part for c in checks}
    ]
    without = 0
    for check in checks:
        part = parts.get(check.part)
        if not check.agreed:
            problems.append(
                (check.part, check.note or f"the two methods disagree (the first says {check.derived.gold!r})")
            )
        elif part is None:
            problems.append((check.part, "this part is missing"))
        elif part.gold is None:
            without += 1
        elif part.gold != check.derived.gold:
            problems.append((check.part, f"the item says {part.gold!r}, both methods say {check.derived.gold!r}"))
        elif dict(part.params) != dict(check.derived.params):
            problems.append((check.part, "the scorer's parameters differ from what the problem implies"))
    return _found(item, len(checks), without, problems)


def _found(item: Item, parts: int, without: int, problems: list[tuple[str, str]]) -> dict[str, Any]:
    named = [{"item": item.id, "part": part, "what": what} for part, what in problems]
    return {"parts": parts, "without_gold": without, "problems": named}
