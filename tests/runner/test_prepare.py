"""`benchpress prepare`: sets in their own layouts become artifacts with digests, and changed ones are refused."""

import importlib.util
import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from benchpress.errors import UserError
from benchpress.jsonl import read_items
from benchpress.modules.choice.question import Question
from benchpress_evaluator.datasets import Spec, load, prepare
from benchpress_evaluator.datasets.sources import of_split
from benchpress_evaluator.datasets.tables import rows_of
from hub import COMMIT, serving
from installed import Program, one_line_error

MMLU = [
    {
        "question": f"What is {n}+{n}?",
        "subject": "sums",
        "choices": [str(2 * n + at) for at in (1, 0, 2, 3)],
        "answer": 1,
    }
    for n in range(3)
] + [{"question": "NA?", "subject": "None", "choices": ["NA", "null", "nan", "None"], "answer": 3}]
ARC = [
    {"id": "a", "question": "Why?", "choices": {"text": ["x", "y", "z"], "label": ["A", "B", "C"]}, "answerKey": "C"},
    {"id": "b", "question": "How?", "choices": {"text": ["p", "q"], "label": ["1", "2"]}, "answerKey": "1"},
]
PRO = [
    {"question_id": 1, "question": "Who?", "options": ["a", None, "c"], "answer_index": 2, "category": "law"},
    {"question_id": 2, "question": "Where?", "options": list("abcdefghij"), "answer_index": 9, "category": "law"},
]
SWAG = [{"ind": 4, "activity_label": "Sailing", "ctx": "A man", "endings": ["a", "b", "c", "d"], "label": "2"}]
TRUTH = [
    {"question": f"Q{n}?", "mc1_targets": {"choices": ["right", "w1", "w2", "w3"], "labels": [1, 0, 0, 0]}}
    for n in range(20)
]
LAYOUTS: list[tuple[str, str, list[dict[str, Any]]]] = [
    ("mmlu", "all/test-00000-of-00001", MMLU),
    ("arc_challenge", "ARC-Challenge/test-00000-of-00001", ARC),
    ("mmlu_pro", "data/test-00000-of-00001", PRO),
    ("hellaswag", "data/validation-00000-of-00001", SWAG),
    ("truthful_qa", "multiple_choice/validation-00000-of-00001", TRUTH),
]


def as_parquet(path: Path, rows: list[dict[str, Any]]) -> None:
    import pyarrow
    from pyarrow import parquet

    parquet.write_table(pyarrow.Table.from_pylist(rows), path)


def as_json_lines(path: Path, rows: list[dict[str, Any]]) -> None:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")


def as_csv(path: Path, rows: list[dict[str, Any]]) -> None:
    import pandas as pd

    pd.DataFrame(rows).to_csv(path, index=False)


FORMS: dict[str, Callable[[Path, list[dict[str, Any]]], None]] = {
    ".parquet": as_parquet,
    ".jsonl": as_json_lines,
    ".csv": as_csv,
}


def stored(folder: Path, name: str, rows: list[dict[str, Any]], form: str) -> Path:
    if form == ".parquet" and importlib.util.find_spec("pyarrow") is None:
        pytest.skip("pyarrow, which reads Parquet, is not installed")
    path = folder / f"{name}{form}"
    path.parent.mkdir(parents=True, exist_ok=True)
    FORMS[form](path, rows)
    return folder


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize(("name", "file", "rows"), LAYOUTS, ids=[layout[0] for layout in LAYOUTS])
def test_every_set_is_prepared_from_its_own_layout(
    tmp_path: Path, name: str, file: str, rows: list[dict[str, Any]], form: str
) -> None:
    source = stored(tmp_path / "source", file, rows, form)
    stored(tmp_path / "source", file.replace("test", "train").replace("validation", "train"), rows[:1], form)
    made = prepare(Spec(name), tmp_path / "out", source)
    questions = [Question.of(item) for item in made.items]
    assert len(questions) == len(rows)
    assert [question.stem for question in questions] == [row.get("question", row.get("ctx")) for row in rows]
    assert load(Spec(name), tmp_path / "out") == made
    golds = {
        "mmlu": ["1"] * 3 + ["3"], "arc_challenge": ["2", "0"], "mmlu_pro": ["2", "9"], "hellaswag": ["2"],
        "truthful_qa": ["0"] * 20,
    }  # fmt: skip
    assert [str(question.gold_source_index) for question in questions] == golds[name]
    if name == "mmlu":
        assert questions[3].texts == ("NA", "null", "nan", "None")
        assert questions[3].subject == "None"
    if name == "truthful_qa":
        assert len({question.gold for question in questions}) > 1
        assert made.artifact["reordered"] is True


