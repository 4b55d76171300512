"""Targets of the generator's files: items, responses, recipes, commitments, publications, cases, benchmark rows."""

import contextlib
import hashlib
import json
import re
from collections.abc import Callable, Sequence
from typing import Any

from benchpress import commitment as commitments
from benchpress.canonical import canonical_bytes
from benchpress.commands.items import verify_item
from benchpress.commands.reveal import read_document
from benchpress.commands.work import read_secret
from benchpress.commitment import Release, check_reveal
from benchpress.grading import grade_stream, load_items, score_line
from benchpress.graphs.dag import Graph
from benchpress.jsonl import read_items, read_lines, read_responses, write_lines
from benchpress.modules.causal.reading import read_prompt as read_causal_prompt
from benchpress.modules.choice.benchmarks import BENCHMARKS, Benchmark
from benchpress.modules.choice.benchmarks.local import local
from benchpress.modules.replay.prompts import read_prompt as read_replay_prompt
from benchpress.modules.replay.prompts import stated
from benchpress.parts.mechanisms_problem import read_problem
from benchpress.publication import DIGESTS, VERSIONS
from benchpress.publication.check import check_publication, model_of
from benchpress.publication.text import published_text
from benchpress.recipe import read_recipe
from benchpress.registry import PART_TYPES
from benchpress.solve import solve_case
from fuzz_seeds import DATA, ROOT, SITE, item_lines, lines, public_items, replay_items
from fuzzing import Target, as_file, as_json, folder, json_of, require, text_of


def _json_lines(data: bytes) -> Any:
    return list(read_lines(as_file(data)))


def _items(data: bytes) -> Any:
    """What can be read is written and read again as the same."""
    found = list(read_items(as_file(data)))
    try:
        write_lines(folder() / "again", [item.to_json() for item in found])
    except ValueError:
        return "read, and no canonical JSON: a float or half a surrogate pair"
    require(list(read_items(folder() / "again")) == found, "written again, the items are others")
    return found


def _gradable(data: bytes) -> Any:
    """Items that load can be graded, whatever is answered."""
    items = load_items(as_file(data))
    for text in ("SET: {A}\nESTIMATE: 1\nANSWER: A", '{"mechanisms": {}}'):
        responses = as_file(b"\n".join(as_json({"item_id": name, "text": text}) for name in items), "responses")
        for result in grade_stream(items, read_responses(responses), "responses"):
            require(json.loads(score_line(result))["item_id"] == result.item_id, "a line of another item")
    return list(items)


def _responses(data: bytes) -> Any:
    items = {item.id: item for item in public_items("choice", 6)}
    found = list(read_responses(as_file(data)))
    results = [result for one in found if one.item_id in items for result in grade_stream(items, iter([one]), "r")]
    return [json.loads(score_line(result)) for result in results]


def _response_lines() -> Sequence[bytes]:
    names = [item.id for item in public_items("choice", 6)]
    return [
        b"\n".join(as_json({"item_id": name, "text": "ANSWER: B", "stop_reason": "stop"}) for name in names),
        as_json({"item_id": names[0], "text": None, "error": "HTTP 500"}),
        as_json({"item_id": names[0], "text": "A", "stop_reason": "length", "output_tokens": 9, "max_tokens": 9}),
    ]


def _canonical(data: bytes) -> Any:
    value = json_of(data)
    written = canonical_bytes(value)
    require(json.loads(written) == value, "read again, it is another value")
    require(canonical_bytes(json.loads(written)) == written, "written again, it is other bytes")
    return written


def _verified(data: bytes) -> Any:
    (_, value), *_ = [*read_lines(as_file(data)), (0, None)]
    return verify_item(next(read_items(as_file(as_json(value)))))


def _recipe(data: bytes) -> Any:
    return read_recipe(as_file(data, "recipe.yaml"))


def _recipes() -> Sequence[bytes]:
    found = [path.read_bytes() for path in sorted((ROOT / "data" / "recipes").glob("*.yaml"))]
    found += [path.read_bytes() for path in sorted((ROOT / "generator/src/benchpress/recipes").glob("*.yaml"))]
    return [
        *found,
        b"version: a-v1\nmodule: causal\nbundles: [confounding]\nper_variant: 20\nlevels: [1, 2]\nmargins: []\n",
    ]


LINES = [b'{"bundle":"a","n":1}', b'{"bundle":"b","n":2}']
SECRET, SALT = b"s" * 32, b"t" * 32


def documents() -> dict[str, Any]:
    release = Release("benchpress-generator", "1", "0" * 64)
    leaves = commitments.leaf_hashes(SECRET, LINES)
    commitment = {
        "format": commitments.COMMITMENT_FORMAT,
        "version": "a-v1",
        "stage": "items",
        "time": "2026-01-02T00:00:00Z",
        "seed_commit": commitments.seed_commitment(SALT, SECRET),
        "seed_time": "2026-01-01T00:00:00Z",
        "beacon": None,
        "root": commitments.tree_root(leaves).hex(),
        "items": 2,
        "bundles": {"a": 1, "b": 1},
        "recipe": {},
        "release": release.to_json(),
        "digests": {},
    }
    reveal = {
        "format": commitments.REVEAL_FORMAT,
        "version": "a-v1",
        "secret": SECRET.hex(),
        "salt": SALT.hex(),
        "beacon": None,
        "leaves": [leaf.hex() for leaf in leaves],
    }
    return {"commitment": commitment, "reveal": reveal}


