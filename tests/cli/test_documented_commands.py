"""Every `benchpress` command line on a page is one that the program takes, and every option on it exists."""

import re
import shlex
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
import typer
from benchpress.cli import all_commands
from installed import ROOT

PAGES = sorted(
    [*(ROOT / "docs").glob("*.md"), *ROOT.glob("*.md"), *ROOT.glob("[a-z]*/README.md"), *ROOT.glob(".github/*.md")]
)
FENCE = re.compile(r"^```(?:sh|bash|console|text)?\n(.*?)^```", re.DOTALL | re.MULTILINE)
ANY_FENCE = re.compile(r"^```.*?^```", re.DOTALL | re.MULTILINE)
INLINE = re.compile(r"(?<!`)`([^`]+)`(?!`)")
START = re.compile(r"^(?:\$ )?(?:[A-Z_]+=\S+ )*(?:\S*/bin/)?benchpress (?=[a-z])")
OTHERS = {"--no-deps", "--force", "--cpus-per-task"}
"""Options of pip, git and Slurm that the pages name by themselves."""


@cache
def command(name: str) -> Any:
    module, _, attribute = all_commands()[name].target.partition(":")
    found = getattr(import_module(module), attribute)
    if not isinstance(found, typer.Typer):
        app = typer.Typer(add_completion=False, rich_markup_mode=None)
        app.command(name)(found)
        found = app
    return typer.main.get_command(found)


def options_of(found: Any) -> set[str]:
    own = {word for param in found.params for word in (*param.opts, *param.secondary_opts) if word.startswith("-")}
    inner = getattr(found, "commands", {}).values()
    return own.union({"--help"}, *(options_of(one) for one in inner))


def blocks(text: str) -> Iterator[str]:
    """Command lines in code blocks, each whole: continued lines are joined, comments and redirections left out."""
    for block in FENCE.findall(text):
        for line in block.replace("\\\n", " ").splitlines():
            yield from re.split(r"\s(?:&&|\|\||\||;|>|<)\s", re.sub(r"\s#\s.*$|\s&$", "", line))


def mentions(text: str) -> Iterator[str]:
    """Commands in running text, which may leave out arguments."""
    for code in INLINE.findall(ANY_FENCE.sub("", text)):
        yield " ".join(code.split())


def words_of(line: str) -> list[str]:
    found = START.match(line.strip())
    return shlex.split(line.strip()[found.end() :]) if found else []


def page(path: Path) -> str:
    return path.read_text(encoding="utf-8")


@pytest.mark.parametrize("path", PAGES, ids=lambda path: str(path.relative_to(ROOT)))
def test_every_command_on_the_page_is_taken_by_the_program(path: Path) -> None:
    for line in blocks(page(path)):
        if words := words_of(line):
            assert words[0] in all_commands(), line
            parse(command(words[0]), words[1:], line)
    for line in mentions(page(path)):
        if words := words_of(line):
            assert words[0] in all_commands(), line
            wrong = {word.partition("=")[0] for word in words if word.startswith("--")} - options_of(command(words[0]))
            assert not wrong, (line, wrong)


def parse(found: Any, words: list[str], line: str) -> None:
    """Raises AssertionError unless `words` are an invocation: known options, values where they take one, arguments."""
    if inner := getattr(found, "commands", {}):
        assert words, (line, "has no subcommand")
        assert words[0] in inner, (line, words[0])
        return parse(inner[words[0]], words[1:], line)
    if "--help" in words:
        return None
    context = found.context_class(found, info_name=found.name)
    try:
        values, rest, _ = found.make_parser(context).parse_args(list(words))
    except Exception as problem:  # noqa: BLE001 - click's, wherever this release of typer keeps it
        raise AssertionError(f"{line}: {problem!r}") from None
    assert not rest, (line, rest)
    needed = {param.name for param in found.params if param.required}
    missing = {name for name in needed if values.get(name) in (None, (), [])}
    assert not missing, (line, missing)
    return None


def test_an_option_named_in_the_text_is_an_option_of_some_command() -> None:
    known = set().union(*(options_of(command(name)) for name in all_commands())) | OTHERS | {"--version"}
    named = {
        (path.name, code.split()[0].partition("=")[0])
        for path in PAGES
        for code in mentions(page(path))
        if code.startswith("--")
    }
    assert len(named) > 10
    assert {pair for pair in named if pair[1] not in known} == set()


@pytest.mark.parametrize(
    "line",
    [
        "benchpress generate --modul causal --n 1 --out f.jsonl",
        "benchpress grade items.jsonl --out scores.jsonl",
        "benchpress site make",
        "benchpress show items.jsonl ID and more",
        "benchpress generate --module causal --n",
    ],
)
def test_a_wrong_line_would_be_found(line: str) -> None:
    words = words_of(line)
    with pytest.raises(AssertionError):
        parse(command(words[0]), words[1:], line)


def test_lines_are_found_in_the_forms_in_which_pages_print_them() -> None:
    first = "A=b .venv/bin/benchpress run V \\\n  --rerun  # again\n"
    text = f"```sh\n{first}$ benchpress score V > f && benchpress stats V\n```\n"
    found = [words for line in blocks(text) if (words := words_of(line))]
    assert found == [["run", "V", "--rerun"], ["score", "V"], ["stats", "V"]]
