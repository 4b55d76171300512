"""A grid that is killed three times at random and resumed has the results of one that nobody disturbed."""

import os
import random
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest
from benchpress_evaluator.providers.base import Settings
from benchpress_evaluator.providers.local import CHILD, find_weights
from killing import calls, finish, killed, results, write_grid

NO_MODEL = pytest.mark.skipif(find_spec("xllamacpp") is None, reason="needs benchpress-evaluator[local]")
LOCAL = pytest.param("local", 2, marks=[NO_MODEL, pytest.mark.xdist_group("llama")])


@pytest.mark.parametrize(("model", "questions"), [("dummy", 6), LOCAL])
def test_killed_three_times_and_resumed_byte_for_byte(model: str, questions: int, tmp_path: Path) -> None:
    write_grid(tmp_path, questions, [model])
    finish(tmp_path, "whole")
    expected, whole = results(tmp_path, "whole"), calls(tmp_path, "whole")
    # Five methods: 1, 4 and 2 calls a question, 4 again, and for half of them 4, for the others 1.
    assert whole == questions * (1 + 4 + 2 + 4) + questions // 2 * (4 + 1)
    assert expected["results.jsonl"].count(b"\n") == 5 * questions
    found = killed(tmp_path, "killed", whole, 3, random.Random(questions))
    assert found.results == expected
    assert calls(tmp_path, "killed") == whole


@NO_MODEL
@pytest.mark.xdist_group("llama")
def test_a_model_that_was_starting_when_its_run_was_killed_ends_too() -> None:
    heard, told = os.pipe()
    os.close(heard)
    weights = find_weights(Settings("subject", "smollm2-135m-instruct"))
    child = subprocess.Popen(
        [sys.executable, "-m", CHILD, str(told), str(weights), "256", "1", "1"],
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        pass_fds=(told,),
    )
    os.close(told)
    try:
        child.wait(120)
    finally:
        child.kill()
        child.wait()
