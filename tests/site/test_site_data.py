"""The publication as the site reads it, and figures as it writes them."""

import json
from pathlib import Path

import pytest
from benchpress.errors import UserError
from benchpress_site.data import read_publication
from benchpress_site.formats import UNKNOWN, money
from synthetic import write_publication


def test_a_folder_without_a_list_of_versions_is_an_empty_publication(tmp_path: Path) -> None:
    found = read_publication(tmp_path)
    assert (found.versions, found.headline, found.newest) == ((), None, None)


def test_a_version_without_a_leaderboard_has_no_rows(tmp_path: Path) -> None:
    data = write_publication(tmp_path / "data", entrants=2, versions=1)
    (data / "causal-v1" / "leaderboard.json").unlink()
    version = next(version for version in read_publication(data).versions if version.name == "causal-v1")
    assert version.rows == ()
    assert version.name_of("anybody") == "anybody"


def test_what_is_there_twice_or_under_another_name_is_refused(tmp_path: Path) -> None:
    data = write_publication(tmp_path / "data", entrants=2, versions=1)
    page = next((data / "causal-v1" / "models").iterdir())
    page.rename(page.with_name("other.json"))
    with pytest.raises(UserError, match=r"other\.json: the file is named for another entrant") as caught:
        read_publication(data)
    assert page.stem in str(caught.value)
    listed = json.loads((data / "versions.json").read_text())
    (data / "versions.json").write_text(json.dumps(listed | {"versions": listed["versions"] * 2}))
    with pytest.raises(UserError, match="is listed twice"):
        read_publication(data)


@pytest.mark.parametrize(
    ("dollars", "shown"),
    [(None, None), (0, "$0"), (12345.678, "$12,345.68"), (1, "$1.00"), (0.25, "$0.25"), (0.000123, "$0.00012")],
)
def test_money_keeps_the_digits_that_matter(dollars: float | None, shown: str | None) -> None:
    assert money(dollars) == (UNKNOWN if shown is None else shown)
