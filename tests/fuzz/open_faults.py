"""Faults that fuzzing found in the generator and that are open: a release whose digest commitments name is not changed.

Each has its smallest input. A test holds that they are still there, so that one which is mended is taken out.
"""

from typing import Any

from fuzzing import OpenFault, as_json


def _item(**part: Any) -> bytes:
    """An item file of one part."""
    plain = {"id": "A", "type": "number", "gold": "1", "params": {}}
    item = {"id": "i", "module": "m", "bundle": "b", "variant": "v", "level": 1, "params": {}, "prompt": "p"}
    return as_json({**item, "parts": [{**plain, **part}]})


def _reveal(**commitment: Any) -> bytes:
    from targets_files import documents

    plain = documents()
    return as_json({**plain, "commitment": {**plain["commitment"], **commitment}})


MMLU = {"question": "Q", "subject": "s", "answer": 1, "choices": ["a", "b", "c", "d"]}
PRO = {"question": "Q", "category": "s", "answer_index": 1, "options": ["a", "b"]}
ARC = {"question": "Q", "choices": {"text": ["a", "b"], "label": ["A", "B"]}, "answerKey": "A"}
SWAG = {"ctx": "Q", "endings": ["a", "b", "c", "d"], "label": "1", "activity_label": "s"}
TRUTH = {"question": "Q", "mc1_targets": {"choices": ["a", "b"], "labels": [1, 0]}}
LOCAL = {"question": "Q", "A": "a", "B": "b", "answer": "a"}
HALF = "\ud800"

OPEN = (
    # `params` of a part that is no object.
    OpenFault("items-graded", _item(params=[1]), "AttributeError", "params._number"),
    OpenFault("items-graded", _item(params=[1], type="node_set", gold=["A"]), "AttributeError", "params._universe"),
    OpenFault("items-graded", _item(params=[1], type="edges", gold=[["A", "B"]]), "AttributeError", "params._edges"),
    OpenFault("items-graded", _item(params=[1], type="verdict"), "AttributeError", "params._verdict"),
    OpenFault("items-graded", _item(params=[1], type="choice"), "AttributeError", "params._choice"),
    # `type` of a part that is no text, or text that `import_module` refuses otherwise than with ImportError.
    OpenFault("items-graded", _item(type=[]), "TypeError", "params.check_item"),
    OpenFault("items-graded", _item(type=0.5), "TypeError", "registry._load"),
    OpenFault("items-graded", _item(type=":x"), "ValueError", "registry._load"),
    OpenFault("part-type", b":x", "ValueError", "registry._load"),
    OpenFault("part-type", b".a:b", "TypeError", "registry._load"),
    OpenFault(
        "items-verified",
        as_json(
            {
                "id": "i",
                "module": 5,
                "bundle": "b",
                "variant": "v",
                "level": 1,
                "params": {},
                "prompt": "p",
                "parts": [],
            }
        ),
        "TypeError",
        "registry.__contains__",
    ),
    # YAML whose tag or date does not fit its value: the library raises whatever it runs into.
    OpenFault("recipe", b"a: !!timestamp x", "AttributeError", "recipe.read_recipe"),
    OpenFault("recipe", b"a: !!int x", "ValueError", "recipe.read_recipe"),
    OpenFault("recipe", b"a: !!bool x", "KeyError", "recipe.read_recipe"),
    OpenFault("recipe", b"[" * 500, "RecursionError", "recipe.read_recipe"),
    # A commitment whose nested fields have another type.
    OpenFault("reveal", _reveal(stage="seed", release="x"), "AttributeError", "commitment._check_release"),
    OpenFault(
        "graph-case",
        as_json(
            {"kind": "d_separation", "graph": {"nodes": ["A"], "directed": [["A", []]]}, "query": {"x": "A", "y": "A"}}
        ),
        "TypeError",
        "dag._ends",
    ),
    # Half a surrogate pair in a question; an infinite index; a literal that cannot be built.
    OpenFault("rows-mmlu", as_json([{**MMLU, "question": HALF}]), "UnicodeEncodeError", "question.question_id"),
    OpenFault("rows-mmlu_pro", as_json([{**PRO, "question": HALF}]), "UnicodeEncodeError", "question.question_id"),
    OpenFault("rows-arc_challenge", as_json([{**ARC, "question": HALF}]), "UnicodeEncodeError", "question.question_id"),
    OpenFault("rows-hellaswag", as_json([{**SWAG, "ctx": HALF}]), "UnicodeEncodeError", "question.question_id"),
    OpenFault("rows-truthful_qa", as_json([{**TRUTH, "question": HALF}]), "UnicodeEncodeError", "question.question_id"),
    OpenFault("rows-local", as_json([{**LOCAL, "question": HALF}]), "UnicodeEncodeError", "question.question_id"),
    OpenFault("rows-mmlu", as_json([{**MMLU, "answer": float("inf")}]), "OverflowError", "base.index_of"),
    OpenFault("rows-mmlu_pro", as_json([{**PRO, "answer_index": float("inf")}]), "OverflowError", "base.index_of"),
    OpenFault("rows-hellaswag", as_json([{**SWAG, "label": float("inf")}]), "OverflowError", "base.index_of"),
    OpenFault(
        "rows-truthful_qa",
        as_json([{**TRUTH, "mc1_targets": {"choices": ["a"], "labels": [float("inf")]}}]),
        "OverflowError",
        "base.index_of",
    ),
    OpenFault("rows-local", as_json([{**LOCAL, "label": float("inf")}]), "OverflowError", "base.index_of"),
    *(
        OpenFault(f"rows-{name}", as_json([{**row, key: text}]), kind, "base.literal")
        for name, row, key in (
            ("mmlu", MMLU, "choices"),
            ("mmlu_pro", PRO, "options"),
            ("hellaswag", SWAG, "endings"),
            ("arc_challenge", ARC, "choices"),
            ("truthful_qa", TRUTH, "mc1_targets"),
            ("local", {**LOCAL, "A": None}, "choices"),
        )
        for text, kind in (("{[]: 1}", "TypeError"), ("[" * 3000, "RecursionError"))
    ),
)
