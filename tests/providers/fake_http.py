"""HTTP servers on loopback that misbehave on request: what a vendor's client meets on a bad day."""

import contextlib
import json
import socket
import struct
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


@dataclass(frozen=True)
class Reply:
    """One HTTP answer, or the way in which it fails to be one."""

    body: bytes = b""
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=lambda: {"Content-Type": "application/json"})
    delay_s: float = 0.0
    drip_s: float = 0.0
    """Pause between pieces of the body."""
    reset_after: int | None = None
    """Break the connection with a reset after so many bytes of the body."""

    @classmethod
    def of(cls, value: Any, status: int = 200, **headers: str) -> "Reply":
        return cls(json.dumps(value).encode(), status, {"Content-Type": "application/json", **headers})


@dataclass(frozen=True)
class Seen:
    """A request as it arrived."""

    method: str
    path: str
    headers: Mapping[str, str]
    body: Any
    at: float


Answer = Callable[[Seen], Reply]


class FakeServer(ThreadingHTTPServer):
    """Answers every request by `answer`; keeps what it saw."""

    daemon_threads = True
    request_queue_size = 128

    def __init__(self, answer: Answer) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.answer = answer
        self.seen: list[Seen] = []
        self.in_flight = 0
        self.most_in_flight = 0
        self.lock = threading.Lock()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}"

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that hangs up is what several tests are about."""


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: FakeServer
    disable_nagle_algorithm = True

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - the base class's name
        pass

    def _serve(self) -> None:
        length = int(self.headers.get("Content-Length") or 0)
        raw = self.rfile.read(length)
        if len(raw) < length:
            # The client died while it was asking.
            self.close_connection = True
            return
        try:
            body = json.loads(raw) if raw else None
        except ValueError:
            body = raw
        seen = Seen(self.command, self.path, {k.lower(): v for k, v in self.headers.items()}, body, time.monotonic())
        with self.server.lock:
            self.server.seen.append(seen)
            self.server.in_flight += 1
            self.server.most_in_flight = max(self.server.most_in_flight, self.server.in_flight)
        try:
            self._send(self.server.answer(seen))
        finally:
            with self.server.lock:
                self.server.in_flight -= 1

    do_POST = do_GET = do_DELETE = _serve  # noqa: N815 - names of the base class

    def _send(self, reply: Reply) -> None:
        time.sleep(reply.delay_s)
        self.send_response(reply.status)
        for name, value in reply.headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(reply.body)))
        self.end_headers()
        if reply.reset_after is not None:
            self.wfile.write(reply.body[: reply.reset_after])
            self.wfile.flush()
            time.sleep(0.02)
            self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            self.connection.close()
            self.close_connection = True
            return
        if reply.drip_s:
            for at in range(0, len(reply.body), max(1, len(reply.body) // 10)):
                self.wfile.write(reply.body[at : at + max(1, len(reply.body) // 10)])
                self.wfile.flush()
                time.sleep(reply.drip_s)
            return
        self.wfile.write(reply.body)


@contextlib.contextmanager
def serve(answer: Answer) -> Iterator[FakeServer]:
    """A server for the time of a test."""
    server = FakeServer(answer)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.shutdown()
        server.server_close()
