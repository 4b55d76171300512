"""The words around a number, names, an order and edges: whichever a person chooses, the value is read, or it is none.

docs/answers.md gives the rules; here each of the usual words of a rule has its turn. Expected values are what a patient
person reads.
"""

import pytest
from benchpress.items import Part
from reading import read, result_of

BCDE = ["B", "C", "D", "E"]
ABC = ["A", "B", "C"]
CAB = ["C", "A", "B"]

BEFORE_A_NUMBER = (
    "about", "approximately", "approx", "roughly", "around", "circa", "ca", "c", "nearly", "almost", "exactly",
    "precisely", "just", "only", "simply", "it is", "they are", "would be", "was", "an effect of", "estimated at",
    "comes to", "it equals", "is equal to", "equalling", "this gives", "we give", "it yields", "they yield", "we get",
    "one gets", "we obtain", "one obtains", "the value", "the answer", "the estimate", "the effect", "the result",
    "ATE", "ATT", "ATC", "the difference", "USD", "EUR", "GBP", "CHF", "JPY", "say", "estimated", "likely",
    "probably", "maybe", "perhaps", "hence", "so", "thus", "therefore", "then", "and", "but", "ie",
    "positive", "plus", "becomes", "thereby", "namely", "an", "a", "remains", "has been",
)  # fmt: skip
OF_THE_ESTIMATE = (
    "final", "my", "our", "this", "it", "its", "numerical", "total", "average", "causal", "treatment", "adjusted",
    "overall", "here", "there", "probability", "in decimal form", "estimated",
)  # fmt: skip
BOUNDS = (
    "at least about", "at most about", "less, about", "more, about", "greater: about", "is smaller, about",
    "larger, about", "higher, about", "lower, about", "fewer, about", "up to", "over about", "under about",
    "above about", "below about", "exceeds about", "must exceed about", "exceeding about", "beyond about",
    "the minimum is", "the maximum is", "the min is", "the max is", "between about", "from about", "bounded by about",
    "within about", "not exactly", "never about", "no, about", "isn't exactly", "cannot be",
)  # fmt: skip
BOUNDS_BEHIND = (
    "more", "less", "higher", "lower", "greater", "above", "below", "fewer", "up", "over", "under", "beyond",
)  # fmt: skip
BETWEEN_TWO = (
    " or ", " and ", " to ", " vs ", " versus ", " till ", " until ", " resp ", ", ", "; ", " : ",
    " | ", " — ", " & ", " ... ", " … ", " ie ", " is ", " are ", ", about ", ", also ", ", or even ",
    ", or minus ", ", equivalently ",
)  # fmt: skip
REASONS = (
    "because", "since", "as", "where", "using", "with", "given", "computed over", "obtained in", "derived from",
    "based on", "by weighting", "via", "from", "after", "when", "which uses", "assuming", "note:", "due to", "if",
    "under", "following", "per", "see", "while", "whereas", "though", "although", "but", "through",
)  # fmt: skip
STATISTICS = (
    "n", "p", "SE", "sd", "CI", "df", "t", "z", "r", "R2", "r_2", "alpha", "ss", "ess", "k", "m", "seed", "sigma",
)  # fmt: skip


@pytest.mark.parametrize("words", BEFORE_A_NUMBER)
def test_words_before_a_number_leave_it_the_value(words: str) -> None:
    assert read("number", f"{words} 0.42") == "0.42"


@pytest.mark.parametrize("words", ["minus", "negative", "the effect is minus", "about minus"])
def test_a_sign_in_words_counts(words: str) -> None:
    assert read("number", f"{words} 0.42") == "-0.42"


@pytest.mark.parametrize("words", OF_THE_ESTIMATE)
def test_a_sentence_behind_the_estimate_is_a_remark(words: str) -> None:
    assert read("number", f"the {words} value is 0.42. The naive value is 0.5.") == "0.42"


@pytest.mark.parametrize("words", [*BOUNDS, "±", ">", "≤", "≥ about"])
def test_a_bound_is_no_value(words: str) -> None:
    assert read("number", f"{words} 0.5") is None


@pytest.mark.parametrize("word", BOUNDS_BEHIND)
@pytest.mark.parametrize("joint", ["or", "and"])
def test_a_bound_behind_the_number_is_one_too(joint: str, word: str) -> None:
    assert read("number", f"0.5 {joint} {word}") is None


