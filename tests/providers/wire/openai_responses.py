"""OpenAI's Responses."""

from typing import Any, ClassVar

from fake_http import Reply, Seen

from wire.base import KEY, Wire, as_json
from wire.openai_chat import openai_error


class Responses(Wire):
    provider = "openai"
    params: ClassVar = {"max_output_tokens": 400, "reasoning": {"effort": "high"}}
    keys: ClassVar = {"OPENAI_API_KEY": KEY}
    base_path = "/v1"

    def problem(self, seen: Seen) -> Reply | None:
        if seen.headers.get("authorization") != f"Bearer {KEY}":
            return self.error(401, "Incorrect API key provided", "invalid_api_key")
        if seen.method != "POST" or seen.path != "/v1/responses":
            return self.error(404, f"Invalid URL ({seen.method} {seen.path})")
        if seen.body.get("model") != self.model:
            return self.error(404, "The model does not exist", "model_not_found")
        if seen.body.get("store") is not False:
            return self.error(400, "this test wants nothing stored")
        return None

    def prompt(self, seen: Seen) -> str:
        return seen.body["input"][-1]["content"]

    def body(self, parts: list[dict[str, Any]], status: str, reason: str | None, error: Any = None) -> dict[str, Any]:
        message = {"id": "m", "type": "message", "role": "assistant", "status": status, "content": parts}
        reasoning = {"id": "rs", "type": "reasoning", "summary": [{"type": "summary_text", "text": "N: 999"}]}
        return {
            "id": "resp_1",
            "object": "response",
            "created_at": 1,
            "model": f"{self.model}-2026-10-01",
            "status": status,
            "service_tier": "default",
            "incomplete_details": {"reason": reason} if reason else None,
            "error": error,
            "output": [reasoning, *([message] if parts else [])],
            "parallel_tool_calls": True,
            "tool_choice": "auto",
            "tools": [],
            "usage": {
                "input_tokens": 100,
                "input_tokens_details": {"cached_tokens": 30},
                "output_tokens": 50,
                "output_tokens_details": {"reasoning_tokens": 20},
                "total_tokens": 150,
            },
        }

    def reply(self, *args: Any) -> Reply:
        return as_json(self.body(*args), x_request_id="req_1")

    def text(self, text: str) -> list[dict[str, Any]]:
        return [{"type": "output_text", "text": text, "annotations": []}]

    def success(self, text: str) -> Reply:
        return self.reply(self.text(text), "completed", None)

    thinking = success

    def refusal(self) -> Reply:
        return self.reply([{"type": "refusal", "refusal": "I can't help with that."}], "completed", None)

    def filtered(self) -> Reply:
        return self.reply([], "incomplete", "content_filter")

    def cut(self, text: str | None) -> Reply:
        return self.reply(self.text(text) if text else [], "incomplete", "max_output_tokens")

    def empty(self) -> Reply:
        return self.reply([], "completed", None)

    def unknown_stop(self, text: str) -> Reply:
        return self.reply(self.text(text), "incomplete", "moonlight")

    def too_long(self) -> Reply:
        return self.error(400, "Your input exceeds the context window of this model.", "context_length_exceeded")

    def error(self, status: int, message: str, code: str | None = None, **headers: str) -> Reply:
        return openai_error(status, message, code, **headers)

    def daily_quota(self) -> Reply:
        return self.error(429, "You exceeded your current quota, please check your plan.", "insufficient_quota")

    def error_in_200(self) -> Reply:
        return self.reply([], "failed", None, {"code": "server_error", "message": "internal failure"})


WIRE = Responses()