def test_the_program_prepares_a_file_of_ones_own_and_says_what_it_made(program: Program, tmp_path: Path) -> None:
    (tmp_path / "mine.csv").write_text(
        'question,A,B,C,answer\n"Which, then?",x,NA,,B\nWho?,u,v,w,C\n', encoding="utf-8"
    )
    done = program("prepare", "mine.csv")
    assert done.returncode == 0, done.stderr
    (path,) = (tmp_path / "data" / "prepared" / "mine" / "all").glob("src_*/items.jsonl")
    items = list(read_items(path))
    assert [item.parts[0].gold for item in items] == ["B", "C"]
    assert Question.of(items[0]).texts == ("x", "NA")
    stats = json.loads((path.parent / "stats.json").read_text())
    assert (stats["modal_k"], stats["modal_rows"], stats["options"]) == (2, 1, {"2": 1, "3": 1})
    again = program("prepare", "mine.csv", "--json")
    artifact = json.loads(again.stdout)
    assert artifact["artifact_id"] == json.loads((path.parent / "artifact.json").read_text())["artifact_id"]
    (tmp_path / "mine.csv").write_text("question,A,B,answer\nWho?,u,v,A\n", encoding="utf-8")
    assert "another state" in one_line_error(program("prepare", "mine.csv"))
    assert program("prepare", "mine.csv", "--replace").returncode == 0
    assert len(list(read_items(path))) == 1


@pytest.mark.parametrize("changed", ["items.jsonl", "stats.json", "artifact.json"])
def test_a_changed_artifact_is_refused(tmp_path: Path, changed: str) -> None:
    made = prepare(Spec("toy"), tmp_path)
    path = made.folder / changed
    path.write_text(path.read_text(encoding="utf-8").replace("10", "11").replace("56", "57"), encoding="utf-8")
    with pytest.raises(UserError, match="chang"):
        load(Spec("toy"), tmp_path)
    path.unlink()
    if changed != "artifact.json":
        with pytest.raises(UserError, match="missing"):
            load(Spec("toy"), tmp_path)


def test_an_artifact_of_another_split_is_not_taken_for_this_one(tmp_path: Path) -> None:
    made = prepare(Spec("toy"), tmp_path)
    other = Spec("toy", split="validation")
    other.folder(tmp_path).parent.mkdir(parents=True)
    shutil.copytree(made.folder, other.folder(tmp_path))
    with pytest.raises(UserError, match="another set or split"):
        load(other, tmp_path)


def test_the_toy_set_needs_no_preparation_and_others_name_the_command(tmp_path: Path) -> None:
    assert len(load(Spec("toy"), tmp_path).items) == 10
    with pytest.raises(UserError, match="run `benchpress prepare mmlu --split dev` first"):
        load(Spec("mmlu", split="dev"), tmp_path)


