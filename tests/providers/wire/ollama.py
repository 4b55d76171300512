"""Ollama's /api/chat."""

from typing import Any, ClassVar

from fake_http import Reply, Seen

from wire.base import Wire, as_json


class Ollama(Wire):
    provider = "ollama"
    params: ClassVar = {"think": True, "options": {"num_ctx": 8192, "num_predict": 400, "temperature": 0}}

    def problem(self, seen: Seen) -> Reply | None:
        if seen.method != "POST" or seen.path != "/api/chat":
            return Reply(b"404 page not found", 404, {"Content-Type": "text/plain"})
        if seen.body.get("model") != self.model:
            return self.error(404, f"model '{seen.body.get('model')}' not found")
        if seen.body.get("stream") is not False:
            return self.error(400, "this fake does not stream")
        return None

    def prompt(self, seen: Seen) -> str:
        return seen.body["messages"][-1]["content"]

    def reply(self, text: str, done: str, prompt_tokens: int = 100, **message: Any) -> Reply:
        return as_json(
            {
                "model": self.model,
                "created_at": "2026-10-01T00:00:00Z",
                "message": {"role": "assistant", "content": text, **message},
                "done": True,
                "done_reason": done,
                "total_duration": 5_000_000_000,
                "load_duration": 1_000_000,
                "prompt_eval_count": prompt_tokens,
                "prompt_eval_duration": 1_000_000,
                "eval_count": 50,
                "eval_duration": 4_000_000_000,
            }
        )

    def success(self, text: str) -> Reply:
        return self.reply(text, "stop")

    def thinking(self, text: str) -> Reply:
        return self.reply(text, "stop", thinking="N: 999")

    def refusal(self) -> Reply | None:
        return None

    def filtered(self) -> Reply | None:
        return None

    def cut(self, text: str | None) -> Reply:
        return self.reply(text or "", "length")

    def empty(self) -> Reply:
        return self.reply("", "stop")

    def unknown_stop(self, text: str) -> Reply:
        return self.reply(text, "moonlight")

    def too_long(self) -> Reply:
        return self.reply("N: 2", "stop", prompt_tokens=8192)

    def error(self, status: int, message: str, **headers: str) -> Reply:
        return as_json({"error": message}, status, **headers)

    def daily_quota(self) -> Reply:
        return self.error(429, "you have reached your daily usage limit")


WIRE = Ollama()