@pytest.mark.parametrize("joint", BETWEEN_TWO)
def test_two_numbers_of_equal_standing_are_no_value(joint: str) -> None:
    assert read("number", f"0.4{joint}0.5") is None


@pytest.mark.parametrize("words", REASONS)
def test_figures_of_a_reason_do_not_count(words: str) -> None:
    assert read("number", f"0.42 {words} the strata, 3 of them, or 2, or 1") == "0.42"


@pytest.mark.parametrize("words", ["not", "rather than", "instead of", "and not", "more than"])
def test_a_figure_that_is_ruled_out_does_not_count(words: str) -> None:
    assert read("number", f"0.42, {words} 0.5") == "0.42"
    assert read("number", f"0.42, {words} 0.5, 0.6 or 0.7") == "0.42"


@pytest.mark.parametrize("joint", [",", ";", ".", " and"])
def test_a_second_quantity_by_name_is_a_remark(joint: str) -> None:
    assert read("number", f"0.42{joint} NDE = 0.3") == "0.42"


@pytest.mark.parametrize("name", ["CI", "confidence", "credible", "interval", "SE", "SD"])
def test_an_interval_is_a_remark(name: str) -> None:
    assert read("number", f"0.42, 95% {name} 0.38 to 0.46") == "0.42"


@pytest.mark.parametrize("name", STATISTICS)
def test_statistics_that_stand_with_an_estimate_are_no_second_value(name: str) -> None:
    assert read("number", f"ATE = 0.42, {name} = 3") == "0.42"
    assert read("number", f"ATE = 0.42, {name}ame = 3") is None


@pytest.mark.parametrize("unit", ["k", "bn", "mn", "mio", "mrd", "tn", "x", "st", "nd", "rd", "th", "i", "j", "e"])
def test_letters_grown_onto_a_number_leave_no_value(unit: str) -> None:
    assert read("number", f"1.5{unit}") is None
    assert read("number", f"1.5{unit} or so") is None


@pytest.mark.parametrize("words", ["out of", "of", "over", "in", "from", "divided by"])
def test_a_share_in_words_is_no_value(words: str) -> None:
    assert read("number", f"5 {words} 7") is None


@pytest.mark.parametrize(
    ("sign", "value"),
    [
        ("¼", "0.25"), ("½", "0.5"), ("¾", "0.75"), ("⅐", "1/7"), ("⅑", "1/9"), ("⅒", "0.1"), ("⅓", "1/3"),
        ("⅔", "2/3"), ("⅕", "0.2"), ("⅖", "0.4"), ("⅗", "0.6"), ("⅘", "0.8"), ("⅙", "1/6"), ("⅚", "5/6"),
        ("⅛", "0.125"), ("⅜", "0.375"), ("⅝", "0.625"), ("⅞", "0.875"), ("↉", "0"),
    ],
)  # fmt: skip
def test_every_vulgar_fraction_is_a_number(sign: str, value: str) -> None:
    part = Part("E", "number", value, {"tolerance": "0"})
    assert result_of(f"E: {sign}", part).correct
    assert not result_of(f"E: 1{sign}", part).correct


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("3 thousand", "3000"), ("3 million", "3000000"), ("3 billion", "3000000000"), ("3 trillion", "3000000000000"),
        ("5‰", "0.005"), ("5 per mille", "0.005"), ("5 permille", "0.005"), ("5 basis points", "0.0005"),
        ("5 basis point", "0.0005"), ("5 p.p.", "0.05"), ("5 pp", "0.05"), ("5 percentage point", "0.05"),
        ("2 × 10³", "2000"), ("10⁻¹²", "0.000000000001"), ("2·10⁺⁴", "20000"), ("10⁵", "100000"),
        ("10⁶", "1000000"), ("10⁷", "10000000"), ("10⁸", "100000000"), ("10⁹", "1000000000"), ("10⁰", "1"),
    ],
)  # fmt: skip
def test_scales_percentages_and_powers_of_ten_are_worked_out(text: str, value: str) -> None:
    assert result_of(f"E: {text}", Part("E", "number", value, {"tolerance": "0"})).correct


