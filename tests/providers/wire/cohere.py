"""Cohere's v2 chat."""

from typing import Any, ClassVar

from fake_http import Reply, Seen

from wire.base import KEY, Wire, as_json


class Cohere(Wire):
    provider = "cohere"
    params: ClassVar = {"max_tokens": 400, "thinking": {"type": "enabled"}}
    keys: ClassVar = {"CO_API_KEY": KEY}

    def problem(self, seen: Seen) -> Reply | None:
        if seen.headers.get("authorization") != f"Bearer {KEY}":
            return self.error(401, "invalid api token")
        if seen.method != "POST" or seen.path != "/v2/chat":
            return self.error(404, "not found")
        if seen.body.get("model") != self.model:
            return self.error(404, "model not found")
        return None

    def prompt(self, seen: Seen) -> str:
        return seen.body["messages"][-1]["content"]

    def reply(self, content: list[dict[str, Any]] | None, finish: str) -> Reply:
        message: dict[str, Any] = {"role": "assistant"}
        if content is not None:
            message["content"] = content
        return as_json(
            {
                "id": "resp_1",
                "finish_reason": finish,
                "message": message,
                "usage": {
                    "billed_units": {"input_tokens": 80.0, "output_tokens": 45.0},
                    "tokens": {"input_tokens": 100.0, "output_tokens": 50.0},
                    "cached_tokens": 30.0,
                },
            }
        )

    def success(self, text: str) -> Reply:
        return self.reply([{"type": "text", "text": text}], "COMPLETE")

    def thinking(self, text: str) -> Reply:
        return self.reply([{"type": "thinking", "thinking": "N: 999"}, {"type": "text", "text": text}], "COMPLETE")

    def refusal(self) -> Reply | None:
        return None

    def filtered(self) -> Reply | None:
        return self.error(400, "blocked by content filter")

    def cut(self, text: str | None) -> Reply:
        return self.reply([{"type": "text", "text": text}] if text else None, "MAX_TOKENS")

    def empty(self) -> Reply:
        return self.reply([], "COMPLETE")

    def unknown_stop(self, text: str) -> Reply:
        return self.reply([{"type": "text", "text": text}], "MOONLIGHT")

    def too_long(self) -> Reply:
        return self.error(400, "too many tokens: size limit exceeded by 12000 tokens")

    def error(self, status: int, message: str, **headers: str) -> Reply:
        return as_json({"message": message, "id": "err_1"}, status, **headers)

    def daily_quota(self) -> Reply:
        return self.error(429, "You are using a Trial key, which is limited to 1000 API calls per day.")

    def error_in_200(self) -> Reply:
        return self.reply(None, "ERROR")


WIRE = Cohere()
