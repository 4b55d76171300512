"""A real server on loopback: moto for KMS."""

import socket
import subprocess
from collections.abc import Iterator

import pytest
from servers import Server, free_ports, program, stop, wait_for


@pytest.fixture(scope="session")
def moto(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    place = tmp_path_factory.mktemp("moto")
    (port,) = free_ports(1)
    log = place / "log"
    with log.open("wb") as output:
        server = subprocess.Popen(
            [program("moto_server"), "-H", "127.0.0.1", "-p", str(port)], stdout=output, stderr=output, cwd=place
        )

    def ready() -> bool:
        with socket.socket() as probe:
            return probe.connect_ex(("127.0.0.1", port)) == 0

    try:
        wait_for(ready, server, log)
        yield Server(f"http://127.0.0.1:{port}")
    finally:
        stop(server)
