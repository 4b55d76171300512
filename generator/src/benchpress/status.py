"""The status taxonomy: what became of a response, by the first rule that fits.

The rules and the decisions behind them are in docs/answers.md.
"""

import re
from enum import Enum
from functools import lru_cache

from benchpress.items import Response, Status

MAX_REFUSAL = 4_000


class Stop(Enum):
    """What a provider's stop reason says, whatever its spelling."""

    NONE = "none"
    NORMAL = "normal"
    CUT = "cut"
    REFUSED = "refused"
    FAILED = "failed"


_CUT = (
    "length", "max_token", "max_output", "max_new_token", "max_completion", "token_limit", "tokens_limit",
    "limit_token",
    "context_window", "context_limit", "truncat", "error_limit", "output_limit", "max_len", "maxtoken", "max_tok",
)  # fmt: skip
_REFUSED = (
    "refus", "filter", "safety", "recitation", "blocklist", "prohibited", "spii", "guardrail", "toxic", "moderat",
    "policy",
    "blocked", "sensitive", "unsafe", "language", "model_armor", "harm", "content_violation", "declined", "censor",
    "copyright",
)  # fmt: skip
_FAILED = (
    "error", "fail", "timeout", "timed_out", "overload", "rate_limit", "unavailable", "insufficient", "abort", "cancel",
    "interrupt", "disconnect", "exception", "quota", "throttl",
)  # fmt: skip


def stop_of(response: Response) -> Stop:
    """What the response's stop reason and token counts say."""
    said = _stop_of_reason(str(response.stop_reason or ""))
    if said in (Stop.NORMAL, Stop.NONE):
        spent, allowed = response.output_tokens, response.max_tokens
        if isinstance(spent, int) and isinstance(allowed, int) and 0 < allowed <= spent:
            return Stop.CUT
    return said


@lru_cache(maxsize=256)
def _stop_of_reason(reason: str) -> Stop:
    plain = re.sub(r"[\s.\-]+", "_", reason).lower()
    for kind, signs in ((Stop.CUT, _CUT), (Stop.REFUSED, _REFUSED), (Stop.FAILED, _FAILED)):
        if any(sign in plain for sign in signs):
            return kind
    return Stop.NORMAL if plain else Stop.NONE


def classify(response: Response, answered: int, asked: int, visible: str, open_thinking: bool) -> Status:
    """The status of a response of which `answered` of `asked` parts have a value.

    `visible` is its text without think blocks, `open_thinking` says that such a block was not closed.
    """
    if asked and answered == asked:
        return Status.OK
    stop = stop_of(response)
    if stop is Stop.CUT:
        return Status.TRUNCATED
    if stop is Stop.REFUSED:
        return Status.REFUSAL
    if stop is Stop.FAILED or response.error or (not answered and is_error_text(visible)):
        return Status.API_ERROR
    if open_thinking and stop is Stop.NONE:
        return Status.TRUNCATED
    if answered:
        return Status.OK
    return Status.REFUSAL if is_refusal(visible) else Status.INVALID_ANSWER


_ERROR_TEXT = re.compile(
    r"\W{0,4}(?:(?:(?:\d{3} )?(?:api|http|server|internal|openai|anthropic|network|connection|request|upstream|"
    r"provider|model|gateway|fatal|unexpected|unknown|runtime|rate ?limit)"
    r"[ _]?(?:server |status )?(?:error|exception|failure|timeout|timed out|failed|overloaded|exceeded|reset|refused|"
    r"aborted|closed)\b)"
    r"|(?-i:(?:[a-z]\w{0,30}\.){0,6}[A-Z][A-Za-z]*(?:Error|Exception)\b|(?:[a-z]\w{0,30}\.){1,6}[A-Z][A-Za-z]{1,60}[:(])|[a-z]+(?:_[a-z]+){0,4}_(?:error|exception)\b"
    r"|error(?: code)?\s?[:=(]|error \d{3}\b|\[?error\]?\W|exception:|traceback \(most recent call last\)|"
    r"[{\[]\s*\"(?:type\"\s*:\s*\"error|error|errors|err)\"|[{\[]\s*\"(?:code|status|statusCode)\"\s*:\s*\"?[45]\d\d|"
    r"(?:http/?\d?(?:\.\d)? ?)?[45]\d\d\b[ :\-–—]{1,4}(?:[a-z]+ ){0,4}?(?:error|unavailable|gateway|requests|timeout|"
    r"time-out|forbidden|unauthorized|found|overloaded|request|large|limit)"
    r"|(?:bad gateway|service (?:is )?(?:temporarily )?unavailable|gateway time-?out|too many requests|rate limit "
    r"(?:reached|exceeded)|"
    r"(?:request|connection|read) timed out|overloaded|the (?:server|model|engine|service) (?:is (?:currently )"
    r"?overloaded|had an error|is (?:temporarily )?unavailable|encountered)|"
    r"an? (?:unexpected |internal |unknown )?error (?:has )?occurred|connection (?:error|reset|refused|aborted)|"
    r"upstream (?:connect|request)|insufficient (?:quota|balance|credits)|"
    r"(?:you (?:have )?exceeded|you've exceeded) your (?:current )?quota|quota exceeded|unauthorized|invalid api key|"
    r"incorrect api key|model not found|no response from)"
    r"|<!doctype html|<html)",
    re.IGNORECASE,
)


