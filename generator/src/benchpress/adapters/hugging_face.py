"""A folder that ``datasets.load_dataset`` reads, with a data card and Croissant metadata beside the rows."""

import hashlib
import json
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from benchpress import __version__
from benchpress.adapters.rows import COLUMNS, row_of
from benchpress.errors import UserError
from benchpress.items import Item
from benchpress.jsonl import atomic_write, write_lines

LICENCE = "https://creativecommons.org/licenses/by/4.0/"
_MEANING = {
    "id": "Unique; ends in twelve hex digits of the digest of the item's content.",
    "module": "The track: causal, replay or choice.",
    "bundle": "The concept that the item is about.",
    "variant": "How the bundle is put.",
    "level": "Difficulty, 1 to 10.",
    "prompt": "What a model is asked, with the exact answer format.",
    "parts": "Labels of the answer's parts, in order.",
    "gold": "The key of each part, as JSON text.",
    "item": "The whole item as canonical JSON: what every key can be derived from, and how it was verified.",
}
_CARD = """\
---
license: cc-by-4.0
language: [en]
task_categories: [question-answering]
pretty_name: {title}
size_categories: [{size}]
tags: [reasoning, causal-inference, procedural, verifiable]
configs:
- config_name: default
  data_files:
  - split: test
    path: data/test.jsonl
---

# {title}

{count} public items of Benchpress with keys, each key proved by two methods that share no code. They are examples,
and for practice: sealed items are never published, and results on these are not results of the benchmark.

| bundle | items |
|---|---|
{bundles}

## Columns

| column | meaning |
|---|---|
{columns}

## Scoring

`pip install benchpress-generator`, then for an answer `text` to a row:

```python
import json
from benchpress.grading import grade_item
from benchpress.items import Item, Response

item = Item.from_json(json.loads(row["item"]))
result = grade_item(item, Response(item.id, text))
```

An item is right only where all of its parts are. Made with benchpress-generator {version}. Licence: CC BY 4.0.
"""


def write_dataset(items: Iterable[Item], folder: Path, title: str) -> int:
    """Write rows (`data/test.jsonl`), data card (`README.md`) and `croissant.json`; returns how many items.

    Raises UserError where the folder cannot be written.
    """
    data = folder / "data"
    try:
        data.mkdir(parents=True, exist_ok=True)
    except OSError as problem:
        raise UserError(f"cannot write {folder}: {problem.strerror or problem}") from None
    kept = list(items)
    rows = data / "test.jsonl"
    write_lines(rows, map(row_of, kept))
    bundles = Counter(f"{item.module} / {item.bundle}" for item in kept)
    card = _CARD.format(
        title=title,
        count=len(kept),
        version=__version__,
        size="n<1K" if len(kept) < 1_000 else "1K<n<10K",
        bundles="\n".join(f"| {name} | {count} |" for name, count in bundles.items()),
        columns="\n".join(f"| `{name}` | {_MEANING[name]} |" for name in COLUMNS),
    )
    with atomic_write(folder / "README.md") as out:
        out.write(card)
    with atomic_write(folder / "croissant.json") as out:
        out.write(json.dumps(_croissant(title, rows), indent=2, sort_keys=False) + "\n")
    return len(kept)


def _croissant(title: str, rows: Path) -> dict[str, Any]:
    """Croissant 1.0 metadata (MLCommons): one file, one record set with a field a column."""
    context = {
        "@language": "en",
        "@vocab": "https://schema.org/",
        "citeAs": "cr:citeAs",
        "column": "cr:column",
        "conformsTo": "dct:conformsTo",
        "cr": "http://mlcommons.org/croissant/",
        "data": {"@id": "cr:data", "@type": "@json"},
        "dataType": {"@id": "cr:dataType", "@type": "@vocab"},
        "dct": "http://purl.org/dc/terms/",
        "extract": "cr:extract",
        "field": "cr:field",
        "fileObject": "cr:fileObject",
        "fileProperty": "cr:fileProperty",
        "format": "cr:format",
        "includes": "cr:includes",
        "isLiveDataset": "cr:isLiveDataset",
        "jsonPath": "cr:jsonPath",
        "key": "cr:key",
        "md5": "cr:md5",
        "parentField": "cr:parentField",
        "path": "cr:path",
        "recordSet": "cr:recordSet",
        "references": "cr:references",
        "regex": "cr:regex",
        "repeated": "cr:repeated",
        "replace": "cr:replace",
        "sc": "https://schema.org/",
        "separator": "cr:separator",
        "source": "cr:source",
        "subField": "cr:subField",
        "transform": "cr:transform",
    }
    fields = [
        {
            "@type": "cr:Field",
            "@id": f"items/{name}",
            "name": f"items/{name}",
            "description": _MEANING[name],
            "dataType": "sc:Integer" if name == "level" else "sc:Text",
            **({"repeated": True} if name in ("parts", "gold") else {}),
            "source": {"fileObject": {"@id": "test.jsonl"}, "extract": {"column": name}},
        }
        for name in COLUMNS
    ]
    return {
        "@context": context,
        "@type": "sc:Dataset",
        "conformsTo": "http://mlcommons.org/croissant/1.0",
        "name": "".join(sign if sign.isalnum() else "-" for sign in title.lower()),
        "description": "Public items of formal reasoning with keys that were each proved twice.",
        "license": LICENCE,
        "version": __version__,
        "distribution": [
            {
                "@type": "cr:FileObject",
                "@id": "test.jsonl",
                "name": "test.jsonl",
                "contentUrl": "data/test.jsonl",
                "encodingFormat": "application/jsonlines",
                "sha256": hashlib.sha256(rows.read_bytes()).hexdigest(),
            }
        ],
        "recordSet": [{"@type": "cr:RecordSet", "@id": "items", "name": "items", "field": fields}],
    }
