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
