"""What fuzzing found in the generator: the smallest input of each fault, which has to stay mended."""

from typing import Any

from fuzz_seeds import public_items
from fuzzing import as_json


def _item(**part: Any) -> bytes:
    """An item file of one part."""
    plain = {"id": "A", "type": "number", "gold": "1", "params": {}}
    item = {"id": "i", "module": "m", "bundle": "b", "variant": "v", "level": 1, "params": {}, "prompt": "p"}
    return as_json({**item, "parts": [{**plain, **part}]})


def _numbers(coefficient: Any) -> bytes:
    """A public item over a linear model, one of whose coefficients is replaced."""
    item = next(item for item in public_items("causal") if (item.params.get("linear") or {}).get("coefficients"))
    linear = item.params["linear"]
    (tail, head, _), *others = linear["coefficients"]
    changed = {**linear, "coefficients": [[tail, head, coefficient], *others]}
    return as_json({**item.to_json(), "params": {**item.params, "linear": changed}})


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

MENDED_GENERATOR = (
    # `params` of a part that is no object.
    ("items-graded", _item(params=[1])),
    ("items-graded", _item(params=[1], type="node_set", gold=["A"])),
    ("items-graded", _item(params=[1], type="edges", gold=[["A", "B"]])),
    ("items-graded", _item(params=[1], type="verdict")),
    ("items-graded", _item(params=[1], type="choice")),
    # `type` of a part that is no text, or text that `import_module` refuses otherwise than with ImportError.
    ("items-graded", _item(type=[])),
    ("items-graded", _item(type=0.5)),
    ("items-graded", _item(type=":x")),
    ("part-type", b":x"),
    ("part-type", b".a:b"),
    (
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
    ),
    # Numbers that are none: every way in which a fraction cannot be made of them.
    *(("items-verified", _numbers(odd)) for odd in (float("inf"), float("nan"), "1/0", "x", None, [])),
    # YAML whose tag or date does not fit its value: the library raises whatever it runs into.
    ("recipe", b"a: !!timestamp x"),
    ("recipe", b"a: !!int x"),
    ("recipe", b"a: !!bool x"),
    ("recipe", b"[" * 500),
    # A commitment whose nested fields have another type.
    ("reveal", _reveal(stage="seed", release="x")),
    (
        "graph-case",
        as_json(
            {"kind": "d_separation", "graph": {"nodes": ["A"], "directed": [["A", []]]}, "query": {"x": "A", "y": "A"}}
        ),
    ),
    *(
        (
            "graph-case",
            as_json(
                {
                    "kind": "d_separation",
                    "graph_full": {"nodes": ["A", "B"], "directed": [["A", "B"]], "latent": latent},
                    "query": {"x": "A", "y": "A"},
                }
            ),
        )
        for latent in ([["B"]], 5, "B", {"B": 1}, [None])
    ),
    # Half a surrogate pair as a node.
    *(
        ("graph-case", as_json({"kind": "id_identifiable", "graph": graph, "query": {"x": "A", "y": "B"}}))
        for graph in ({"nodes": ["A", "B", HALF]}, {"nodes": ["A", "B"], "directed": [["A", HALF]]})
    ),
    *(
        (
            "graph-case",
            as_json(
                {
                    "kind": "s_recoverable",
                    "graph": {"nodes": ["A", "S"], "directed": [["A", "S"]]},
                    "query": {"target": {"type": "do", "y": []}, "selection_node": "S", "external": external},
                }
            ),
        )
        for external in (5, True, {"A": 1}, [5], [[5]])
    ),
    # Half a surrogate pair in a question; an infinite index; a literal that cannot be built.
    ("rows-mmlu", as_json([{**MMLU, "question": HALF}])),
    ("rows-mmlu_pro", as_json([{**PRO, "question": HALF}])),
    ("rows-arc_challenge", as_json([{**ARC, "question": HALF}])),
    ("rows-hellaswag", as_json([{**SWAG, "ctx": HALF}])),
    ("rows-truthful_qa", as_json([{**TRUTH, "question": HALF}])),
    ("rows-local", as_json([{**LOCAL, "question": HALF}])),
    ("rows-mmlu", as_json([{**MMLU, "answer": float("inf")}])),
    ("rows-mmlu_pro", as_json([{**PRO, "answer_index": float("inf")}])),
    ("rows-hellaswag", as_json([{**SWAG, "label": float("inf")}])),
    ("rows-truthful_qa", as_json([{**TRUTH, "mc1_targets": {"choices": ["a"], "labels": [float("inf")]}}])),
    ("rows-local", as_json([{**LOCAL, "label": float("inf")}])),
    *(
        (f"rows-{name}", as_json([{**row, key: text}]))
        for name, row, key in (
            ("mmlu", MMLU, "choices"),
            ("mmlu_pro", PRO, "options"),
            ("hellaswag", SWAG, "endings"),
            ("arc_challenge", ARC, "choices"),
            ("truthful_qa", TRUTH, "mc1_targets"),
            ("local", {**LOCAL, "A": None}, "choices"),
        )
        for text in ("{[]: 1}", "[" * 3000)
    ),
)
