"""Anthropic's Messages API."""

import json
from dataclasses import replace
from typing import Any, ClassVar

from fake_http import Reply, Seen

from wire.base import KEY, Wire, as_json


class Anthropic(Wire):
    provider = "anthropic"
    params: ClassVar = {"max_tokens": 400, "thinking": {"type": "adaptive"}, "output_config": {"effort": "high"}}
    keys: ClassVar = {"ANTHROPIC_API_KEY": KEY}

    def problem(self, seen: Seen) -> Reply | None:
        if seen.headers.get("authorization") != f"Bearer {KEY}" and seen.headers.get("x-api-key") != KEY:
            return self.error(401, "invalid x-api-key", "authentication_error")
        if seen.method != "POST" or seen.path != "/v1/messages":
            return self.error(404, "Not found", "not_found_error")
        if "anthropic-version" not in seen.headers:
            return self.error(400, "anthropic-version: header is required", "invalid_request_error")
        for name in ("model", "messages", "max_tokens"):
            if name not in seen.body:
                return self.error(400, f"{name}: Field required", "invalid_request_error")
        if seen.body["model"] != self.model:
            return self.error(404, f"model: {seen.body['model']}", "not_found_error")
        return None

    def prompt(self, seen: Seen) -> str:
        return seen.body["messages"][-1]["content"]

    def message(self, content: list[dict[str, Any]], stop: str | None, details: Any = None) -> dict[str, Any]:
        return {
            "id": "msg_1",
            "type": "message",
            "role": "assistant",
            "model": f"{self.model}-20261001",
            "content": content,
            "stop_reason": stop,
            "stop_sequence": None,
            "stop_details": details,
            "usage": {
                "input_tokens": 60,
                "cache_read_input_tokens": 30,
                "cache_creation_input_tokens": 10,
                "output_tokens": 50,
                "output_tokens_details": {"thinking_tokens": 20},
                "service_tier": "standard",
            },
        }

    def reply(self, *args: Any) -> Reply:
        return as_json(self.message(*args), request_id="req_1")

    def success(self, text: str) -> Reply:
        return self.reply([{"type": "text", "text": text}], "end_turn")

    def thinking(self, text: str) -> Reply:
        return self.reply(
            [{"type": "thinking", "thinking": "N: 999", "signature": "s"}, {"type": "text", "text": text}], "end_turn"
        )

    def refusal(self) -> Reply:
        return self.reply([], "refusal", {"type": "refusal", "category": "cyber", "explanation": "policy"})

    def filtered(self) -> Reply | None:
        return self.error(400, "Output blocked by content filtering policy", "invalid_request_error")

    def cut(self, text: str | None) -> Reply:
        return self.reply([{"type": "text", "text": text}] if text else [], "max_tokens")

    def empty(self) -> Reply:
        return self.reply([], "end_turn")

    def unknown_stop(self, text: str) -> Reply:
        return self.reply([{"type": "text", "text": text}], "moonlight")

    def too_long(self) -> Reply:
        return self.error(400, "prompt is too long: 210000 tokens > 200000 maximum", "invalid_request_error")

    def error(self, status: int, message: str, kind: str | None = None, **headers: str) -> Reply:
        names = {429: "rate_limit_error", 500: "api_error", 529: "overloaded_error", 401: "authentication_error"}
        kind = kind or names.get(status, "invalid_request_error")
        return as_json({"type": "error", "error": {"type": kind, "message": message}}, status, **headers)

    def daily_quota(self) -> Reply:
        return self.error(400, "Your credit balance is too low to access the Anthropic API.", "invalid_request_error")

    def error_in_200(self) -> Reply:
        return replace(self.error(529, "Overloaded"), status=200)

    def stream(self, text: str, stop: str, broken: bool = False) -> Reply:
        """The same answer as server-sent events; `broken` puts an error event in the place of the end."""
        message = self.message([], None)
        message["usage"]["output_tokens"] = 1
        events: list[dict[str, Any]] = [
            {"type": "message_start", "message": message},
            {"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}},
            {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": text[:2]}},
            {"type": "ping"},
            {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": text[2:]}},
        ]
        if broken:
            events.append({"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}})
        else:
            events += [
                {"type": "content_block_stop", "index": 0},
                {
                    "type": "message_delta",
                    "delta": {"stop_reason": stop, "stop_sequence": None},
                    "usage": {"output_tokens": 50, "output_tokens_details": {"thinking_tokens": 20}},
                },
                {"type": "message_stop"},
            ]
        body = "".join(f"event: {event['type']}\ndata: {json.dumps(event)}\n\n" for event in events)
        return Reply(body.encode(), 200, {"Content-Type": "text/event-stream", "request-id": "req_1"})


WIRE = Anthropic()
