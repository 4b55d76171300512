"""Anthropic's Message Batches and OpenAI's Batch API as stateful loopback servers."""

import email
import json
import threading
from dataclasses import dataclass, field
from typing import Any

from fake_http import Reply, Seen

from wire import anthropic, openai_responses
from wire.base import as_json

JSONL = {"Content-Type": "application/x-jsonl"}


@dataclass
class AnthropicBatchServer:
    """Keeps batches until they are deleted. `polls` questions are answered with "in progress" first."""

    polls: int = 1
    outcome: Any = None
    """Custom id's number -> result; by default the right answer to every question."""
    batches: dict[str, Any] = field(default_factory=dict)
    created: int = 0
    deleted: list[str] = field(default_factory=list)
    lost_replies: int = 0
    """So many hand-ins are taken, and their reply never arrives."""

    def __call__(self, seen: Seen) -> Reply:
        wire, path = anthropic.WIRE, seen.path.split("?")[0]
        if seen.method == "POST" and path == "/v1/messages/batches":
            return self.create(seen)
        _, _, rest = path.partition("/v1/messages/batches")
        name, _, what = rest.strip("/").partition("/")
        if seen.method == "GET" and not name:
            found = [self.state(batch) for batch in reversed(self.batches.values())]
            return as_json({"data": found, "has_more": False, "first_id": None, "last_id": None})
        batch = self.batches.get(name)
        if batch is None:
            return wire.error(404, "no such batch", "not_found_error")
        if seen.method == "DELETE":
            self.deleted.append(name)
            del self.batches[name]
            return as_json({"id": name, "type": "message_batch_deleted"})
        if what == "results":
            lines = [{"custom_id": one["custom_id"], "result": self.result(one)} for one in batch["requests"]]
            lines = [line for line in lines if line["result"] is not None]
            return Reply("".join(json.dumps(line) + "\n" for line in lines).encode(), 200, JSONL)
        batch["left"] -= 1
        return as_json(self.state(batch))

    def create(self, seen: Seen) -> Reply:
        requests = seen.body["requests"]
        for one in requests:
            problem = anthropic.WIRE.problem(Seen("POST", "/v1/messages", seen.headers, one["params"], 0))
            if problem is not None:
                return problem
        self.created += 1
        name = f"msgbatch_{self.created}"
        self.batches[name] = {"id": name, "requests": requests, "left": self.polls}
        if self.lost_replies:
            self.lost_replies -= 1
            return Reply(b"{" + b" " * 500, reset_after=1)
        return as_json(self.state(self.batches[name]))

    def state(self, batch: Any) -> dict[str, Any]:
        ended = batch["left"] <= 0
        count = len(batch["requests"])
        counts = {"processing": 0 if ended else count, "succeeded": count if ended else 0}
        return {
            "id": batch["id"],
            "type": "message_batch",
            "processing_status": "ended" if ended else "in_progress",
            "request_counts": {**counts, "errored": 0, "canceled": 0, "expired": 0},
            "created_at": "2026-10-01T00:00:00Z",
            "expires_at": "2026-10-02T00:00:00Z",
            "ended_at": None,
            "archived_at": None,
            "cancel_initiated_at": None,
            "results_url": f"{self.url}/v1/messages/batches/{batch['id']}/results" if ended else None,
        }

    url: str = ""

    def result(self, one: Any) -> Any:
        number = int(one["custom_id"].rpartition("-")[2])
        if self.outcome is not None:
            return self.outcome(number)
        prompt = one["params"]["messages"][-1]["content"]
        answer = f"N: {int(prompt.split()[2]) + 1}"
        return {"type": "succeeded", "message": anthropic.WIRE.message([{"type": "text", "text": answer}], "end_turn")}


