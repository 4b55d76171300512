"""Builds a site as the program does, and makes the public items that it shows."""

from pathlib import Path

from benchpress import generation
from benchpress.jsonl import write_lines
from benchpress_site.commands import build as make


def build(data: Path, examples: Path, out: Path) -> Path:
    """The site of `data` in `out`, strict: a warning is a failure."""
    make(data=data, examples=examples, out=out, strict=True)
    return out


def write_examples(folder: Path) -> Path:
    """Two causal items and a replay item, made from a published secret."""
    folder.mkdir(parents=True)
    for module, bundle, variants in (
        ("causal", "confounding", ["base", "numeric"]),
        ("replay", "alt_hidden", ["original"]),
    ):
        places = generation.addresses(module, "practice", [bundle], variants, [4], 1)
        made = generation.generate(bytes(32), places)
        write_lines(folder / f"{module}.jsonl", (one.item.to_json() for one in made))
    return folder
