# ruff: noqa: E501, SIM905 - a list of commands stays one list
"""Signs of HTML, LaTeX, Unicode and of thinking models, each once: what they show is read, what they hide is not.

What a command shows is what HTML, LaTeX and Unicode say; docs/answers.md says what becomes of it.
"""

from typing import Any

import pytest
from benchpress.items import Part
from benchpress.parts.characters import fold_characters
from benchpress.parts.markup import strip_html, strip_markup
from benchpress.parts.thinking import strip_thinking
from reading import read, result_of

BLOCKS = (
    "br", "hr", "p", "div", "section", "article", "header", "footer", "details", "summary", "blockquote", "ul", "ol",
    "dl", "dt", "dd", "h1", "h2", "h3", "h4", "h5", "h6", "table", "thead", "tbody", "tfoot", "caption", "tr",
)  # fmt: skip
INLINE = (
    "b", "strong", "i", "em", "u", "ins", "mark", "small", "big", "font", "span", "code", "pre", "tt", "kbd", "var",
    "a", "abbr", "center", "cite", "q",
)  # fmt: skip


@pytest.mark.parametrize("tag", BLOCKS)
def test_a_block_of_html_is_a_line_of_its_own(tag: str) -> None:
    assert strip_html(f"one<{tag}>two</{tag}>three") == "one\ntwo\nthree"
    assert strip_html(f"one<{tag.upper()} class='x'>two") == "one\ntwo"
    assert strip_html(f"one<{tag}/>two<{tag} />three") == "one\ntwo\nthree"


@pytest.mark.parametrize("tag", INLINE)
def test_an_inline_element_of_html_shows_its_text_alone(tag: str) -> None:
    assert strip_html(f"one<{tag}>two</{tag}>three") == "onetwothree"
    assert strip_html(f"one<{tag.upper()} class='x'>two</{tag.upper()}>") == "onetwo"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("<td>a</td><td>b</td>", " | a | b"), ("<th>a</th><th>b</th>", " | a | b"), ("10<sup>2</sup>", "10^2"),
        ("X<sub>1</sub>", "X_1"), ("<li>a</li><li>b</li>", "\n- a\n\n- b\n"), ("a<s>b</s>c", "ac"),
        ("a<del>b</del>c", "ac"), ("a<strike>b</strike>c", "ac"), ("a<DEL>b</DEL>c", "ac"), ("a<s>b</del>c", "a<s>b</del>c"),
        ("a<!-- b -->c", "ac"), ("<![CDATA[a]]>b", "ab"), ("<number>", "<number>"), ("a < b > c", "a < b > c"),
        ("&lt;b&gt;", "<b>"), ("&#65;&#x42;&amp;", "AB&"), ("&bogus;", "&bogus;"), ("a & b; c", "a & b; c"),
    ],
)  # fmt: skip
def test_html_is_what_it_shows(text: str, shown: str) -> None:
    assert strip_html(text) == shown


@pytest.mark.parametrize("count", [49, 50, 51, 52, 60])
def test_many_different_tags_are_shown_like_few(count: int) -> None:
    text = "".join(f"<b class='{index}'>{index},</b>" for index in range(count))
    assert strip_html(text) == "".join(f"{index}," for index in range(count))


