"""Takes reasoning out of an answer: think blocks in all spellings, channels, and special tokens around them."""

import re

_NAME = (
    r"(?:seed:|ant:?|antml:)?(?:think(?:ing)?|thoughts?|reason(?:ing)?|reflect(?:ion)?|scratch_?pad|analysis|"
    r"deliberation|(?:inner|internal)[_ ]?(?:monologue|thoughts?|reasoning)|chain[_ ]of[_ ]thought|cot|"
    r"thinking[_ ]process|thought[_ ]process)"
)
# Each begins with the sign itself, so that the search skips prose at the speed of a character search.
_ANGLE = re.compile(
    rf"<(?=[\s/|a-z])(?:\s{{0,5}}(?P<end>/?)\s{{0,5}}(?P<name>{_NAME})(?:\s[^<>\n]{{0,200}})?\s{{0,5}}>"
    rf"|\|\s?(?:(?P<end2>/|end_of_|end_|eo)|begin_of_|begin_|start_of_|start_|bo)?(?P<name2>{_NAME})\s?\|>)",
    re.IGNORECASE,
)
_SIMPLE = re.compile(r"<(think(?:ing)?|thought|reasoning)>[^<\[]*</\1>", re.IGNORECASE)
_CLOSING = re.compile(r"[<\[|]\s{0,5}/|end|eo", re.IGNORECASE)
_SQUARE = re.compile(
    r"\[(?P<end>/?)(?P<name>think(?:ing)?|reasoning|thoughts?|scratchpad)(?P<end2>)(?P<name2>)\]", re.IGNORECASE
)
_ESCAPED = re.compile(rf"&lt;(\s{{0,5}}/?\s{{0,5}}{_NAME}\s{{0,5}})&gt;", re.IGNORECASE)
# Where none of these occurs there is nothing to look for.
_STEMS = ("think", "thought", "reason", "reflect", "scratch", "analysis", "deliberation", "monologue", "cot")
_FENCE = re.compile(r"(?im)^(?P<fence>```+|~~~+) ?(?:think|thinking|thought|thoughts|reasoning|scratchpad) *$")
_FINAL_CHANNEL = re.compile(r"<\|channel\|?>\s*final\b[^<\n]{0,100}(?:<\|message\|>|<channel\|>)?", re.IGNORECASE)
_OTHER_CHANNEL = re.compile(
    r"<\|channel\|?>\s*(?:analysis|commentary|thought|thinking)\b.*?"
    r"(?:<\|end\|>|<\|return\|>|<\|call\|>|<\|start\|>|<channel\|>|\Z)",
    re.IGNORECASE | re.DOTALL,
)
_TOKEN = re.compile(
    r"<\|[A-Za-z_ /]{1,40}\|?>|</?s>|<(?:pad|bos|eos|unk|end_of_turn|start_of_turn)>(?:\s?(?:model|assistant)\b)?",
    re.IGNORECASE,
)
_USER_TOKEN = re.compile(r"<\|(?:user|human)\|?>|(?:<\|im_start\|>|<start_of_turn>)\s?user\b", re.IGNORECASE)
_TOKEN_SIGNS = ("<|", "<s>", "</s>", "_turn>", "<pad>", "<bos>", "<eos>", "<unk>")
_END_TOKENS = (
    "<|im_end|>", "<|eot_id|>", "<|endoftext|>", "<|end_of_text|>", "<|return|>", "</s>", "<end_of_turn>", "<eos>",
)  # fmt: skip
# Inside a line this is struck-out text; a whole text between the two is a token at either end.
_STRUCK = re.compile(r"(?<=[^\n>])<s>[^<\n]{0,300}</s>")
_GLUED = "assistantfinal"


def strip_thinking(text: str) -> tuple[str, bool]:
    """The visible part of `text`, and whether a think block was left open.

    Nested blocks are taken out whole, an open one reaches to the end, and a closing tag without an opening one ends a
    block that began at the start. A tag of another name inside a block, or one in back-ticks, is only a mention.
    """
    open_end = False
    if "<|channel" in text:
        text, open_end = _strip_channels(text)
    elif text.startswith(("analysis", "commentary")) and _GLUED in text:
        text = text[text.rindex(_GLUED) + len(_GLUED) :]
    if ("<" in text or "[" in text or "```" in text or "~~~" in text or "&lt;" in text) and _has_stem(text):
        text, unclosed = _strip_blocks(text)
        open_end = open_end or unclosed
    if "<" in text and any(sign in text for sign in _TOKEN_SIGNS):
        text = _strip_tokens(text)
    return text, open_end


