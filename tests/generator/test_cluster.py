"""The same work on a Dask cluster, or on any executor, gives the same bytes."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from benchpress.generation import addresses, generate
from benchpress.streams import secret_from_seed
from distributed import LocalCluster
from installed import Program

SET = ("generate", "--module", "causal", "--bundle", "d_separation", "--bundle", "simpson", "--n", "2", "--seed", "1")


@pytest.fixture(scope="module")
def scheduler() -> Iterator[str]:
    """The address of a running cluster of two worker processes."""
    with LocalCluster(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None) as cluster:
        yield str(cluster.scheduler_address)


def test_a_cluster_gives_the_same_bytes_as_one_worker(scheduler: str, program: Program, tmp_path: Path) -> None:
    here, there = tmp_path / "here.jsonl", tmp_path / "there.jsonl"
    for path, where in ((here, ("--workers", "1")), (there, ("--cluster", scheduler))):
        done = program(*SET, "--out", path, *where)
        assert done.returncode == 0, done.stderr
        assert "20 items written" in done.stdout
    assert there.read_bytes() == here.read_bytes()


def test_a_cluster_verifies_what_it_generated(scheduler: str, program: Program, tmp_path: Path) -> None:
    path = tmp_path / "items.jsonl"
    assert program(*SET, "--out", path, "--cluster", scheduler).returncode == 0
    done = program("verify", path, "--cluster", scheduler)
    assert done.returncode == 0, done.stderr
    assert "20 items" in done.stdout
    assert "0 disagreements" in done.stdout
    altered = path.read_text().replace('"gold":"yes"', '"gold":"no"', 1)
    path.write_text(altered)
    assert program("verify", path, "--cluster", scheduler).returncode == 1


def test_any_executor_keeps_the_order_of_the_addresses() -> None:
    places = addresses("causal", "practice", ["d_separation"], (), (1,), 20)
    secret = secret_from_seed(5)
    with ThreadPoolExecutor(3) as pool:
        found = [made.item for made in generate(secret, places, pool)]
    assert found == [made.item for made in generate(secret, places)]
    assert [(item.variant, item.level) for item in found] == [(place.variant, place.level) for place in places]
