"""What several tests of the replay module draw on: sample items of every setting, and random formulas."""

from functools import cache

from benchpress.generation import Address
from benchpress.items import Item
from benchpress.modules.replay import BUNDLES, MODULE
from benchpress.streams import secret_from_seed
from hypothesis import strategies as st

SEED = 20_260_501
SECRET = secret_from_seed(SEED)
CELLS = [(bundle, variant) for bundle, info in BUNDLES.items() for variant in info.variants]


@cache
def item(bundle: str, variant: str = "original", level: int = 5, index: int = 0) -> Item:
    return MODULE.make(SECRET, Address("replay", "test", bundle, variant, level, index)).item


def formulas(names: list[str]) -> st.SearchStrategy[str]:
    """Formula texts over `names`, with every operator and up to four operands."""

    def grow(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
        several = st.lists(inner, min_size=2, max_size=4).map(" ".join)
        return st.one_of(
            inner.map(lambda text: f"(not {text})"),
            st.tuples(st.sampled_from(["and", "or", "xor", "iff"]), several).map(lambda pair: f"({pair[0]} {pair[1]})"),
        )

    return st.recursive(st.sampled_from(names), grow, max_leaves=12)
