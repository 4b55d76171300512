"""The MkDocs plugin: hands generated pages and files to MkDocs, and keeps builds reproducible."""

import json
import re
from pathlib import Path
from typing import Any

from benchpress.errors import UserError
from mkdocs.config import base
from mkdocs.config import config_options as options
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import PluginError
from mkdocs.plugins import BasePlugin, event_priority, get_plugin_logger
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page
from mkdocs.utils.templates import TemplateContext

from benchpress_site import scorer, target
from benchpress_site.build import HOME_MARK, Site

log = get_plugin_logger(__name__)

ASSETS = Path(__file__).parent / "assets"
ASSET_HOME = "assets/benchpress"

# Sections begin at the start of a line, end at the end of one, and never stand inside one another.
SECTION = re.compile(r"^<section[^>]* data-search-exclude[^>]*>$.*?</section>$", re.MULTILINE | re.DOTALL)
HELD = re.compile(r'<p data-bp-held="(\d+)"></p>')

SEARCHED = 1000
"""Characters of a section that the search index holds."""


class Options(base.Config):  # type: ignore[no-untyped-call]
    data_dir = options.Type(str, default="data")
    """Folder with `versions.json`, relative to mkdocs.yml."""
    examples_dir = options.Type(str, default="../public_examples")
    """Folder with the public items, relative to mkdocs.yml."""


class BenchpressPlugin(BasePlugin[Options]):  # type: ignore[no-untyped-call]
    def on_config(self, config: MkDocsConfig) -> MkDocsConfig:
        home = Path(config.config_file_path or ".").parent
        self.folders = (home / self.config.data_dir, home / self.config.examples_dir)
        try:
            self.site = Site.read(*self.folders)
        except UserError as problem:
            raise PluginError(str(problem)) from None
        for missing in self.site.manual["missing"]:
            log.warning("the reference leaves out the command %s", missing)
        config.extra["benchpress"] = {"synthetic": self.site.publication.synthetic}
        return config

    def on_pre_build(self, *, config: MkDocsConfig) -> None:
        """The last event before MkDocs empties the folder."""
        try:
            target.claim(Path(config.site_dir))
        except UserError as problem:
            raise PluginError(str(problem)) from None

    def on_files(self, files: Files, *, config: MkDocsConfig) -> Files:
        self.held: dict[str, list[str]] = {}
        prose = sorted(file.src_uri for file in files.documentation_pages())
        for address, text in self.site.files(config.site_url or "/"):
            files.append(File.generated(config, address, content=text))
        for path in sorted(path for path in ASSETS.rglob("*") if path.is_file()):
            address = f"{ASSET_HOME}/{path.relative_to(ASSETS).as_posix()}"
            files.append(File.generated(config, address, abs_src_path=str(path)))
        files.append(File.generated(config, f"{ASSET_HOME}/scorer.zip", content=scorer.archive()))
        config.nav = self.site.navigation(prose)
        return files

    def on_page_markdown(self, markdown: str, *, page: Page, **_: Any) -> str:
        # The sitemap carries the date of the newest figures, not of the build, so that two builds are the same bytes.
        page.update_date = self.site.publication.newest or "2026-01-01"
        if page.is_homepage and HOME_MARK in markdown:
            markdown = markdown.replace(HOME_MARK, self.site.home())
        return self._hold(markdown, self.held.setdefault(page.file.src_uri, []))

    @staticmethod
    def _hold(markdown: str, held: list[str]) -> str:
        """Take out the tables and charts, which are finished HTML and are not searched.

        Neither the Markdown reader nor the search index has to parse them then, which is most of a build.
        """

        def take(section: re.Match[str]) -> str:
            held.append(section[0])
            return f'<p data-bp-held="{len(held) - 1}"></p>'

        return SECTION.sub(take, markdown)

    @event_priority(-100)
    def on_page_context(self, context: TemplateContext, *, page: Page, **_: Any) -> TemplateContext:
        """Put back what was held, after the search index has read the page."""
        held = self.held.pop(page.file.src_uri, [])
        page.content = HELD.sub(lambda mark: held[int(mark[1])], page.content or "")
        return context

    @event_priority(-100)
    def on_post_build(self, *, config: MkDocsConfig) -> None:
        """Every page loads the search index, so it holds the beginning of each section and not all of a long one."""
        index = Path(config.site_dir) / "search" / "search_index.json"
        if index.is_file():
            found = json.loads(index.read_text(encoding="utf-8"))
            for entry in found["docs"]:
                if len(entry["text"]) > SEARCHED:
                    entry["text"] = entry["text"][:SEARCHED].rpartition(" ")[0]
            index.write_text(json.dumps(found, ensure_ascii=False, separators=(",", ":")), encoding="utf-8")

    def on_serve(self, server: Any, **_: Any) -> Any:
        for folder in self.folders:
            if folder.is_dir():
                server.watch(str(folder))
        return server