def _strip_channels(text: str) -> tuple[str, bool]:
    finals = list(_FINAL_CHANNEL.finditer(text))
    if finals:
        return text[finals[-1].end() :], False
    kept = _OTHER_CHANNEL.sub(" ", text)
    return kept, not kept.strip()


def _has_stem(text: str) -> bool:
    lower = text.lower()
    return any(stem in lower for stem in _STEMS)


def _strip_blocks(text: str) -> tuple[str, bool]:
    if "&lt;" in text:
        text = _ESCAPED.sub(r"<\1>", text)
    # Blocks without anything in angle brackets inside go at once; nesting does not matter to them.
    text, simple = _SIMPLE.subn("\n", text)
    tags = _tags(text)
    open_tag = open_fence = False
    if tags:
        text, open_tag = _strip_tags(text, tags, simple > 0)
    if "```" in text or "~~~" in text:
        text, open_fence = _strip_fences(text)
    return text, open_tag or open_fence


_Tag = tuple[int, int, str, bool]
"""Begin, end, name, and whether it closes."""


def _tags(text: str) -> list[_Tag]:
    tags: list[_Tag] = []
    known: dict[str, tuple[str, bool]] = {}
    never_closed = _CLOSING.search(text) is None
    for pattern, sign in ((_ANGLE, "<"), (_SQUARE, "[")):
        if sign not in text:
            continue
        for tag in pattern.finditer(text):
            if tags and never_closed:
                break  # the first one hides all that follows
            begin, end = tag.span()
            if begin and text[begin - 1] == "`" and text[end : end + 1] == "`":
                continue
            spelling = tag.group()
            if spelling not in known:
                known[spelling] = ((tag["name"] or tag["name2"]).lower(), bool(tag["end"] or tag["end2"]))
            tags.append((begin, end, *known[spelling]))
    tags.sort()
    return tags


def _strip_tags(text: str, tags: list[_Tag], closed_before: bool) -> tuple[str, bool]:
    last_end = {name: begin for begin, _, name, closes in tags if closes}
    last_closing = max(last_end.values(), default=-1)
    kept: list[str] = []
    start = 0  # where visible text goes on
    open_name, depth = "", 0
    foreign = False  # the open block has no closing tag of its own name, so any closes it
    for begin, end, name, closes in tags:
        if depth:
            if name == open_name and not closes:
                depth += 1
            elif closes and (name == open_name or foreign):
                depth = 0 if foreign else depth - 1
                closed_before = True
                start = end
        elif closes:
            # A second closing tag at the very end, after a complete block, closes nothing.
            if closed_before and begin == last_closing and not text[end:].strip():
                kept.append(text[start:begin])
            else:
                kept.clear()
            closed_before = True
            start = end
        else:
            kept.append(text[start:begin])
            open_name, depth = name, 1
            foreign = last_end.get(name, -1) < begin < last_closing
    if depth == 0:
        kept.append(text[start:])
    return "\n".join(kept), depth > 0


def _strip_fences(text: str) -> tuple[str, bool]:
    opening = _FENCE.search(text)
    if opening is None:
        return text, False
    kept = []
    start = 0
    while opening is not None:
        kept.append(text[start : opening.start()])
        closing = text.find("\n" + opening["fence"], opening.end())
        if closing < 0:
            return "".join(kept), True
        start = closing + 1 + len(opening["fence"])
        opening = _FENCE.search(text, start)
    kept.append(text[start:])
    return "".join(kept), False


def _strip_tokens(text: str) -> str:
    """Special tokens taken out; what follows the end of the model's turn belongs to no answer."""
    if "</s>" in text:
        text = _STRUCK.sub(" ", text)
    for token in _END_TOKENS:
        if token in text:
            before = text[: text.index(token)]
            if _TOKEN.sub("", before).strip():
                text = before
    return _TOKEN.sub(" ", _USER_TOKEN.sub("\nUser:\n", text))