def is_error_text(text: str) -> bool:
    """Whether the text is an error message of a server or client that stands in the place of an answer."""
    return _ERROR_TEXT.match(text.lstrip()[:400]) is not None


_ABLE = (
    r"(?:can ?not|can't|could not|couldn't|won't|will not|am (?:not able|unable) to|'m (?:not able|unable) to|am not "
    r"(?:going|willing|permitted|allowed|comfortable)(?: to)?|'m not (?:going|willing|permitted|allowed|comfortable)"
    r"(?: to| with)?|shouldn't|should not|do not feel comfortable|don't feel comfortable|(?:'d |would )?prefer not to|"
    r"(?:'d|would) rather not|wouldn't|would not|refuse to|decline to|have to decline to|must decline to|must refuse "
    r"to|are (?:not able|unable) to|'re (?:not able|unable) to)"
)
_FIRMLY = re.compile(
    rf"\b(?:i|we)(?: really| simply| just| also| therefore)? ?{_ABLE}(?: \w+ly)? (?:help|assist|comply|continue|"
    rf"fulfil|fulfill|engage|participate|support|do that|do this|aid|"
    r"proceed|process (?:this|that|your)|complete (?:this|that|your) (?:request|task)|(?:respond|reply) to (?:this|"
    r"that|your)|discuss|be (?:able|part)|in good conscience|accommodate|carry out)"
    r"|\b(?:i|we)(?:'m| am|'re| are)? ?(?:must|have to|need to|will|would|'ll|going to|respectfully|politely)? "
    r"?(?:have to |need to )?(?:respectfully |politely )?(?:decline|refuse|declining|refusing)\b"
    r"|\b(?:violates?|against|goes against|in conflict with|not (?:allowed|permitted) (?:by|under)) (?:my|our|the|"
    r"openai'?s?|anthropic'?s?|usage|content) ?(?:\w+ )?(?:guidelines|policy|policies|programming|principles|rules|"
    r"terms)"
    r"|\b(?:this|that|your|the) (?:request|question|prompt|content) (?:has been|was|is|cannot be|can't be|will be) "
    r"(?:blocked|flagged|refused|declined|rejected|fulfilled|processed)"
    r"|\b(?:i|we)(?:'m| am|'re| are) not comfortable (?:\w+ing|with)\b"
    r"|\bthis is not something i(?: can|'m able| am able)|(?:\bnot|n't) something (?:that )?i(?: can|'m able to| am "
    r"able to) (?:help|assist|do|discuss|engage|support|comply)"
    r"|\b(?:my|our|openai's|anthropic's|the) (?:\w+ ){0,3}(?:guidelines|policy|policies|programming|principles|rules) "
    r"(?:prevents?|prohibits?|forbids?|(?:do not|don't|does not|doesn't) (?:allow|permit)) me\b"
    r"|\b(?:lo siento|no puedo (?:ayudar|responder|cumplir)|je (?:suis désolé|ne peux pas)|es tut mir leid|ich kann "
    r"(?:ihnen |dir )?(?:dabei |damit )?nicht|desculpe|não posso|mi dispiace|non posso)\b"
    r"|抱歉|对不起|很遗憾.{0,5}(?:不能|无法)|無法|我(?:不能|无法)|申し訳|できません|죄송",
    re.IGNORECASE,
)
_LOOSELY = re.compile(
    rf"\b(?:i|we)(?: really| simply)? ?{_ABLE}(?: \w+ly)? (?:provide|answer|give|offer|share|generate|produce|create|"
    rf"write|respond|reply|do|supply|perform|advise|solve)\b",
    re.IGNORECASE,
)
_GIVES_UP = re.compile(
    r"\b(?:without|because|since|insufficient|not enough|more (?:information|data|details|context)|missing|from "
    r"(?:the|this|these)|given the|unless|lacks?|ambiguous|unclear|"
    r"(?:exact|precise|single|reliable|definite|numerical|numeric|unique|definitive) (?:\w+ )?(?:answer|value|"
    r"estimate|number|set)|determin\w+|identif\w+|observational)\b",
    re.IGNORECASE,
)
_DRESS = str.maketrans("", "", "*_`#>")


def is_refusal(text: str) -> bool:
    """Whether the visible text declines the request, rather than giving up or saying something about the problem."""
    plain = text[:MAX_REFUSAL].replace("\u2019", "'").translate(_DRESS).strip()
    if not plain:
        return False
    # A refusal is said at the start; what a long text says later is about something else.
    opening = plain[:300]
    if plain.startswith(('"', "\u201c", "'")) and len(plain) > 1:
        opening = ""
    if _FIRMLY.search(opening):
        return True
    loose = _LOOSELY.search(opening)
    return loose is not None and _GIVES_UP.search(plain[loose.start() : loose.start() + 300]) is None
