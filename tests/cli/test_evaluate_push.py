"""What of an evaluation goes to a branch that moves meanwhile, what it is red for, and what its machine installs."""

import os
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml
from installed import ROOT

PROGRAM = """\
#!/bin/sh
# Publishes what stands in the file "figures".
case "$1" in
export) mkdir -p site/data/v1 && cp figures site/data/v1/board.json && cp figures site/data/digests.json ;;
audit) exit "${AUDIT_CODE:-0}" ;;
run) exit "${RUN_CODE:-0}" ;;
esac
"""


def git(folder: Path, *words: str) -> str:
    environment = {**os.environ, "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull}
    words = ("-c", "user.name=t", "-c", "user.email=t@example.org", *words)
    return subprocess.run(
        ["git", *words], cwd=folder, env=environment, capture_output=True, text=True, check=True
    ).stdout.strip()


class Place:
    """A branch, and checkouts of the commit that was planned."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.remote, self.colleague = folder, folder / "remote.git", folder / "colleague"
        (self.colleague / "tools").mkdir(parents=True)
        shutil.copy(ROOT / "tools" / "evaluate.sh", self.colleague / "tools")
        (self.colleague / ".gitignore").write_text("build/\nfigures\nprogram\n")
        git(self.colleague, "init", "--quiet", "--initial-branch", "main")
        self.commit("The code")
        git(folder, "clone", "--quiet", "--bare", str(self.colleague), str(self.remote))
        git(self.colleague, "remote", "add", "origin", str(self.remote))
        self.planned = git(self.remote, "rev-parse", "main")

    def commit(self, message: str) -> None:
        git(self.colleague, "add", "--all")
        git(self.colleague, "commit", "--quiet", "--allow-empty", "--message", message)

    def merge(self, name: str, text: str) -> None:
        """Somebody merges a change while the evaluation goes on."""
        git(self.colleague, "pull", "--quiet", "--rebase", "origin", "main")
        (self.colleague / name).parent.mkdir(parents=True, exist_ok=True)
        (self.colleague / name).write_text(text)
        self.commit(f"Merged {name}")
        git(self.colleague, "push", "--quiet", "origin", "main")

    def job(self, name: str) -> Path:
        """The checkout of a job: the planned commit without history."""
        home = self.folder / name
        home.mkdir()
        git(home, "init", "--quiet", "--initial-branch", "main")
        git(home, "fetch", "--quiet", "--depth=1", f"file://{self.remote}", self.planned)
        git(home, "checkout", "--quiet", "--detach", self.planned)
        (home / "program").write_text(PROGRAM)
        (home / "program").chmod(0o755)
        return home

    def step(self, home: Path, *words: str, **more: str) -> subprocess.CompletedProcess[str]:
        environment = {
            **os.environ, "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull,
            "BENCHPRESS": str(home / "program"), "BENCHPRESS_VERSION": "v1", "BENCHPRESS_STORE": "s",
            "BENCHPRESS_REMOTE": f"file://{self.remote}", "BENCHPRESS_BRANCH": "main", **more,
        }  # fmt: skip
        return subprocess.run(
            ["tools/evaluate.sh", *words], cwd=home, env=environment, capture_output=True, text=True, check=False
        )

    def published(self, home: Path, figures: str, *, before_push: tuple[str, str] | None = None) -> None:
        for words in (("fetch",), ("publish",), ("push",)):
            (home / "figures").write_text(figures)
            if words == ("push",) and before_push:
                self.merge(*before_push)
            done = self.step(home, *words)
            assert done.returncode == 0, (words, done.stdout, done.stderr)

    def log(self) -> list[str]:
        return git(self.remote, "log", "--format=%s", "main").splitlines()

    def shown(self, name: str) -> str:
        return git(self.remote, "show", f"main:{name}")


@pytest.fixture
def place(tmp_path: Path) -> Place:
    return Place(tmp_path)


def test_what_is_merged_meanwhile_stays_and_none_of_it_is_run(place: Place) -> None:
    announcing, publishing = place.job("announcing"), place.job("publishing")
    place.published(announcing, "announced")
    place.merge("tools/evaluate.sh", "exit 99\n")
    place.merge("site/data/v0/board.json", "another version")
    place.published(publishing, "results", before_push=("README.md", "merged while it was published\n"))
    assert place.log() == [
        "Results of v1", "Merged README.md", "Merged site/data/v0/board.json", "Merged tools/evaluate.sh",
        "Results of v1", "The code",
    ]  # fmt: skip
    assert git(place.remote, "diff", "--name-only", "main~1", "main").split() == [
        "site/data/digests.json",
        "site/data/v1/board.json",
    ]
    assert place.shown("site/data/v1/board.json") == "results"
    assert place.shown("site/data/v0/board.json") == "another version"
    assert (publishing / "tools" / "evaluate.sh").read_text() == (ROOT / "tools" / "evaluate.sh").read_text()
    assert place.step(publishing, "push").stdout == "nothing new to push\n"


def test_a_push_that_comes_second_is_tried_again(place: Place) -> None:
    home = place.job("late")
    hook = home / ".git" / "hooks" / "pre-push"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text(
        "#!/bin/sh\n"
        f"cd '{place.colleague}' && unset GIT_DIR GIT_INDEX_FILE && test ! -e late || exit 0\n"
        "touch late && git add late && git -c user.name=t -c user.email=t@example.org commit --quiet -m Merged\n"
        "git push --quiet origin main\n"
    )
    hook.chmod(0o755)
    place.published(home, "results")
    assert place.log() == ["Results of v1", "Merged", "The code"]


def test_data_that_changed_since_they_were_fetched_are_not_written_over(place: Place) -> None:
    home = place.job("overtaken")
    (home / "figures").write_text("results")
    assert place.step(home, "fetch").returncode == 0
    assert place.step(home, "publish").returncode == 0
    place.merge("site/data/digests.json", "of somebody else")
    done = place.step(home, "push")
    assert (done.returncode, done.stderr.count("\n")) == (1, 1)
    assert "site/data changed on main since it was fetched" in done.stderr
    assert place.shown("site/data/digests.json") == "of somebody else"
    place.published(home, "results")
    assert place.shown("site/data/digests.json") == "results"


def test_without_a_fetch_nothing_is_pushed(place: Place) -> None:
    home = place.job("hasty")
    (home / "figures").write_text("results")
    assert place.step(home, "publish").returncode == 0
    done = place.step(home, "push")
    assert (done.returncode, done.stderr) == (1, "error: nothing was fetched before this; fetch, then publish\n")
    assert place.log() == ["The code"]


def test_the_verdict_is_red_for_a_shard_an_audit_and_an_alarm(place: Place) -> None:
    home = place.job("red")
    assert place.step(home, "verdict").returncode == 0
    assert place.step(home, "verdict", BENCHPRESS_RUN="success", BENCHPRESS_AUDIT="success").returncode == 0
    for more, says in (({"BENCHPRESS_RUN": "failure"}, "a shard"), ({"BENCHPRESS_AUDIT": "failure"}, "the audit")):
        done = place.step(home, "verdict", **more)
        assert (done.returncode, done.stderr.count("\n")) == (1, 1)
        assert done.stderr.startswith(f"error: {says} did not end well")
    assert place.step(home, "audit", AUDIT_CODE="2").returncode == 2
    assert place.step(home, "audit", AUDIT_CODE="1").returncode == 0
    done = place.step(home, "verdict", BENCHPRESS_RUN="failure")
    assert done.returncode == 1
    assert [line.split(" ")[2] for line in done.stderr.splitlines()] == ["audit", "shard"]


def jobs() -> dict[str, Any]:
    return yaml.safe_load((ROOT / ".github" / "workflows" / "evaluate.yml").read_text(encoding="utf-8"))["jobs"]


def named(job: str, name: str) -> dict[str, Any]:
    (found,) = (step for step in jobs()[job]["steps"] if step.get("name") == name)
    return found


def test_every_job_runs_the_commit_that_was_planned() -> None:
    planned = jobs()["plan"]
    (code,) = (step for step in planned["steps"] if step.get("id") == "code")
    assert code["uses"].startswith("actions/checkout@")
    assert planned["outputs"]["commit"] == "${{ steps.code.outputs.commit }}"
    for name, job in jobs().items():
        if name == "plan":
            continue
        refs = [step["with"]["ref"] for step in job["steps"] if step.get("uses", "").startswith("actions/checkout@")]
        assert refs == ["${{ needs.plan.outputs.commit }}"], name
        assert "plan" in job["needs"], name


def test_one_failed_shard_or_audit_holds_back_no_publication_and_a_cancel_does() -> None:
    publish = jobs()["publish"]
    assert " ".join(publish["if"].split()) == (
        "!cancelled() && needs.announce.result == 'success' "
        "&& (needs.run.result == 'success' || needs.run.result == 'failure')"
    )
    assert not {"if", "continue-on-error"} & (jobs()["run"].keys() | jobs()["announce"].keys())
    assert [step["name"] for step in publish["steps"] if step.get("continue-on-error")] == ["Audit"]
    assert [step for step in publish["steps"] if "if" in step] == []
    # A job that is out of time is cancelled, a step is a failure.
    for job, name in (("run", "Run"), ("publish", "Audit")):
        assert named(job, name)["timeout-minutes"] <= jobs()[job]["timeout-minutes"] - 20
    assert named("publish", "Audit")["id"] == "audit"
    assert named("publish", "Verdict")["env"] == {
        "BENCHPRESS_RUN": "${{ needs.run.result }}",
        "BENCHPRESS_AUDIT": "${{ steps.audit.outcome }}",
    }
    names = [step["name"] for step in publish["steps"] if "run" in step]
    assert names == ["Install", "Fetch", "Audit", "Publish", "Push", "Verdict"]


def test_the_machine_with_the_keys_installs_what_it_needs_and_no_more() -> None:
    plan = subprocess.run(
        ["make", "-n", "-B", "VENV=/tmp/benchpress-none", "/tmp/benchpress-none/evaluate.stamp"],
        cwd=ROOT, capture_output=True, text=True, check=True,
    ).stdout  # fmt: skip
    assert "make .venv/evaluate.stamp" in (ROOT / "tools" / "evaluate.sh").read_text()
    assert re.findall(r"-r requirements/(\S+)", plan) == ["pip.txt", "evaluate.txt", "weights.txt"]
    assert len(re.findall("--require-hashes", plan)) == 3
    assert re.findall(r"-e (\S+)", plan) == ["generator", "evaluator"]
    lock = {name: pins(name) for name in ("evaluate", "test")}
    assert lock["evaluate"].items() <= lock["test"].items()
    names = {name for name, _ in lock["evaluate"]}
    assert {"anthropic", "openai", "google-genai", "cohere", "ollama", "xllamacpp", "boto3", "pyrage"} <= names
    assert not {"pytest", "playwright", "moto", "zizmor", "mkdocs", "ruff"} & names
    assert all(lock["evaluate"].values())
    assert "://" not in (ROOT / "requirements" / "evaluate.txt").read_text()


def pins(name: str) -> dict[tuple[str, str], frozenset[str]]:
    """The hashes of every pin of a lock."""
    blocks = re.split(r"\n(?=\S)", (ROOT / "requirements" / f"{name}.txt").read_text())
    found = [(re.match(r"([\w.-]+)(?:\[[^]]*\])?==(\S+)", block), block) for block in blocks]
    return {(line[1], line[2]): frozenset(re.findall(r"sha256:[0-9a-f]{64}", block)) for line, block in found if line}
