"""What a grid has written is on the disk before it stands under its name."""

import os
from pathlib import Path

import pytest
from grids import Workspace


def test_the_joined_results_are_on_the_disk_before_they_have_their_name(
    space: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    events: list[tuple[str, str]] = []
    sync, rename = os.fsync, Path.replace

    def synced(handle: int) -> None:
        events.append(("synced", Path(f"/proc/self/fd/{handle}").readlink().name))
        sync(handle)

    def renamed(self: Path, target: Path) -> Path:
        events.append(("renamed", self.name))
        return rename(self, target)

    monkeypatch.setattr(os, "fsync", synced)
    monkeypatch.setattr(Path, "replace", renamed)
    space.run()
    for name in ("results.csv", "results.jsonl", "usage.jsonl"):
        found = [(what, file) for what, file in events if file.startswith(f".{name}.partial")]
        assert [what for what, _ in found[:2]] == ["synced", "renamed"], found


def test_what_a_killed_writer_left_unfinished_is_gone_after_the_next_run(space: Workspace) -> None:
    space.run()
    whole = space.files()
    for name in (".results.csv.partial-7", "results/.cond_0.csv.partial-7", "artifacts/cond_0/.a.json.partial-7"):
        path = space.place() / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(b"half a li")
    # Somebody may be scoring at the same time.
    scored = space.place() / "reports" / ".eval_0.json.partial-8"
    scored.parent.mkdir(exist_ok=True)
    scored.write_bytes(b"{")
    space.run()
    assert scored.read_bytes() == b"{"
    scored.unlink()
    assert [name for name in space.files() if "partial" in name] == []
    assert space.files().keys() == whole.keys()
