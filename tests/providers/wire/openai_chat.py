"""OpenAI's Chat Completions."""

from typing import Any, ClassVar

from fake_http import Reply, Seen

from wire.base import KEY, Wire, as_json


def openai_error(status: int, message: str, code: str | None = None, **headers: str) -> Reply:
    kinds = {429: "rate_limit_exceeded", 401: "invalid_api_key", 404: "model_not_found", 500: "server_error"}
    error = {"message": message, "type": kinds.get(status, "invalid_request_error"), "param": None, "code": code}
    return as_json({"error": error}, status, **headers)


class Chat(Wire):
    provider = "openai_chat"
    params: ClassVar = {"max_completion_tokens": 400, "reasoning_effort": "high"}
    keys: ClassVar = {"OPENAI_API_KEY": KEY}
    base_path = "/v1"

    def problem(self, seen: Seen) -> Reply | None:
        if seen.headers.get("authorization") != f"Bearer {KEY}":
            return self.error(401, "Incorrect API key provided", "invalid_api_key")
        if seen.method != "POST" or seen.path != "/v1/chat/completions":
            return self.error(404, f"Invalid URL ({seen.method} {seen.path})")
        if seen.body.get("model") != self.model:
            return self.error(404, "The model does not exist", "model_not_found")
        if not seen.body.get("messages"):
            return self.error(400, "Missing required parameter: 'messages'.")
        return None

    def prompt(self, seen: Seen) -> str:
        return seen.body["messages"][-1]["content"]

    def reply(self, content: str | None, finish: str, **message: Any) -> Reply:
        return as_json(
            {
                "id": "chatcmpl-1",
                "object": "chat.completion",
                "created": 1,
                "model": f"{self.model}-2026-10-01",
                "service_tier": "default",
                "choices": [
                    {
                        "index": 0,
                        "finish_reason": finish,
                        "message": {"role": "assistant", "content": content, "refusal": None, **message},
                    }
                ],
                "usage": {
                    "prompt_tokens": 100,
                    "completion_tokens": 50,
                    "total_tokens": 150,
                    "prompt_tokens_details": {"cached_tokens": 30},
                    "completion_tokens_details": {"reasoning_tokens": 20},
                },
            },
            x_request_id="req_1",
        )

    def success(self, text: str) -> Reply:
        return self.reply(text, "stop")

    def thinking(self, text: str) -> Reply:
        return self.reply(text, "stop", reasoning_content="N: 999")

    def refusal(self) -> Reply:
        return self.reply(None, "stop", refusal="I can't help with that.")

    def filtered(self) -> Reply:
        return self.reply(None, "content_filter")

    def cut(self, text: str | None) -> Reply:
        return self.reply(text, "length")

    def empty(self) -> Reply:
        return self.reply(None, "stop")

    def unknown_stop(self, text: str) -> Reply:
        return self.reply(text, "moonlight")

    def too_long(self) -> Reply:
        return self.error(400, "This model's maximum context length is 128000 tokens.", "context_length_exceeded")

    def error(self, status: int, message: str, code: str | None = None, **headers: str) -> Reply:
        return openai_error(status, message, code, **headers)

    def daily_quota(self) -> Reply:
        return self.error(429, "You exceeded your current quota, please check your plan.", "insufficient_quota")


WIRE = Chat()