def _reveal(data: bytes) -> Any:
    value = read_document(as_file(data))
    release = Release("benchpress-generator", "1", "0" * 64)
    return [str(one) for one in check_reveal(value.get("commitment"), value.get("reveal"), lambda *_: LINES, release)]


def _reveals() -> Sequence[bytes]:
    plain = documents()
    with_beacon = json.loads(json.dumps(plain))
    for document in with_beacon.values():
        document["beacon"] = {"source": "drand", "time": "2026-01-01T12:00:00Z", "value": "abc"}
    return [
        as_json(plain),
        as_json(with_beacon),
        as_json({**plain, "commitment": {**plain["commitment"], "stage": "seed"}}),
    ]


def named_page(data: bytes) -> tuple[str | None, bytes]:
    """The path of a published file, which stands in the first line, and its content; None for what is no plain path."""
    name, _, content = data.partition(b"\n")
    place = text_of(name)
    return (place if re.fullmatch(r"[a-z][\w./-]{0,99}", place, re.ASCII) and ".." not in place else None), content


def _page(data: bytes) -> Any:
    """First line: which file of a publication. Laid into a folder with versions and digests as they should be."""
    place, content = named_page(data)
    model = None if place is None else model_of(place)
    if place is None or model is None or place == DIGESTS:
        return None
    home = folder() / "publication"
    pages = {place: content}
    with contextlib.suppress(ValueError):
        pages[place] = published_text(model.model_validate_json(content)).encode()
    for other in home.rglob("*.json"):
        other.unlink()
    if place != VERSIONS:
        pages[VERSIONS] = (SITE / VERSIONS).read_bytes()
    listed = {name: hashlib.sha256(text).hexdigest() for name, text in pages.items()}
    pages[DIGESTS] = (json.dumps({"files": listed}, ensure_ascii=False, sort_keys=True, indent=1) + "\n").encode()
    for name_, text in pages.items():
        path = home / name_
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text)
    return check_publication(home)


def published_pages() -> Sequence[bytes]:
    """Each kind of published file once, as small as there is one; its path in the publication in the line before."""
    found: dict[str, bytes] = {}
    for path in sorted(SITE.rglob("*.json"), key=lambda path: path.stat().st_size):
        name = path.relative_to(SITE).as_posix()
        if path.stat().st_size < 30_000:
            found.setdefault(
                path.parent.name if path.parent.name == "models" else path.name,
                name.encode() + b"\n" + path.read_bytes(),
            )
    return list(found.values())


def _problem(data: bytes) -> Any:
    return read_problem(json_of(data), "item x").variables


def _case(data: bytes) -> Any:
    value = json_of(data)
    return solve_case(value) if isinstance(value, dict) and _small(value) else None


def _small(value: Any) -> bool:
    """Whether a case has few enough nodes for a search through all subsets to be quick."""
    graph = value.get("graph") or value.get("graph_full")
    nodes = graph.get("nodes") if isinstance(graph, dict) else None
    return not isinstance(nodes, list) or len(nodes) < 9


def _cases() -> Sequence[bytes]:
    kinds: dict[str, bytes] = {}
    for case in lines(DATA / "causal_cases.jsonl"):
        if _small(case):
            kinds.setdefault(
                case["kind"],
                as_json({key: case[key] for key in ("id", "kind", "graph", "graph_full", "query") if key in case}),
            )
    return list(kinds.values())


def _graph_text(data: bytes) -> Any:
    directed, _, rest = text_of(data).partition(";")
    bidirected, _, nodes = rest.partition(";")
    graph = Graph.of(directed, bidirected, nodes)
    require(Graph.from_json(graph.to_json()) == graph, "read again, it is another graph")
    return graph


def _replay_prompt(data: bytes) -> Any:
    return read_replay_prompt(text_of(data))


def _replay_prompts() -> Sequence[bytes]:
    for item in replay_items():
        require(read_replay_prompt(item.prompt) == stated(item.params), f"{item.id} states another problem")
    return [item.prompt.encode() for item in replay_items()]


def _causal_prompt(data: bytes) -> Any:
    bundle, params = read_causal_prompt(text_of(data))
    return bundle.name, params


def _causal_prompts() -> Sequence[bytes]:
    return [item.prompt.encode() for item in public_items("causal", 60)]


def _rows(benchmark: Benchmark) -> Callable[[bytes], Any]:
    return lambda data: [question.item().to_json() for question in benchmark.questions(_listed(json_of(data)))]


def _listed(value: Any) -> list[dict[str, Any]]:
    """The rows as a table file gives them: mappings, always."""
    return [row for row in value if isinstance(row, dict)] if isinstance(value, list) else []


