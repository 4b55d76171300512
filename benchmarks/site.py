"""How long the site takes to build, and whether a page costs the same when there are many.

`python benchmarks/site.py` builds invented publications of 20 and of 60 entrants on three versions and prints seconds
by the clock and of the processor (the build is one thread, so on a quiet machine the two agree), pages and their cost.
The target is 60 entrants on three versions in under 15 s on two quiet cores.
"""

import contextlib
import io
import sys
import tempfile
import time
from pathlib import Path

from figures import MOST, figure

ROOT = Path(__file__).resolve().parent.parent


def measure(entrants: int, folder: Path) -> tuple[float, float, int, int]:
    """Seconds of a whole build by the clock and of the processor, its pages and its bytes."""
    sys.path.insert(0, str(ROOT / "tests" / "site"))
    from benchpress_site.commands import build
    from building import write_examples
    from synthetic import write_publication

    data = write_publication(folder / "data", entrants=entrants, versions=3)
    examples = write_examples(folder / "examples")
    out = folder / "site"
    started, worked = time.perf_counter(), time.process_time()
    with contextlib.redirect_stdout(io.StringIO()):
        build(data=data, examples=examples, out=out, strict=False)
    seconds, work = time.perf_counter() - started, time.process_time() - worked
    files = [path for path in out.rglob("*") if path.is_file()]
    return seconds, work, sum(path.suffix == ".html" for path in files), sum(path.stat().st_size for path in files)


def main() -> None:
    print(f"{'entrants':>8} {'pages':>6} {'clock s':>8} {'work s':>7} {'ms/page':>8} {'MB':>6}")
    each = []
    for entrants in (20, 60):
        with tempfile.TemporaryDirectory() as folder:
            seconds, work, pages, size = measure(entrants, Path(folder))
        print(f"{entrants:>8} {pages:>6} {seconds:>8.1f} {work:>7.1f} {1000 * work / pages:>8.1f} {size / 1e6:>6.1f}")
        each.append(work / pages)
    figure("site", "seconds of 60 entrants on three versions, of the 15 allowed", seconds / 15, 1, MOST)
    figure("site", "time a page with 60 entrants beside 20", each[1] / each[0], 1.25, MOST)


if __name__ == "__main__":
    main()