LATEX = {
    "→": "rightarrow longrightarrow to Rightarrow Longrightarrow implies mapsto longmapsto rightsquigarrow xrightarrow hookrightarrow leadsto textrightarrow",
    "←": "leftarrow longleftarrow gets Leftarrow Longleftarrow",
    "↔": "leftrightarrow longleftrightarrow Leftrightarrow iff",
    "∅": "emptyset varnothing", "Ø": "O", "×": "times", "·": "cdot", "≈": "approx simeq cong doteq", "±": "pm mp",
    "∞": "infty", "≤": "le leq leqslant", "≥": "ge geq geqslant", "<": "lt", ">": "gt", "≠": "ne neq",
    "|": "mid vert lvert rvert", "∪": "cup", "∩": "cap", "∖": "setminus backslash", "≺": "prec",
    "≻": "succ", "{": "lbrace", "}": "rbrace", "[": "lbrack", "]": "rbrack", "(": "langle", ")": "rangle",
    "...": "ldots dots cdots", "%": "percent", "—": "textemdash", "–": "textendash", "✓": "checkmark", "and": "land wedge",
    "or": "lor vee", ":": "colon", "°": "circ degree", "€": "euro", "£": "pounds", "-": "minus textminus",
    "": "quad qquad",
}  # fmt: skip
WRAPPERS = (
    "text textbf textit textrm texttt textsf textsc textup textnormal emph underline uline mathbf mathrm mathit mathsf "
    "mathtt mathcal mathbb mathbin mathop boldsymbol bm pmb operatorname ensuremath mbox hbox fbox boxed hat widehat "
    "tilde widetilde bar vec dot"
).split()
SWITCHES = (
    "bold bf rm it displaystyle textstyle large Large huge left right big Big bigg Bigg bigl bigr Bigl Bigr middle "
    "limits nolimits"
).split()


@pytest.mark.parametrize(
    ("command", "sign"), [(command, sign) for sign, commands in LATEX.items() for command in commands.split()]
)
def test_a_latex_command_is_the_sign_it_shows(command: str, sign: str) -> None:
    assert strip_markup(f"$x \\{command} y$").split() == ["x", *sign.split(), "y"]
    assert strip_markup(f"x \\{command}bogus y") == f"x \\{command}bogus y"


@pytest.mark.parametrize("command", WRAPPERS)
def test_a_latex_command_that_dresses_its_argument_goes(command: str) -> None:
    assert strip_markup(f"$x = \\{command}{{4}}$") == "x = 4"
    assert strip_markup(f"x = \\{command}{{\\textbf{{4}}}}") == "x = 4"


@pytest.mark.parametrize("command", SWITCHES)
def test_a_latex_switch_goes(command: str) -> None:
    assert strip_markup(f"$\\{command} 4$") == "4"


@pytest.mark.parametrize("font", ["bf", "it", "rm", "tt", "sf", "em", "bfseries", "itshape", "ttfamily"])
def test_an_old_font_command_shows_its_text(font: str) -> None:
    assert strip_markup(f"{{\\{font} word}}") == "word"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        (r"\frac{1}{3}", "1/3"), (r"\dfrac{1}{3}", "1/3"), (r"\tfrac{1}{3}", "1/3"), (r"\cfrac{1}{3}", "1/3"),
        (r"\sfrac{1}{3}", "1/3"), (r"\frac13", "1/3"), (r"\frac{1}3", "1/3"), (r"\frac1{30}", "1/30"),
        (r"\frac{a}{b}", "(a)/(b)"), (r"\frac{1}{\frac{2}{3}}", "(1)/(2/3)"), (r"\{A, B\}", "{A, B}"), (r"a\_b", "a_b"),
        (r"5\%", "5%"), (r"\$5", "$5"), (r"a \& b", "a & b"), (r"\#1", "#1"), (r"a \| b", "a | b"), (r"\(a\)", "a"),
        (r"\[a\]", "a"), (r"1\,000", "1 000"), (r"1\;000", "1 000"), (r"1\:000", "1 000"), (r"1\ 000", "1 000"),
        (r"1\>000", "1 000"), (r"a\!b", "ab"), (r"a\\b", "a\nb"), (r"x_{12}", "x_12"), (r"a \newline b", "a \n b"),
        (r"a \item b", "a \n-  b"), (r"\begin{cases}a\end{cases}", "a"), (r"\begin{tabular}{lc}a\end{tabular}", "a"),
        (r"\unknown{a}", r"\unknown{a}"), ("~~a~~ b", "b"), ("**a**", "a"), ("__a__", "a"), ("2 ** 3", "2 ** 3"),
        ("2*3", "2*3"), ("(2)*(3)", "(2)*(3)"), ("*a* and *b*", "a and b"), ("`a`", "a"), ("a_b_c", "a_b_c"), ("_a_ b", "a b"),
        ("_-1_", "-1"), ("_+1_", "+1"), ("_.5_", ".5"), ("~~~a~~~", "~~~a~~~"), ("plain", "plain"),
    ],
)  # fmt: skip
def test_markup_is_what_it_shows(text: str, shown: str) -> None:
    assert " ".join(strip_markup(text).split(" ")).strip() == shown


