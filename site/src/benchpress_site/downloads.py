"""Everything shown, as JSON and CSV under addresses that stay: `data/<version>/<name>.json` and `.csv`."""

import csv
import io
import json
from collections.abc import Iterator, Mapping
from typing import Any

from benchpress.publication import DIGESTS, FILES, Digests, ModelPage, Published, Runs, Versions
from benchpress.publication.text import published_text
from benchpress.spreadsheets import plain_cell

from benchpress_site.data import Publication, Version

TABLES: dict[str, str] = {
    "leaderboard": "rows",
    "pairs": "pairs",
    "skills": "skills",
    "pareto": "axes",
    "timeline": "points",
    "saturation": "evidence",
    "items": "histogram",
    "contamination": "rows",
    "runs": "runs",
    "changelog": "changes",
    "order_bias": "rows",
    "replay": "tables",
}
"""Which list of a file its CSV holds, one line an entry; a list inside an entry gives a line for each of its own."""


def schema(kind: type[Published]) -> str:
    return json.dumps(kind.model_json_schema(), ensure_ascii=False, indent=1, sort_keys=True) + "\n"


def cell(value: Any) -> Any:
    """A value that no spreadsheet takes for a formula; numbers stay numbers, what is unknown is empty."""
    return "" if value is None else plain_cell(value)


def flat(value: Mapping[str, Any], prefix: str = "") -> Iterator[dict[str, Any]]:
    """Lines of one entry: nested objects become dotted columns, a list of objects one line each."""
    line: dict[str, Any] = {}
    lists: list[tuple[str, list[Any]]] = []
    for key, inner in value.items():
        name = f"{prefix}{key}"
        if isinstance(inner, dict):
            for extra in flat(inner, f"{name}."):
                line.update(extra)
        elif isinstance(inner, list) and inner and isinstance(inner[0], dict):
            lists.append((name, inner))
        elif isinstance(inner, list):
            line[name] = " ".join(
                json.dumps(one, ensure_ascii=False) if isinstance(one, list) else str(one) for one in inner
            )
        else:
            line[name] = inner
    if not lists:
        yield line
    for name, inner_lines in lists:
        for entry in inner_lines:
            for extra in flat(entry, f"{name}."):
                yield {**line, **extra}


def as_csv(table: list[Mapping[str, Any]]) -> str:
    """One header and a line per entry, as RFC 4180 wants it: CRLF, quotes where needed, unknown left empty."""
    lines = [line for entry in table for line in flat(entry)]
    columns = list(dict.fromkeys(key for line in lines for key in line))
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\r\n")
    writer.writerow([cell(column) for column in columns])
    writer.writerows([[cell(line.get(column)) for column in columns] for line in lines])
    return text.getvalue()


def files(publication: Publication) -> Iterator[tuple[str, str]]:
    """Address and text of every download; the JSON files are the bytes of the publication, so its digests hold here."""
    yield "data/versions.json", published_text(publication.index)
    yield "data/versions.csv", as_csv([entry.model_dump(mode="json") for entry in publication.index.versions])
    yield "data/schema/versions.json", schema(Versions)
    if publication.digests is not None:
        yield f"data/{DIGESTS}", published_text(publication.digests)
        yield "data/schema/digests.json", schema(Digests)
    yield "data/schema/model.json", schema(ModelPage)
    for name, kind in FILES.items():
        yield f"data/schema/{name}.json", schema(kind)
    for version in publication.versions:
        yield from version_files(version)


def version_files(version: Version) -> Iterator[tuple[str, str]]:
    home = f"data/{version.name}"
    for name, published in version.files.items():
        yield f"{home}/{name}.json", published_text(published)
        if name in TABLES:
            yield f"{home}/{name}.csv", as_csv(entries(name, published))
        if isinstance(published, Runs) and published.exposures:
            yield f"{home}/exposures.csv", as_csv([one.model_dump(mode="json") for one in published.exposures])
    for slug, page in version.models.items():
        yield f"{home}/models/{slug}.json", published_text(page)
    if version.models:
        yield f"{home}/models.csv", as_csv(list(cells(version)))


def entries(name: str, published: Published) -> list[Mapping[str, Any]]:
    """The lines of a file's table; places in a list of sides are written out, so that a line stands alone."""
    value = published.model_dump(mode="json")
    lines: list[Mapping[str, Any]] = value[TABLES[name]]
    if name != "pairs":
        return lines
    sides = value["sides"]
    return [{**line, "a": sides[line["a"]], "b": sides[line["b"]]} for line in lines]


def cells(version: Version) -> Iterator[dict[str, Any]]:
    """Every cell of every model page, in the long form that data frames like."""
    for slug, page in version.models.items():
        for margin in ("bundles", "variants", "levels", "parts", "skills"):
            for one in getattr(page, margin):
                yield {"slug": slug, "method": page.row.method, "margin": margin, **one.model_dump(mode="json")}
