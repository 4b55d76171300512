"""Puts the pages and the configuration of the whole site into the distributions, so that it builds anywhere.

In the repository the prose stands in `docs/`, beside this folder. The source distribution takes it in as `docs/`, the
wheel as `benchpress_site/docs/`, with `mkdocs.yml` beside it whose paths are those of the installed package.
"""

import shutil
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

PACKAGE = "benchpress_site"
MOVED = {f"src/{PACKAGE}/": "", "docs_dir: ../docs": "docs_dir: docs"}


class WholeSite(BuildHookInterface[Any]):
    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if version == "editable":  # what is installed that way finds its checkout
            return
        root = Path(self.root)
        unpacked = (root / "PKG-INFO").is_file()
        docs = root / "docs" if unpacked else root.parent / "docs"
        if self.target_name == "sdist":
            build_data["force_include"][str(docs)] = "docs"
            return
        text = (root / "mkdocs.yml").read_text(encoding="utf-8")
        for here, there in MOVED.items():
            if here not in text:
                raise ValueError(f"mkdocs.yml does not say {here!r}: say in hatch_build.py where its paths lead now")
            text = text.replace(here, there)
        self.made = tempfile.mkdtemp()
        config = Path(self.made) / "mkdocs.yml"
        config.write_text(text, encoding="utf-8")
        build_data["force_include"] |= {str(docs): f"{PACKAGE}/docs", str(config): f"{PACKAGE}/mkdocs.yml"}

    def finalize(self, *_: Any) -> None:
        if hasattr(self, "made"):
            shutil.rmtree(self.made)