ROWS: dict[str, list[dict[str, Any]]] = {
    "mmlu": [
        {"question": "2+2?", "subject": "math", "answer": 1, "choices": ["3", "4", "5", "None"]},
        {"question": "2+2?", "subject": "math", "answer": "B", "choices": "['3', '4', '5', 'None']"},
    ],
    "mmlu_pro": [{"question": "Q?", "category": "law", "options": ["a", None, "b"], "answer_index": 2}],
    "arc_challenge": [
        {
            "id": "x",
            "question": "Why?",
            "choices": {"text": ["x", "y", "z"], "label": ["A", "B", "C"]},
            "answerKey": "C",
        },
        {
            "id": "x",
            "question": {
                "stem": "Why?",
                "choices": [{"text": "x", "label": "1"}, {"text": "y", "label": "2"}, {"text": "z", "label": "3"}],
            },
            "answerKey": "2",
        },
    ],
    "hellaswag": [
        {"ctx": "A man", "endings": ["sits", "runs", "sings", "eats"], "label": "2", "activity_label": "Life"}
    ],
    "truthful_qa": [
        {"question": "Q?", "mc1_targets": {"choices": ["right", "wrong", "other"], "labels": [1, 0, 0]}},
        {"question": "Q?", "mc1_targets": "{'right': 1, 'wrong': 0}"},
    ],
    "local": [
        {"question": "Q?", "A": "x", "B": "y", "C": "", "answer": "x", "subject": "s"},
        {
            "stem": "Q?",
            "choices": [{"text": "x", "source_index": 1}, {"text": "y", "source_index": 0}],
            "correct_option": "B",
        },
        {"question_text": "Q?", "option_a": "x", "option_b": "y", "label": 0},
    ],
}


def _seed_rows(name: str) -> Callable[[], Sequence[bytes]]:
    return lambda: [as_json(ROWS[name]), *(as_json([row]) for row in ROWS[name])]


SETS = {**{name: BENCHMARKS.get(name) for name in ROWS if name != "local"}, "local": local("mine")}


def _registered(data: bytes) -> Any:
    return bool(PART_TYPES.get(text_of(data)))


def _secret(data: bytes) -> Any:
    return read_secret(as_file(data), None)


ROW_WORDS = (b"NaN", b"Infinity", b"\"['a' 'b']\"", b'"{[]: 1}"', b'"[1, 2"', b"null", b'"A"', b"1e400", b'"1e5"')
YAML_WORDS = (
    b"!!bool x",
    b"!!timestamp x",
    b"!!float x",
    b"!!int x",
    b"!!binary x",
    b"!!python/none x",
    b"&a [*a]",
    b"*a",
    b"<<: *a",
    b"2024-13-45",
    b"? ",
    b"- ",
    b": ",
    b"|\n",
    b">\n",
    b"%YAML 9.9\n",
    b"---\n",
    b"\t",
    b"1:60",
    b"0x",
    b".inf",
)

TARGETS = (
    Target("json-lines", "any file of JSON lines", _json_lines, item_lines),
    Target("items", "an item file", _items, item_lines),
    Target(
        "items-graded", "an item file that is graded", _gradable, item_lines, words=(b'":x"', b'".a:b"', b'"os:sep"')
    ),
    Target("items-verified", "an item file whose keys are derived again", _verified, lambda: item_lines(40)),
    Target("responses", "a file of responses", _responses, _response_lines),
    Target("canonical", "a value that a digest is taken of", _canonical, item_lines, (ValueError, *Target.refuses)),
    Target("recipe", "the recipe of a version, in YAML", _recipe, _recipes, words=YAML_WORDS, rounds=100),
    Target("reveal", "a commitment and a reveal", _reveal, _reveals),
    Target("publication", "a published file, checked", _page, published_pages),
    Target(
        "replay-problem",
        "the problem of a replay item",
        _problem,
        lambda: [as_json(dict(i.params)) for i in replay_items()],
    ),
    Target("graph-case", "a published graph question for `solve`", _case, _cases),
    Target("graph-text", "a graph as text", _graph_text, lambda: [b"A->B B->C;A<->C;D", b"A->A", b"A->B B->A;;"]),
    Target(
        "prompt-replay",
        "the prompt of a replay item, read back",
        _replay_prompt,
        _replay_prompts,
        (ValueError, KeyError),
    ),
    Target(
        "prompt-causal",
        "the prompt of a causal item, read back",
        _causal_prompt,
        _causal_prompts,
        (ValueError,),
        rounds=60,
    ),
    Target(
        "part-type",
        "the name of a part type",
        _registered,
        lambda: [b"number", b"benchpress.parts.number:NUMBER"],
        words=(b":", b".", b"benchpress.parts"),
        rounds=20,
    ),
    Target("secret-file", "a secret in hex", _secret, lambda: [b"00" * 32, b"0" * 63]),
    *(
        Target(f"rows-{name}", f"rows of {name}", _rows(found), _seed_rows(name), words=ROW_WORDS)
        for name, found in SETS.items()
    ),
)
