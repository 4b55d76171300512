"""How long `verify` takes an item, by both methods from `params` alone, beside the time to generate it with the gate.

python benchmarks/verify.py [--items 2]
"""

import argparse
import time

from benchpress.generation import addresses, make
from benchpress.modules.causal import MODULE
from benchpress.streams import secret_from_seed
from figures import MOST, figure

SECRET = secret_from_seed(1)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--items", type=int, default=2, help="items per bundle and variant, level 5")
    places = addresses("causal", "speed", (), (), (5,), parser.parse_args().items)
    for place in places[::5]:
        make(SECRET, place)  # what is imported and built once does not count
    start = time.process_time()
    items = [make(SECRET, place).item for place in places]
    made = time.process_time()
    disagreements = sum(not check.agreed for item in items for check in MODULE.verify(item))
    checked = time.process_time()
    if disagreements:
        raise SystemExit(f"{disagreements} parts on which the two methods disagree")
    print(f"{len(items) / (made - start):,.0f} items a second generated, {len(items) / (checked - made):,.0f} verified")
    figure("verification", "time beside generating with the gate", (checked - made) / (made - start), 1, MOST)


if __name__ == "__main__":
    main()
