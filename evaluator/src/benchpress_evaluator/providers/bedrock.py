"""Amazon Bedrock's Converse API. boto3 is synchronous, so every call has a thread of its own."""

import asyncio
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import Any, ClassVar

from benchpress.errors import UserError

from benchpress_evaluator.providers.base import THINKING, Provider, Settings, Stop, Usage, check_known, refuse, require
from benchpress_evaluator.providers.errors import ConfigurationError, RetryableError
from benchpress_evaluator.providers.http_errors import answer_of_refusal, safe, status_error
from benchpress_evaluator.records import Completion, Request

OURS = frozenset({"modelId", "messages", "system", "toolConfig", "promptVariables"})


class Bedrock(Provider):
    """One call of `converse`. Credentials and region come from the usual AWS variables or files."""

    capabilities: ClassVar[frozenset[str]] = frozenset({THINKING})
    stops: ClassVar[Mapping[str, Stop]] = {
        "end_turn": Stop.DONE,
        "stop_sequence": Stop.DONE,
        "max_tokens": Stop.CUT,
        "model_context_window_exceeded": Stop.CUT,
        "guardrail_intervened": Stop.DECLINED,
        "content_filtered": Stop.DECLINED,
        # Not in the service's list, but passed on from models that have it.
        "refusal": Stop.DECLINED,
        "tool_use": Stop.ODD,
        "malformed_model_output": Stop.ODD,
        "malformed_tool_use": Stop.ODD,
    }

    def __init__(self, settings: Settings) -> None:
        super().__init__(settings)
        refuse(settings, OURS)
        boto3 = require("boto3", "bedrock", settings.entrant)
        config = require("botocore.config", "bedrock", settings.entrant)
        get = settings.environment.get
        session = boto3.session.Session(
            aws_access_key_id=get("AWS_ACCESS_KEY_ID"),
            aws_secret_access_key=get("AWS_SECRET_ACCESS_KEY"),
            aws_session_token=get("AWS_SESSION_TOKEN"),
            region_name=get("AWS_REGION") or get("AWS_DEFAULT_REGION"),
        )
        if session.region_name is None:
            raise UserError(
                f"entrant {settings.entrant!r} needs a region: set AWS_REGION in the environment or in .env"
            )
        if session.get_credentials() is None and not get("AWS_BEARER_TOKEN_BEDROCK"):
            raise UserError(
                f"entrant {settings.entrant!r} needs AWS credentials: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY "
                "in the environment or in .env, or configure a profile"
            )
        places = settings.concurrency
        self._client = session.client(
            "bedrock-runtime",
            endpoint_url=settings.base_url,
            config=config.Config(
                retries={"total_max_attempts": 1, "mode": "standard"},
                connect_timeout=10,
                read_timeout=settings.timeout_s,
                max_pool_connections=places,
                tcp_keepalive=True,
            ),
        )
        shape = self._client.meta.service_model.operation_model("Converse").input_shape
        check_known(settings, set(shape.members) - OURS)
        # A thread whose call was given up stays busy until its socket closes; spare ones take its place.
        self._threads = ThreadPoolExecutor(2 * places, thread_name_prefix="bedrock")
        self.native_config = {"model": settings.model, **settings.params}

    @property
    def max_tokens(self) -> int | None:
        inference = self.settings.params.get("inferenceConfig")
        cap = inference.get("maxTokens") if isinstance(inference, Mapping) else None
        return cap if isinstance(cap, int) else None

    async def complete(self, request: Request) -> Completion:
        from botocore.exceptions import ClientError, ParamValidationError

        body: dict[str, Any] = {
            "modelId": self.settings.model,
            "messages": [{"role": turn.role, "content": [{"text": turn.content}]} for turn in request.messages],
            **self.settings.params,
        }
        if request.system is not None:
            body["system"] = [{"text": request.system}]
        loop = asyncio.get_running_loop()
        try:
            found = await loop.run_in_executor(self._threads, lambda: self._client.converse(**body))
        except ClientError as problem:
            error, meta = problem.response.get("Error", {}), problem.response.get("ResponseMetadata", {})
            status = int(meta.get("HTTPStatusCode") or 500)
            message = f"{error.get('Code', '')}: {error.get('Message', '')}"
            answer = answer_of_refusal(status, message)
            if answer is not None:
                return answer
            raise status_error(status, message, meta.get("HTTPHeaders", {}), request, None) from None
        except ParamValidationError as problem:
            raise ConfigurationError(safe(str(problem), request, None)) from None
        return self._read(found)

    def _read(self, found: Mapping[str, Any]) -> Completion:
        stop, message = found.get("stopReason"), found.get("output", {}).get("message")
        if stop is None or message is None:
            raise RetryableError("unreadable body: no message or no stop reason")
        texts = [block["text"] for block in message.get("content", ()) if "text" in block]
        return Completion(
            text="".join(texts) if texts else None,
            stop_reason=stop,
            **usage_of_converse(found.get("usage")),
            max_tokens=self.max_tokens,
            request_id=found.get("ResponseMetadata", {}).get("RequestId"),
            service_tier=found.get("serviceTier", {}).get("type"),
            native_config=self.native_config,
            flags=self.flags(stop),
        )

    async def aclose(self) -> None:
        self._client.close()
        self._threads.shutdown(wait=False, cancel_futures=True)


def usage_of_converse(usage: Mapping[str, Any] | None) -> Usage:
    """Token counts as ours: cached tokens stand beside the input; thinking is inside the output, not told apart."""
    if usage is None:
        return {}
    fresh, read, written = (
        usage.get(name) for name in ("inputTokens", "cacheReadInputTokens", "cacheWriteInputTokens")
    )
    return {
        "input_tokens": None if fresh is None else fresh + (read or 0) + (written or 0),
        "output_tokens": usage.get("outputTokens"),
        "cached_tokens": read,
        "cache_write_tokens": written,
    }
