"""Files in a folder: replaced only in a known state, never half written, never outside."""

import threading
from pathlib import Path

import pytest
from benchpress.errors import UserError
from benchpress_evaluator.storage import ConflictError, MissingError, open_storage


def test_a_file_is_written_once_and_replaced_only_in_a_known_state(tmp_path: Path) -> None:
    storage = open_storage(tmp_path / "new" / "folder")
    assert storage.names("") == []
    assert storage.read_tagged("a/file") is None
    storage.write("a/file", b"one", expected=None)
    with pytest.raises(ConflictError, match="exists already; nothing was written"):
        storage.write("a/file", b"two", expected=None)
    found = storage.read_tagged("a/file")
    assert found is not None
    storage.write("a/file", b"three", expected=found[1])
    with pytest.raises(ConflictError, match="was changed by somebody else; nothing was written"):
        storage.write("a/file", b"four", expected=found[1])
    with pytest.raises(ConflictError, match="does not exist any more"):
        storage.write("a/other", b"four", expected=found[1])
    assert storage.read("a/file") == b"three"
    storage.write("top", b"", expected=None)
    assert (storage.names("a"), storage.names(""), storage.names("b")) == (["a/file"], ["top"], [])
    with pytest.raises(MissingError, match="b does not exist"):
        storage.read("b")
    with pytest.raises(MissingError, match="b does not exist"):
        list(storage.read_log("b"))
    everything = sorted(path.name for path in (tmp_path / "new").rglob("*"))
    assert everything == ["a", "file", "folder", "top"]


def test_of_many_writers_at_once_one_wins(tmp_path: Path) -> None:
    won: list[int] = []

    def write(number: int) -> None:
        try:
            open_storage(tmp_path).write("file", b"%d" % number, expected=None)
            won.append(number)
        except ConflictError:
            pass

    threads = [threading.Thread(target=write, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(won) == 1
    assert open_storage(tmp_path).read("file") == b"%d" % won[0]


@pytest.mark.parametrize("name", ["../x", "/etc/x", "a/../../x", "a//b", "", ".", "a\\b", "a\0b"])
def test_no_name_leads_outside(name: str, tmp_path: Path) -> None:
    storage = open_storage(tmp_path / "inside")
    for attempt in (
        lambda: storage.write(name, b"x", expected=None),
        lambda: storage.read(name),
        lambda: storage.new_log(name),
        lambda: list(storage.read_log(name)),
    ):
        with pytest.raises(UserError, match="is no name for a stored file"):
            attempt()
    assert list(tmp_path.iterdir()) == []


def test_a_log_belongs_to_one_writer(tmp_path: Path) -> None:
    storage = open_storage(tmp_path)
    log = storage.new_log("log")
    log.append(b"ab", sync=False)
    log.append(b"c", sync=True)
    with pytest.raises(ConflictError, match="exists already"):
        storage.new_log("log")
    assert b"".join(storage.read_log("log")) == b"abc"


def test_other_places_are_refused_in_one_line(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="only a folder or s3://bucket/prefix"):
        open_storage("gs://bucket")
    with pytest.raises(UserError, match="write s3://bucket/prefix"):
        open_storage("s3:///x")
    (tmp_path / "file").write_bytes(b"x")
    with pytest.raises(UserError, match=r"cannot write .*file/a"):
        open_storage(tmp_path / "file").write("a", b"x", expected=None)
