"""Files of strangers: bent in one field each, they are one clear line; what they hold never commands a terminal."""

import json
import os
import pty
import subprocess
from pathlib import Path
from typing import Any

import pytest
from installed import BENCHPRESS, Program, one_line_error

Fields = dict[str, Any]
CLIPBOARD = "\x1b]52;c;aGk=\x07"
BAR = "a\u009b2Jb\x7f"


def part(**fields: Any) -> Fields:
    return {"id": "P", "type": "number", "gold": "1", "params": {}, "skills": [], **fields}


def item(**fields: Any) -> Fields:
    """A whole item of somebody else's, with some fields replaced."""
    whole = {"id": "x1", "module": "m", "bundle": "b", "variant": "v", "level": 1, "params": {}, "prompt": "What?"}
    return {**whole, "parts": [part()], "verification": [{"part": "P", "methods": ["a", "b"]}], **fields}


@pytest.fixture
def given(tmp_path: Path) -> Path:
    return tmp_path / "items.jsonl"


def write(path: Path, *items: Fields) -> None:
    path.write_text("".join(json.dumps(one) + "\n" for one in items))


@pytest.mark.parametrize(
    ("fields", "says"),
    [
        *(({"verification": [{"part": name, "methods": ["a"]}]}, "verification") for name in ([], {}, None, 1)),
        *(({"verification": [{"part": "P", "methods": these}]}, "verification") for these in ([1], "ab", {"a": 1})),
        ({"verification": [{"part": "P", "methods": None}]}, "not an item"),
        *(({"level": level}, "level must be a whole number") for level in (None, [], {}, "5", 1.5, True)),
        ({"parts": [part(skills=[1])]}, "skills"),
    ],
)
def test_a_bent_field_is_named_where_items_are_read(program: Program, given: Path, fields: Fields, says: str) -> None:
    write(given, item(), item(id="x2", **fields))
    for words in (("show", given, "zzz"), ("audit-items", given)):
        error = one_line_error(program(*words))
        assert "items.jsonl, line 2: not an item" in error
        assert says in error


@pytest.mark.parametrize("gold", [1.5, True, None, [], {"a": 1}, "x"])
def test_an_audit_reads_keys_as_grading_does(program: Program, given: Path, gold: Any) -> None:
    write(given, item(), item(id="x2", parts=[part(gold=gold)]))
    (given.parent / "responses.jsonl").write_text("")
    audited = one_line_error(program("audit-items", given))
    assert audited == one_line_error(program("grade", given, "responses.jsonl", "--out", "scores.jsonl"))
    assert "item 'x2', part 'P' (number)" in audited


@pytest.mark.parametrize(
    "other",
    [
        {"parts": [part(type="verdict", gold="no")]},
        {"parts": [part(type="node_set", gold=["A"], params={"universe": None})]},
        {"parts": [part(gold=3)]},
        {"prompt": "Is 1/0 more than 2?"},
        {"params": {"roles": ["A"], "graph": {"nodes": "?"}}},
        {"params": {"graph": {"nodes": ["A"], "directed": [["A", "B"]]}}},
    ],
)
def test_what_can_be_graded_can_be_audited(program: Program, given: Path, other: Fields) -> None:
    write(given, item(**other), *(item(id=f"x{n}", **other) for n in (2, 3)), item(id="x4"))
    done = program("audit-items", given)
    assert done.returncode == 1, done.stderr
    assert "duplicate prompts" in done.stdout
    write(given, item(**other))
    assert program("audit-items", given).returncode in (0, 1)


def on_a_terminal(folder: Path, *words: str) -> bytes:
    """What a terminal is sent by the program, errors and all."""
    leader, follower = pty.openpty()
    done = subprocess.run([BENCHPRESS, *words], cwd=folder, stdout=follower, stderr=follower, timeout=100, check=False)
    os.close(follower)
    sent = b""
    try:
        while more := os.read(leader, 65536):
            sent += more
    except OSError:  # so Linux says that the other end is closed
        pass
    assert done.returncode in (0, 1, 2), sent
    return sent


@pytest.mark.parametrize(
    "words",
    [
        ("show", "items.jsonl", "x1"),
        ("show", "items.jsonl", "x1", "--json"),
        ("show", "items.jsonl", "x"),
        ("verify", "items.jsonl"),
        ("audit-items", "items.jsonl"),
        ("explain", "items.jsonl", "responses.jsonl", "x1"),
        ("grade", "items.jsonl", "responses.jsonl", "--out", "scores.jsonl"),
    ],
)
def test_a_terminal_is_sent_text_alone(given: Path, words: tuple[str, ...]) -> None:
    label = f"P{CLIPBOARD}"
    parts = [part(id=label, type="verdict", gold=BAR, params={"vocabulary": [BAR, CLIPBOARD]})]
    evil = item(id=f"x1{CLIPBOARD}", module="causal", bundle=f"b{BAR}", prompt=f"{CLIPBOARD}{BAR}\r?", parts=parts)
    write(given, evil, {**evil, "id": f"x2{BAR}"})
    response = {"item_id": evil["id"], "text": f"{label}: {CLIPBOARD}"}
    (given.parent / "responses.jsonl").write_text(json.dumps(response) + "\n")
    sent = on_a_terminal(given.parent, *words)
    assert sent
    for control in (b"\x1b]", b"\x07", b"\x7f", "\u009b".encode()):
        assert control not in sent, sent
    assert b"\r?" not in sent
