"""Storage in S3, against a real server that checks signatures, and through a network that fails."""

import threading
from collections.abc import Iterator
from http.client import HTTPConnection
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from benchpress.errors import UserError
from benchpress_evaluator import s3
from benchpress_evaluator.journal import Journal
from benchpress_evaluator.register import Condition, Register, check_journal
from benchpress_evaluator.storage import ConflictError, MissingError, Storage, open_storage
from servers import ADMIN, BUCKET, READER, Server

pytestmark = pytest.mark.xdist_group("seaweed")
KEY = bytes(range(32))


@pytest.fixture
def bucket(seaweed: Server, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> Storage:
    seaweed.act_as(monkeypatch, ADMIN)
    return open_storage(f"s3://{BUCKET}/{request.node.name}")


def test_a_file_is_written_once_and_replaced_only_in_a_known_state(bucket: Storage) -> None:
    bucket.write("a/file", b"one", expected=None)
    with pytest.raises(ConflictError, match="exists already; nothing was written"):
        bucket.write("a/file", b"two", expected=None)
    found = bucket.read_tagged("a/file")
    assert found is not None
    bucket.write("a/file", b"three", expected=found[1])
    with pytest.raises(ConflictError, match="was changed by somebody else"):
        bucket.write("a/file", b"four", expected=found[1])
    with pytest.raises(ConflictError, match="does not exist any more"):
        bucket.write("a/other", b"four", expected=found[1])
    assert bucket.read("a/file") == b"three"
    assert bucket.names("a") == ["a/file"]
    assert bucket.names("b") == []
    assert bucket.read_tagged("b/none") is None
    with pytest.raises(MissingError, match="does not exist"):
        bucket.read("b/none")


def test_a_journal_in_a_bucket_is_the_same_journal(bucket: Storage) -> None:
    journal = Journal.open(bucket, "journal/v1", KEY)
    heads = []
    for start in (0, 10):
        writer = journal.writer()
        for n in range(start, start + 10):
            writer.append({"n": n, "text": "x" * 1000}, durable=n % 3 == 0)
        heads.append(writer.close())
    assert [record["n"] for record in journal.records()] == list(range(20))
    assert journal.heads() == heads


def test_a_journal_moves_between_bucket_and_folder(bucket: Storage, tmp_path: Path) -> None:
    near, far = (Journal.open(place, "journal/v1", KEY) for place in (open_storage(tmp_path), bucket))
    for n, journal in enumerate((near, far)):
        writer = journal.writer()
        writer.append({"n": n})
        writer.append({"n": n + 10}, durable=True)
        writer.close()
    assert (near.merge(far), far.merge(near)) == (1, 1)
    assert sorted(record["n"] for record in far.records()) == [0, 1, 10, 11]
    assert near.heads() == far.heads()


def test_a_missing_object_in_the_middle_is_named(bucket: Storage) -> None:
    journal = Journal.open(bucket, "journal/v1", KEY)
    writer = journal.writer()
    for n in range(3):
        writer.append({"n": n}, durable=True)
    register = Register(bucket, "runs.json", "v1", None)
    conditions = [Condition("model", "direct", 0)]
    register.start(conditions, 1, "2027-01-01T00:00:00Z")
    register.finish(conditions, 1, journal.heads(), "2027-01-01T01:00:00Z")
    (segment,) = bucket.names("journal/v1")
    client, prefix = bucket.client, bucket.prefix  # type: ignore[attr-defined]
    client.delete_object(Bucket=BUCKET, Key=f"{prefix}{segment}/0000000002")
    assert [found.check for found in check_journal(journal, register.entries())] == ["stale segment"]
    client.delete_object(Bucket=BUCKET, Key=f"{prefix}{segment}/0000000000")
    with pytest.raises(UserError, match="object 0000000000 of the log is missing; restore it"):
        list(journal.records())


def test_shards_write_one_register_at_the_same_time(bucket: Storage) -> None:
    def shard(number: int) -> None:
        register = Register(bucket, "runs.json", "v1", "00")
        conditions = [Condition(f"model-{number % 2}", "direct", 0)]
        register.start(conditions, 3, "2027-01-01T00:00:00Z")
        register.finish(conditions, number // 2 + 1, [], "2027-01-01T01:00:00Z")

    threads = [threading.Thread(target=shard, args=(number,)) for number in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    entries = Register(bucket, "runs.json", "v1", "00").entries()
    assert sorted(run.condition.entrant for run in entries.runs) == ["model-0", "model-1"]
    assert all(run.finished_shards == (1, 2, 3) and run.ended for run in entries.runs)


def test_wrong_keys_and_rights_are_one_clear_line(
    bucket: Storage, seaweed: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    bucket.write("file", b"x", expected=None)
    place = bucket.locate("").rstrip("/")
    seaweed.act_as(monkeypatch, (ADMIN[0], "wrong"))
    with pytest.raises(UserError, match=r"cannot read s3://.*SignatureDoesNotMatch.*check AWS_SECRET_ACCESS_KEY"):
        open_storage(place).read("file")
    seaweed.act_as(monkeypatch, ("nobody", "wrong"))
    with pytest.raises(UserError, match=r"cannot list s3://.*InvalidAccessKeyId.*check AWS_ACCESS_KEY_ID"):
        open_storage(place).names("journal")
    seaweed.act_as(monkeypatch, READER)
    reader = open_storage(place)
    assert reader.read("file") == b"x"
    with pytest.raises(UserError, match=r"cannot write s3://.*AccessDenied.*s3:PutObject"):
        reader.write("other", b"x", expected=None)
    with pytest.raises(UserError, match=r"AccessDenied"):
        Journal.open(reader, "journal/v1", KEY).writer().append({"n": 0}, durable=True)
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"):
        monkeypatch.delenv(name)
    with pytest.raises(UserError, match="no credentials; set AWS_ACCESS_KEY_ID"):
        open_storage(place).read("file")
    seaweed.act_as(monkeypatch, ADMIN)
    with pytest.raises(UserError, match=r"NoSuchBucket.*create the bucket"):
        open_storage("s3://no-such-bucket/x").names("journal")


class Trouble:
    """A proxy in front of the server whose next answers can be spoiled.

    `error`: 500 without asking the server; `lost`: the server does it, the client hears nothing in time;
    `deaf`: the server ignores conditions.
    """

    def __init__(self, target: str) -> None:
        self.modes: list[str] = []
        self.always = ""
        parts = urlsplit(target)
        trouble = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def serve(self) -> None:
                body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
                mode = trouble.always or (trouble.modes.pop(0) if trouble.modes else "")
                if mode == "error":
                    self.answer(500, b"<Error><Code>InternalError</Code><Message>broken</Message></Error>", {})
                    return
                headers = {name: value for name, value in self.headers.items() if name.lower() != "connection"}
                if mode == "deaf":
                    self.answer(200, b"", {"ETag": '"x"'})
                    return
                link = HTTPConnection(parts.hostname or "", parts.port)
                link.request(self.command, self.path, body=body, headers=headers)
                answer = link.getresponse()
                content = answer.read()
                if mode == "lost":
                    stopped.wait(3)
                    self.close_connection = True
                    return
                kept = {n: v for n, v in answer.getheaders() if n.lower() in ("etag", "content-type", "last-modified")}
                self.answer(answer.status, content, kept)
                link.close()

            def answer(self, status: int, content: bytes, headers: dict[str, str]) -> None:
                self.send_response(status)
                for name, value in headers.items():
                    self.send_header(name, value)
                self.send_header("Content-Length", str(len(content)))
                self.end_headers()
                if self.command != "HEAD":
                    self.wfile.write(content)

            do_GET = do_PUT = serve  # noqa: N815 - the names that http.server looks for

            def log_message(self, *_: object) -> None:
                pass

        stopped = threading.Event()
        self.stopped = stopped
        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.endpoint = f"http://127.0.0.1:{self.server.server_address[1]}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def stop(self) -> None:
        self.stopped.set()
        self.server.shutdown()
        self.server.server_close()


@pytest.fixture
def trouble(seaweed: Server, monkeypatch: pytest.MonkeyPatch) -> Iterator[Trouble]:
    made = Trouble(seaweed.endpoint)
    seaweed.act_as(monkeypatch, ADMIN, made.endpoint)
    monkeypatch.setattr(s3, "READ_TIMEOUT", 0.5)
    monkeypatch.setattr(s3, "ATTEMPTS", 2)
    yield made
    made.stop()


def test_a_server_that_answers_500_stops_the_writer_and_loses_nothing(
    trouble: Trouble, request: pytest.FixtureRequest
) -> None:
    journal = Journal.open(open_storage(f"s3://{BUCKET}/{request.node.name}"), "journal/v1", KEY)
    writer = journal.writer()
    writer.append({"n": 0}, durable=True)
    trouble.always = "error"
    with pytest.raises(UserError, match=r"cannot write s3://.*InternalError.*acknowledged before is kept.*again"):
        writer.append({"n": 1}, durable=True)
    with pytest.raises(UserError, match="InternalError"):
        list(journal.records())
    trouble.always = ""
    assert list(journal.records()) == [{"n": 0}]
    writer.append({"n": 2}, durable=True)
    writer.close()
    assert [record["n"] for record in journal.records()] == [0, 1, 2]


def test_one_500_is_tried_again_unseen(trouble: Trouble, request: pytest.FixtureRequest) -> None:
    journal = Journal.open(open_storage(f"s3://{BUCKET}/{request.node.name}"), "journal/v1", KEY)
    writer = journal.writer()
    writer.append({"n": 0}, durable=True)
    trouble.modes = ["error"]
    writer.append({"n": 1}, durable=True)
    writer.close()
    assert [record["n"] for record in journal.records()] == [0, 1]


def test_an_answer_that_is_lost_after_the_object_was_stored_repeats_no_record(
    trouble: Trouble, request: pytest.FixtureRequest
) -> None:
    storage = open_storage(f"s3://{BUCKET}/{request.node.name}")
    journal = Journal.open(storage, "journal/v1", KEY)
    writer = journal.writer()
    writer.append({"n": 0}, durable=True)
    trouble.modes = ["lost"]
    writer.append({"n": 1}, durable=True)
    trouble.modes = ["lost", "lost"]
    with pytest.raises(UserError, match=r"cannot write s3://.*timeout.*run the same command again"):
        writer.append({"n": 2}, durable=True)
    writer.append({"n": 3}, durable=True)
    writer.close()
    assert [record["n"] for record in journal.records()] == [0, 1, 2, 3]
    storage.write("warm", b"", expected=None)
    trouble.modes = ["lost"]
    storage.write("file", b"once", expected=None)
    assert storage.read("file") == b"once"


def test_a_server_that_ignores_conditions_is_refused(trouble: Trouble) -> None:
    trouble.always = "deaf"
    with pytest.raises(UserError, match="ignores conditional writes"):
        open_storage(f"s3://{BUCKET}/deaf").write("file", b"x", expected=None)


def test_an_unreachable_server_is_one_clear_line(trouble: Trouble) -> None:
    trouble.stop()
    with pytest.raises(UserError, match=r"cannot list s3://.*Could not connect.*when the server is well"):
        open_storage(f"s3://{BUCKET}/x").names("journal")
