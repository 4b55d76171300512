"""The same items put to the same model by Inspect AI and by our own runner: the same verdicts, item by item."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from benchpress.adapters.practice import PracticeItems
from benchpress.jsonl import write_lines
from installed import BENCHPRESS

pytestmark = pytest.mark.xdist_group("llama")

COUNT, TOKENS = 3, 48
INSPECT = """
import sys
from benchpress.adapters.inspect_tasks import causal
from inspect_ai import eval as evaluate

items, logs, tokens = sys.argv[1:4]
(log,) = evaluate(causal(items=items), model="openai-api/llama/local", temperature=0, max_tokens=int(tokens),
                  max_connections=1, log_dir=logs, display="none")
assert log.status == "success", log.error
for sample in log.samples:
    (score,) = sample.scores.values()
    print("VERDICT", sample.id, score.metadata["status"], score.value == "C", sorted(score.metadata["parts"].items()))
"""


def test_inspect_and_our_run_agree_on_a_real_model(llama_alone: str, tmp_path: Path) -> None:
    data = PracticeItems(bundles=("collider_bias", "confounding"), levels=(1,), size=COUNT)
    write_lines(tmp_path / "items.jsonl", (data.item(index).to_json() for index in range(COUNT)))
    (tmp_path / "models.yaml").write_text(
        "entrants:\n"
        f"  - {{id: llama, provider: openai_compatible, model: local, base_url: '{llama_alone}/v1',"
        f" concurrency: 1, params: {{temperature: 0, max_tokens: {TOKENS}}}}}\n"
    )
    environment = {
        **os.environ, "BENCHPRESS_HOME": str(tmp_path), "LLAMA_BASE_URL": f"{llama_alone}/v1", "LLAMA_API_KEY": "none",
    }  # fmt: skip

    def call(*words: object) -> str:
        done = subprocess.run(
            list(map(str, words)),
            capture_output=True,
            text=True,
            cwd=tmp_path,
            env=environment,
            timeout=240,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    told = call(sys.executable, "-c", INSPECT, "items.jsonl", "logs", TOKENS)
    theirs = sorted(line.removeprefix("VERDICT ") for line in told.splitlines() if line.startswith("VERDICT "))
    call(BENCHPRESS, "run", "--items", "items.jsonl")
    call(BENCHPRESS, "score", "--items", "items.jsonl", "--out", "scores.jsonl")
    ours = []
    for line in (tmp_path / "scores.jsonl").read_text().splitlines():
        score = json.loads(line)
        parts = sorted((part["id"], part["correct"]) for part in score["parts"])
        ours.append(f"{score['item_id']} {score['status']} {score['correct']} {parts}")
    assert len(theirs) == COUNT
    assert sorted(ours) == theirs
