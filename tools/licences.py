"""Name, version and licence of everything that `make demo` installs, as the page docs/licences.md.

python tools/licences.py [--check]

The licence is what a package's own metadata says: those of the installed version, and where another version is pinned
for other platforms or Pythons, those that pip reads from its wheel. A licence that ALLOWED does not have is an error.
`--check` asks no index: it compares the page with the pins and with what is installed, and exits with 1 where they
differ.
"""

import argparse
import json
import re
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from importlib.metadata import PackageNotFoundError, metadata
from pathlib import Path

from packaging.licenses import InvalidLicenseExpression, canonicalize_license_expression
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "licences.md"
LOCKS = tuple(ROOT / "requirements" / name for name in ("run.txt", "weights.txt", "pip.txt"))

ALLOWED = {
    *("0BSD", "Apache-2.0", "BSD-2-Clause", "BSD-3-Clause", "CC0-1.0", "ISC", "LicenseRef-BSD", "MIT", "MIT-0"),
    *("MPL-2.0", "PSF-2.0", "Zlib"),
}
"""SPDX identifiers; LicenseRef-BSD is a BSD licence whose metadata does not say which one."""

CLASSIFIERS = {
    "Apache Software License": "Apache-2.0",
    "BSD License": "LicenseRef-BSD",
    "ISC License (ISCL)": "ISC",
    "MIT License": "MIT",
    "Mozilla Public License 2.0 (MPL 2.0)": "MPL-2.0",
}
"""The classifiers of old metadata, in SPDX."""

SILENT = {"pyrage": "MIT"}
"""Packages whose metadata name no licence, with that of the licence file that they bring."""

HEAD = """\
---
title: Licences of dependencies
description: Name, version and licence of every package that Benchpress installs.
---

# Licences of dependencies

`make demo` installs the packages below, pinned to these versions by digest; where a package has two, platform and
Python decide. The licences are what the packages' own metadata say, as [SPDX](https://spdx.org/licenses/) expressions;
`LicenseRef-BSD` is a BSD licence whose metadata do not say which one. None of these packages is part of our
distributions, and what is part of this site is listed on [Cite and reuse](cite.md). The page is written by
`make licences`, which stops at a licence outside its list of allowed ones.

| package | version | licence |
|---|---|---|
"""


class LicenceError(Exception):
    """A licence that is not known, not allowed, or not to be found."""


def pins(files: Sequence[Path] = LOCKS) -> list[tuple[str, str]]:
    """Name and version of every pin, in code-point order, whatever platform it is for."""
    found = set()
    for file in files:
        for line in file.read_text(encoding="utf-8").splitlines():
            if "==" in line and not line.startswith((" ", "#")):
                wanted = Requirement(line.rstrip(" \\"))
                found.add((canonicalize_name(wanted.name), str(wanted.specifier).removeprefix("==")))
    return sorted(found)


def stated(name: str, expression: str | None, licence: str | None, classifiers: Sequence[str]) -> str:
    """The SPDX expression of a package's metadata: its expression, else its classifiers, else its field of old."""
    if expression:
        return canonicalize_license_expression(expression)
    told = [one.rpartition(" :: ")[2] for one in classifiers if one.startswith("License :: OSI Approved :: ")]
    try:
        # An old field may hold anything, the text of the licence included.
        return canonicalize_license_expression(licence or "")
    except InvalidLicenseExpression:
        if told and all(one in CLASSIFIERS for one in told):
            return " AND ".join(sorted({CLASSIFIERS[one] for one in told}))
        if name in SILENT and not told:
            return SILENT[name]
    raise LicenceError(f"{name}: no licence is known for {(licence or '')[:60]!r}, {told}")


def installed(name: str, version: str) -> str | None:
    """The licence of this very version, where it is installed."""
    try:
        found = metadata(name)
    except PackageNotFoundError:
        return None
    if found["Version"] != version:
        return None
    return stated(name, found.get("License-Expression"), found.get("License"), found.get_all("Classifier") or [])


def fetched(name: str, version: str) -> str:
    """The licence of a version that is for another platform or Python, from the metadata of a wheel of it."""
    with tempfile.TemporaryDirectory() as place:
        for python in ("3.13", "3.11"):
            words = ["--dry-run", "--quiet", "--ignore-installed", "--no-deps", "--report", "-", "--target", place]
            words += ["--only-binary", ":all:", "--python-version", python, "--platform", "manylinux_2_28_x86_64"]
            pip = [sys.executable, "-m", "pip", "install", *words, f"{name}=={version}"]
            done = subprocess.run(pip, capture_output=True, text=True, timeout=300, check=False)
            if done.returncode == 0:
                told = json.loads(done.stdout)["install"][0]["metadata"]
                return stated(name, told.get("license_expression"), told.get("license"), told.get("classifier", []))
    raise LicenceError(f"{name}=={version} is not installed, and no wheel of it was found")


def refused(expression: str) -> list[str]:
    """The licences of an expression that are not allowed; of alternatives, one that is allowed is enough."""
    if " OR " in expression and "(" not in expression and " AND " not in expression:
        choices = expression.split(" OR ")
        return [] if ALLOWED.intersection(choices) else choices
    # Every licence of a mixed expression must be allowed, which is stricter than need be and easy to read.
    return [one for one in re.split(r" AND | OR |[() ]+", expression) if one and one not in ALLOWED]


def page(licences: Mapping[tuple[str, str], str]) -> str:
    return HEAD + "".join(f"| {name} | {version} | {said} |\n" for (name, version), said in sorted(licences.items()))


def listed(text: str) -> dict[tuple[str, str], str]:
    """What a page says."""
    rows = re.findall(r"(?m)^\| (\S+) \| (\d\S*) \| (.+) \|$", text)
    return {(name, version): said for name, version, said in rows}


def faults(text: str) -> list[str]:
    """What is wrong with a page, as far as it can be told without an index."""
    told, wanted = listed(text), pins()
    found = [f"{name} {version} is pinned and not listed" for name, version in wanted if (name, version) not in told]
    found += [f"{name} {version} is listed and not pinned" for name, version in told if (name, version) not in wanted]
    for (name, version), said in told.items():
        found += [f"{name} {version}: {one} is not allowed" for one in refused(said)]
        own = installed(name, version)
        if own not in (None, said):
            found.append(f"{name} {version} says {own}, the page {said}")
    return found or ([] if text == page(told) else ["the page is not as it is written by this program"])


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--check", action="store_true", help="write nothing, compare")
    options = parser.parse_args()
    try:
        if not options.check:
            found = {(name, version): installed(name, version) or fetched(name, version) for name, version in pins()}
            PAGE.write_text(page(found), encoding="utf-8")
        wrong = faults(PAGE.read_text(encoding="utf-8"))
    except LicenceError as problem:
        wrong = [str(problem)]
    for line in wrong:
        print(f"error: {line}", file=sys.stderr)
    if wrong and options.check:
        print("`make licences` writes docs/licences.md anew", file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
