"""Shared by all tests: where the outside cases are, the installed program, and a real S3 server with signatures."""

import json
import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings
from installed import BENCHPRESS, OUTSIDE, Program
from servers import ADMIN, BUCKET, READER, Server, free_ports, stop, wait_for
from servers import program as executable

# A busy machine is no fault of the code, and a run that failed fails again when it is repeated.
settings.register_profile("suite", deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("suite")


@pytest.fixture(scope="session")
def outside() -> Path:
    """The folder of outside cases; a clone without it skips the tests that read there."""
    if not OUTSIDE.is_dir():
        pytest.skip(f"no outside cases at {OUTSIDE}; BENCHPRESS_OUTSIDE_CASES names their folder")
    return OUTSIDE


@pytest.fixture
def program(tmp_path: Path) -> Program:
    """The installed `benchpress`, run in a workspace of its own; keyword arguments are environment variables."""

    def call(*words: object, **environment: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [BENCHPRESS, *map(str, words)],
            capture_output=True,
            text=True,
            cwd=tmp_path,
            env={**os.environ, "BENCHPRESS_HOME": str(tmp_path), **environment},
            timeout=240,
            check=False,
        )

    return call


@pytest.fixture(scope="session")
def seaweed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """SeaweedFS on loopback, which checks every signature and every user's rights."""
    import boto3
    from botocore.exceptions import BotoCoreError, ClientError

    place = tmp_path_factory.mktemp("seaweed")
    users = [
        {
            "name": name,
            "credentials": [{"accessKey": key, "secretKey": secret}],
            "actions": actions,
        }
        for name, (key, secret), actions in (
            ("admin", ADMIN, ["Admin", "Read", "List", "Tagging", "Write"]),
            ("reader", READER, ["Read", "List"]),
        )
    ]
    (place / "s3.json").write_text(json.dumps({"identities": users}))
    (place / "data").mkdir()
    s3, s3_grpc, master, master_grpc, volume, volume_grpc, filer, filer_grpc = free_ports(8)
    settings = {
        "ip": "127.0.0.1", "ip.bind": "127.0.0.1", "dir": place / "data", "s3.port": s3, "s3.config": place / "s3.json",
        "s3.port.grpc": s3_grpc, "master.port": master, "master.port.grpc": master_grpc, "volume.port": volume,
        "volume.port.grpc": volume_grpc, "filer.port": filer, "filer.port.grpc": filer_grpc,
        "s3.port.iceberg": 0, "s3.port.lance": 0,
        "master.telemetry": "false", "filer.localSocket": place / "filer.sock", "master.volumeSizeLimitMB": 64,
    }  # fmt: skip
    command = [executable("weed"), "server", "-s3", *(f"-{name}={value}" for name, value in settings.items())]
    log = place / "log"
    with log.open("wb") as output:
        server = subprocess.Popen(command, stdout=output, stderr=output, cwd=place)
    endpoint = f"http://127.0.0.1:{s3}"
    client = boto3.client(
        "s3", endpoint_url=endpoint, aws_access_key_id=ADMIN[0], aws_secret_access_key=ADMIN[1], region_name="us-east-1"
    )

    def ready() -> bool:
        try:
            client.create_bucket(Bucket=BUCKET)
            client.put_object(Bucket=BUCKET, Key="ready", Body=b"")
        except (BotoCoreError, ClientError):
            return False
        return True

    try:
        wait_for(ready, server, log)
        yield Server(endpoint)
    finally:
        stop(server)