BEFORE_NAMES = (
    "the set", "a set", "an adjustment set", "sets", "it is", "they are", "these are", "should be", "adjust for",
    "adjusting on", "condition on", "conditioning on", "control for", "controlling for", "variables", "variable",
    "nodes", "node", "yes", "minimal", "minimum", "valid", "sufficient", "the answer", "final", "smallest", "only",
    "just", "frozenset", "both", "use", "include", "it includes", "it contains", "consists of", "we contain",
    "comprises", "we must", "we need", "one needs", "one can", "by", "members", "elements", "my", "our", "its",
    "admissible", "back-door", "backdoor", "back door", "covariates", "covariate", "confounders", "confounder",
    "namely", "with", "list", "so", "thus", "therefore", "hence", "exactly", "simply", "you would", "i will",
    "observed", "optimal", "all", "possible", "single", "singleton", "unique", "correct", "required", "resulting",
    "separating", "blocking", "parents", "descendants", "ancestors", "children", "instruments", "instrument",
    "mediators", "mediator", "colliders", "collider", "following", "result", "emptyset",
)  # fmt: skip
ABOUT_THE_LAST = ("is", "was", "has", "isn't", "stays", "opens", "lies", "remains", "causes", "itself is", "does not")
ABOUT_ALL = (
    "are sufficient", "block all paths", "together", "suffice", "were found", "both", "jointly", "only", "suffices",
    "form the set", "close all paths", "because they block", "since they block", "due to the fork", "not E",
    "without E", "except E", "excluding E", "but not E", "never E", "minus E", "other than E",
)  # fmt: skip


@pytest.mark.parametrize("words", BEFORE_NAMES)
def test_words_before_names_announce_a_set(words: str) -> None:
    assert read("node_set", f"{words} B, C", universe=BCDE) == ["B", "C"]
    assert read("node_set", f"{words.upper()} B, C", universe=BCDE) == ["B", "C"]


@pytest.mark.parametrize("words", ABOUT_THE_LAST)
def test_a_name_with_a_verb_of_its_own_is_in_a_remark(words: str) -> None:
    assert read("node_set", f"B, C {words} a collider", universe=BCDE) == ["B"]


@pytest.mark.parametrize("words", ABOUT_ALL)
def test_words_about_all_names_leave_them_a_set(words: str) -> None:
    assert read("node_set", f"B, C {words}", universe=BCDE) == ["B", "C"]


@pytest.mark.parametrize("joint", ["and", "und", "et", "和", "与", "及", "と", "&", "+", "/", "|", "•", "·", "∪", ";"])
def test_names_may_be_joined_by_any_sign(joint: str) -> None:
    assert read("node_set", f"B {joint} C", universe=BCDE) == ["B", "C"]
    assert read("node_set", f"{{B {joint} C}}", universe=BCDE) == ["B", "C"]


@pytest.mark.parametrize(
    "words",
    [
        "not", "without", "except", "excluding", "but not", "never", "minus the root", "other than", "rather than",
        "because", "since", "as", "while", "whereas", "although", "which beats", "given", "if", "blocks what",
    ],
)  # fmt: skip
def test_a_second_set_in_a_reason_does_not_compete(words: str) -> None:
    assert read("node_set", f"{{B}} {words} {{B, C}} does more", universe=BCDE) == ["B"]


@pytest.mark.parametrize("joint", ["or", "and", "also", "alternatively", "either", "equivalently", ",", ";", "vs"])
def test_two_different_sets_are_no_value_and_the_same_twice_is_one(joint: str) -> None:
    assert read("node_set", f"{{B}} {joint} {{C}}", universe=BCDE) is None
    assert read("node_set", f"{{B, C}} {joint} {{C, B}}", universe=BCDE) == ["B", "C"]


@pytest.mark.parametrize("joint", ["∪", "+", "union"])
def test_a_union_is_worked_out_and_a_difference_is_not(joint: str) -> None:
    assert read("node_set", f"{{B}} {joint} {{C}}", universe=BCDE) == ["B", "C"]
    for minus in ("∖", "\\setminus", "minus", "-"):
        assert read("node_set", f"{{B, C}} {minus} {{C}}", universe=BCDE) is None


@pytest.mark.parametrize("words", ["not", "no", "never", "none of", "neither"])
def test_a_denied_set_is_no_value(words: str) -> None:
    assert read("node_set", f"{words} {{B, C}}", universe=BCDE) is None