SAME = {
    "\n": "\r\x0b\x0c\x85\u2028\u2029", " ": "\t\u00a0\u2003\u3000", "-": "\u2010\u2011\u2012\u2212\ufe63\uff0d\u02d7",
    "'": "\u2018\u2019\u201a\u201b\u2032\u02bc", '"': "\u201c\u201d\u201e\u201f\u00ab\u00bb\u300c\u300d\u300e\u300f\u2033",
    "<": "\u25c1＜", ">": "\u25b7＞", "(": "\u27e8\u2329\u3008（", ")": "\u27e9\u232a\u3009）", "[": "\u3010\u3014［",
    "]": "\u3011\u3015］", "/": "\u2044\u2215／", ",": "\u3001\u066c\u060c，", ";": "\u061b；", ".": "\u3002\u066b\uff61．",
    "%": "\u066a％", ":": "\u2236\ua789：", "*": "\u2217\u204e＊", "~": "\u223c～", "|": "\u2223\u2502｜", "A": "Ａ𝐀𝔸Ⓐ",
    "7": "７𝟕٧७", "": "\u200b\u200e\u00ad\ufeff\ufe0f\u115f\u1160\u3164\uffa0\u2800\ufffd\x00\x08\x1b\x7f",
}  # fmt: skip


@pytest.mark.parametrize(
    ("character", "plain"), [(one, plain) for plain, others in SAME.items() for one in others], ids=ascii
)
def test_a_look_alike_is_the_sign_it_looks_like(character: str, plain: str) -> None:
    assert fold_characters(f"x{character}y") == f"x{plain}y"
    many = "".join(f"{chr(0x4E00 + at)} " for at in range(100))
    assert fold_characters(many + f"x{character}y") == many + f"x{plain}y"


@pytest.mark.parametrize("character", "½²⁻→∅≤×±✓é①三")
def test_what_carries_a_value_stays(character: str) -> None:
    assert fold_characters(f"x{character}y") == f"x{character}y"


def test_accents_are_composed_and_colours_of_a_terminal_dropped() -> None:
    assert fold_characters("e\u0301") == "\u00e9"
    assert fold_characters("\x1b[1;31mred\x1b[0m") == "red"
    assert fold_characters("a\r\nb\rc") == "a\nb\nc"


THOUGHTS = (
    "think", "thinking", "thought", "thoughts", "reason", "reasoning", "reflect", "reflection", "scratchpad",
    "scratch_pad", "analysis", "deliberation", "inner_monologue", "internal monologue", "inner thoughts",
    "internal_reasoning", "chain_of_thought", "chain of thought", "cot", "thinking_process", "thought process",
    "seed:think", "ant:thinking", "antml:thinking",
)  # fmt: skip
END_TOKENS = (
    "<|im_end|>", "<|eot_id|>", "<|endoftext|>", "<|end_of_text|>", "<|return|>", "</s>", "<end_of_turn>", "<eos>",
)  # fmt: skip


def visible(text: str) -> str:
    return strip_thinking(text)[0].strip()