def test_transforms_are_part_of_where_a_set_is_and_of_what_it_is(tmp_path: Path) -> None:
    rows = [*MMLU, MMLU[0], {**MMLU[1], "choices": ["1", "2", "3", "All of the above"], "answer": 0}]
    source = stored(tmp_path / "source", "all/test-00000-of-00001", rows, ".jsonl")
    with pytest.raises(UserError, match="unique_question_ids_v1"):
        prepare(Spec("mmlu"), tmp_path / "out", source)
    assert not list((tmp_path / "out").rglob("*.jsonl"))
    spec = Spec("mmlu", transforms=("permutation_safe_v1", "unique_question_ids_v1"))
    made = prepare(spec, tmp_path / "out", source)
    assert made.artifact["left_out"] == {"permutation_safe_v1": 1, "unique_question_ids_v1": 2}
    assert len(made.items) == 3
    assert made.folder != Spec("mmlu").folder(tmp_path / "out")


def test_a_set_is_fetched_from_a_hub_at_a_commit(program: Program, tmp_path: Path) -> None:
    folder = stored(tmp_path / "repository", "all/test-00000-of-00001", MMLU, ".jsonl")
    stored(folder, "auxiliary_train/test-00000-of-00001", ARC, ".jsonl")
    with serving(folder, "cais/mmlu") as address:
        home = {"HF_ENDPOINT": address, "HF_HOME": str(tmp_path / "hf")}
        done = program("prepare", "cais/mmlu", "--json", **home)
        assert done.returncode == 0, done.stderr
        artifact = json.loads(done.stdout)
        assert (artifact["commit"], artifact["rows"]) == (COMMIT, 4)
        assert [file["path"] for file in artifact["sources"]] == ["all/test-00000-of-00001.jsonl"]
        assert "no revision 'other'" in one_line_error(program("prepare", "mmlu", "--revision", "other", **home))
        assert "no data set" in one_line_error(program("prepare", "hellaswag", **home))
        assert "no table of the split 'dev'" in one_line_error(program("prepare", "mmlu", "--split", "dev", **home))


def test_without_a_network_there_is_one_line_that_names_the_way_out(program: Program, tmp_path: Path) -> None:
    said = one_line_error(program("prepare", "mmlu", HF_ENDPOINT="http://127.0.0.1:9", HF_HOME=str(tmp_path / "hf")))
    assert "--from FOLDER" in said


def test_a_set_that_nobody_registered_is_refused(program: Program, tmp_path: Path) -> None:
    assert "no benchmark is registered" in one_line_error(program("prepare", "me/unknown"))
    assert "unknown benchmark" in one_line_error(program("prepare", "unknown"))
    assert "no file absent.csv" in one_line_error(program("prepare", "absent.csv"))
    (tmp_path / "x.jsonl").write_text('{"question": "Q"}\n')
    assert "x, row 1" in one_line_error(program("prepare", "x.jsonl"))
    assert "cannot be the name" in one_line_error(program("prepare", "..", "--from", tmp_path / "x.jsonl"))


@pytest.mark.parametrize(
    ("names", "subset", "chosen"),
    [
        (["data/test-00000-of-00002.parquet", "data/test-00001-of-00002.parquet", "data/train-0.parquet"], "", 2),
        (["a/test-00000-of-00001.parquet", "b/test-00000-of-00001.parquet"], "b", 1),
        (["all/test/0000.parquet", "all/test/0001.parquet"], "all", 2),
        (["test.csv", "test.jsonl", "README.md"], "", 1),
        (["test_labels.csv", "test.csv"], "", 1),
    ],
)  # fmt: skip
def test_the_files_of_a_split_are_found_in_known_layouts(names: list[str], subset: str, chosen: int) -> None:
    assert len(of_split(names, subset, "test", "here")) == chosen


def test_a_split_in_several_places_is_not_guessed() -> None:
    with pytest.raises(UserError, match="several places"):
        of_split(["a/test.csv", "b/test.csv"], "", "test", "here")


@pytest.mark.parametrize("text", ["[1]", '{"a": 1}', "{"])
def test_a_json_file_without_rows_is_refused(tmp_path: Path, text: str) -> None:
    path = tmp_path / "x.json"
    path.write_text(text)
    with pytest.raises(UserError, match=r"x\.json"):
        list(rows_of(path))
