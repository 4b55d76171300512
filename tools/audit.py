"""Known vulnerabilities of everything that is pinned, asked of OSV by pip-audit, and closed where no answer came.

python tools/audit.py [--osv-url URL] [FILE ...]        default, every requirements/*.txt

pip-audit ends with 0 where it found nothing, and also where it could look nothing up. Here every pinned version must
have an answer, of every platform and Python that the files name; and an old Django with a published vulnerability is
asked for along with them, so a service that says "nothing known" to everything is found out. Exits with 0 where
nothing is known, with 1 where something is, and with 2 where an answer is missing.
"""

import argparse
import json
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from packaging.requirements import InvalidRequirement, Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version

ROOT = Path(__file__).resolve().parent.parent
OSV = "https://api.osv.dev/v1/query"
SECONDS = 1800

Pin = tuple[str, str]
"""Name and version, both in their normal form."""

CONTROL: Pin = ("django", "1.11")
KNOWN = "CVE-2019-14234"
"""An SQL injection in Django before 1.11.23, which every list of vulnerabilities has."""


class NoAnswerError(Exception):
    """What was asked is not known to be answered."""


def pins(files: Iterable[Path]) -> list[Pin]:
    """Every pinned version of the files, whatever platform it is for. Raises NoAnswerError for a line without a pin."""
    found: set[Pin] = set()
    for file in files:
        for line in file.read_text(encoding="utf-8").replace("\\\n", " ").splitlines():
            text = line.partition("--hash=")[0].partition(" #")[0].strip()
            if not text or text.startswith("#"):
                continue
            try:
                wanted = Requirement(text)
            except InvalidRequirement:
                raise NoAnswerError(f"{file.name}: cannot read {text!r}") from None
            (only,) = specifiers if len(specifiers := list(wanted.specifier)) == 1 else (None,)
            if only is None or only.operator != "==" or only.version.endswith("*"):
                raise NoAnswerError(f"{file.name}: {text!r} is not pinned to one version")
            found.add((canonicalize_name(wanted.name), str(Version(only.version))))
    if not found:
        raise NoAnswerError("there is nothing to ask for")
    if any(name == CONTROL[0] for name, _ in found):
        raise NoAnswerError(
            f"{CONTROL[0]} is pinned, so it cannot be the control: name another one in {Path(__file__).name}"
        )
    return sorted(found)


def rounds(asked: Sequence[Pin]) -> Iterator[list[Pin]]:
    """The pins in as few lists as possible, none of which has a name twice; the control is in each."""
    left = list(asked)
    while left:
        first = {name: (name, version) for name, version in reversed(left)}
        left = [pin for pin in left if first[pin[0]] != pin]
        yield [CONTROL, *first.values()]


def ask(asked: Sequence[Pin], url: str) -> str:
    """What pip-audit prints for these pins. Raises NoAnswerError where it cannot have looked them all up."""
    with tempfile.TemporaryDirectory() as place:
        file = Path(place) / "pins.txt"
        file.write_text("".join(f"{name}=={version}\n" for name, version in asked), encoding="utf-8")
        words = ["--requirement", file, "--no-deps", "--disable-pip", "--format", "json", "--aliases", "on"]
        words += ["--vulnerability-service", "osv", "--osv-url", url, "--cache-dir", place, "--progress-spinner", "off"]
        try:
            done = subprocess.run(
                [sys.executable, "-m", "pip_audit", *words],
                capture_output=True,
                text=True,
                timeout=SECONDS,
                check=False,
            )
        except subprocess.TimeoutExpired:
            raise NoAnswerError(f"pip-audit did not end within {SECONDS} s") from None
    said = [line for line in done.stderr.splitlines() if line.strip()]
    # It passes over entries that it cannot read, with a warning.
    passed = [line for line in said if line.startswith(("WARNING:pip_audit._service", "ERROR"))]
    # The control is vulnerable, so 1 is the only good end.
    if done.returncode != 1 or passed:
        raise NoAnswerError(f"pip-audit ended with {done.returncode}: {(passed or said or ['it said nothing'])[-1]}")
    if not done.stdout.strip():
        raise NoAnswerError(f"pip-audit gave no answer: {(said or ['it said nothing'])[-1]}")
    return done.stdout


def read(answer: str, asked: Sequence[Pin]) -> dict[Pin, list[str]]:
    """The known vulnerabilities of each pin, control excepted. Raises NoAnswerError unless each was looked up."""
    try:
        told = json.loads(answer)["dependencies"]
        skipped = [f"{one['name']} ({one['skip_reason']})" for one in told if "skip_reason" in one]
        found = {
            (canonicalize_name(one["name"]), str(Version(one["version"]))): [_names(each) for each in one["vulns"]]
            for one in told
            if "skip_reason" not in one
        }
    except (ValueError, KeyError, TypeError, AttributeError) as problem:
        raise NoAnswerError(f"pip-audit's answer cannot be read: {problem!r}") from None
    if skipped:
        raise NoAnswerError(f"{len(skipped)} were not looked up: {'; '.join(skipped[:5])}")
    if missing := sorted(set(asked) - found.keys()):
        raise NoAnswerError(f"{len(missing)} have no answer: {', '.join('=='.join(pin) for pin in missing[:5])}")
    if not any(KNOWN in names for names in found[CONTROL]):
        raise NoAnswerError(f"the service does not know {KNOWN} of {'=='.join(CONTROL)}, so its silence says nothing")
    return {pin: [" ".join(names) for names in found[pin]] for pin in asked if pin != CONTROL}


def _names(vulnerability: dict[str, Any]) -> list[str]:
    return [vulnerability["id"], *vulnerability["aliases"]]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("files", nargs="*", type=Path, metavar="FILE")
    parser.add_argument("--osv-url", default=OSV, help="where OSV, or a mirror of it, is asked")
    options = parser.parse_args()
    try:
        asked = pins(options.files or sorted((ROOT / "requirements").glob("*.txt")))
        found: dict[Pin, list[str]] = {}
        for group in rounds(asked):
            found |= read(ask(group, options.osv_url), group)
    except NoAnswerError as problem:
        print(f"error: known vulnerabilities could not be looked up: {problem}", file=sys.stderr)
        return 2
    for (name, version), known in sorted(found.items()):
        for names in known:
            print(f"{name}=={version}: {names}")
    vulnerable = sum(map(bool, found.values()))
    print(f"{len(found)} pinned versions were looked up, {vulnerable or 'none'} with a known vulnerability")
    return 1 if vulnerable else 0


if __name__ == "__main__":
    sys.exit(main())