@pytest.mark.parametrize(
    "fault",
    [
        "invalid", "inadmissible", "insufficient", "unnecessary", "biased", "wrong", "incorrect", "not enough",
        "not valid", "redundant", "superfluous", "not minimal", "larger", "never enough", "bigger",
    ],
)  # fmt: skip
def test_a_set_that_is_found_wanting_does_not_compete(fault: str) -> None:
    for told in (f"{{C, D}} ({{B}} is {fault})", f"{{C, D}}; {{B}} is {fault}", f"{{C, D}}, since {{B}} is {fault}"):
        assert read("node_set", told, universe=BCDE) == ["C", "D"], told


@pytest.mark.parametrize(
    "praise", ["right", "correct", "valid", "enough", "sufficient", "needed", "required", "better"]
)
def test_a_set_put_in_the_place_of_another_is_the_answer(praise: str) -> None:
    assert read("node_set", f"{{B}}, no: {{C, D}} is {praise}", universe=BCDE) == ["C", "D"]
    assert read("node_set", f"{{B}}, no, {{C, D}} is {praise}", universe=BCDE) == ["C", "D"]


@pytest.mark.parametrize(
    "told",
    [
        "B is needed, and so is C", "B is needed; so is C", "B must be in it, and so must C", "B works, and so does C",
        "B is needed and C is needed", "B is needed, C is also needed", "B is needed and C is required",
        "B is needed and C is necessary", "B is needed and C is included", "B and also C",
    ],
)  # fmt: skip
def test_a_sentence_that_goes_on_with_further_members_is_not_read_in_part(told: str) -> None:
    assert read("node_set", told, universe=BCDE) is None


@pytest.mark.parametrize(
    "told", ["B is enough, D is a collider", "B is enough. C is needed by others", "B, so C is not"]
)
def test_a_sentence_about_other_nodes_adds_none(told: str) -> None:
    assert read("node_set", told, universe=BCDE) == ["B"]


@pytest.mark.parametrize("joint", [", ", "; "])
@pytest.mark.parametrize("sign", [": ", " - ", " – "])
def test_names_may_have_a_word_about_each(joint: str, sign: str) -> None:
    assert read("node_set", f"B{sign}confounder{joint}C{sign}parent of D", universe=BCDE) == ["B", "C"]
    assert read("node_set", f"B{sign}confounder{joint}C{sign}collider", universe=BCDE) is None


@pytest.mark.parametrize("sign", ["...", "…", "?", "etc"])
def test_a_set_that_is_not_told_whole_is_no_value(sign: str) -> None:
    assert read("node_set", f"{{B, C, {sign}}}", universe=BCDE) is None


VERB_OF_A_NODE = (
    "only", "alone", "because it blocks", "since it blocks", "is enough", "was enough", "has to be adjusted for",
    "blocks the path", "causes B", "affects B", "opens no path", "lies on the path", "stays", "suffices", "suffice",
    "as the confounder", "in the end", "must be held fixed", "cannot be left out", "not B", "but not B",
    "does it", "rather than B", "instead of B", "influences B", "points at B", "leads to B",
    "comes first", "goes into it", "starts the path", "ends the path", "depends on nothing", "drives B", "determines B",
    "remains", "belongs in it", "needs adjusting", "should be adjusted for", "would do", "can be used", "will do",
)  # fmt: skip


@pytest.mark.parametrize("words", VERB_OF_A_NODE)
def test_a_capital_a_with_a_verb_is_the_node_and_not_the_article(words: str) -> None:
    assert read("node_set", f"A {words}", universe=ABC) == ["A"]


BEFORE_AN_ORDER = (
    "the order", "an ordering", "a sequence", "is", "are", "be", "topological", "causal", "cycle", "cyclic", "one",
    "valid", "answer", "final", "so", "thus", "hence", "therefore", "list", "possible", "follows", "as", "nodes",
    "variables", "from", "to", "path", "route", "my", "our", "would", "correct", "sorted", "sort", "unique",
    "temporal", "goes", "in", "start", "starts", "starting", "with", "visit", "visits", "begin", "begins", "following",
)  # fmt: skip
BETWEEN_ELEMENTS = (
    ", then ", " then ", ", and then ", ", next ", ", followed by ", " followed by ", " before ", " precedes ",
    ", finally ", ", lastly ", ", last ", ", which goes to ", ", which ends by ", " subsequently ", ", afterwards ",
    ", later ", ", next comes ", ", then come ", ", then go to ", " to ", " and ", " ; ", " | ", " – ", " < ", " ≺ ",
    " ≤ ", " · ", " • ", " & ", " → ", " ⪯ ", " ≼ ", " + ", " : ", " > ", " ≻ ", " — ", " - ", " / ", " ⟶ ", " -> ",
)  # fmt: skip


