"""Starting and stopping servers on loopback, and becoming one of their users."""

import os
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

ADMIN, READER = ("admin-key", "admin-secret"), ("reader-key", "reader-secret")
BUCKET = "benchpress-test"


def free_ports(count: int) -> list[int]:
    """Ports that are free now, below those of outgoing connections; each test worker has a range of its own."""
    worker = int(os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw"))
    found: list[int] = []
    for port in range(20_000 + 1_000 * (worker % 12) + os.getpid() % 900, 32_000):
        try:
            with socket.socket() as probe:
                probe.bind(("127.0.0.1", port))
        except OSError:
            continue
        found.append(port)
        if len(found) == count:
            return found
    raise AssertionError("no free ports")


def wait_for(ready: Callable[[], bool], server: subprocess.Popen[bytes], log: Path, seconds: float = 60) -> None:
    end = time.monotonic() + seconds
    while not ready():
        if server.poll() is not None or time.monotonic() > end:
            pytest.fail(f"the server did not start: {log.read_text(errors='replace')[-2000:]}")
        time.sleep(0.1)


def stop(server: subprocess.Popen[bytes]) -> None:
    server.kill()
    server.wait(10)


@dataclass(frozen=True)
class Server:
    """Where a server listens."""

    endpoint: str

    def act_as(self, monkeypatch: pytest.MonkeyPatch, user: tuple[str, str], endpoint: str | None = None) -> None:
        monkeypatch.setenv("AWS_ACCESS_KEY_ID", user[0])
        monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", user[1])
        monkeypatch.setenv("AWS_DEFAULT_REGION", "us-east-1")
        monkeypatch.setenv("AWS_ENDPOINT_URL", endpoint or self.endpoint)
        for name in ("AWS_PROFILE", "AWS_SESSION_TOKEN", "AWS_ENDPOINT_URL_S3", "AWS_ENDPOINT_URL_KMS"):
            monkeypatch.delenv(name, raising=False)
        for name in ("AWS_CONFIG_FILE", "AWS_SHARED_CREDENTIALS_FILE"):
            monkeypatch.setenv(name, os.devnull)
        monkeypatch.setenv("AWS_EC2_METADATA_DISABLED", "true")


def program(name: str) -> str:
    found = shutil.which(name, path=f"{Path(sys.executable).parent}{os.pathsep}{os.environ.get('PATH', '')}")
    assert found, f"{name} is in the test requirements and must be installed"
    return found
