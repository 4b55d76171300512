"""One HTML file with every table and a chart of the intervals: no script, no request to any host."""

from collections.abc import Sequence
from html import escape

from benchpress_evaluator.stats.metric import Table
from benchpress_evaluator.stats.tables import in_words, records

STYLE = """
:root { color-scheme: light dark; --ink: #1c1c1f; --paper: #fff; --line: #d5d5da; --mark: #2a5bd7; --soft: #f4f4f6; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e8e8ea; --paper: #17171a; --line: #3a3a40; --mark: #8fb0ff; --soft: #222226; }
}
body { margin: 2rem auto; max-width: 75rem; padding: 0 1rem; color: var(--ink); background: var(--paper);
  font: 1rem/1.5 system-ui, sans-serif; }
h1 { font-size: 1.6rem; } h2 { font-size: 1.2rem; margin-top: 2.5rem; }
.wide { overflow-x: auto; } table { border-collapse: collapse; font-size: .9rem; font-variant-numeric: tabular-nums; }
th, td { border-bottom: 1px solid var(--line); padding: .25rem .6rem; text-align: left; vertical-align: top; }
th { background: var(--soft); } td.number { text-align: right; } .note { font-size: .9rem; max-width: 60rem; }
.private { border: 2px solid currentColor; padding: .5rem .8rem; } svg text { fill: var(--ink); font-size: 12px; }
svg line { stroke: var(--line); } svg .bar { stroke: var(--mark); stroke-width: 3; } svg circle { fill: var(--mark); }
"""
ROW, LEFT, WIDTH, RIGHT = 24, 230, 520, 60
PRIVATE = "This report names single items. It stays with the maintainer and is not for publication."


def report(title: str, tables: Sequence[Table]) -> str:
    """The tables as one self-contained page, in the order given; every text is escaped."""
    private = f'<p class="private">{escape(PRIVATE)}</p>' if any(table.secret for table in tables) else ""
    links = "".join(f'<li><a href="#t{place}">{escape(table.title)}</a></li>' for place, table in enumerate(tables))
    body = "\n".join(_section(place, table) for place, table in enumerate(tables))
    return f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>{escape(title)}</title>
<style>{STYLE}</style>
</head>
<body>
<h1>{escape(title)}</h1>
{private}
<nav aria-label="Tables"><ul>{links}</ul></nav>
{body}
</body>
</html>
"""


def _section(place: int, table: Table) -> str:
    notes = "".join(f'<p class="note">{escape(note)}</p>' for note in table.notes)
    return f'<section id="t{place}"><h2>{escape(table.title)}</h2>{notes}{_intervals(table)}{_rows(table)}</section>'


def _rows(table: Table) -> str:
    names = [str(name) for name in table.frame.columns]
    head = "".join(f'<th scope="col">{escape(name)}</th>' for name in names)
    lines = []
    for row in records(table):
        cells = []
        for name in names:
            value = row[name]
            number = isinstance(value, int | float) and not isinstance(value, bool)
            mark = ' class="number"' if number else ""
            cells.append(f"<td{mark}>{escape(in_words(value, name))}</td>")
        lines.append(f"<tr>{''.join(cells)}</tr>")
    return (
        f'<div class="wide" tabindex="0" role="region" aria-label="{escape(table.title)}"><table>'
        f"<thead><tr>{head}</tr></thead><tbody>{''.join(lines)}</tbody></table></div>"
    )


def _intervals(table: Table) -> str:
    """A chart of accuracies with their intervals, for a table that has one line per entrant."""
    if not {"entrant", "accuracy", "low", "high"} <= set(table.frame.columns):
        return ""
    rows = [row for row in records(table) if None not in (row["accuracy"], row["low"], row["high"])]
    names = [(row["entrant"], row.get("method")) for row in rows]
    if not rows or len(set(names)) < len(names):
        return ""
    height = ROW * len(rows) + ROW
    marks = []
    for place, row in enumerate(rows):
        y = ROW * place + ROW / 2
        low, mid, high = (LEFT + WIDTH * float(row[key]) for key in ("low", "accuracy", "high"))
        name = escape(str(row["entrant"])[:32])
        marks.append(
            f'<text x="{LEFT - 10}" y="{y + 4:.1f}" text-anchor="end">{name}</text>'
            f'<line class="bar" x1="{low:.1f}" x2="{high:.1f}" y1="{y:.1f}" y2="{y:.1f}"/>'
            f'<circle cx="{mid:.1f}" cy="{y:.1f}" r="4"/>'
            f'<text x="{LEFT + WIDTH + 10}" y="{y + 4:.1f}">{float(row["accuracy"]):.3f}</text>'
        )
    ticks = "".join(
        f'<line x1="{LEFT + WIDTH * tick / 4:.1f}" x2="{LEFT + WIDTH * tick / 4:.1f}" y1="0" y2="{height - ROW}"/>'
        f'<text x="{LEFT + WIDTH * tick / 4:.1f}" y="{height - 6}" text-anchor="middle">{tick / 4:.2f}</text>'
        for tick in range(5)
    )
    label = escape(f"{table.title}: accuracy with 95 % interval; the table below has the same figures")
    return (
        f'<svg role="img" aria-label="{label}" viewBox="0 0 {LEFT + WIDTH + RIGHT} {height}" '
        f'width="{LEFT + WIDTH + RIGHT}">{ticks}{"".join(marks)}</svg>'
    )
