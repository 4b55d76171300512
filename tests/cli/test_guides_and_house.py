"""What the guides say of rooms, entry points, workflows and counts, held against the house itself."""

import re

import pytest
import yaml
from benchpress_evaluator.providers import PROVIDERS
from installed import ROOT

PACKAGES = ("generator/src/benchpress/", "evaluator/src/benchpress_evaluator/")
NUMBERS = {10: "ten", 14: "fourteen", 15: "fifteen", 16: "sixteen", 17: "seventeen", 18: "eighteen"}


def page(name: str) -> str:
    return " ".join((ROOT / name).read_text(encoding="utf-8").split())


@pytest.mark.parametrize("package", PACKAGES)
def test_the_architecture_names_every_room(package: str) -> None:
    text = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    section = text.partition(f"\n{package}\n")[2]
    listed = {
        name for line in re.findall(r"(?m)\A.*$|^  [a-z].*$", re.split(r"\n(?!  )", section)[0])
        for name in re.findall(r"[\w.]+(?:/|\.py)(?=[ ,])", line.split("   ")[0] + " ")
    }  # fmt: skip
    rooms = {f"{one.name}/" for one in (ROOT / package).iterdir() if one.is_dir() and one.name != "__pycache__"}
    assert len(rooms) > 5
    assert rooms == {name for name in listed if name.endswith("/")}
    assert [name for name in listed if not (ROOT / package / name).exists()] == []


def test_the_architecture_names_every_group_of_entry_points() -> None:
    files = [file for place in ("generator", "evaluator", "site") for file in (ROOT / place / "src").rglob("*.py")]
    texts = [file.read_text(encoding="utf-8") for file in files]
    groups = {group for text in texts for group in re.findall(r'Registry(?:\[\w+\])?\(\s*"(benchpress\.\w+)"', text)}
    groups |= {group for text in texts for group in re.findall(r'entry_points\(group="(benchpress\.\w+)"', text)}
    assert len(groups) >= 8
    named = re.search(r"come from installed entry points \(([^)]*)\)", page("docs/architecture.md"))
    assert named
    assert set(re.findall(r"`(benchpress\.\w+)`", named[1])) == groups


def test_the_changelog_counts_the_providers() -> None:
    assert f"{NUMBERS[len(PROVIDERS.names())]} kinds of entrants" in page("CHANGELOG.md")


def test_the_row_of_ci_tells_all_that_it_does() -> None:
    workflow = yaml.safe_load((ROOT / ".github" / "workflows" / "ci.yml").read_text(encoding="utf-8"))
    runs = [step["run"] for job in workflow["jobs"].values() for step in job["steps"] if "run" in step]
    (row,) = re.findall(r"(?m)^\| `ci\.yml` .*$", (ROOT / "docs" / "continuous-evaluation.md").read_text())
    wanted = {"make test" if run == "bash .ci/run" else run for run in runs}
    assert len(wanted) == len(workflow["jobs"])
    assert set(re.findall(r"`(make \w+)`", row)) == wanted
    assert ("once a week" in row) == ("schedule" in workflow[True])  # YAML 1.1 reads the key `on` as true


def test_the_set_up_says_how_long_the_role_must_last() -> None:
    workflow = (ROOT / ".github" / "workflows" / "evaluate.yml").read_text(encoding="utf-8")
    (seconds,) = set(re.findall(r"role-duration-seconds: (\d+)", workflow))
    said = page("docs/continuous-evaluation.md")
    assert f"`MaxSessionDuration` has to be {seconds}" in said
    assert set(re.findall(r"vars\.(BENCHPRESS_\w*ROLE\w*)", workflow)) == {"BENCHPRESS_AWS_ROLE"}
    assert "one role of AWS" in said
    # Nobody may be asked for longer than the role lasts.
    minutes = [int(found) for found in re.findall(r"(?m)^    timeout-minutes: (\d+)", workflow)]
    assert max(minutes) * 60 <= int(seconds)


def test_a_reveal_is_typed_with_what_it_needs() -> None:
    assert "`benchpress reveal VERSION --out FILE --yes`" in page("docs/maintainers.md")


def test_both_places_tell_the_same_time_for_the_published_figures() -> None:
    times = [re.search(r"[Tt]akes? (about [\w ]+? on two quiet cores)", page(name)) for name in
             ("docs/maintainers.md", "tools/publish_own.py")]  # fmt: skip
    assert all(times)
    assert len({found[1] for found in times if found}) == 1
