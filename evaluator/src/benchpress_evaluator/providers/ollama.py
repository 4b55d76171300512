"""A model behind an Ollama server."""

import inspect
from collections.abc import Mapping
from typing import Any, ClassVar

from benchpress.errors import UserError

from benchpress_evaluator.providers.base import THINKING, Provider, Settings, Stop, check_known, refuse, require
from benchpress_evaluator.providers.errors import RetryableError
from benchpress_evaluator.providers.http_errors import CONTEXT_EXCEEDED, answer_of_refusal, status_error
from benchpress_evaluator.records import Completion, Request

OURS = frozenset({"model", "messages", "stream", "tools", "logprobs", "top_logprobs"})

MOST_CHARACTERS_PER_TOKEN = 16
"""No prompt of words and numbers has fewer tokens than one in so many characters."""


class Ollama(Provider):
    """One call of `/api/chat`. `params.options.num_ctx` has to be set.

    Ollama cuts a prompt that is longer than its context without saying so. That shows in the number of prompt tokens,
    but only where the size of the context is known.
    """

    capabilities: ClassVar[frozenset[str]] = frozenset({THINKING})
    concurrency: ClassVar[int] = 1
    paid: ClassVar[bool] = False
    stops: ClassVar[Mapping[str, Stop]] = {
        "stop": Stop.DONE,
        "length": Stop.CUT,
        "load": Stop.ODD,
        "unload": Stop.ODD,
    }

    def __init__(self, settings: Settings) -> None:
        super().__init__(settings)
        refuse(settings, OURS)
        sdk = require("ollama", "ollama", settings.entrant)
        headers = {"Authorization": f"Bearer {settings.api_key}"} if settings.api_key else {}
        self._client = sdk.AsyncClient(
            host=settings.base_url or "http://127.0.0.1:11434", timeout=settings.timeout_s, headers=headers
        )
        check_known(settings, set(inspect.signature(self._client.chat).parameters) - OURS)
        options = settings.params.get("options")
        self._options: Mapping[str, Any] = options if isinstance(options, Mapping) else {}
        check_known(Settings(settings.entrant, settings.model, self._options), set(sdk.Options.model_fields))
        context = self._options.get("num_ctx")
        if not isinstance(context, int) or isinstance(context, bool) or context < 1:
            raise UserError(
                f"entrant {settings.entrant!r}: params.options.num_ctx has to be set, the context in tokens; without "
                "it Ollama cuts long prompts silently"
            )
        self._context = context
        self.native_config = {"model": settings.model, **settings.params}

    @property
    def max_tokens(self) -> int | None:
        cap = self._options.get("num_predict")
        return cap if isinstance(cap, int) and cap > 0 else None

    async def complete(self, request: Request) -> Completion:
        import ollama

        messages = [{"role": turn.role, "content": turn.content} for turn in request.messages]
        if request.system is not None:
            messages.insert(0, {"role": "system", "content": request.system})
        try:
            found = await self._client.chat(
                model=self.settings.model, messages=messages, stream=False, **self.settings.params
            )
        except ollama.ResponseError as problem:
            answer = answer_of_refusal(problem.status_code, problem.error)
            if answer is not None:
                return answer
            raise status_error(problem.status_code, problem.error, {}, request, self.settings.api_key) from None
        if not found.done:
            raise RetryableError("unreadable body: the answer is not complete")
        return self._read(found, sum(len(message["content"]) for message in messages))

    def _read(self, found: Any, characters: int) -> Completion:
        """An answer as a completion. One to a prompt that was cut is none."""
        read, written = found.prompt_eval_count, found.eval_count
        text, stop, flags = found.message.content, found.done_reason, list(self.flags(found.done_reason))
        if read is not None and (read >= self._context or read * MOST_CHARACTERS_PER_TOKEN < characters):
            text, stop, flags = None, CONTEXT_EXCEEDED, ["the prompt does not fit the context"]
        elif read is not None and written is not None and read + written > self._context:
            flags.append("the context moved on during the answer")
        return Completion(
            text=text,
            stop_reason=stop,
            input_tokens=read,
            output_tokens=written,
            max_tokens=self.max_tokens,
            model_served=found.model,
            native_config=self.native_config,
            flags=tuple(flags),
        )

    async def aclose(self) -> None:
        await self._client._client.aclose()
