"""The whole site as data: every generated page and file, and where each stands in the navigation."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from benchpress_site import badges, downloads, feed, formats, reference, sections
from benchpress_site.data import Publication, Version, read_publication
from benchpress_site.examples import Bundle, read_examples
from benchpress_site.pages import Page, environment, linker, render
from benchpress_site.views import board, gallery, manual, replay, versions

HOME_MARK = "<!-- benchpress:leaderboard -->"
"""Where `docs/index.md` wants the headline leaderboard."""


@dataclass(frozen=True, eq=False)
class Site:
    publication: Publication
    bundles: tuple[Bundle, ...]
    manual: Mapping[str, Any]
    """What the program says about itself."""

    @classmethod
    def read(cls, data: Path, examples: Path) -> "Site":
        """Raises UserError for a broken file of either folder."""
        return cls(read_publication(data), read_examples(examples), reference.read())

    @cached_property
    def by_version(self) -> list[tuple[Version, list[Page], list[sections.Section]]]:
        return [(version, *sections.of_version(self.publication, version)) for version in self.publication.versions]

    def pages(self) -> Iterator[tuple[Page, Mapping[str, Any]]]:
        """Every generated page with what its template shares with its neighbours."""
        for _, pages, strip in self.by_version:
            for page in pages:
                yield page, {"sections": strip}
        alone = [versions.page(), *gallery.pages(self.bundles), replay.reported_page(), *manual.pages(self.manual)]
        for page in alone:
            yield page, {"sections": ()}

    @property
    def shared(self) -> Mapping[str, Any]:
        return {"publication": self.publication}

    def files(self, home: str) -> Iterator[tuple[str, str]]:
        """Address and text of every generated file, pages in Markdown included; `home` is the site's own address."""
        for page, context in self.pages():
            yield page.path, render(page, {**self.shared, **context})
            for name, text in page.beside.items():
                yield f"{page.address}{name}", text
        yield from downloads.files(self.publication)
        yield "feed.xml", feed.atom(self.publication, home)
        for version in self.publication.versions:
            for slug, entrant in version.models.items():
                yield f"badges/{version.name}/{slug}.svg", badges.badge(entrant)

    def home(self) -> str:
        """The headline leaderboard, as HTML for the front page."""
        version = self.publication.headline
        context: dict[str, Any] = {"version": None, "sections": ()}
        if version:
            strip = next(strip for one, _, strip in self.by_version if one is version)
            context = {**board.board(version), "sections": strip, "named": True}
        return environment().get_template("home.html").render({**self.shared, **context, "link": linker("")})

    def navigation(self, prose: list[str]) -> list[Any]:
        """The tabs: results, tracks, examples, then the prose pages that exist, in their sections."""
        results: list[Any] = []
        for version, _, strip in self.by_version:
            entries = [{section.label: f"{section.path.rstrip('/')}.md"} for section in strip]
            entries[0] = {strip[0].label: f"{version.name}/index.md"}
            results.append({formats.attribute(version.entry.title) or version.name: entries})
        results.append({"All versions": "versions.md"})
        results.append({"ReplaySCM as reported": "reported/replay.md"})
        examples: list[Any] = [{"Overview": "examples/index.md"}]
        examples += [
            {formats.attribute(formats.sentence(bundle.name)): f"{bundle.path.rstrip('/')}.md"}
            for bundle in self.bundles
        ]
        tabs: list[Any] = [{"Leaderboard": "index.md"}, {"Results": results}, {"Examples": examples}]
        left = [path for path in prose if path != "index.md"]
        for title, known in PROSE:
            present = [path for path in known if path in left]
            left = [path for path in left if path not in present]
            if title == "Reference":
                present, left = [*GENERATED, *present, *left], []
            if present:
                tabs.append({title: present})
        return tabs


PROSE: tuple[tuple[str, tuple[str, ...]], ...] = (
    (
        "Method",
        (
            "methodology.md",
            "fairness.md",
            "limits.md",
            "statistics.md",
            "answers.md",
            "causal.md",
            "causal-bundles.md",
            "causal-difficulty.md",
            "causal-pitfalls.md",
            "replay.md",
            "choice.md",
        ),
    ),
    (
        "Take part",
        (
            "tutorial-visitor.md",
            "tutorial-researcher.md",
            "tutorial-maintainer.md",
            "submit.md",
            "running.md",
            "grid.md",
            "plugins.md",
            "own-module.md",
            "own-graph.md",
            "check-a-reveal.md",
            "cite.md",
            "maintainers.md",
            "clusters.md",
            "continuous-evaluation.md",
        ),
    ),
    ("Reference", ("formats.md", "security.md", "attempts.md", "architecture.md")),
)
"""The prose pages by tab; a page that no tab names goes to the last."""

GENERATED = (
    "reference/commands.md",
    "reference/schemas.md",
    "reference/bundles.md",
    "reference/api.md",
    "reference/seams.md",
)
"""The pages of the last tab that the program writes about itself."""
