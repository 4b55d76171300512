"""Public examples: the first items of the public version, as JSON lines and as pages that a person can follow."""

import json
from collections.abc import Iterable, Iterator
from itertools import groupby
from pathlib import Path

from benchpress.commitment import canary
from benchpress.drawing import draw
from benchpress.generation import Address, addresses, make
from benchpress.items import Item, Part
from benchpress.jsonl import atomic_write, write_lines
from benchpress.modules.causal import MODULE
from benchpress.modules.choice.causal.page import page as choice_page
from benchpress.modules.choice.module import choice_address
from benchpress.modules.replay.page import page as replay_page
from benchpress.recipes import published_secret, recipe

VERSION = "causal-public-v1"
REPLAY_VERSION = "replay-public-v1"
PER_BUNDLE = 3
CHOICE_VARIANTS = ("base", "numeric")
"""The variants of the causal items whose multiple-choice form is an example: the first of each in every bundle."""

STYLE = (
    "svg{background:#fff}text{font:13px sans-serif;text-anchor:middle;dominant-baseline:middle;fill:#1c1c1c}"
    "rect{fill:#eef6f5;stroke:#0f5f5c}rect.bp-unmeasured{fill:#fff;stroke-dasharray:4 3}"
    "path,line{fill:none;stroke:#444}marker path{fill:#444}"
)
"""How a drawing looks outside the site, which has a style sheet of its own."""


def example_addresses() -> list[Address]:
    """The first three addresses of every bundle of the public version."""
    places = recipe(VERSION).addresses
    return [place for _, group in groupby(places, key=lambda place: place.bundle) for place in list(group)[:PER_BUNDLE]]


def causal_examples() -> list[Item]:
    """The public examples of the causal module."""
    secret = published_secret(VERSION)
    return [make(secret, place).item for place in example_addresses()]


def public_version() -> Iterator[Item]:
    """Every item of the public version, in its order."""
    secret = published_secret(VERSION)
    return (make(secret, place).item for place in recipe(VERSION).addresses)


def replay_examples() -> list[Item]:
    """One public example of every disclosure and kind of evidence of the replay module, under the same secret."""
    secret = published_secret(VERSION)
    places = addresses("replay", REPLAY_VERSION, levels=(3,), count=1)
    return [make(secret, place).item for place in places]


def choice_examples() -> list[Item]:
    """The multiple-choice forms of a story and a table of every bundle of the public version, under its secret."""
    secret = published_secret(VERSION)
    places = {(place.bundle, place.variant): place for place in reversed(recipe(VERSION).addresses)}
    bundles = dict.fromkeys(place.bundle for place in recipe(VERSION).addresses)
    wanted = [places[bundle, variant] for bundle in bundles for variant in CHOICE_VARIANTS]
    return [make(secret, choice_address(place)).item for place in wanted]


def write_causal(folder: Path, items: Iterable[Item]) -> list[Path]:
    """Write `causal.jsonl`, a page per bundle and the drawings; returns what was written."""
    listed = list(items)
    written = [folder / "causal.jsonl"]
    pages = folder / "causal"
    pages.mkdir(parents=True, exist_ok=True)
    write_lines(written[0], (item.to_json() for item in listed))
    for bundle, group in groupby(listed, key=lambda item: item.bundle):
        members = list(group)
        for number, item in enumerate(members, 1):
            if "graph" in item.params:
                written.append(write(pages / f"{bundle}-{number}.svg", drawing(item)))
        written.append(write_page(pages / f"{bundle}.md", page(bundle, members)))
    return written


def write_replay(folder: Path, items: Iterable[Item]) -> list[Path]:
    """Write `replay.jsonl` and a page per item with its worlds as tables and one replay to follow by hand."""
    listed = list(items)
    written = [folder / "replay.jsonl"]
    pages = folder / "replay"
    pages.mkdir(parents=True, exist_ok=True)
    write_lines(written[0], (item.to_json() for item in listed))
    return written + [write_page(pages / f"{item.bundle}-{item.variant}.md", replay_page(item)) for item in listed]


def write_choice(folder: Path, items: Iterable[Item]) -> list[Path]:
    """Write `choice.jsonl` and a page per causal concept: each question, its key, and what leads to every option."""
    listed = list(items)
    written = [folder / "choice.jsonl"]
    pages = folder / "choice"
    pages.mkdir(parents=True, exist_ok=True)
    write_lines(written[0], (item.to_json() for item in listed))
    for concept, group in groupby(listed, key=lambda item: str(item.params["subject"])):
        written.append(write_page(pages / f"{concept}.md", choice_page(concept, list(group))))
    return written


def write_page(path: Path, text: str) -> Path:
    """Write a page for readers, with the canary by which a model that was trained on it can be told."""
    return write(path, f"{text}\n{warning()}\n")


def warning() -> str:
    """What stands below every page: whoever gathers training data can see that it is a test, and find it by a GUID."""
    guid = canary(published_secret(VERSION))
    return f"*This is benchmark data: please keep it out of training corpora. Canary of {VERSION}: `{guid}`.*"


def write_readme(folder: Path) -> Path:
    """Write what the folder is, for those who meet it outside the repository."""
    lines = (
        "# Public examples of Benchpress",
        f"Items with their keys, made by `benchpress examples` and never by hand. `causal.jsonl` has the first "
        f"{PER_BUNDLE} items of every bundle of {VERSION}, `choice.jsonl` multiple-choice forms of some, and "
        "`replay.jsonl` one of each kind; the folders beside them show the same for reading. "
        f"`versions/{VERSION}.jsonl` is the whole public version. Licence: CC BY 4.0.",
    )
    return write_page(folder / "README.md", "\n\n".join(lines) + "\n")


def write(path: Path, text: str) -> Path:
    with atomic_write(path) as file:
        file.write(text)
    return path


def drawing(item: Item) -> str:
    """The item's graph as a standalone SVG file."""
    svg = draw(item.params["graph"], item.id, item.params.get("unmeasured", ()))
    return svg.replace("><defs>", f"><style>{STYLE}</style><defs>", 1) + "\n"


def page(bundle: str, items: Iterable[Item]) -> str:
    """A bundle's examples for reading: prompt, graph, key, and why the key is right."""
    room = MODULE.rooms[bundle]
    blocks = [
        f"# {bundle}",
        f"{room.summary[0].upper()}{room.summary[1:]}. Public examples; each key was derived twice:",
    ]
    blocks.append(f"first by {room.methods[0]}, then by {room.methods[1]}.")
    for number, item in enumerate(items, 1):
        blocks += list(_item(number, item))
    return "\n\n".join(blocks) + "\n"


def _item(number: int, item: Item) -> Iterator[str]:
    room = MODULE.rooms[item.bundle]
    keys = room.first(item.params)
    reasons = room.why(item.params, keys)
    yield f"## Example {number}: level {item.level}, `{item.id}`"
    yield "\n".join(f"> {line}" if line else ">" for line in item.prompt.split("\n"))
    if "graph" in item.params:
        yield f"![The causal graph of example {number}]({item.bundle}-{number}.svg)"
    rows = ["| part | key | why |", "|---|---|---|"]
    rows += [f"| {part.id} | {_key(part)} | {_cell(reasons.get(part.id, ''))} |" for part in item.parts]
    yield "\n".join(rows)


def _key(part: Part) -> str:
    return " or ".join(f"`{_cell(_written(value))}`" for value in [part.gold, *part.params.get("accept", [])])


def _written(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", " ")
