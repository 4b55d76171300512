"""Known vulnerabilities of everything that is pinned, asked of OSV by pip-audit, and closed where no answer came.

python tools/audit.py [--osv-url URL] [--accepted FILE] [FILE ...]        default, every requirements/*.txt

pip-audit ends with 0 where it found nothing, and also where it could look nothing up. Here every pinned version must
have an answer, of every platform and Python that the files name; and an old Django with a published vulnerability is
asked for along with them, so a service that says "nothing known" to everything is found out. What
requirements/accepted_vulnerabilities.toml accepts is printed and passed over until its day; an entry past its day, or
of something that is not known of any pin any more, is an error. Exits with 0 where nothing else is known, with 1 where
something is or an entry has to go, and with 2 where an answer is missing or a file cannot be read.
"""

import argparse
import json
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

from packaging.requirements import InvalidRequirement, Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version

ROOT = Path(__file__).resolve().parent.parent
OSV = "https://api.osv.dev/v1/query"
ACCEPTED = ROOT / "requirements" / "accepted_vulnerabilities.toml"
SECONDS = 1800

Pin = tuple[str, str]
"""Name and version, both in their normal form."""

CONTROL: Pin = ("django", "1.11")
KNOWN = "CVE-2019-14234"
"""An SQL injection in Django before 1.11.23, which every list of vulnerabilities has."""


@dataclass(frozen=True)
class Accepted:
    """A known vulnerability that is passed over up to a day, that day included."""

    id: str
    until: date
    why: str


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


def accepted(file: Path) -> list[Accepted]:
    """The entries of an allow-list, `[[accepted]]` with id, until and why. Raises NoAnswerError for any other file."""
    try:
        document = tomllib.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError) as problem:
        raise NoAnswerError(f"{file.name}: cannot be read: {problem}") from None
    entries = document.pop("accepted", [])
    if document or not isinstance(entries, list):
        raise NoAnswerError(f"{file.name}: holds nothing but [[accepted]] entries")
    for number, entry in enumerate(entries, 1):
        kinds = {name: type(value) for name, value in entry.items()} if isinstance(entry, dict) else {}
        if kinds != {"id": str, "until": date, "why": str} or not (entry["id"].strip() and entry["why"].strip()):
            raise NoAnswerError(f"{file.name}: entry {number} needs id and why in words and until as a date, no more")
    return [Accepted(**entry) for entry in entries]


def judged(found: dict[Pin, list[str]], entries: Sequence[Accepted], today: date) -> tuple[list[str], list[str], int]:
    """What to print of the found, which entries have to go, and how many pins have something that is not accepted."""
    lines, red, used = [], set(), set()
    for pin, known in sorted(found.items()):
        for names in known:
            matching = [entry for entry in entries if entry.id in names.split()]
            used.update(matching)
            valid = [entry for entry in matching if today <= entry.until]
            said = f"{'=='.join(pin)}: {names}"
            lines += [f"{said} (accepted until {valid[0].until}: {valid[0].why})"] if valid else [said]
            if not valid:
                red.add(pin)
    gone = [f"{entry.id} was accepted until {entry.until}; decide anew" for entry in entries if entry.until < today]
    gone += [f"{entry.id} is known of no pin any more; take it out" for entry in entries if entry not in used]
    return lines, gone, len(red)


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
    parser.add_argument("--accepted", type=Path, default=ACCEPTED, help="what is passed over until a day")
    options = parser.parse_args()
    try:
        entries = accepted(options.accepted)
        asked = pins(options.files or sorted((ROOT / "requirements").glob("*.txt")))
        found: dict[Pin, list[str]] = {}
        for group in rounds(asked):
            found |= read(ask(group, options.osv_url), group)
    except NoAnswerError as problem:
        print(f"error: known vulnerabilities could not be looked up: {problem}", file=sys.stderr)
        return 2
    lines, gone, vulnerable = judged(found, entries, datetime.now(UTC).date())
    for line in lines:
        print(line)
    others = " that is not accepted" if entries else ""
    print(f"{len(found)} pinned versions were looked up, {vulnerable or 'none'} with a known vulnerability{others}")
    for line in gone:
        print(f"error: {options.accepted.name}: {line}", file=sys.stderr)
    return 1 if vulnerable or gone else 0


if __name__ == "__main__":
    sys.exit(main())
