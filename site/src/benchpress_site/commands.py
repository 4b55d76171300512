"""`benchpress site build` and `benchpress site serve`."""

import logging
import os
from pathlib import Path
from typing import Annotated, Any

import typer
from benchpress.errors import UserError

app = typer.Typer(
    help="Build the leaderboard site, or serve it while it is edited.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)

Data = Annotated[
    Path | None,
    typer.Option("--data", help="Folder with versions.json; default site/data, or data outside a checkout."),
]
Examples = Annotated[Path | None, typer.Option("--examples", help="Folder with public items; default public_examples.")]

PACKAGED = Path(__file__).with_name("mkdocs.yml")
"""The configuration that the wheel has, with all pages beside it."""


def checkout() -> Path | None:
    """`site/mkdocs.yml` of a checkout: at or above the current folder, or where this package was installed from."""
    for home in (Path.cwd(), *Path.cwd().parents, Path(__file__).resolve().parents[3]):
        found = home / "site" / "mkdocs.yml"
        if found.is_file():
            return found
    return None


def exported() -> Path:
    """Where `benchpress export` has written below the current folder."""
    for folder in (Path("site", "data"), Path("data")):
        if (folder / "versions.json").is_file():
            return folder
    raise UserError("no published data here: `benchpress export --out data` writes it, --data names another folder")


def configuration(data: Path | None, examples: Path | None) -> tuple[Path, dict[str, Any]]:
    """The mkdocs.yml to build, a checkout's or the package's own, and the settings that take the place of its own.

    A checkout has folders for everything and may have no data yet; elsewhere everything is below the current folder.
    """
    from mkdocs.utils.yaml import yaml_load

    for folder, option in ((data, "--data"), (examples, "--examples")):
        if folder is not None and not folder.is_dir():
            raise UserError(f"{option}: there is no folder {folder}")
    if data is not None and not (data / "versions.json").is_file():
        raise UserError(f"--data: there is no versions.json in {data}: `benchpress export --out {data}` writes it")
    file = checkout()
    if file is None:
        file = PACKAGED
        data = data or exported()
        examples = examples or Path("public_examples")
    with file.open(encoding="utf-8") as stream:
        plugins = yaml_load(stream)["plugins"]
    for plugin in plugins:
        if isinstance(plugin, dict) and "benchpress" in plugin:
            ours = plugin["benchpress"]
            ours["data_dir"] = str(data.resolve()) if data else ours["data_dir"]
            ours["examples_dir"] = str(examples.resolve()) if examples else ours["examples_dir"]
    return file, {"plugins": plugins}


class Notes(logging.Handler):
    """Prints warnings as one line each, and keeps errors: one of them is what the program ends with."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.errors: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        if record.levelno >= logging.ERROR:
            self.errors.append(record.getMessage())
        else:
            typer.echo(f"warning: {record.getMessage()}", err=True)

    def problem(self, found: Exception) -> UserError:
        return UserError(self.errors[0] if self.errors else str(found))


def prepare() -> Notes:
    """Quiet the tools below; returns what hears them."""
    # The theme's notice is about tools that this site does not use.
    os.environ.setdefault("NO_MKDOCS_2_WARNING", "1")
    notes = Notes()
    logger = logging.getLogger("mkdocs")
    logger.handlers = [notes]
    logger.propagate = False
    return notes


@app.command()
def build(
    data: Data = None,
    examples: Examples = None,
    out: Annotated[Path | None, typer.Option("--out", help="Where the site goes; default build/site.")] = None,
    strict: Annotated[bool, typer.Option("--strict", help="Fail on any warning.")] = False,
) -> None:
    """Build the site from published data and public examples."""
    from mkdocs.commands.build import build as make
    from mkdocs.config import load_config
    from mkdocs.exceptions import MkDocsException

    notes = prepare()
    file, settings = configuration(data, examples)
    if out is None and file == PACKAGED:
        out = Path("build", "site")
    if out is not None:
        settings["site_dir"] = str(out.resolve())
    try:
        config = load_config(config_file=str(file), strict=strict, **settings)
        config.plugins.on_startup(command="build", dirty=False)
        make(config)
        config.plugins.on_shutdown()
    except MkDocsException as problem:
        raise notes.problem(problem) from None
    typer.echo(f"The site is in {os.path.relpath(config.site_dir)}; `benchpress site serve` shows it.")


@app.command()
def serve(
    data: Data = None,
    examples: Examples = None,
    port: Annotated[int, typer.Option("--port", help="Port on this machine.")] = 8000,
) -> None:
    """Serve the site on this machine, and build it again whenever data or pages change."""
    from mkdocs.commands.serve import serve as run
    from mkdocs.exceptions import MkDocsException

    notes = prepare()
    file, settings = configuration(data, examples)
    typer.echo(f"Serving on http://127.0.0.1:{port}/ until Ctrl-C.")
    try:
        run(str(file), dev_addr=f"127.0.0.1:{port}", **settings)
    except MkDocsException as problem:
        raise notes.problem(problem) from None
    except OSError as problem:
        raise UserError(f"cannot serve on port {port}: {problem.strerror or problem}; try --port") from None
