"""The run register and the commitment of a version."""

from collections.abc import Iterator, Mapping

from benchpress.publication import CommitmentPage, Runs

from benchpress_site.data import Publication, Version
from benchpress_site.pages import Page
from benchpress_site.views.board import href

KEPT: Mapping[str | None, str] = {
    "none": "nothing",
    "limited": "for a stated time",
    "unlimited": "until deleted",
    "training": "may be trained on",
    None: "not known",
}


def pages(_publication: Publication, version: Version) -> Iterator[Page]:
    commitment = version.get("commitment", CommitmentPage)
    runs = version.get("runs", Runs)
    if not (commitment or runs):
        return
    yield Page(
        f"{version.name}/register.md",
        "register.html",
        f"Run register, {version.entry.title}",
        f"Every run of {version.entry.title} and the commitment that was published before the first call.",
        {
            "version": version,
            "here": "register",
            "commitment": commitment,
            "runs": [(run, version.label(run.slug, run.method), href(version, run.slug)) for run in runs.runs]
            if runs
            else [],
            "exposures": [(one, version.name_of(one.slug), href(version, one.slug)) for one in runs.exposures]
            if runs
            else [],
            "kept": KEPT,
        },
        wide=True,
    )
