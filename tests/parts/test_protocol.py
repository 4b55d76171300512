"""The answer format shown in a prompt: what is written in it is read back, and its template is no answer."""

from fractions import Fraction
from typing import Any

from benchpress.items import Part
from benchpress.protocol import IMPOSSIBLE, answer_instructions, render_answer, render_value
from hypothesis import given
from hypothesis import strategies as st
from reading import result_of

UNIVERSE = ["A", "B", "Blood Pressure", "X1", "X11", "pre-test", "Z(0)"]
PARTS = (
    Part("ADJUSTMENT_SET", "node_set", ["A"], {"universe": [*UNIVERSE, IMPOSSIBLE]}),
    Part("ESTIMATE", "number", "7/2", {"tolerance": "0.01"}),
    Part("EDGES", "edges", [["A", "B"]], {"universe": UNIVERSE, "directed": True}),
    Part("SKELETON", "edges", [["A", "B"]], {"universe": UNIVERSE, "directed": False}),
    Part("ORDER", "sequence", ["A", "B"], {"universe": UNIVERSE}),
    Part("DIRECTION", "verdict", "increase", {"vocabulary": ["increase", "decrease", "no change"]}),
    Part("PICK", "choice", "B", {"options": ["x", "y", "z"]}),
)
GOLD = {part.id: part.gold for part in PARTS}
NODES = st.sampled_from(UNIVERSE)


def _values(text: str) -> dict[str, Any]:
    return {part.id: part.parsed for part in result_of(text, *PARTS).parts}


def test_values_are_written_as_a_solver_would_write_them() -> None:
    assert [render_value(part.type, part.gold, part.params) for part in PARTS] == [
        "{A}",
        "7/2",
        "A -> B",
        "A -- B",
        "A, B",
        "increase",
        "B",
    ]
    assert render_value("node_set", []) == "{}"
    assert render_value("node_set", ["A", "B"]) == "{A, B}"
    assert render_value("node_set", [IMPOSSIBLE]) == IMPOSSIBLE
    assert render_value("edges", [["A", "B"], ["C", "D"]]) == "A -> B, C -> D"
    assert render_value("edges", []) == "{}"


def test_a_written_answer_is_read_back() -> None:
    result = result_of(render_answer(PARTS, GOLD), *PARTS)
    assert result.correct


@given(
    st.sets(NODES).map(sorted) | st.just([IMPOSSIBLE]),
    st.fractions(-1000, 1000, max_denominator=1000),
    st.sets(st.tuples(NODES, NODES)),
    st.permutations(UNIVERSE),
    st.sampled_from(["increase", "decrease", "no change"]),
    st.sampled_from("ABC"),
)
def test_any_value_survives_writing_and_reading(
    nodes: list[str], number: Fraction, edges: set[tuple[str, str]], order: list[str], verdict: str, letter: str
) -> None:
    directed = sorted(map(list, edges))
    undirected = sorted({tuple(sorted(edge)) for edge in edges})
    values = {
        "ADJUSTMENT_SET": nodes,
        "ESTIMATE": str(number),
        "EDGES": directed,
        "SKELETON": [list(edge) for edge in undirected],
        "ORDER": order,
        "DIRECTION": verdict,
        "PICK": letter,
    }
    got = _values(render_answer(PARTS, values))
    assert Fraction(got.pop("ESTIMATE")) == number
    del values["ESTIMATE"]
    assert got == values


def test_instructions_disclose_the_format_and_show_the_example() -> None:
    example = {**GOLD, "ESTIMATE": "-0.25"}
    text = answer_instructions(PARTS, example)
    assert render_answer(PARTS, example) in text
    for wanted in ("0.01", IMPOSSIBLE, "{}", "increase", "no change"):
        assert wanted in text
    one = answer_instructions(PARTS[5:6], {"DIRECTION": "decrease"})
    assert IMPOSSIBLE not in one
    assert "DIRECTION: decrease" in one


def test_an_echoed_template_is_no_answer_but_a_copied_example_is() -> None:
    text = answer_instructions(PARTS, GOLD)
    template = "\n".join(line for line in text.split("\n") if ": <" in line)
    assert template.count("\n") == len(PARTS) - 1
    assert set(_values(template).values()) == {None}
    assert _values(render_answer(PARTS, GOLD)) == GOLD
    assert _values(f"{render_answer(PARTS, GOLD)}\n\n{template}") == GOLD