@pytest.mark.parametrize("words", BEFORE_AN_ORDER)
def test_words_before_names_announce_an_order(words: str) -> None:
    assert read("sequence", f"{words} C, A, B", universe=ABC) == CAB
    assert read("sequence", f"{words.upper()} C, A, B", universe=ABC) == CAB


@pytest.mark.parametrize("joint", BETWEEN_ELEMENTS)
def test_elements_may_be_told_one_after_another_in_any_words(joint: str) -> None:
    assert read("sequence", f"C{joint}A{joint}B", universe=ABC) == CAB


@pytest.mark.parametrize("verb", ["comes before", "goes before", "precedes", "before"])
def test_an_order_may_be_told_in_pairs(verb: str) -> None:
    assert read("sequence", f"A {verb} B and B {verb} C", universe=ABC) == ABC


@pytest.mark.parametrize("words", ["after", "preceded by", "reverse", "reversed", "or", "also", "=", "≈", "~"])
def test_an_order_told_backwards_or_twice_is_no_value(words: str) -> None:
    assert read("sequence", f"C {words} A, B", universe=ABC) is None


ORDINALS = ["first second third", "firstly secondly thirdly", "1st 2nd 3rd"]


@pytest.mark.parametrize("words", ORDINALS)
def test_ordinals_decide_where_every_element_has_one(words: str) -> None:
    one, two, three = words.split()
    assert read("sequence", f"{two} A, {three} B, {one} C", universe=ABC) == CAB
    assert read("sequence", f"A ({two}), B ({three}), C ({one})", universe=ABC) == CAB


def test_places_may_be_counted_from_zero() -> None:
    assert read("sequence", "\n0. B\n1. A\n2. C", universe=ABC) == ["B", "A", "C"]


def test_ten_ordinals_are_known() -> None:
    names = [f"N{letter}" for letter in "abcdefghij"]
    for words in (
        "first second third fourth fifth sixth seventh eighth ninth tenth",
        "1st 2nd 3rd 4th 5th 6th 7th 8th 9th 10th",
        "1. 2. 3. 4. 5. 6. 7. 8. 9. 10.", "① ② ③ ④ ⑤ ⑥ ⑦ ⑧ ⑨ ⑩", "❶ ❷ ❸ ❹ ❺ ❻ ❼ ❽ ❾ ❿",
        "i) ii) iii) iv) v) vi) vii) viii) ix) x)", "(i) (ii) (iii) (iv) (v) (vi) (vii) (viii) (ix) (x)",
        "#1 #2 #3 #4 #5 #6 #7 #8 #9 #10", "#1: #2: #3: #4: #5: #6: #7: #8: #9: #10:",
        "1: 2: 3: 4: 5: 6: 7: 8: 9: 10:",
    ):  # fmt: skip
        told = list(zip(words.split(), names, strict=True))
        said = ", ".join(f"{word} {name}" for word, name in reversed(told))
        assert read("sequence", said, universe=names) == names, words


@pytest.mark.parametrize("word", ["step", "position", "place", "rank", "pos", "no", "number"])
def test_elements_may_stand_behind_their_places(word: str) -> None:
    assert read("sequence", f"{word} 2: A, {word} 3: B, {word} 1: C", universe=ABC) == CAB


ARROWS = (
    "causes", "affects", "influences", "into", "drives", "determines", "precedes", "towards", "toward", "to",
    "points to", "leads to", "goes to", "directed to", "is a cause of", "a cause of", "cause of", "is a parent of",
    "parent of", "is a direct cause of", "is parent of", "directly causes", "directly affects", "directly influences",
)  # fmt: skip
BACKWARDS = ("is caused by", "caused by", "is a child of", "child of", "depends on", "is affected by")
WITHOUT_DIRECTION = ("is connected to", "is adjacent to", "connected to", "adjacent to")


