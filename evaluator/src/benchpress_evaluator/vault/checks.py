"""What `doctor` says about a sealed version."""

from collections.abc import Mapping
from typing import Any

from benchpress.commitment import Finding, Release, installed_release
from benchpress.errors import UserError

from benchpress_evaluator.storage import Storage
from benchpress_evaluator.vault.age import Keys
from benchpress_evaluator.vault.sealed import open_sealed


def check_version(
    storage: Storage, name: str, keys: Keys, commitment: Mapping[str, Any], release: Release | None = None
) -> list[Finding]:
    """Open the version against its commitment and say what there is to know; nothing grave means that it holds."""
    try:
        sealed = open_sealed(storage, name, keys, commitment)
    except UserError as refusal:
        return [Finding("sealed file", str(refusal), "until then nothing is run or scored with it")]
    findings = []
    if commitment["stage"] == "seed":
        problem = f"{sealed.version} has a committed secret but no items yet"
        findings.append(Finding("stage", problem, "complete it when the public value is known", grave=False))
    if not sealed.recipients:
        problem = f"{sealed.version} is sealed with a passphrase alone: who loses it loses the version"
        findings.append(
            Finding("recipients", problem, "rotate it to recipients unless it is a throw-away", grave=False)
        )
    here = release or installed_release()
    if commitment.get("release", here.to_json()) != here.to_json():
        problem = f"{sealed.version} was made by another release of the generator than the one installed here"
        remedy = "scores rest on the sealed items and do not change; check-reveal needs the named release"
        findings.append(Finding("release", problem, remedy, grave=False))
    return findings
