"""The history of a track: what each version changed, by rules in words, and what happened to it since."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from typing import Any, Literal

from benchpress.publication import Change, Changelog, Runs

Document = Mapping[str, Any]
Kind = Literal["major", "minor", "patch"]

RULES = (
    "The items, keys, prompts and run policy of a version never change; whatever changes gets another version name.",
    "patch: another draw of the same recipe, put and scored by the same code. Figures are comparable within their "
    "intervals.",
    "minor: the same kinds of items in other numbers, or made by another release of the generator that left prompts "
    "and scoring alone. Figures are comparable within their intervals.",
    "major: other bundles, variants, levels, methods or run policy, or other prompts or scoring. Figures are not "
    "comparable; the bridges on the timeline say how the entrants that ran on both versions changed.",
    "run, audit: answers were added, or compared with a fresh sample; the items stay what they are.",
    "retired: the version gets no further runs. Its pages, commitment and register stay as they are.",
)


def changelog(
    version: str,
    commitments: Iterable[Document],
    audits: Iterable[tuple[Document, str]],
    register: Runs | None,
    retired: Sequence[Change],
) -> Changelog:
    """`changelog.json` of a version: all versions of its track, its own runs, audits and retirement, newest first.

    `commitments` are the completed ones of the track in any order, `audits` those of the version's fresh samples, each
    with its outcome in a sentence: an alarm stays on record whatever later samples say.
    """
    ordered = sorted(commitments, key=lambda one: (one["time"], one["version"]))
    changes = [first_version(one) for one in ordered[:1]]
    changes += [between(earlier, later) for earlier, later in pairwise(ordered)]
    changes += [_audit(version, document, outcome) for document, outcome in audits]
    changes += _runs(version, register) if register is not None else []
    changes += retired
    order = {"retired": 0, "audit": 1, "run": 2}
    changes.sort(key=lambda change: (order.get(change.kind, 3), change.version, change.text))
    changes.sort(key=lambda change: change.date, reverse=True)
    return Changelog(version=version, changes=tuple(changes), rules=RULES)


def first_version(document: Document) -> Change:
    """The line of the first version of a track."""
    text = (
        f"First version of the track: {document['items']} items in {_count(len(document['bundles']), 'bundle')}, "
        f"{_levels(document['recipe'])}, made by {_release(document)}. There are no earlier figures."
    )
    return Change(date=_day(document), version=document["version"], kind="major", text=text, comparable=False)


def between(earlier: Document, later: Document) -> Change:
    """What a version changed against the one before it, and by :data:`RULES` whether figures are comparable."""
    major, minor = _major(earlier, later), _minor(earlier, later)
    kind: Kind = "major" if major else "minor" if minor else "patch"
    what = "; ".join([*major, *minor]) or "another secret, and nothing else"
    text = f"Against {earlier['version']}: {what}."
    return Change(date=_day(later), version=later["version"], kind=kind, text=text, comparable=not major)


def _major(earlier: Document, later: Document) -> list[str]:
    old, new = earlier["recipe"], later["recipe"]
    found = []
    for words, names in (
        ("without the bundles", sorted(set(earlier["bundles"]) - set(later["bundles"]))),
        ("with the new bundles", sorted(set(later["bundles"]) - set(earlier["bundles"]))),
    ):
        if names:
            found.append(f"{words} {', '.join(names)}")
    if _mixture(earlier) != _mixture(later) and set(earlier["bundles"]) == set(later["bundles"]):
        found.append("the bundles have other shares of the items")
    if (old["levels"], old["bundle_levels"]) != (new["levels"], new["bundle_levels"]):
        found.append(f"{_levels(new)} instead of {_levels(old)}")
    for field, words in (("variants", "other variants"), ("methods", "other methods")):
        if old[field] != new[field]:
            found.append(f"{words}: {', '.join(new[field]) or 'all'} instead of {', '.join(old[field]) or 'all'}")
    if any(old["run_policy"][name] != new["run_policy"][name] for name in ("headline", "asked_again")):
        found.append("another run policy")
    for name, words in (("prompts", "the prompts changed"), ("scorer", "the scoring changed")):
        if earlier["digests"].get(name) != later["digests"].get(name):
            found.append(words)
    return found


def _minor(earlier: Document, later: Document) -> list[str]:
    found = []
    if earlier["items"] != later["items"]:
        found.append(f"{later['items']} items instead of {earlier['items']}")
    if earlier["release"] != later["release"]:
        found.append(f"made by {_release(later)} instead of {_release(earlier)}")
    return found


def _mixture(document: Document) -> dict[str, float]:
    return {name: count / document["items"] for name, count in document["bundles"].items()}


def _levels(recipe: Document) -> str:
    levels = sorted({*recipe["levels"], *(level for own in recipe["bundle_levels"].values() for level in own)})
    chosen = " as calibrated for each bundle" if recipe["bundle_levels"] else ""
    if len(levels) == 1:
        return f"level {levels[0]}{chosen}"
    if levels == list(range(levels[0], levels[-1] + 1)):
        return f"levels {levels[0]} to {levels[-1]}{chosen}"
    return f"levels {', '.join(map(str, levels))}{chosen}"


def _release(document: Document) -> str:
    release = document["release"]
    return f"{release['name']} {release['version']} ({release['digest'][:12]})"


def _audit(version: str, document: Document, outcome: str) -> Change:
    text = (
        f"Fresh sample {document['version']} drawn: {document['items']} items of the same recipe under another secret, "
        f"root {document['root'][:16]}. {outcome}"
    )
    return Change(date=_day(document), version=version, kind="audit", text=text, comparable=True)


def _runs(version: str, register: Runs) -> list[Change]:
    groups: dict[tuple[str, str, int], list[str]] = {}
    for run in register.runs:
        groups.setdefault((run.started[:10], run.method, run.run), []).append(run.slug)
    return [
        Change(
            date=day,
            version=version,
            kind="run",
            text=f"Run {number} with method {method} begun: {', '.join(dict.fromkeys(names))}.",
            comparable=True,
        )
        for (day, method, number), names in groups.items()
    ]


def retirement(version: str, date: str, reason: str) -> Change:
    """The line of a version's retirement."""
    return Change(date=date, version=version, kind="retired", text=f"Retired: {reason}", comparable=True)


def _day(document: Document) -> str:
    return str(document["time"])[:10]


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
