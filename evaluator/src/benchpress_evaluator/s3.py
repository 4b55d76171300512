"""Storage in an S3 bucket or any server with the same API. Credentials, region and endpoint come from the usual
AWS environment variables and configuration files."""

import contextlib
import threading
from collections.abc import Iterator
from typing import Any

import boto3
from benchpress.errors import UserError
from botocore.config import Config
from botocore.exceptions import BotoCoreError, ClientError, NoCredentialsError

from benchpress_evaluator.storage import ConflictError, Log, MissingError, check_name

PROBE = ".conditional-writes"
PART_DIGITS = 10
READ_TIMEOUT = 30.0
ATTEMPTS = 5

ADVICE = {
    "SignatureDoesNotMatch": "the secret key is wrong: check AWS_SECRET_ACCESS_KEY",
    "InvalidAccessKeyId": "the access key is unknown there: check AWS_ACCESS_KEY_ID",
    "ExpiredToken": "the session has ended: log in again",
    "AccessDenied": "this identity may not do that: grant it s3:ListBucket, s3:GetObject and s3:PutObject there",
    "NoSuchBucket": "create the bucket or correct its name",
}
TRY_AGAIN = "everything acknowledged before is kept; run the same command again when the server is well"


class S3Storage:
    """Objects below `s3://bucket/prefix`."""

    keeps_unsynced = False

    def __init__(self, url: str) -> None:
        bucket, _, prefix = url.removeprefix("s3://").partition("/")
        if not bucket:
            raise UserError(f"storage {url!r}: write s3://bucket/prefix")
        self.bucket = bucket
        self.prefix = f"{prefix.strip('/')}/" if prefix.strip("/") else ""
        self._made: Any = None
        self._making = threading.Lock()
        self._probed = False

    @property
    def client(self) -> Any:
        """The connection, made when it is first used."""
        with self._making:
            if self._made is None:
                self._made = self._connect()
            return self._made

    def _connect(self) -> Any:
        settings = Config(
            connect_timeout=5,
            read_timeout=READ_TIMEOUT,
            retries={"mode": "standard", "total_max_attempts": ATTEMPTS},
        )
        with self._explained("reach", ""):
            return boto3.session.Session().client("s3", config=settings)

    def locate(self, name: str) -> str:
        return f"s3://{self.bucket}/{self.prefix}{name}"

    def _key(self, name: str) -> dict[str, str]:
        return {"Bucket": self.bucket, "Key": self.prefix + check_name(name)}

    def names(self, prefix: str) -> list[str]:
        start = f"{self.prefix}{check_name(prefix)}/" if prefix else self.prefix
        found: set[str] = set()
        with self._explained("list", prefix):
            pages = self.client.get_paginator("list_objects_v2").paginate(
                Bucket=self.bucket, Prefix=start, Delimiter="/"
            )
            for page in pages:
                found.update(entry["Key"] for entry in page.get("Contents", ()))
                found.update(entry["Prefix"].removesuffix("/") for entry in page.get("CommonPrefixes", ()))
        return sorted(name.removeprefix(self.prefix) for name in found if not name.removeprefix(start).startswith("."))

    def read(self, name: str) -> bytes:
        found = self.read_tagged(name)
        if found is None:
            raise MissingError(f"{self.locate(name)} does not exist")
        return found[0]

    def read_tagged(self, name: str) -> tuple[bytes, str] | None:
        with self._explained("read", name):
            try:
                answer = self.client.get_object(**self._key(name))
            except ClientError as problem:
                if problem.response.get("Error", {}).get("Code") == "NoSuchKey":
                    return None
                raise
            return answer["Body"].read(), answer["ETag"]

    def write(self, name: str, data: bytes, *, expected: str | None) -> None:
        self._need_conditional_writes()
        if not self._put(name, data, {"IfNoneMatch": "*"} if expected is None else {"IfMatch": expected}):
            found = self.read_tagged(name)
            # A put that timed out on us may still have arrived; its own second attempt then meets its first.
            if found is None or found[0] != data:
                state = "was changed by somebody else" if found else "does not exist any more"
                state = "exists already" if expected is None else state
                raise ConflictError(f"{self.locate(name)} {state}; nothing was written")

    def _put(self, name: str, data: bytes, condition: dict[str, str]) -> bool:
        """Whether the object was written; false where the condition did not hold."""
        with self._explained("write", name):
            try:
                self.client.put_object(**self._key(name), Body=data, **condition)
            except ClientError as problem:
                status = problem.response.get("ResponseMetadata", {}).get("HTTPStatusCode")
                gone = "IfMatch" in condition and problem.response["Error"]["Code"] == "NoSuchKey"
                if status == 412 or gone:
                    return False
                raise
        return True

    def _need_conditional_writes(self) -> None:
        """Refuse a server that ignores conditions: there, two writers would overwrite each other silently."""
        if self._probed:
            return
        condition = {"IfNoneMatch": "*"}
        if self._put(PROBE, b"", condition) and self._put(PROBE, b"", condition):
            raise UserError(
                f"the server behind {self.locate('')} ignores conditional writes (If-None-Match), so two writers could "
                "overwrite each other; use a folder or another server"
            )
        self._probed = True

    def new_log(self, name: str) -> Log:
        if self._parts(name):
            raise ConflictError(f"{self.locate(name)} exists already; nothing was written")
        return _ObjectLog(self, name)

    def read_log(self, name: str) -> Iterator[bytes]:
        parts = self._parts(name)
        if not parts:
            raise MissingError(f"{self.locate(name)} does not exist")
        for number, part in enumerate(parts):
            if part != f"{number:0{PART_DIGITS}}":
                raise UserError(
                    f"{self.locate(name)}: object {number:0{PART_DIGITS}} of the log is missing; restore it from a "
                    "backup or an earlier object version"
                )
            yield self.read(f"{name}/{part}")

    def _parts(self, name: str) -> list[str]:
        return [part.removeprefix(f"{name}/") for part in self.names(name)]

    @contextlib.contextmanager
    def _explained(self, verb: str, name: str) -> Iterator[None]:
        """Turn the SDK's exceptions into one line that says what to do."""
        where = self.locate(name)
        try:
            yield
        except NoCredentialsError:
            raise UserError(
                f"cannot {verb} {where}: no credentials; set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY or log in"
            ) from None
        except ClientError as problem:
            code = problem.response.get("Error", {}).get("Code", "")
            message = problem.response.get("Error", {}).get("Message", "")
            advice = ADVICE.get(code, TRY_AGAIN)
            line = message.splitlines()[0] if message else "no message"
            raise UserError(f"cannot {verb} {where}: {code} ({line}); {advice}") from None
        except BotoCoreError as problem:
            line = str(problem).splitlines()[0] if str(problem) else type(problem).__name__
            raise UserError(f"cannot {verb} {where}: {line}; {TRY_AGAIN}") from None


class _ObjectLog:
    """A log as numbered objects, each written once."""

    def __init__(self, storage: S3Storage, name: str) -> None:
        self._storage = storage
        self._name = name
        self._next = 0

    def append(self, data: bytes, *, sync: bool) -> None:
        if not data:
            return
        part = f"{self._name}/{self._next:0{PART_DIGITS}}"
        if self._storage._put(part, data, {"IfNoneMatch": "*"}):
            self._next += 1
            return
        # An earlier attempt that was reported as failed had arrived after all.
        stored = self._storage.read(part)
        if not data.startswith(stored):
            raise ConflictError(f"{self._storage.locate(part)} was written by somebody else; nothing was overwritten")
        self._next += 1
        self.append(data[len(stored) :], sync=sync)

    def close(self) -> None:
        pass
