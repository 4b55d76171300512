"""Google's generateContent."""

from typing import Any, ClassVar

from fake_http import Reply, Seen

from wire.base import KEY, Wire, as_json


class Google(Wire):
    provider = "google"
    params: ClassVar = {"max_output_tokens": 400, "thinking_config": {"thinking_level": "HIGH"}}
    keys: ClassVar = {"GEMINI_API_KEY": KEY}

    def problem(self, seen: Seen) -> Reply | None:
        if seen.headers.get("x-goog-api-key") != KEY:
            return self.error(400, "API key not valid. Please pass a valid API key.", "INVALID_ARGUMENT")
        path = seen.path.split("?")[0]
        if seen.method != "POST" or not path.endswith(f"/models/{self.model}:generateContent"):
            return self.error(404, f"models/{path} is not found", "NOT_FOUND")
        if not seen.body.get("contents"):
            return self.error(400, "contents is not specified", "INVALID_ARGUMENT")
        return None

    def prompt(self, seen: Seen) -> str:
        return seen.body["contents"][-1]["parts"][0]["text"]

    def reply(self, parts: list[dict[str, Any]] | None, finish: str | None, **more: Any) -> Reply:
        candidate: dict[str, Any] = {"index": 0}
        if parts is not None:
            candidate["content"] = {"role": "model", "parts": parts}
        if finish is not None:
            candidate["finishReason"] = finish
        body = {
            "candidates": [candidate],
            "responseId": "resp_1",
            "modelVersion": f"{self.model}-001",
            "usageMetadata": {
                "promptTokenCount": 100,
                "cachedContentTokenCount": 30,
                "candidatesTokenCount": 30,
                "thoughtsTokenCount": 20,
                "totalTokenCount": 150,
            },
            **more,
        }
        return as_json({name: value for name, value in body.items() if value is not None})

    def success(self, text: str) -> Reply:
        return self.reply([{"text": text}], "STOP")

    def thinking(self, text: str) -> Reply:
        return self.reply([{"text": "N: 999", "thought": True}, {"text": text}], "STOP")

    def refusal(self) -> Reply:
        return self.reply(None, None, candidates=None, promptFeedback={"blockReason": "PROHIBITED_CONTENT"})

    def filtered(self) -> Reply:
        return self.reply(None, "SAFETY")

    def cut(self, text: str | None) -> Reply:
        return self.reply([{"text": text}] if text else None, "MAX_TOKENS")

    def empty(self) -> Reply:
        return self.reply([], "STOP")

    def unknown_stop(self, text: str) -> Reply:
        return self.reply([{"text": text}], "MOONLIGHT")

    def too_long(self) -> Reply:
        return self.error(
            400, "The input token count (1200000) exceeds the maximum number of tokens allowed (1048576)."
        )

    def error(self, status: int, message: str, kind: str | None = None, details: Any = (), **headers: str) -> Reply:
        names = {429: "RESOURCE_EXHAUSTED", 500: "INTERNAL", 503: "UNAVAILABLE", 401: "UNAUTHENTICATED"}
        error = {
            "code": status,
            "message": message,
            "status": kind or names.get(status, "INVALID_ARGUMENT"),
            "details": list(details),
        }
        return as_json({"error": error}, status, **headers)

    def daily_quota(self) -> Reply:
        failure = {
            "@type": "type.googleapis.com/google.rpc.QuotaFailure",
            "violations": [{"quotaId": "GenerateRequestsPerDayPerProjectPerModel-FreeTier"}],
        }
        return self.error(429, "You exceeded your current quota.", details=[failure])

    def retry_info(self, delay: str) -> Reply:
        info = {"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": delay}
        return self.error(429, "Resource has been exhausted.", details=[info])


WIRE = Google()
