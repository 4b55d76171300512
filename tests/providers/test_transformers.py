"""The provider for Hugging Face transformers, on a tiny model with random weights that is made here."""

import asyncio
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from benchpress.errors import UserError
from benchpress.modules.choice.question import Question
from benchpress_evaluator.entrants import Entrant
from benchpress_evaluator.journal import Journal
from benchpress_evaluator.methods import MethodChoice
from benchpress_evaluator.plan import Plan
from benchpress_evaluator.providers.base import Settings
from benchpress_evaluator.providers.errors import ConfigurationError, ProviderError
from benchpress_evaluator.providers.transformers import Shape, Transformers, resolve_commit, tree_digest
from benchpress_evaluator.records import Completion, Message, Request
from benchpress_evaluator.runner import run
from benchpress_evaluator.scoring import score
from benchpress_evaluator.storage import open_storage

COMMIT = "0123456789abcdef0123456789abcdef01234567"
LABELS = tuple("ABCD")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A two-layer model over single characters; Y and Z are no tokens of it."""
    for package in ("torch", "transformers", "tokenizers"):
        pytest.importorskip(package, reason=f"{package} is not installed; benchpress-evaluator[transformers] has it")
    import torch
    from tokenizers import Tokenizer, models, pre_tokenizers
    from transformers import LlamaConfig, LlamaForCausalLM, PreTrainedTokenizerFast

    letters = [chr(code) for code in range(32, 127) if chr(code) not in "YZ"] + ["\n"]
    vocabulary = {token: place for place, token in enumerate(["<s>", "</s>", "<unk>", *letters])}
    plain = Tokenizer(models.WordLevel(vocabulary, unk_token="<unk>"))
    plain.pre_tokenizer = pre_tokenizers.Split("", "isolated")
    tokenizer = PreTrainedTokenizerFast(tokenizer_object=plain, bos_token="<s>", eos_token="</s>", unk_token="<unk>")
    torch.manual_seed(1)
    config = LlamaConfig(
        vocab_size=len(vocabulary),
        hidden_size=32,
        intermediate_size=64,
        num_hidden_layers=2,
        num_attention_heads=4,
        num_key_value_heads=2,
        max_position_embeddings=600,
        bos_token_id=0,
        eos_token_id=1,
    )
    # Larger weights than usual, so that the labels' scores are well apart.
    config.initializer_range = 0.4
    where = tmp_path_factory.mktemp("tiny")
    LlamaForCausalLM(config).save_pretrained(where)
    tokenizer.save_pretrained(where)
    return where


def provider(folder: Path, **params: Any) -> Transformers:
    made = Transformers(Settings("tiny", str(folder), {"device": "cpu", **params}))
    asyncio.run(made.start())
    return made


def ask(made: Transformers, prompt: str, labels: tuple[str, ...] = ()) -> Completion:
    return asyncio.run(made.complete(Request((Message("user", prompt),), None, labels)))


def test_scores_are_log_probabilities_over_the_whole_vocabulary(folder: Path) -> None:
    import torch
    from transformers import AutoModelForCausalLM, AutoTokenizer

    found = ask(provider(folder), "Which?\nAnswer:", LABELS)
    tokenizer, model = AutoTokenizer.from_pretrained(folder), AutoModelForCausalLM.from_pretrained(folder)
    inputs = tokenizer("Which?\nAnswer:", return_tensors="pt")
    with torch.no_grad():
        logits = model(input_ids=inputs.input_ids).logits[0, -1].double()
    probabilities = torch.exp(logits) / torch.exp(logits).sum()
    expected = {L: float(torch.log(probabilities[tokenizer.convert_tokens_to_ids(L)])) for L in LABELS}
    assert found.option_scores == pytest.approx(expected, abs=1e-4)
    # The labels are four tokens of many: their probabilities alone do not make one.
    assert sum(float(probabilities[tokenizer.convert_tokens_to_ids(L)]) for L in LABELS) < 0.9
    assert (found.text, found.input_tokens, found.output_tokens) == (None, inputs.input_ids.shape[1], 0)


@pytest.mark.parametrize("labels", [("A", "Z"), ("A", "BB")])
def test_a_label_that_is_not_one_token_is_named(folder: Path, labels: tuple[str, ...]) -> None:
    with pytest.raises(ConfigurationError, match=f"the label '{labels[1]}' is not one token of this model: set"):
        ask(provider(folder), "Which?", labels)


def test_a_prefix_belongs_to_the_label(folder: Path) -> None:
    with pytest.raises(ConfigurationError, match="the label ' A' is not one token of this model: set or clear"):
        ask(provider(folder, label_prefix=" "), "Which?", LABELS)


def test_answers_are_generated_with_counts_and_the_same_every_time(folder: Path) -> None:
    made = provider(folder, max_new_tokens=12)
    first, second = ask(made, "Say something."), ask(made, "Say something.")
    assert first == second
    assert first.output_tokens is not None
    assert first.output_tokens <= 12
    assert first.stop_reason == ("length" if first.output_tokens == 12 else "stop")
    assert first.max_tokens == 12
    assert first.native_config["dtype"] == "float32"
    assert first.native_config["tree_sha256"] == tree_digest(folder)


def test_sampling_follows_its_seed_and_not_what_was_asked_before(folder: Path) -> None:
    made = provider(folder, max_new_tokens=12, temperature=1.5, seed=3)
    first = ask(made, "Say something.").text
    ask(made, "Something else.")
    assert ask(made, "Say something.").text == first
    assert ask(provider(folder, max_new_tokens=12, temperature=1.5, seed=4), "Say something.").text != first


def test_a_prompt_longer_than_the_context_fails_by_itself(folder: Path) -> None:
    with pytest.raises(ProviderError, match="the prompt has 700 tokens and the model takes 600") as caught:
        ask(provider(folder), "x" * 700, LABELS)
    assert not isinstance(caught.value, ConfigurationError)


def test_a_local_tree_is_known_by_all_its_files(folder: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy"
    shutil.copytree(folder, copy)
    assert tree_digest(copy) == tree_digest(folder)
    (copy / "notes.txt").write_text("x", encoding="utf-8")
    other = tree_digest(copy)
    assert other != tree_digest(folder)
    (copy / "notes.txt").rename(copy / "words.txt")
    assert tree_digest(copy) not in {other, tree_digest(folder)}
    found = Transformers(Settings("tiny", str(copy))).fingerprint()
    assert found == {"tree_sha256": tree_digest(copy)}


def test_a_folder_without_weights_stops_the_entrant_with_one_line(folder: Path, tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match="cannot load") as caught:
        provider(tmp_path)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("dtype", ["bfloat16", "float16"])
def test_the_dtype_is_as_asked_for(folder: Path, dtype: str) -> None:
    found = ask(provider(folder, dtype=dtype), "Which?", LABELS)
    assert found.native_config["dtype"] == dtype
    assert found.option_scores is not None
    assert found.option_scores == pytest.approx(ask(provider(folder), "Which?", LABELS).option_scores, abs=0.3)


def test_the_whole_path_of_a_logprob_method(folder: Path, tmp_path: Path) -> None:
    items = [
        Question.build("b", "s", f"Question {number}?", ["one", "two", "three"], number % 3).item()
        for number in range(3)
    ]
    entrant = Entrant.model_validate(
        {"id": "tiny", "provider": "transformers", "model": str(folder), "params": {"device": "cpu"}}
    )
    journal, choice = Journal.open(open_storage(tmp_path), "journal", None), MethodChoice("cyclic_logprob")
    assert run(Plan("v", items, [entrant], [choice]), journal, {}).complete
    rows = list(score(items, journal.records(), "v", [entrant], [choice]))
    assert [row.extra["failed_rotations"] for row in rows] == [0, 0, 0]
    assert all(sum(row.extra["distribution"]) == pytest.approx(1) for row in rows)


# Without torch


@pytest.mark.parametrize(
    ("params", "message"),
    [
        ({"torch_dtype": "float16"}, "params.torch_dtype is unknown"),
        ({"dtype": "int8"}, "params.dtype must be one of float32, float16, bfloat16"),
        ({"device": 0}, "params.device must be text"),
        ({"max_new_tokens": True}, "params.max_new_tokens must be a whole number above 0"),
        ({"temperature": 3}, "params.temperature must lie between 0 and 2"),
        ({"seed": "1"}, "params.seed must be a whole number"),
    ],
)
def test_settings_that_cannot_be_meant_are_refused(params: Mapping[str, Any], message: str) -> None:
    with pytest.raises(UserError, match=message):
        Shape.of(Settings("tiny", "org/model", params))


def test_a_commit_stands_for_itself() -> None:
    assert resolve_commit(Settings("tiny", "org/model"), COMMIT) == COMMIT


def test_a_missing_package_is_one_line_with_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    import benchpress_evaluator.providers.base as base
    import benchpress_evaluator.providers.transformers as module

    def absent(_: str) -> None:
        raise ImportError

    monkeypatch.setattr(module, "find_spec", lambda _: None)
    monkeypatch.setattr(base, "import_module", absent)
    with pytest.raises(UserError, match=r"needs the package torch: install benchpress-evaluator\[transformers\]"):
        Transformers(Settings("tiny", "org/model"))
