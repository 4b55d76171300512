"""Streams: derived by HMAC over canonical JSON, drawn from SHAKE-256 by rejection."""

import hashlib
import hmac
from collections import Counter

import pytest
from benchpress.streams import Stream, derive, secret_from_seed
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import chisquare

KEY = bytes(range(32))


def test_a_stream_is_shake_256_of_the_hmac_of_its_address() -> None:
    address = b'["benchpress.stream/1","causal","v1","confounding","base",5,0,0,"draw"]'
    key = hmac.new(KEY, address, hashlib.sha256).digest()
    expected = hashlib.shake_256(key).digest(2000)
    stream = derive(KEY, "causal", "v1", "confounding", "base", 5, 0, 0, "draw")
    assert bytes(stream.bits(8) for _ in range(2000)) == expected


def test_neighbouring_addresses_and_seeds_share_nothing() -> None:
    drawn = {derive(secret_from_seed(seed), "m", index).bits(256) for seed in range(20) for index in range(20)}
    assert len(drawn) == 400


@given(st.integers(1, 10**6))
def test_draws_stay_below_the_bound(bound: int) -> None:
    stream = Stream(KEY)
    assert all(0 <= stream.below(bound) < bound for _ in range(20))


@pytest.mark.parametrize("bound", [2, 3, 7, 10, 100])
def test_draws_are_uniform(bound: int) -> None:
    stream = Stream(hashlib.sha256(str(bound).encode()).digest())
    counts = Counter(stream.below(bound) for _ in range(200 * bound))
    assert chisquare([counts[value] for value in range(bound)]).pvalue > 1e-4


def test_every_permutation_is_equally_likely() -> None:
    stream = Stream(KEY)
    counts = Counter(tuple(stream.shuffled("abc")) for _ in range(6000))
    assert len(counts) == 6
    assert chisquare(list(counts.values())).pvalue > 1e-4


def test_a_sample_is_without_repetition_and_weights_count() -> None:
    stream = Stream(KEY)
    assert all(len(set(stream.sample(range(9), 5))) == 5 for _ in range(100))
    counts = Counter(stream.weighted("ab", (1, 3)) for _ in range(8000))
    assert chisquare([counts["a"], counts["b"]], [2000, 6000]).pvalue > 1e-4


@pytest.mark.parametrize("bound", [0, -1])
def test_an_empty_range_is_refused(bound: int) -> None:
    with pytest.raises(ValueError, match="no integer"):
        Stream(KEY).below(bound)
