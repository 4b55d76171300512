"""The roster: what it takes, and how it says what is wrong."""

from datetime import date
from pathlib import Path

import pytest
from benchpress.errors import UserError
from benchpress_evaluator.entrants import load_entrants, read_keys, workspace
from benchpress_evaluator.providers import PROVIDERS
from benchpress_evaluator.providers.base import open_provider

ROOT = Path(__file__).resolve().parent.parent.parent


def written(folder: Path, text: str) -> Path:
    path = folder / "models.yaml"
    path.write_text(text, encoding="utf-8")
    return path


def test_the_roster_that_ships_loads_and_so_do_its_commented_entries(tmp_path: Path) -> None:
    text = (ROOT / "models.yaml").read_text(encoding="utf-8")
    shipped = load_entrants(ROOT / "models.yaml")
    assert [entrant.kind for entrant in shipped] == ["reference"] * 4 + ["model"]
    head, found, commented = text.partition("  # Vendors")
    assert found
    lines = [line[4:] for line in commented.splitlines() if line.startswith("  # ") or line == "  #"]
    start = next(number for number, line in enumerate(lines) if line.startswith("- id:"))
    body = "\n".join(f"  {line}" for line in lines[start:])
    everyone = load_entrants(written(tmp_path, head + body + "\n"))
    assert len(everyone) == 13
    keys = {
        "ANTHROPIC_API_KEY": "x",
        "OPENAI_API_KEY": "x",
        "GEMINI_API_KEY": "x",
        "CO_API_KEY": "x",
        "GROQ_API_KEY": "x",
        "AWS_ACCESS_KEY_ID": "x",
        "AWS_SECRET_ACCESS_KEY": "x",
        "AWS_REGION": "us-east-1",
    }
    for entrant in everyone:
        if entrant.provider not in ("local", "reference"):
            # Every native setting is one that the vendor's own package knows.
            open_provider(PROVIDERS.get(entrant.provider), entrant, keys)


GOOD = """
entrants:
  - id: one
    provider: openai
    model: gpt-5
    launch_date: 2025-08-07
    reasoning: true
    params: {reasoning: {effort: high}}
    price: {input: 1.25, output: 10, cached_input: 0.125, date: 2025-08-07}
"""


def test_fields_arrive_as_they_are_meant(tmp_path: Path) -> None:
    (entrant,) = load_entrants(written(tmp_path, GOOD))
    assert entrant.launch_date == date(2025, 8, 7)
    assert entrant.params == {"reasoning": {"effort": "high"}}
    assert entrant.title == "one"
    assert (entrant.openness, entrant.size_class, entrant.concurrency) == (None, None, None)


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        (GOOD.replace("model:", "modell:"), 5, "unknown field"),
        (GOOD.replace("    model: gpt-5\n", ""), 3, "model: is missing"),
        (GOOD + "    model: gpt-6\n", 10, "key 'model' occurs twice"),
        (GOOD + "  - {id: one, provider: openai, model: m}\n", 10, "entrant id 'one' occurs twice"),
        (GOOD.replace("id: one", "id: One Two"), 3, "id:"),
        (GOOD.replace("reasoning: true", "reasoning: maybe"), 7, "reasoning:"),
        (GOOD.replace("2025-08-07\n    reasoning", "last summer\n    reasoning"), 6, "launch_date:"),
        (GOOD.replace("input: 1.25", "input: 0.00000125"), 9, "price.input"),
        (GOOD.replace("output: 10", "output: 0"), 9, "price.output"),
        (GOOD.replace("output: 10,", ""), 9, "price.output: is missing"),
        (GOOD.replace("effort: high", "api_key: abc"), 8, "credential"),
        (GOOD.replace("effort: high", "Authorization: abc"), 8, "credential"),
        (GOOD.replace("effort: high", "since: 2025-01-01"), 8, "quotes"),
        (GOOD + "    base_url: https://me:secret@host/v1\n", 10, "without user"),
        (GOOD + "    base_url: host:8000\n", 10, "http"),
        (GOOD + "    concurrency: 0\n", 10, "concurrency"),
        (GOOD + "    timeout_s: .inf\n", 10, "timeout_s"),
        (GOOD + "   bad indent: [\n", 10, "not valid YAML"),
        ("entrants: []\n", 1, "entrants"),
        ("entrants:\n  - just text\n", 2, "entry 1"),
        ("models: []\n", 1, "models"),
    ],
)
def test_what_is_wrong_is_said_in_one_line_with_its_place(text: str, line: int, message: str, tmp_path: Path) -> None:
    path = written(tmp_path, text)
    with pytest.raises(UserError) as problem:
        load_entrants(path)
    said = str(problem.value)
    assert "\n" not in said
    assert said.startswith(f"{path}, line {line}:")
    assert message in said
    assert "secret" not in said.replace("without user, password", "")


@pytest.mark.parametrize("text", ["", "- a\n- b\n", "42", "\x00", "a: !!python/object:os.system x"])
def test_what_is_no_roster_at_all_is_one_line(text: str, tmp_path: Path) -> None:
    with pytest.raises(UserError) as problem:
        load_entrants(written(tmp_path, text))
    assert "\n" not in str(problem.value)


def test_a_missing_file_and_an_unknown_entrant_are_named(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="does not exist"):
        load_entrants(tmp_path / "nothing.yaml")
    roster = load_entrants(written(tmp_path, GOOD))
    with pytest.raises(UserError, match=r"unknown entrant 'two': .* has one"):
        roster.select(["two"])
    assert [entrant.id for entrant in roster.select(["one", "one"])] == ["one"]


def test_keys_come_from_dotenv_and_the_environment_wins(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / ".env").write_text(
        "# keys\nA_KEY=plain\nexport B_KEY=\"with # and spaces\"\nC_KEY='single'  # trailing\nD_KEY=from-file\nE_KEY=\n"
        "F_KEY=a=b==\n"
    )
    monkeypatch.setenv("D_KEY", "from-environment")
    monkeypatch.setenv("BENCHPRESS_HOME", str(tmp_path))
    assert workspace() == tmp_path
    keys = read_keys()
    assert [keys[name] for name in ("A_KEY", "B_KEY", "C_KEY", "D_KEY", "E_KEY", "F_KEY")] == [
        "plain",
        "with # and spaces",
        "single",
        "from-environment",
        "",
        "a=b==",
    ]


def test_a_broken_dotenv_is_named_without_its_content(tmp_path: Path) -> None:
    (tmp_path / ".env").write_text("A_KEY=fine\nsk-this-is-a-secret\n")
    with pytest.raises(UserError) as problem:
        read_keys(tmp_path)
    assert "line 2" in str(problem.value)
    assert "sk-" not in str(problem.value)