@pytest.mark.parametrize("words", ARROWS)
def test_an_arrow_in_words(words: str) -> None:
    assert read("edges", f"B {words} C", universe=BCDE, directed=True) == [["B", "C"]]


@pytest.mark.parametrize("words", ["cause", "affect", "influence"])
def test_a_plural_verb_is_an_arrow_from_each(words: str) -> None:
    assert read("edges", f"B and C {words} D", universe=BCDE, directed=True) == [["B", "D"], ["C", "D"]]


@pytest.mark.parametrize("words", BACKWARDS)
def test_an_arrow_backwards_in_words(words: str) -> None:
    assert read("edges", f"B {words} C", universe=BCDE, directed=True) == [["C", "B"]]


@pytest.mark.parametrize("words", WITHOUT_DIRECTION)
def test_a_line_in_words_has_no_direction(words: str) -> None:
    assert read("edges", f"C {words} B", universe=BCDE, directed=False) == [["B", "C"]]
    assert read("edges", f"C {words} B", universe=BCDE, directed=True) is None


BEFORE_EDGES = (
    "from", "the edge", "the edges", "an arrow", "arrows", "directed", "undirected", "link", "links",
    "there are", "graph", "and", "also", "then", "list of", "set", "answer", "final", "our", "my",
    "in", "adjacency", "node", "finally", "lastly", "with", "only", "orient", "oriented", "we", "one", "two", "three",
    "four", "five", "all", "just",
)  # fmt: skip


@pytest.mark.parametrize("words", BEFORE_EDGES)
def test_words_before_edges_announce_them(words: str) -> None:
    assert read("edges", f"{words} B -> C, C -> D", universe=BCDE, directed=True) == [["B", "C"], ["C", "D"]]


@pytest.mark.parametrize(
    "word", ["not", "without", "except", "excluding", "because", "since", "where", "as", "so", "but not"]
)
def test_edges_behind_a_reason_do_not_count(word: str) -> None:
    assert read("edges", f"B -> C {word} D -> E", universe=BCDE, directed=True) == [["B", "C"]]


@pytest.mark.parametrize(
    "fault",
    [
        "isn't there", "is reversed", "is reversible", "is unoriented", "is undirected", "is ruled out", "is spurious",
        "is impossible", "was removed", "is absent", "cannot be", "can't be", "could be", "would be", "is not an edge",
    ],
)  # fmt: skip
def test_an_edge_that_is_said_to_be_none_is_not_taken_for_one(fault: str) -> None:
    assert read("edges", f"B -> C, C -> D, D -> E {fault}", universe=BCDE, directed=True) is None
    assert read("edges", f"B -> C, C -> D. D -> E {fault}", universe=BCDE, directed=True) == [["B", "C"], ["C", "D"]]


@pytest.mark.parametrize("joint", [",", ";", "+", "&", "·", "•", "and"])
def test_edges_may_be_joined_by_any_sign(joint: str) -> None:
    assert read("edges", f"B -> C {joint} C -> D", universe=BCDE, directed=True) == [["B", "C"], ["C", "D"]]


@pytest.mark.parametrize("line", ["-", "–", "—", "~", "--"])
def test_a_line_without_a_head_is_an_edge_without_direction(line: str) -> None:
    assert read("edges", f"C {line} B", universe=BCDE, directed=False) == [["B", "C"]]
    assert read("edges", f"B -> C, C {line} D", universe=BCDE, directed=True) is None


@pytest.mark.parametrize(
    ("tail", "head"),
    [
        ("from", "to"), ("source", "target"), ("src", "dst"), ("src", "dest"), ("parent", "child"),
        ("tail", "head"), ("u", "v"), ("start", "end"), ("a", "b"), ("node1", "node2"),
    ],
)  # fmt: skip
def test_an_edge_may_be_an_object_with_two_keys(tail: str, head: str) -> None:
    said = f'[{{"{tail}": "B", "{head}": "C"}}, {{"{head}": "D", "{tail}": "C"}}]'
    universe = ["B", "C", "D"] if tail != "a" else ["C", "D", "B"]
    got = read("edges", said, universe=universe, directed=True)
    assert got == [["B", "C"], ["C", "D"]]
