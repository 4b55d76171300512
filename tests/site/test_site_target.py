"""A build empties only a folder that an earlier build filled."""

import subprocess
from pathlib import Path

import pytest
from benchpress.errors import UserError
from benchpress_site.target import MARKER, claim
from installed import BENCHPRESS, one_line_error
from synthetic import write_publication


def build(data: Path, examples: Path, out: Path) -> subprocess.CompletedProcess[str]:
    words = ["site", "build", "--data", str(data), "--examples", str(examples), "--out", str(out)]
    return subprocess.run([BENCHPRESS, *words], capture_output=True, text=True, timeout=300, check=False)


def test_a_folder_with_other_files_is_refused_and_kept_and_a_built_one_is_built_again(
    tmp_path: Path, examples: Path
) -> None:
    data, out = write_publication(tmp_path / "data", entrants=1, versions=1), tmp_path / "out"
    out.mkdir()
    (out / "thesis.txt").write_text("ten years")
    assert str(out) in one_line_error(build(data, examples, out))
    assert [path.name for path in out.iterdir()] == ["thesis.txt"]
    (out / "thesis.txt").unlink()
    assert build(data, examples, out).returncode == 0
    (out / "index.html").unlink()
    done = build(data, examples, out)
    assert done.returncode == 0, done.stderr
    assert (out / "index.html").is_file()


def test_a_site_from_before_the_marker_is_known_by_its_files_and_hidden_files_are_in_nobodys_way(
    tmp_path: Path,
) -> None:
    (tmp_path / "index.html").write_text("another site")
    with pytest.raises(UserError, match="would delete"):
        claim(tmp_path)
    (tmp_path / "data" / "schema").mkdir(parents=True)
    (tmp_path / "data" / "schema" / "versions.json").write_text("{}")
    claim(tmp_path)
    assert (tmp_path / MARKER).is_file()
    worktree = tmp_path / "worktree"
    worktree.mkdir()
    (worktree / ".git").write_text("gitdir: elsewhere")
    claim(worktree)


def test_a_file_in_place_of_the_folder_is_one_clear_line(tmp_path: Path, examples: Path) -> None:
    data = write_publication(tmp_path / "data", entrants=1, versions=1)
    (tmp_path / "out").write_text("a file")
    assert "cannot build into" in one_line_error(build(data, examples, tmp_path / "out"))
