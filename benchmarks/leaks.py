"""How fast `leak-check` looks through text, encoded text and noise, in megabytes per second of processor time.

    python benchmarks/leaks.py [ITEMS.jsonl]

The items of the file (default: the public twin) are taken for private ones.
"""

import base64
import gzip
import os
import sys
import time
from pathlib import Path

from benchpress_evaluator.leaks.public import NOTHING
from benchpress_evaluator.leaks.search import Search
from benchpress_evaluator.vault.sealed import Sealed

ITEMS = Path(__file__).parent.parent / "public_examples" / "versions" / "causal-public-v1.jsonl"
SIZE = 4_000_000


def main(path: Path) -> None:
    data = path.read_bytes()
    keys = [os.urandom(32) for _ in range(3)]
    private = Sealed("bench", *keys, beacon=None, recipients=(), recipe={}, lines=tuple(data.splitlines()))
    began = time.process_time()
    search = Search([private], NOTHING)
    print(f"prepared {search.windows:,} windows in {time.process_time() - began:.2f} s")
    prose = b"".join(
        (Path(__file__).parent.parent / "docs" / name).read_bytes() for name in ("formats.md", "security.md")
    )
    texts = {
        "prose": (prose * (SIZE // len(prose) + 1))[:SIZE],
        "item lines, all of them findings": data[:SIZE],
        "base64 of noise": base64.b64encode(os.urandom(SIZE * 3 // 4)),
        "noise": os.urandom(SIZE),
        "prose, compressed": gzip.compress((prose * (SIZE // len(prose) + 1))[:SIZE]) + os.urandom(8),
    }
    for name, text in texts.items():
        size = SIZE if "compressed" in name else len(text)
        began = time.process_time()
        found = search.file("f", text)
        took = time.process_time() - began
        print(f"{name:<34} {size / 1e6 / took:6.1f} MB/s  {len(found)} findings")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else ITEMS)
