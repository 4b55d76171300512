"""The stored answers of a run read anew by the code as it is now, offline, under an identity of their own.

Everything comes out of the folder of the run: manifest, archived questions and prompts, journal.
"""

import asyncio
import hashlib
from collections.abc import Mapping
from typing import Any

from benchpress.errors import UserError
from benchpress.items import Item
from benchpress.jsonl import read_items
from benchpress.modules.choice.prompts import Prompts

from benchpress_evaluator.entrants import Entrant
from benchpress_evaluator.grid.evaluate import Evaluation, opened, report_of
from benchpress_evaluator.grid.folder import RunFolder
from benchpress_evaluator.grid.identity import identity
from benchpress_evaluator.grid.implementation import implementation_digest
from benchpress_evaluator.grid.manifest import COMPLETED, FAILED, State, read_metrics
from benchpress_evaluator.grid.results import Results, join_bytes
from benchpress_evaluator.grid.rows import IDENTITIES, Row, to_csv, to_jsonl
from benchpress_evaluator.grid.running import VERSION, journal_of, rows_of
from benchpress_evaluator.grid.selecting import rows_digest
from benchpress_evaluator.methods import MethodChoice, method_of
from benchpress_evaluator.methods.base import Material
from benchpress_evaluator.redaction import redact
from benchpress_evaluator.replay import Condition as Asked
from benchpress_evaluator.replay import Recorded

Held = dict[str, tuple[list[Row], list[Row]]]


def reparse(folder: RunFolder, metrics: list[str]) -> Evaluation:
    """Rows and report by the code as it is now; the rows are kept under `reparsed/<evaluation id>/`.

    A condition whose stored calls are not those that today's code would make is failed. Raises UserError for a
    damaged run.
    """
    manifest, before = opened(folder)
    prompts = _prompts(manifest)
    items = {name: _items(folder, manifest, name) for name in _selections(manifest)}
    wanted = [one for one in manifest["conditions"] if before[one["condition_id"]].status in (COMPLETED, FAILED)]
    recorded = _recorded(folder, items)
    states = dict(before)
    held: Held = {}
    code: dict[str, str] = {}
    with asyncio.Runner() as runner:
        for one in wanted:
            name = one["condition_id"]
            if one["selection_id"] is None:
                continue
            try:
                asked = _asked(manifest, one, prompts, items)
                code[one["method"]] = implementation_digest(method_of(asked.method))
                found = runner.run(rows_of(asked, items[one["selection_id"]], _identities(manifest, one), recorded))
            except Exception as problem:  # noqa: BLE001 - a method that is gone costs its own conditions
                states[name] = State(FAILED, redact(str(problem)))
                continue
            if isinstance(found, State):
                states[name] = found
            elif found is None:
                states[name] = State(FAILED, "the stored calls are not those that this code makes")
            else:
                rows, usage, errors = found
                held[name] = (rows, usage)
                files = {f"results/{name}.jsonl": hashlib.sha256(to_jsonl(rows)).hexdigest()}
                states[name] = State(COMPLETED, None, len(rows), files, errors)
    how = {"mode": "reparsed", "implementations": code}
    evaluation = report_of(manifest, states, held, metrics or read_metrics(folder), how)
    _keep(folder, evaluation, held)
    return evaluation


def _keep(folder: RunFolder, evaluation: Evaluation, held: Held) -> None:
    results = Results(folder)
    place = f"reparsed/{evaluation.id}"
    results.write(f"{place}/results.jsonl", b"".join(to_jsonl(rows) for rows, _ in held.values()))
    results.write(f"{place}/results.csv", join_bytes([to_csv(rows) for rows, _ in held.values()]))


def _prompts(manifest: Mapping[str, Any]) -> Prompts:
    facts = manifest["identity"]["prompts"]
    return Prompts(version=facts["version"], **facts["texts"])


def _selections(manifest: Mapping[str, Any]) -> list[str]:
    named = [one[key] for one in manifest["conditions"] for key in ("selection_id", "calibration_id")]
    return list(dict.fromkeys(name for name in named if name is not None))


def _items(folder: RunFolder, manifest: Mapping[str, Any], selection: str) -> list[Item]:
    """The archived questions. Raises UserError where they are not those of the manifest."""
    path = folder / f"datasets/{selection}.jsonl"
    items = list(read_items(path))
    tested = [one.get("selection") for one in manifest["identity"]["benchmarks"].values()]
    known = [facts for facts in (*tested, *manifest["identity"]["calibrations"].values()) if facts]
    if not any(identity("sel", facts) == selection and facts["rows_digest"] == rows_digest(items) for facts in known):
        raise UserError(f"{path} was changed after it was written: restore it")
    return items


def _asked(
    manifest: Mapping[str, Any], one: Mapping[str, Any], prompts: Prompts, items: Mapping[str, list[Item]]
) -> Asked:
    """One condition of the manifest as it was asked."""
    facts = manifest["identity"]["models"][one["model"]]
    entrant = Entrant.model_validate({name: facts[name] for name in ("id", "provider", "model", "params", "base_url")})
    material = Material(prompts, tuple(items[one["calibration_id"]]) if one["calibration_id"] else ())
    name = manifest["identity"]["methods"][one["method"]]["name"]
    return Asked(VERSION, entrant, MethodChoice(name, one["method_params"], material))


def _recorded(folder: RunFolder, items: Mapping[str, list[Item]]) -> Recorded:
    ids = {item.id for held in items.values() for item in held}
    return Recorded.of(journal_of(folder).records(), VERSION, ids, lambda _: True)


def _identities(manifest: Mapping[str, Any], one: Mapping[str, Any]) -> dict[str, Any]:
    return {name: {**one, "experiment_id": manifest["experiment_id"]}[name] for name in IDENTITIES}
