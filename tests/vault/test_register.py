"""The register names what was planned before the first call and binds the journal at the end."""

import json
from pathlib import Path

import pytest
from benchpress.errors import UserError
from benchpress.publication import Runs
from benchpress_evaluator.journal import Journal, SegmentHead
from benchpress_evaluator.register import Condition, Register, check_journal, merge_heads, published
from benchpress_evaluator.storage import Storage, open_storage

KEY = bytes(range(32))
START, END = "2027-01-01T00:00:00Z", "2027-01-01T01:00:00Z"
FIRST, OTHER, RERUN = Condition("alpha", "direct", 0), Condition("beta", "direct", 0), Condition("alpha", "direct", 1)


@pytest.fixture
def storage(tmp_path: Path) -> Storage:
    return open_storage(tmp_path)


def register(storage: Storage, root: str | None = "00") -> Register:
    return Register(storage, "runs.json", "v1", root)


def written(storage: Storage, *numbers: int) -> SegmentHead:
    writer = Journal.open(storage, "journal/v1", KEY).writer()
    for number in numbers:
        writer.append({"n": number})
    head = writer.close()
    assert head is not None
    return head


def test_a_run_stands_in_the_register_before_and_after(storage: Storage) -> None:
    book = register(storage)
    book.start([OTHER, FIRST], 1, START)
    planned = book.entries().runs
    assert [(run.condition, run.started, run.ended, run.planned_shards) for run in planned] == [
        (FIRST, START, None, 1),
        (OTHER, START, None, 1),
    ]
    head = written(storage, 1, 2)
    book.finish([FIRST], 1, [head], END)
    first, other = book.entries().runs
    assert (first.ended, first.segments) == (END, (head.id,))
    assert other.ended is None
    book.start([RERUN], 1, END)
    assert [run.condition for run in book.entries().runs] == [FIRST, OTHER, RERUN]


def test_a_run_ends_with_its_last_shard_and_keeps_that_time(storage: Storage) -> None:
    book = register(storage)
    book.start([FIRST], 2, START)
    book.finish([FIRST], 2, [written(storage, 1)], END)
    assert book.entries().runs[0].ended is None
    journal = Journal.open(storage, "journal/v1", KEY)
    (unfinished,) = check_journal(journal, book.entries())
    assert (unfinished.check, unfinished.grave) == ("unfinished run", False)
    assert "lacks shard 1/2" in unfinished.problem
    book.start([FIRST], 2, END)
    book.finish([FIRST], 1, [written(storage, 2)], END)
    assert book.entries().runs[0].ended == END
    book.finish([FIRST], 1, [], "2027-01-02T00:00:00Z")
    assert book.entries().runs[0].ended == END
    assert check_journal(journal, book.entries()) == []


def test_the_number_of_shards_is_fixed_by_the_plan(storage: Storage) -> None:
    book = register(storage)
    book.start([FIRST], 2, START)
    with pytest.raises(UserError, match=r"run 0 of alpha was started with 2 shard.*--shard i/n"):
        book.start([FIRST], 3, START)


def test_a_register_of_another_version_or_commitment_is_refused(storage: Storage) -> None:
    register(storage).start([FIRST], 1, START)
    with pytest.raises(UserError, match="under another commitment"):
        register(storage, "11").entries()
    with pytest.raises(UserError, match="under another commitment"):
        Register(storage, "runs.json", "v2", "00").entries()
    Path(storage.locate("runs.json")).write_text("{}")
    with pytest.raises(UserError, match="is no register"):
        register(storage).start([FIRST], 1, START)


def test_a_segment_cannot_have_two_heads_at_one_count() -> None:
    early, late = SegmentHead("aa", 2, "01", False), SegmentHead("aa", 3, "02", True)
    assert merge_heads({"aa": early}, [late], "here") == {"aa": late}
    assert merge_heads({"aa": late}, [early], "here") == {"aa": late}
    with pytest.raises(UserError, match="after 3 frames it has another head"):
        merge_heads({"aa": late}, [SegmentHead("aa", 3, "03", True)], "here")


def test_what_is_published_satisfies_the_schema(storage: Storage) -> None:
    book = register(storage)
    book.start([FIRST, OTHER], 1, START)
    head = written(storage, 1, 2)
    book.finish([FIRST, OTHER], 1, [head], END)
    page = Runs.model_validate_json(json.dumps(published(book.entries())))
    assert [(run.slug, run.ended, run.segments) for run in page.runs] == [
        ("alpha", END, ((head.id, 4, head.head),)),
        ("beta", END, ((head.id, 4, head.head),)),
    ]


def test_a_segment_that_no_run_registered_is_shown(storage: Storage) -> None:
    book = register(storage)
    book.start([FIRST], 1, START)
    book.finish([FIRST], 1, [written(storage, 1)], END)
    other = written(storage, 2)
    (found,) = check_journal(Journal.open(storage, "journal/v1", KEY), book.entries())
    assert (found.check, found.grave) == ("unregistered segment", False)
    assert other.id[:12] in found.problem


def test_a_killed_shard_is_bound_by_the_run_that_resumes_it(storage: Storage) -> None:
    book = register(storage)
    book.start([FIRST], 1, START)
    killed = Journal.open(storage, "journal/v1", KEY).writer()
    killed.append({"n": 1}, durable=True)
    written(storage, 2)
    journal = Journal.open(storage, "journal/v1", KEY)
    book.finish([FIRST], 1, journal.heads(), END)
    assert check_journal(journal, book.entries()) == []
    (torn,) = [segment for segment in journal.stored() if not segment.check().head.closed]
    path = Path(storage.locate(f"journal/v1/{torn.id}.seg"))
    path.write_bytes(path.read_bytes()[:-1])
    assert [found.check for found in check_journal(journal, book.entries())] == ["stale segment"]
