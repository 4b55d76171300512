"""A model in this process through Hugging Face transformers: weights from the hub at one commit, or from a folder."""

import asyncio
import hashlib
import re
import threading
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any, ClassVar

from benchpress.errors import UserError

from benchpress_evaluator.providers.base import OPTION_SCORES, Provider, Settings, Stop, check_known, require
from benchpress_evaluator.providers.errors import ConfigurationError, ProviderError
from benchpress_evaluator.records import Completion, Json, Request

EXTRA = "transformers"
DTYPES = ("float32", "float16", "bfloat16")
COMMIT = re.compile(r"[0-9a-f]{40}")


@dataclass(frozen=True, slots=True)
class Shape:
    """The native configuration. Raises UserError for what cannot be meant."""

    device: str | None = None
    """`cpu`, `cuda`, `cuda:1`, `mps`, or `auto` to spread over all devices; None is a GPU where there is one."""
    dtype: str | None = None
    """One of DTYPES; None is float32 on a CPU, float16 elsewhere."""
    revision: str | None = None
    """Branch, tag or commit on the hub; resolved to a commit before anything is loaded."""
    max_new_tokens: int = 512
    temperature: float = 0
    seed: int = 0
    """Of sampling, together with the prompt; without effect at temperature 0."""
    label_prefix: str = ""
    """What stands before a label whose log-probability is asked for, such as a space."""

    @classmethod
    def of(cls, settings: Settings) -> "Shape":
        check_known(settings, cls.__slots__)
        where = f"entrant {settings.entrant!r}: params"
        found = cls(**settings.params)
        for name in ("device", "revision"):
            if not isinstance(getattr(found, name), str | None):
                raise UserError(f"{where}.{name} must be text, not {getattr(found, name)!r}")
        if found.dtype is not None and found.dtype not in DTYPES:
            raise UserError(f"{where}.dtype must be one of {', '.join(DTYPES)}, not {found.dtype!r}")
        if type(found.max_new_tokens) is not int or found.max_new_tokens < 1:
            raise UserError(f"{where}.max_new_tokens must be a whole number above 0, not {found.max_new_tokens!r}")
        if type(found.temperature) not in (int, float) or not 0 <= found.temperature <= 2:
            raise UserError(f"{where}.temperature must lie between 0 and 2, not {found.temperature!r}")
        if type(found.seed) is not int:
            raise UserError(f"{where}.seed must be a whole number, not {found.seed!r}")
        if not isinstance(found.label_prefix, str):
            raise UserError(f"{where}.label_prefix must be text, not {found.label_prefix!r}")
        return found