@dataclass
class OpenAIBatchServer:
    """Files and batches, kept until they are deleted."""

    polls: int = 1
    outcome: Any = None
    files: dict[str, tuple[str, bytes]] = field(default_factory=dict)
    batches: dict[str, Any] = field(default_factory=dict)
    created: int = 0
    deleted: list[str] = field(default_factory=list)
    lost_replies: int = 0
    lost_uploads: int = 0
    ends_as: str = "completed"
    lock: Any = field(default_factory=threading.Lock)

    def __call__(self, seen: Seen) -> Reply:
        path = seen.path.split("?")[0]
        if seen.headers.get("authorization") != f"Bearer {openai_responses.KEY}":
            return openai_responses.WIRE.error(401, "Incorrect API key provided", "invalid_api_key")
        with self.lock:
            return self.file(seen, path) if path.startswith("/v1/files") else self.batch(seen, path)

    def file(self, seen: Seen, path: str) -> Reply:
        _, _, rest = path.partition("/v1/files")
        name, _, what = rest.strip("/").partition("/")
        if seen.method == "POST":
            head = f"Content-Type: {seen.headers['content-type']}\r\n\r\n".encode()
            parts = email.message_from_bytes(head + seen.body).get_payload()
            data = {part.get_param("name", header="content-disposition"): part for part in parts}
            assert data["purpose"].get_payload().strip() == "batch"
            name = self.keep(data["file"].get_filename(), data["file"].get_payload(decode=True))
            if self.lost_uploads:
                self.lost_uploads -= 1
                return Reply(b"{" + b" " * 500, reset_after=1)
            return as_json(self.about(name))
        if seen.method == "GET" and not name:
            return as_json({"object": "list", "data": [self.about(one) for one in self.files], "has_more": False})
        if name not in self.files:
            return openai_responses.WIRE.error(404, "No such File object")
        if seen.method == "DELETE":
            self.deleted.append(name)
            del self.files[name]
            return as_json({"id": name, "object": "file", "deleted": True})
        if what == "content":
            return Reply(self.files[name][1], 200, JSONL)
        return as_json(self.about(name))

    def keep(self, filename: str, data: bytes) -> str:
        name = f"file-{len(self.files) + len(self.deleted) + 1}"
        self.files[name] = (filename, data)
        return name

    def about(self, name: str) -> dict[str, Any]:
        filename, data = self.files[name]
        return {
            "id": name,
            "object": "file",
            "bytes": len(data),
            "created_at": 1,
            "filename": filename,
            "purpose": "batch",
            "status": "processed",
        }

    def batch(self, seen: Seen, path: str) -> Reply:
        name = path.partition("/v1/batches")[2].strip("/")
        if seen.method == "POST":
            self.created += 1
            name = f"batch_{self.created}"
            self.batches[name] = {**seen.body, "id": name, "left": self.polls, "output": None}
            if self.lost_replies:
                self.lost_replies -= 1
                return Reply(b"{" + b" " * 500, reset_after=1)
            return as_json(self.state(name))
        if not name:
            found = [self.state(one) for one in reversed(self.batches)]
            return as_json({"object": "list", "data": found, "has_more": False})
        self.batches[name]["left"] -= 1
        return as_json(self.state(name))

    def state(self, name: str) -> dict[str, Any]:
        batch = self.batches[name]
        ended = batch["left"] <= 0
        if ended and batch["output"] is None:
            lines = self.files[batch["input_file_id"]][1].decode().splitlines()
            results = [self.result(json.loads(line)) for line in lines]
            data = "".join(json.dumps(one) + "\n" for one in results if one is not None)
            batch["output"] = self.keep("output.jsonl", data.encode())
        return {
            "id": name,
            "object": "batch",
            "endpoint": batch["endpoint"],
            "completion_window": batch["completion_window"],
            "created_at": 1,
            "input_file_id": batch["input_file_id"],
            "output_file_id": batch["output"],
            "error_file_id": None,
            "metadata": batch.get("metadata"),
            "status": self.ends_as if ended else "in_progress",
            "errors": {"object": "list", "data": [{"message": "line 1 is wrong"}]}
            if self.ends_as == "failed"
            else None,
        }

    def result(self, line: Any) -> Any:
        number = int(line["custom_id"].rpartition("-")[2])
        wire = openai_responses.WIRE
        if self.outcome is not None:
            return self.outcome(number, line["custom_id"])
        assert line["method"] == "POST"
        assert line["url"] == "/v1/responses"
        answer = f"N: {int(line['body']['input'][-1]['content'].split()[2]) + 1}"
        body = wire.body(wire.text(answer), "completed", None)
        return {
            "id": "r",
            "custom_id": line["custom_id"],
            "response": {"status_code": 200, "request_id": "req_1", "body": body},
            "error": None,
        }