@pytest.mark.parametrize("name", THOUGHTS)
def test_a_thought_is_taken_out_however_its_tag_is_called(name: str) -> None:
    for spelt in (name, name.upper(), name.title()):
        assert visible(f"<{spelt}>ESTIMATE: 1</{spelt}>ESTIMATE: 2") == "ESTIMATE: 2"
        assert visible(f"ESTIMATE: 1</{spelt}>\nESTIMATE: 2") == "ESTIMATE: 2"
        assert visible(f"< {spelt} >a <b> c</ {spelt} > d") == "d"
        assert visible(f"&lt;{spelt}&gt;a&lt;/{spelt}&gt; d") == "d"
        assert visible(f"<|{spelt}|>a<|/{spelt}|> d") == "d"
        assert visible(f"<|begin_of_{spelt}|>a<|end_of_{spelt}|> d") == "d"
        assert visible(f"<{spelt} time='3'>a</{spelt}> d") == "d"
        assert strip_thinking(f"e <{spelt}>ESTIMATE: 1") == ("e ", True)
        assert visible(f"the tag `<{spelt}>` is a mention") == f"the tag `<{spelt}>` is a mention"


@pytest.mark.parametrize("name", ["think", "thinking", "reasoning", "thought", "thoughts", "scratchpad"])
def test_square_tags_and_fences_hide_thoughts_too(name: str) -> None:
    assert visible(f"[{name.upper()}]a[/{name.upper()}] d") == "d"
    for fence in ("```", "~~~", "````"):
        assert visible(f"{fence}{name}\na\n{fence}\nd") == "d"
        assert strip_thinking(f"{fence} {name}\na\n") == ("", True)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("<think>a<think>b</think>c</think>d", "d"), ("<think>a<thought>b</thought>c</think>d", "d"),
        ("<think>a</think>b<think>c</think>d", "b\nd"), ("<think>a</reasoning>d", "d"),
        ("a</think>b</think>c", "c"), ("<think></think>d", "d"),
        ("<|channel|>analysis<|message|>a<|end|><|start|>assistant<|channel|>final<|message|>d", "d"),
        ("<|channel|>commentary<|message|>a<|end|>d", "d"), ("<|channel|>thought\na<channel|>d", "d"),
        ("analysis a assistantfinal d", "d"), ("commentary a assistantfinal d", "d"), ("my analysis: assistantfinal d", "my analysis: assistantfinal d"),
        ("<s>d</s>", "d"), ("a <s>b</s> d", "a   d"), ("<start_of_turn>model d", "d"), ("<bos>d<pad><unk>", "d"),
        ("<|im_start|>assistant\nd", "assistant\nd"), ("think about it", "think about it"),
    ],
)  # fmt: skip
def test_what_a_model_thought_is_not_its_answer(text: str, shown: str) -> None:
    assert visible(text) == shown


@pytest.mark.parametrize("token", END_TOKENS)
def test_nothing_counts_behind_the_end_of_a_turn(token: str) -> None:
    assert visible(f"d{token}user: e") == "d"
    assert visible(f"{token}d") == "d"


