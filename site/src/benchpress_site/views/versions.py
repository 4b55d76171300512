"""Every version of every track, and where its pages are."""

from benchpress_site.pages import Page


def page() -> Page:
    return Page(
        "versions.md",
        "versions.html",
        "Versions",
        "Every published version of every track, with its state, its commitment and its downloads.",
        {"here": "versions"},
    )
