"""Amazon Bedrock's Converse."""

from typing import Any, ClassVar

from fake_http import Reply, Seen

from wire.base import Wire, as_json


class Bedrock(Wire):
    provider = "bedrock"
    params: ClassVar = {
        "inferenceConfig": {"maxTokens": 400},
        "additionalModelRequestFields": {"thinking": {"type": "adaptive"}},
    }
    keys: ClassVar = {
        "AWS_ACCESS_KEY_ID": "AKIAEXAMPLE",
        "AWS_SECRET_ACCESS_KEY": "secret/example",
        "AWS_REGION": "eu-central-1",
    }

    def problem(self, seen: Seen) -> Reply | None:
        if "AWS4-HMAC-SHA256 Credential=AKIAEXAMPLE/" not in seen.headers.get("authorization", ""):
            return self.error(
                403, "The security token included in the request is invalid.", "UnrecognizedClientException"
            )
        if seen.method != "POST" or seen.path != f"/model/{self.model}/converse":
            return self.error(404, "no such model", "ResourceNotFoundException")
        if not seen.body.get("messages"):
            return self.error(400, "messages is required", "ValidationException")
        return None

    def prompt(self, seen: Seen) -> str:
        return seen.body["messages"][-1]["content"][0]["text"]

    def reply(self, content: list[dict[str, Any]], stop: str) -> Reply:
        return as_json(
            {
                "output": {"message": {"role": "assistant", "content": content}},
                "stopReason": stop,
                "usage": {
                    "inputTokens": 60,
                    "cacheReadInputTokens": 30,
                    "cacheWriteInputTokens": 10,
                    "outputTokens": 50,
                    "totalTokens": 150,
                },
                "metrics": {"latencyMs": 5},
            },
            x_amzn_requestid="req_1",
        )

    def success(self, text: str) -> Reply:
        return self.reply([{"text": text}], "end_turn")

    def thinking(self, text: str) -> Reply:
        thought = {"reasoningContent": {"reasoningText": {"text": "N: 999", "signature": "s"}}}
        return self.reply([thought, {"text": text}], "end_turn")

    def refusal(self) -> Reply:
        return self.reply([], "refusal")

    def filtered(self) -> Reply:
        return self.reply([{"text": "Sorry, the model cannot answer this question."}], "guardrail_intervened")

    def cut(self, text: str | None) -> Reply:
        return self.reply([{"text": text}] if text else [], "max_tokens")

    def empty(self) -> Reply:
        return self.reply([], "end_turn")

    def unknown_stop(self, text: str) -> Reply:
        return self.reply([{"text": text}], "moonlight")

    def too_long(self) -> Reply:
        return self.error(400, "Input is too long for requested model.", "ValidationException")

    def error(self, status: int, message: str, kind: str | None = None, **headers: str) -> Reply:
        names = {429: "ThrottlingException", 500: "InternalServerException", 503: "ServiceUnavailableException"}
        kind = kind or names.get(status, "ValidationException")
        return as_json({"message": message}, status, x_amzn_ErrorType=kind, **headers)

    def daily_quota(self) -> Reply:
        return self.error(429, "Too many tokens per day, please wait before trying again.")


WIRE = Bedrock()
