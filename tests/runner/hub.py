"""A loopback server that speaks as much of the Hugging Face hub's wire format as fetching a data set needs."""

import hashlib
import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

COMMIT = "0123456789abcdef0123456789abcdef01234567"


@contextmanager
def serving(folder: Path, repository: str) -> Iterator[str]:
    """The address under which `folder` is the data set `repository` at COMMIT, its only revision being `main`."""

    class Handler(BaseHTTPRequestHandler):
        def do_HEAD(self) -> None:
            self.reply(with_body=False)

        def do_GET(self) -> None:
            self.reply(with_body=True)

        def reply(self, *, with_body: bool) -> None:
            path = self.path.partition("?")[0]
            files = f"/datasets/{repository}/resolve/{COMMIT}/"
            api = f"/api/datasets/{repository}"
            if path in (api, f"{api}/revision/main", f"{api}/revision/{COMMIT}"):
                names = sorted(one.relative_to(folder).as_posix() for one in folder.rglob("*") if one.is_file())
                about = {"id": repository, "sha": COMMIT, "siblings": [{"rfilename": name} for name in names]}
                self.send(200, json.dumps(about).encode(), with_body)
            elif path.startswith(files):
                self.send(200, (folder / path.removeprefix(files)).read_bytes(), with_body)
            elif path.startswith(f"{api}/revision/"):
                self.send(404, b"{}", with_body, **{"X-Error-Code": "RevisionNotFound"})
            else:
                self.send(404, b"{}", with_body, **{"X-Error-Code": "RepoNotFound"})

        def send(self, code: int, data: bytes, with_body: bool, **headers: str) -> None:
            self.send_response(code)
            plain = {"Content-Length": str(len(data)), "X-Repo-Commit": COMMIT}
            digest = {"ETag": f'"{hashlib.sha256(data).hexdigest()}"'}
            for name, value in {**plain, **digest, **headers}.items():
                self.send_header(name, value)
            self.end_headers()
            if with_body:
                self.wfile.write(data)

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
