"""The workflows hold what is promised of them: checked by actionlint and zizmor without exceptions, and read here."""

import re
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml
from installed import ROOT
from servers import program as executable

FOLDER = ROOT / ".github" / "workflows"
FILES = sorted(FOLDER.glob("*.yml"))


def read(path: Path) -> dict[str, Any]:
    return yaml.safe_load(path.read_text(encoding="utf-8"))


def steps(path: Path) -> list[dict[str, Any]]:
    return [step for job in read(path)["jobs"].values() for step in job["steps"]]


def test_all_three_are_there() -> None:
    assert [path.stem for path in FILES] == ["ci", "evaluate", "publish"]
    assert list(FOLDER.iterdir()) != []
    assert {path.suffix for path in FOLDER.iterdir()} == {".yml"}


@pytest.mark.parametrize(
    "command",
    [
        ["actionlint", "-no-color"],
        ["zizmor", "--offline", "--no-progress", "--persona", "pedantic", "--no-config"],
    ],
    ids=lambda command: command[0],
)
def test_the_linters_find_nothing_and_nothing_is_excepted(command: list[str]) -> None:
    done = subprocess.run(
        [executable(command[0]), *command[1:], *FILES],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "suppressed" not in done.stdout
    assert "ignored" not in done.stdout
    assert not [path for path in FILES if "zizmor:" in path.read_text() or "shellcheck disable" in path.read_text()]
    assert not list(FOLDER.parent.glob("*zizmor*")) + list(FOLDER.parent.glob("actionlint*"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_every_action_is_pinned_and_no_step_keeps_credentials_or_plaintext(path: Path) -> None:
    for step in steps(path):
        if "uses" not in step:
            continue
        assert re.fullmatch(r"[\w.-]+/[\w./-]+@[0-9a-f]{40}", step["uses"]), step
        name = step["uses"].split("@")[0]
        if name == "actions/checkout":
            assert step["with"]["persist-credentials"] is False
        assert "cache" not in name
        assert "cache" not in step.get("with", {})
        if "upload" in name:
            assert (path.stem, name, step["with"]["path"]) == ("publish", "actions/upload-pages-artifact", "build/site")


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_permissions_are_given_job_by_job_and_none_writes_contents(path: Path) -> None:
    workflow = read(path)
    assert workflow["permissions"] == {}
    writes = {
        name: sorted(scope for scope, access in job["permissions"].items() if access == "write")
        for name, job in workflow["jobs"].items()
    }
    wanted = {
        "ci": {"test": [], "packages": [], "audit": []},
        "publish": {"build": [], "deploy": ["id-token", "pages"]},
        "evaluate": {"plan": [], "announce": ["id-token"], "run": ["id-token"], "publish": ["id-token"]},
    }
    assert writes == wanted[path.stem]


def test_secrets_are_named_in_the_evaluation_alone_and_behind_its_environment() -> None:
    for path in FILES:
        named = set(re.findall(r"\bsecrets\.(\w+)", path.read_text()))
        assert bool(named) == (path.stem == "evaluate"), (path, named)
        assert "secrets[" not in path.read_text()
        assert "inherit" not in path.read_text()
    for name, job in read(FOLDER / "evaluate.yml")["jobs"].items():
        assert ("secrets." in yaml.safe_dump(job)) <= (job.get("environment") == "evaluation"), name
        assert "secrets." not in yaml.safe_dump(job.get("env", {})), name


def test_no_workflow_is_started_by_a_stranger_where_it_could_do_harm() -> None:
    started = {path.stem: sorted(read(path)[True]) for path in FILES}  # YAML 1.1 reads the key `on` as true
    assert started == {
        "ci": ["pull_request", "push", "schedule"],
        "evaluate": ["schedule", "workflow_dispatch"],
        "publish": ["push", "workflow_dispatch"],
    }
    assert read(FOLDER / "evaluate.yml")["jobs"]["plan"]["if"] == "github.ref == 'refs/heads/main'"
    assert all(job.get("needs") for name, job in read(FOLDER / "evaluate.yml")["jobs"].items() if name != "plan")


def test_packages_are_tested_on_every_supported_python_and_the_audit_cannot_be_passed_over() -> None:
    jobs = read(FOLDER / "ci.yml")["jobs"]
    assert jobs["packages"]["strategy"]["matrix"]["python"] == ["3.11", "3.12", "3.13", "3.14"]
    assert [step.get("run") for step in jobs["audit"]["steps"]][-1] == "make audit"
    for job in jobs.values():
        assert not {"if", "continue-on-error"} & job.keys()
        assert not [step for step in job["steps"] if {"if", "continue-on-error"} & step.keys()]
