"""The whole board in a few seconds and little memory, on one core."""

import os
import subprocess
import sys

PROGRAM = """
import resource, time
import numpy as np
from benchpress_evaluator.stats.comparison import compare_all
from benchpress_evaluator.stats.intervals import accuracy_intervals
from benchpress_evaluator.stats.matrix import Condition, Scores

state = np.random.RandomState(0)
points = (state.random_sample((50, 500)) < np.linspace(0.2, 0.8, 50)[:, None]).astype(np.int64)
every = np.ones(points.shape, dtype=np.bool_)
names = tuple(Condition(f"e{k:02d}", "direct") for k in range(50))
items = tuple(f"i{k}" for k in range(500))
scores = Scores(names, items, ("b",), np.zeros(500, dtype=np.int64), points, 1, every, every)
began = time.process_time()
intervals = accuracy_intervals(scores, resamples=10_000)
pairs = compare_all(scores, resamples=10_000)
print(time.process_time() - began, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024, len(pairs.n))
"""


def test_fifty_entrants_500_items_and_10000_resamples_take_under_5_seconds_and_1_gigabyte_on_one_core():
    one_core = dict.fromkeys(("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"), "1")
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=True, env={**os.environ, **one_core}
    )
    seconds, megabytes, pairs = (float(word) for word in done.stdout.split())
    assert pairs == 50 * 49 / 2
    assert seconds < 5
    assert megabytes < 1024