class Transformers(Provider):
    """`model` is a name on the hub or the path of a folder with weights and tokenizer; params are :class:`Shape`'s.

    A chat template is applied where the tokenizer has one; else the prompt is given as it stands. Code that comes with
    weights is never run.
    """

    capabilities: ClassVar[frozenset[str]] = frozenset({OPTION_SCORES})
    concurrency: ClassVar[int] = 1
    paid: ClassVar[bool] = False
    stops: ClassVar[Mapping[str, Stop]] = {"stop": Stop.DONE, "length": Stop.CUT}

    def __init__(self, settings: Settings) -> None:
        super().__init__(settings)
        self._shape = Shape.of(settings)
        for package in ("torch", "transformers"):
            # Importing them takes seconds, so it waits until there is something to ask.
            if find_spec(package) is None:
                require(package, EXTRA, settings.entrant)
        self._folder = local_folder(settings.model)
        self._identity: Mapping[str, Json] | None = None
        self._tokens: dict[str, int] = {}
        self._turn = threading.Lock()

    @property
    def max_tokens(self) -> int | None:
        return self._shape.max_new_tokens

    def fingerprint(self) -> Mapping[str, Json]:
        if self._identity is None:
            if self._folder is not None:
                self._identity = {"tree_sha256": tree_digest(self._folder)}
            else:
                self._identity = {"commit": resolve_commit(self.settings, self._shape.revision)}
        return self._identity

    async def start(self) -> None:
        await asyncio.to_thread(self._load)

    def _load(self) -> None:
        torch = self._torch = require("torch", EXTRA, self.settings.entrant)
        transformers = require("transformers", EXTRA, self.settings.entrant)
        device = self._shape.device or ("cuda" if torch.cuda.is_available() else "cpu")
        dtype = self._shape.dtype or ("float32" if device == "cpu" else "float16")
        source = self.settings.model if self._folder is None else str(self._folder)
        where: dict[str, Any] = {"revision": self.fingerprint()["commit"]} if self._folder is None else {}
        spread = {"device_map": "auto"} if device == "auto" else {}
        try:
            self._tokenizer = transformers.AutoTokenizer.from_pretrained(source, **where)
            model = transformers.AutoModelForCausalLM.from_pretrained(
                source, dtype=getattr(torch, dtype), **where, **spread
            )
            self._model = model.eval() if spread else model.eval().to(device)
        except (OSError, ValueError, RuntimeError, ImportError) as problem:
            first = str(problem).strip().splitlines()[0]
            raise ConfigurationError(f"cannot load {source}: {first[:200]}") from None
        self._native = {
            "device": device,
            "dtype": dtype,
            "max_new_tokens": self._shape.max_new_tokens,
            "temperature": self._shape.temperature,
            "seed": self._shape.seed,
            **self.fingerprint(),
        }

    async def complete(self, request: Request) -> Completion:
        return await asyncio.to_thread(self._complete, request)

    def _complete(self, request: Request) -> Completion:
        with self._turn:
            inputs = self._encode(request)
            return self._score(inputs, request.option_labels) if request.option_labels else self._generate(inputs)

    def _encode(self, request: Request) -> Any:
        """Token ids of the whole conversation, shape (1, length), on the model's device."""
        turns = [{"role": message.role, "content": message.content} for message in request.messages]
        if request.system is not None:
            turns.insert(0, {"role": "system", "content": request.system})
        if self._tokenizer.chat_template:
            text = self._tokenizer.apply_chat_template(turns, tokenize=False, add_generation_prompt=True)
            encoded = self._tokenizer(text, add_special_tokens=False, return_tensors="pt")
        else:
            encoded = self._tokenizer("\n\n".join(turn["content"] for turn in turns), return_tensors="pt")
        length, room = encoded.input_ids.shape[1], getattr(self._model.config, "max_position_embeddings", None)
        if room is not None and length >= room:
            raise ProviderError(f"the prompt has {length} tokens and the model takes {room}")
        return encoded.input_ids.to(self._model.device)

    def _generate(self, inputs: Any) -> Completion:
        torch = self._torch
        sampling: dict[str, Any] = {"do_sample": False}
        if self._shape.temperature > 0:
            sampling = {"do_sample": True, "temperature": float(self._shape.temperature), "top_k": 0, "top_p": 1.0}
            # Seeded by the prompt too, so that an answer does not depend on what was asked before.
            key = f"{self._shape.seed}:{inputs.tolist()}".encode()
            torch.manual_seed(int.from_bytes(hashlib.sha256(key).digest()[:7], "big"))
        with torch.inference_mode():
            found = self._model.generate(
                inputs,
                attention_mask=torch.ones_like(inputs),
                max_new_tokens=self._shape.max_new_tokens,
                pad_token_id=self._tokenizer.eos_token_id,
                **sampling,
            )
        fresh = found[0, inputs.shape[1] :]
        cut = len(fresh) >= self._shape.max_new_tokens and int(fresh[-1]) not in self._ends()
        return self._completion(
            inputs,
            text=self._tokenizer.decode(fresh, skip_special_tokens=True),
            stop_reason="length" if cut else "stop",
            output_tokens=len(fresh),
            max_tokens=self._shape.max_new_tokens,
        )

    def _ends(self) -> frozenset[int]:
        """Tokens that end an answer."""
        named = self._model.generation_config.eos_token_id
        several = named if isinstance(named, list) else [named]
        return frozenset(int(token) for token in [*several, self._tokenizer.eos_token_id] if token is not None)

    def _score(self, inputs: Any, labels: tuple[str, ...]) -> Completion:
        """One forward pass: the log-softmax over the whole vocabulary at the first token of the answer."""
        torch = self._torch
        wanted = {label: self._token(label) for label in labels}
        if len(set(wanted.values())) != len(wanted):
            raise ConfigurationError("two labels are the same token of this model; set params.label_prefix")
        with torch.inference_mode():
            logits = self._model(inputs).logits[0, -1].float()
            scores = torch.log_softmax(logits, dim=-1).tolist()
        found = {label: float(scores[token]) for label, token in wanted.items()}
        return self._completion(inputs, text=None, output_tokens=0, option_scores=found)

    def _token(self, label: str) -> int:
        """The id of the one token that is `label`. Raises ConfigurationError where it takes several or is unknown."""
        if label not in self._tokens:
            text = self._shape.label_prefix + label
            found = self._tokenizer.encode(text, add_special_tokens=False)
            if len(found) != 1 or found[0] == self._tokenizer.unk_token_id:
                other = " or clear" if self._shape.label_prefix else ""
                raise ConfigurationError(
                    f"the label {text!r} is not one token of this model: set{other} params.label_prefix, such as ' '"
                )
            self._tokens[label] = found[0]
        return self._tokens[label]

    def _completion(self, inputs: Any, **known: Any) -> Completion:
        return Completion(
            input_tokens=int(inputs.shape[1]), model_served=self.settings.model, native_config=self._native, **known
        )


def local_folder(model: str) -> Path | None:
    """The folder that `model` names, or None where it is a name on the hub."""
    path = Path(model).expanduser()
    return path if path.is_dir() else None


def tree_digest(folder: Path) -> str:
    """SHA-256 over the relative paths and contents of every file below `folder`."""
    whole = hashlib.sha256()
    for path in sorted((path for path in folder.rglob("*") if path.is_file()), key=lambda path: path.as_posix()):
        with path.open("rb") as file:
            whole.update(f"{path.relative_to(folder).as_posix()}\0".encode())
            whole.update(hashlib.file_digest(file, "sha256").digest())
    return whole.hexdigest()


def resolve_commit(settings: Settings, revision: str | None) -> str:
    """The commit that `revision` (the default branch for None) stands for.

    Asked of the hub; without a connection, what this machine last saw there. Raises UserError where neither tells.
    """
    if revision is not None and COMMIT.fullmatch(revision):
        return revision
    hub = require("huggingface_hub", EXTRA, settings.entrant)
    wanted = revision or "main"
    try:
        return str(hub.HfApi().model_info(settings.model, revision=wanted).sha)
    except Exception as problem:  # noqa: BLE001 - whatever goes wrong there, the cache may know
        found = hub.try_to_load_from_cache(settings.model, "config.json", revision=wanted)
        commit = Path(found).parent.name if isinstance(found, str) else ""
        if COMMIT.fullmatch(commit):
            return commit
        raise UserError(
            f"entrant {settings.entrant!r}: revision {wanted!r} of {settings.model!r} cannot be resolved "
            f"({type(problem).__name__}); name a folder, or a commit as params.revision"
        ) from None
