"""Places that cannot be written and settings that no outcome can have are refused in one line, before any call."""

from pathlib import Path

import pytest
from benchpress_evaluator.commands.options import check_file
from installed import Program, one_line_error

ROSTER = "entrants:\n  - {id: exact, provider: reference, model: exact}\n"


@pytest.fixture
def scored(program: Program, tmp_path: Path) -> Path:
    """A workspace with a public item that was asked and scored, and a file `taken`."""
    (tmp_path / "models.yaml").write_text(ROSTER)
    (tmp_path / "taken").write_text("a file")
    chosen = ("--module", "causal", "--bundle", "confounding", "--variant", "base", "--level", 4, "--n", 1)
    made = program("generate", *chosen, "--seed", 1, "--out", "items.jsonl")
    assert made.returncode == 0, made.stderr
    for words in (("run", "--items", "items.jsonl"), ("score", "--items", "items.jsonl")):
        done = program(*words)
        assert done.returncode == 0, done.stderr
    return tmp_path


def test_a_file_where_a_folder_is_wanted_is_one_line(program: Program, scored: Path) -> None:
    items = ("--items", "items.jsonl")
    for words, option in (
        (("stats", *items, "--csv", "taken"), "--csv"),
        (("stats", *items, "--csv", "taken/below"), "--csv"),
        (("export", *items, "--out", "taken"), "--out"),
        (("run", "--benchmark", "toy", "--entrant", "exact", "--store", "taken"), "--store"),
        (("score", "--run-id", "x", "--store", "taken"), "--store"),
    ):
        line = one_line_error(program(*words))
        assert option in line
        assert "not a folder" in line
    assert (scored / "taken").read_text() == "a file"


def test_a_negative_seed_is_refused(program: Program, scored: Path) -> None:
    for words in (("compare", "exact", "exact"), ("stats",)):
        assert "--seed" in one_line_error(program(*words, "--items", "items.jsonl", "--seed", -1))


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"--version": "../v2"}, "../v2"),
        ({"--version": "v2-"}, "version"),
        ({"--target": "1.5"}, "target"),
        ({"--items-per-bundle": "5"}, "at least 20"),
        ({"--out": "nowhere/recipe.yaml"}, "nowhere/recipe.yaml"),
        ({"--out": "runs"}, "runs"),
    ],
)
def test_calibrate_checks_everything_before_it_asks_anything(
    program: Program, tmp_path: Path, options: dict[str, str], says: str
) -> None:
    (tmp_path / "models.yaml").write_text(ROSTER)
    (tmp_path / "runs").mkdir()
    given = {"--version": "v2", "--out": "recipe.yaml", "--entrant": "exact", "--bundle": "confounding", "--seed": "1"}
    words = [word for pair in {**given, **options}.items() for word in pair]
    assert says in one_line_error(program("calibrate", *words))
    assert list((tmp_path / "runs").iterdir()) == []
    assert not (tmp_path / "recipe.yaml").exists()


def test_trying_a_place_leaves_what_is_there_and_nothing_else(tmp_path: Path) -> None:
    (tmp_path / "held.yaml").write_text("held")
    check_file(tmp_path / "held.yaml")
    check_file(tmp_path / "new.yaml")
    assert [path.name for path in tmp_path.iterdir()] == ["held.yaml"]
    assert (tmp_path / "held.yaml").read_text() == "held"


def test_what_is_no_method_and_no_provider_is_one_line(program: Program, scored: Path) -> None:
    (scored / "models.yaml").write_text(ROSTER + "  - {id: odd, provider: 'json:dumps', model: m}\n")
    line = one_line_error(program("run", "--items", "items.jsonl", "--entrant", "odd"))
    assert "'json:dumps' is no provider" in line
    # A condition of a grid fails alone, and says why.
    done = program("run", "--benchmark", "toy", "--entrant", "exact", "--method", "json:dumps")
    assert done.returncode == 1
    assert "'json:dumps' is no method" in " ".join(done.stdout.split())
