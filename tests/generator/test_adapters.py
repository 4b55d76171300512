"""Our items and scorer inside other programs: the real packages read them, and every verdict is ours."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from benchpress.adapters.hugging_face import write_dataset
from benchpress.adapters.lm_evaluation import write_task
from benchpress.adapters.practice import PracticeItems
from benchpress.errors import UserError
from benchpress.grading import grade_item
from benchpress.items import Item, Response, Status
from installed import ROOT, Program, one_line_error


def drawn(count: int, **where: Any) -> list[Item]:
    data = PracticeItems(size=count, **where)
    return [data.item(index) for index in range(count)]


@pytest.fixture(scope="module")
def items() -> list[Item]:
    return drawn(40, bundles=("confounding", "d_separation"), levels=(3,))


def written(part: Any) -> str:
    value = part.gold
    return f"{part.id}: {'{' + ', '.join(value) + '}' if isinstance(value, list) else value}"


ANSWERS: list[Callable[[Item], tuple[str, str]]] = [
    lambda item: ("\n".join(map(written, item.parts)), "stop"),
    lambda item: ("\n".join(map(written, item.parts[1:])), "stop"),
    lambda item: (f"<think>{written(item.parts[0])}", "max_tokens"),
    lambda item: ("I'm sorry, but I can't help with that.", "content_filter"),
    lambda item: ("", "stop"),
]


def responses(items: list[Item]) -> list[tuple[Item, str, str]]:
    return [(item, *answer(item)) for item in items for answer in ANSWERS]


class TestPracticeItems:
    def test_it_is_a_sequence_of_questions_that_are_the_same_each_time(self) -> None:
        data = PracticeItems(bundles=("confounding",), levels=(2, 3), seed=4, size=12)
        assert len(data) == len(list(data)) == 12
        assert data[-1]["metadata"]["item_id"] == data[11]["metadata"]["item_id"]
        assert [entry["question"] for entry in data[2:4]] == [data[2]["question"], data[3]["question"]]
        assert data[0] == PracticeItems(bundles=("confounding",), levels=(2, 3), seed=4, size=1)[0]
        assert len({entry["metadata"]["item_id"] for entry in data}) == 12
        assert {entry["metadata"]["difficulty"]["level"] for entry in data} == {2, 3}
        with pytest.raises(IndexError):
            data[12]

    def test_another_seed_gives_other_items(self) -> None:
        assert PracticeItems(seed=1)[0]["question"] != PracticeItems(seed=2)[0]["question"]

    def test_the_reward_is_the_share_of_parts_right(self) -> None:
        data = PracticeItems(bundles=("confounding",), levels=(2,), size=3)
        entry, item = data[1], data.item(1)
        whole = "\n".join(map(written, item.parts))
        assert data.score_answer(whole, entry) == data.score_answer(whole, entry, conjunctive=True) == 1
        partly = "\n".join(map(written, item.parts[1:]))
        assert data.score_answer(partly, entry) == pytest.approx(1 - 1 / len(item.parts))
        assert data.score_answer(partly, entry, conjunctive=True) == 0
        assert data.score_parts(partly, entry)[item.parts[0].id] is False
        assert data.score_answer(None, entry) == 0

    @pytest.mark.parametrize(
        "wrong", [{"size": -1}, {"levels": (11,)}, {"levels": ()}, {"bundles": ("none",)}, {"module": "none"}]
    )
    def test_wrong_settings_are_refused_at_once(self, wrong: dict[str, Any]) -> None:
        with pytest.raises(UserError):
            PracticeItems(**wrong)


def test_hugging_face_reads_the_folder_and_the_croissant(items: list[Item], tmp_path: Path) -> None:
    import datasets
    import mlcroissant as croissant

    assert write_dataset(items, tmp_path / "set", "Practice items") == len(items)
    rows = datasets.load_dataset(str(tmp_path / "set"), split="test", cache_dir=str(tmp_path / "cache"))
    assert [Item.from_json(json.loads(row["item"])) for row in rows] == items
    assert [row["prompt"] for row in rows] == [item.prompt for item in items]
    described = croissant.Dataset(str(tmp_path / "set" / "croissant.json"))
    assert not described.metadata.ctx.issues.errors
    ids = [row["items/id"].decode() for row in described.records("items")]
    assert ids == [item.id for item in items]


def test_lm_evaluation_harness_scores_as_we_do(items: list[Item], tmp_path: Path) -> None:
    os.environ["HF_DATASETS_CACHE"] = str(tmp_path / "cache")
    from lm_eval import simple_evaluate
    from lm_eval.api.model import LM
    from lm_eval.tasks import TaskManager

    write_task(items, tmp_path / "task", "benchpress_practice")
    said = {item.prompt: ANSWERS[index % len(ANSWERS)](item)[0] for index, item in enumerate(items)}

    class Parrot(LM):
        def generate_until(self, requests: list[Any], disable_tqdm: bool = False) -> list[str]:
            return [said[request.args[0]] for request in requests]

        def loglikelihood(self, requests: list[Any]) -> Any:
            raise NotImplementedError

        loglikelihood_rolling = loglikelihood

    tasks = TaskManager(include_path=str(tmp_path / "task"), include_defaults=False)
    got = simple_evaluate(
        Parrot(), tasks=["benchpress_practice"], task_manager=tasks, log_samples=True, bootstrap_iters=0
    )
    results = {item.id: grade_item(item, Response(item.id, said[item.prompt])) for item in items}
    samples = got["samples"]["benchpress_practice"]
    assert {sample["doc"]["id"]: sample["conjunctive"] for sample in samples} == {
        name: float(result.correct) for name, result in results.items()
    }
    totals = got["results"]["benchpress_practice"]
    assert totals["conjunctive,none"] == pytest.approx(sum(result.correct for result in results.values()) / len(items))
    answered = sum(result.status is Status.OK for result in results.values())
    assert totals["answered,none"] == pytest.approx(answered / len(items))


def test_inspect_scores_two_hundred_stored_responses_as_we_do(items: list[Item], tmp_path: Path) -> None:
    from benchpress.adapters.inspect_tasks import benchpress_scorer
    from inspect_ai import Task
    from inspect_ai import eval as evaluate
    from inspect_ai.dataset import MemoryDataset, Sample
    from inspect_ai.model import ModelOutput, ModelUsage, get_model
    from inspect_ai.solver import generate

    stored = responses(items)
    assert len(stored) == 200
    # Every third answer has as many tokens as may be: some servers say "stop" even then.
    cap, outputs = 64, []
    used = [cap if index % 3 == 0 else 1 for index in range(len(stored))]
    for (_, text, stop), tokens in zip(stored, used, strict=True):
        output = ModelOutput.from_content("mockllm/model", text, stop_reason=stop)  # type: ignore[arg-type]
        output.usage = ModelUsage(input_tokens=1, output_tokens=tokens, total_tokens=1 + tokens)
        outputs.append(output)
    samples = [
        Sample(input=item.prompt, id=f"{index:03d}", metadata={"item": item.to_json()})
        for index, (item, _, _) in enumerate(stored)
    ]
    (log,) = evaluate(
        Task(dataset=MemoryDataset(samples), solver=[generate()], scorer=benchpress_scorer()),
        model=get_model("mockllm/model", custom_outputs=outputs),
        max_samples=1,
        max_tokens=cap,
        log_dir=str(tmp_path),
        display="none",
    )
    assert log.status == "success", log.error
    theirs = {}
    for sample in log.samples or []:
        (score,) = (sample.scores or {}).values()
        told = score.metadata or {}
        theirs[sample.id] = score.value == "C", told["status"], told["parts"]
    ours = {}
    for index, (item, text, stop) in enumerate(stored):
        result = grade_item(item, Response(item.id, text, stop, None, used[index], cap))
        parts = {part.id: part.correct for part in result.parts}
        ours[f"{index:03d}"] = result.correct, str(result.status), parts
    assert theirs == ours
    assert {status for _, status, _ in ours.values()} == {"ok", "truncated", "refusal", "invalid_answer"}
    assert log.results is not None
    metrics = log.results.scores[0].metrics
    assert metrics["accuracy"].value == pytest.approx(sum(right for right, _, _ in ours.values()) / 200)
    assert metrics["status ok"].value == pytest.approx(sum(s == "ok" for _, s, _ in ours.values()) / 200)


def test_the_installed_wheel_gives_inspect_its_tasks_by_name(tmp_path: Path) -> None:
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--no-input"]
    quiet = {"check": True, "capture_output": True, "timeout": 240}
    wheel = [*pip, "wheel", "--no-deps", "--no-build-isolation", "-w", tmp_path / "wheels", ROOT / "generator"]
    subprocess.run(wheel, **quiet)
    (built,) = (tmp_path / "wheels").glob("*.whl")
    place = tmp_path / "site-packages"
    subprocess.run([*pip, "install", "--no-deps", "--target", place, built], **quiet)
    code = (
        "import benchpress.adapters.inspect_tasks\n"
        "from inspect_ai._util.registry import registry_find, registry_info\n"
        "tasks = registry_find(lambda info: info.type == 'task')\n"
        "print(sorted(registry_info(task).name for task in tasks))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], env={**os.environ, "PYTHONPATH": str(place)}, capture_output=True, text=True,
        timeout=240, check=True,
    )  # fmt: skip
    assert done.stdout.strip().splitlines()[-1] == "['benchpress/causal', 'benchpress/replay']"


@pytest.mark.parametrize("odd", [0.5, float("inf")])
@pytest.mark.parametrize("form", ["lm-eval", "hugging-face"])
def test_an_item_without_a_canonical_form_is_named(
    program: Program, items: list[Item], tmp_path: Path, form: str, odd: Any
) -> None:
    value = items[0].to_json()
    (tmp_path / "odd.jsonl").write_text(json.dumps({**value, "params": {**value["params"], "odd": odd}}))
    done = program("adapt", form, tmp_path / "odd.jsonl", "--out", tmp_path / "out")
    assert items[0].id in one_line_error(done)


def test_one_command_writes_each_form(program: Program, tmp_path: Path) -> None:
    made = program(
        "generate", "--module", "causal", "--bundle", "collider_bias", "--n", 1, "--seed", 1, "--out", "a.jsonl"
    )
    assert made.returncode == 0, made.stderr
    for form, file in (("lm-eval", "benchpress_a.yaml"), ("hugging-face", "croissant.json")):
        done = program("adapt", form, "a.jsonl", "--out", f"out-{form}")
        assert done.returncode == 0, done.stderr
        assert (tmp_path / f"out-{form}" / file).is_file()
    assert "lm-eval, hugging-face" in one_line_error(program("adapt", "other", "a.jsonl", "--out", "x"))
    assert "cannot write" in one_line_error(program("adapt", "lm-eval", "a.jsonl", "--out", "a.jsonl"))


def test_an_item_is_the_one_that_generate_makes(program: Program, tmp_path: Path) -> None:
    program(
        "generate", "--module", "causal", "--bundle", "confounding", "--n", 2, "--seed", 7, "--level", 4, "--out", "a"
    )
    known = {json.loads(line)["id"] for line in (tmp_path / "a").read_text().splitlines()}
    assert {item.id for item in drawn(10, bundles=("confounding",), levels=(4,), seed=7)} == known