PLACEHOLDERS = (
    "answer", "answers", "value", "values", "number", "numbers", "numeric", "numerical", "decimal", "decimals",
    "fraction", "fractions", "estimate", "estimates", "result", "results", "variable", "variables", "variable_name",
    "variable_names", "node", "nodes", "node_name", "node_names", "name", "names", "list", "lists", "set", "sets",
    "comma", "separated", "comma-separated", "edge", "edges", "sequence", "order", "verdict", "word", "letter",
    "first", "second", "third", "fourth", "last", "next", "insert", "fill", "placeholder", "integer", "float", "real",
    "node_1", "node2", "name_1", "name2", "var1", "var_2", "variable_1", "variable2", "braces", "brackets", "string", "text",
    "choice", "option", "item1", "item_2", "element1", "element_2", "elements", "todo", "tbd",
)  # fmt: skip
FILLERS = (
    "your", "the", "a", "an", "here", "of", "in", "by", "or", "and", "from", "to", "one", "between", "x", "etc", "this",
    "that", "with",
)  # fmt: skip
POINTERS = (
    "see the table", "as above", "as below", "as before", "as stated", "as given", "as noted", "as computed",
    "as calculated", "as derived", "the value above", "below", "given earlier", "said previously", "same as in part one",
    "unchanged from part one", "given above", "given below", "it follows below", "to be computed", "to be determined",
    "to be filled in", "to be added", "to be given", "to be done", "ibid.", "ditto", "idem", "unchanged", "confirmed",
    "no change", "as is", "same", "tbd", "TBA", "todo", "pending!",
)  # fmt: skip
WITHDRAWALS = (
    "N/A", "n / a", "n.a.", "N. A.", "na", "not applicable", "not available", "not given", "not provided", "not known",
    "not determined", "not computable", "not defined", "not possible", "not identifiable", "not identified", "not estimable",
    "not answered", "not sure", "unknown", "undefined", "null", "nil", "nothing", "withdrawn", "retracted", "no answer",
    "no value", "no estimate", "unanswered", "inapplicable", "does not exist", "does not apply", "I do not know",
    "don't know", "cannot say", "can not tell", "I can't tell", "can't answer", "cannot compute", "cannot determine",
    "cannot estimate", "cannot be computed", "cannot be determined", "can not be estimated", "cannot be identified",
    "cannot be given", "cannot be calculated", "can't be computed", "can't be determined", "can't be estimated",
    "can't be identified", "impossible to say", "impossible to tell", "impossible to compute", "impossible to determine",
    "impossible to estimate", "skip", "skipped", "undecided", "unsure", "indeterminate", "undetermined", "none",
    "unclear", "-", "–", "—", "―", "?",
)  # fmt: skip
CORRECTIONS = (
    "no wait", "no, wait", "wait", "hold on", "oops", "scratch that", "correction", "I mean", "make that", "rather",
    "actually", "sorry", "my mistake", "on second thought", "on reflection", "corrected", "corrected to", "revised to",
    "updated", "updated to", "changed to", "should be", "should actually be", "should read", "should have been",
    "but actually", "but really", "no, it's", "no, it is", "no, that's", "no, that is",
)  # fmt: skip


def estimate(text: str) -> Any:
    return result_of(text, Part("ESTIMATE", "number", "0", {})).parts[0].parsed


@pytest.mark.parametrize("word", PLACEHOLDERS)
def test_an_unfilled_template_says_nothing_so_an_earlier_value_stays(word: str) -> None:
    for template in (f"[{word}]", f"<{word}>", f"[your {word} here]", f"{{{word.upper()}}}", f"({word}, ...)"):
        assert estimate(f"ESTIMATE: 0.42\nESTIMATE: {template}") == "0.42", template
        assert read("node_set", template, universe=["B", "C"]) is None


@pytest.mark.parametrize("word", FILLERS)
def test_small_words_of_a_template_are_no_value(word: str) -> None:
    assert estimate(f"ESTIMATE: 0.42\nESTIMATE: [{word} value]") == "0.42"
    assert read("node_set", f"{{{word} names}}", universe=["B", "C"]) is None


@pytest.mark.parametrize("words", POINTERS)
def test_a_pointer_says_nothing_so_an_earlier_value_stays(words: str) -> None:
    assert estimate(f"ESTIMATE: 0.42\nESTIMATE: {words}") == "0.42"


@pytest.mark.parametrize("words", WITHDRAWALS)
def test_a_value_that_is_withdrawn_is_gone(words: str) -> None:
    assert estimate(f"ESTIMATE: 0.42\nESTIMATE: {words}") is None
    assert estimate(f"ESTIMATE: 0.42\nESTIMATE: {words.upper()}.") is None


@pytest.mark.parametrize("words", CORRECTIONS)
def test_inside_a_field_the_correction_counts(words: str) -> None:
    assert estimate(f"ESTIMATE: 0.40, {words} 0.42") == "0.42"
    assert estimate("ESTIMATE: 0.40, no, 0.42") == "0.42"
    assert read("node_set", f"{{B}}, {words} {{B, C}}", universe=["B", "C"]) == ["B", "C"]
