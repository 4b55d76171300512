"""What the publication says of an entrant and of a version beside their results."""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from benchpress import publication

from benchpress_evaluator import entrants
from benchpress_evaluator.stats.matrix import Condition

PLAIN_METHOD = "direct"


@dataclass(frozen=True, slots=True)
class Description:
    """An entrant for readers: who it is, the settings it was run with, when its prices and first exposure date from."""

    entrant: publication.Entrant
    settings: Mapping[str, str] = field(default_factory=dict)
    price_date: str | None = None
    first_exposure: str | None = None
    public_gaps: Mapping[str, publication.Difference] = field(default_factory=dict)
    """Method -> accuracy on the public set minus that on this version, bundle by bundle."""


@dataclass(frozen=True, slots=True)
class Release:
    """A version for readers. `sealed` is whether its items are private, so that disclosure control applies."""

    version: str
    track: str
    title: str
    status: Literal["current", "retired", "demo", "synthetic"]
    date: str
    sealed: bool
    note: str = ""
    margins: tuple[str, ...] = ("bundle", "variant", "level")
    """The one-way margins that its recipe fixed."""


def describe(entrant: entrants.Entrant, first_exposure: str | None = None) -> Description:
    """The description of an entry of `models.yaml`: its native configuration as text, and no credential."""
    settings = {"provider": entrant.provider, "model": entrant.model}
    for name in sorted(entrant.params):
        value = entrant.params[name]
        settings[name] = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, sort_keys=True)
    return Description(
        publication.Entrant(
            slug=entrant.id,
            name=entrant.title,
            organisation=entrant.company,
            kind=entrant.kind,
            openness=entrant.openness,
            size_class=entrant.size_class,
            reasoning=entrant.reasoning,
            launch_date=entrant.launch_date.isoformat() if entrant.launch_date else None,
        ),
        settings,
        entrant.price.date.isoformat() if entrant.price else None,
        first_exposure,
    )


def description_of(condition: Condition, known: Mapping[str, Description]) -> Description:
    """The description of a condition; one that nobody described is a model of that name and nothing else is known.

    The slug names the condition: that of the entrant, with the method added unless it is the plain one.
    """
    found = known.get(condition.entrant)
    plain = found.entrant if found else _unknown(condition.entrant)
    slug = plain.slug if condition.method == PLAIN_METHOD else slug_of(f"{plain.slug}--{condition.method}")
    entrant = plain.model_copy(update={"slug": slug})
    if found is None:
        return Description(entrant)
    return Description(entrant, found.settings, found.price_date, found.first_exposure, found.public_gaps)


def slug_of(name: str) -> str:
    """A name as part of an address: lower-case letters, digits, dots, dashes and underscores, at most 100."""
    return re.sub(r"[^a-z0-9._-]+", "-", name.lower()).strip("-._")[:100] or "entrant"


def _unknown(name: str) -> publication.Entrant:
    return publication.Entrant(
        slug=slug_of(name),
        name=name,
        organisation="",
        kind="model",
        openness=None,
        size_class=None,
        reasoning=None,
        launch_date=None,
    )
