"""The `benchpress` program: a list of commands, each imported only when it is called.

Other distributions add commands through the entry-point group `benchpress.commands`: each entry names a mapping of
command name to :class:`Command`. A plug-in that cannot be imported prints one line and leaves the rest working.
"""

import os
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from importlib import import_module
from importlib.metadata import entry_points
from traceback import extract_tb
from typing import Any

from benchpress import __version__
from benchpress.errors import UserError
from benchpress.gate import GateError
from benchpress.terminal import printable

BUG = 70
"""Exit code of an error that is ours (sysexits EX_SOFTWARE); a wrong input exits with 2, a disagreement with 1."""

INTERRUPTED, CLOSED = 130, 141
"""Exit codes after Ctrl-C, and where nobody reads the output any more: as a shell tells of SIGINT and SIGPIPE."""


@dataclass(frozen=True, slots=True)
class Command:
    """Where a command's code is, as `package.module:attribute`, and its line in the help."""

    target: str
    help: str
    resumes: bool = False
    """Whether the same command, after an interrupt, goes on from what was done."""


COMMANDS: dict[str, Command] = {
    "modules": Command("benchpress.commands.items:modules", "List modules, bundles, variants, part types and levels."),
    "generate": Command("benchpress.commands.items:generate", "Generate practice items with keys."),
    "show": Command("benchpress.commands.items:show", "Show prompt, key and verification of one item."),
    "verify": Command("benchpress.commands.items:verify", "Derive every key anew by both methods."),
    "grade": Command("benchpress.commands.grading:grade", "Score a file of responses, offline."),
    "explain": Command("benchpress.commands.grading:explain", "Show how one answer was read."),
    "audit-items": Command("benchpress.commands.audit:audit_items", "Report what an item file gives away for nothing."),
    "solve": Command("benchpress.commands.solving:solve", "Answer graph queries by two methods each."),
    "examples": Command("benchpress.commands.examples:examples", "Regenerate the public examples."),
    "check-reveal": Command("benchpress.commands.reveal:check", "Check a retired version against its commitment."),
    "check-publication": Command(
        "benchpress.commands.publication:check", "Check schema, cells and digests of what is published."
    ),
    "adapt": Command("benchpress.commands.adapting:adapt", "Write an item file in the form of another program."),
    "schema": Command("benchpress.commands.schema:schema", "Print the JSON Schema of a file format."),
}


def all_commands() -> dict[str, Command]:
    """Our commands and those of installed plug-ins."""
    found = dict(COMMANDS)
    for point in sorted(entry_points(group="benchpress.commands"), key=lambda point: point.name):
        try:
            more: Mapping[str, Command] = point.load()
        except Exception as problem:  # noqa: BLE001 - a broken plug-in must not take the program down
            print(
                f"warning: commands of plug-in {point.name!r} are missing: {printable(str(problem))}", file=sys.stderr
            )
            continue
        found.update(more)
    return found


def help_text(known: Mapping[str, Command]) -> str:
    """What `benchpress --help` prints: every command with its line, none of them imported."""
    width = max(len(name) for name in known)
    lines = [f"  {name:<{width}}  {command.help}" for name, command in known.items()]
    return "\n".join(
        [
            "Usage: benchpress COMMAND [OPTIONS] [ARGUMENTS]",
            "",
            "Formal reasoning items with keys proved twice: generate, run, grade, publish.",
            "",
            "Commands:",
            *lines,
            "",
            "Options:",
            "  --help     this page; `benchpress COMMAND --help` tells about one command",
            "  --version  the version of the generator",
        ]
    )


def call(name: str, command: Command, arguments: Sequence[str]) -> Any:
    """Import the code behind a command, a typer app or a function with typer annotations, and run it."""
    import typer

    module, _, attribute = command.target.partition(":")
    found: Any = getattr(import_module(module), attribute)
    if not isinstance(found, typer.Typer):
        app = typer.Typer(add_completion=False, rich_markup_mode=None, pretty_exceptions_enable=False)
        app.command(name)(found)
        found = app
    program = typer.main.get_command(found)
    try:
        # Not by its `main`, which would turn an interrupt and a closed pipe into exit codes without telling which.
        with program.make_context(f"benchpress {name}", list(arguments)) as context:
            return program.invoke(context)
    except typer.Exit as end:
        return end.exit_code


def dispatch(arguments: Sequence[str]) -> Any:
    """Run the command that `arguments` name; returns its exit code, or anything else for success."""
    if arguments and arguments[0] == "--version":
        print(__version__)
        return 0
    known = all_commands()
    if not arguments or arguments[0] in ("--help", "-h", "help"):
        print(help_text(known))
        return 0 if arguments else 2
    if arguments[0] not in known:
        near = get_close_matches(arguments[0], known, 1)
        hint = f"did you mean {near[0]!r}?" if near else "`benchpress --help` lists the commands"
        raise UserError(f"no command {arguments[0]!r}; {hint}")
    name, command = arguments[0], known[arguments[0]]
    try:
        return call(name, command, arguments[1:])
    except KeyboardInterrupt:
        kept = "; what is done is kept, the same command goes on from here" if command.resumes else ""
        print(f"interrupted{kept}", file=sys.stderr)
        return INTERRUPTED


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the program and leave by its exit code. No traceback reaches a user."""
    try:
        code = finished(sys.argv[1:] if arguments is None else arguments)
    except KeyboardInterrupt:
        code = INTERRUPTED
    except BrokenPipeError:
        code = CLOSED
    except Exception as problem:  # noqa: BLE001 - no traceback reaches a user
        try:
            code = told(problem)
        except BrokenPipeError:
            code = CLOSED
    let_go()
    sys.exit(code if isinstance(code, int) else 0)


def finished(arguments: Sequence[str]) -> Any:
    """Run the command and print all that waits to be printed; returns the exit code."""
    try:
        code = dispatch(arguments)
    except SystemExit as end:
        if isinstance(end.__context__, BrokenPipeError):  # as rich ends a program whose output nobody reads
            raise end.__context__ from None
        if isinstance(end.code, str):
            raise
        code = end.code
    print(end="", flush=True)
    return code


def told(problem: Exception) -> int:
    """Say in one line what went wrong; returns the exit code."""
    if isinstance(problem, UserError):
        return complain(str(problem))
    # typer carries its own copy of click, so the errors of the command line are known by their shape.
    if hasattr(problem, "format_message"):
        return complain(f"{problem.format_message()} (--help tells more)")
    if type(problem).__name__ == "Abort":
        print("interrupted", file=sys.stderr)
        return INTERRUPTED
    if isinstance(problem, GateError):
        print(f"error in the generator: {problem}; nothing was written, please report it", file=sys.stderr)
        return BUG
    if os.environ.get("BENCHPRESS_DEBUG"):
        print("\n".join(where(problem)), file=sys.stderr)
    if isinstance(problem, OSError) and problem.strerror:
        return complain(f"{problem.filename or 'cannot read or write'}: {problem.strerror}")
    print(
        f"internal error: {type(problem).__name__} (BENCHPRESS_DEBUG=1 shows where; please report it)",
        file=sys.stderr,
    )
    return BUG


def let_go() -> None:
    """Turn away what can no longer be printed, for Python would try again while it ends, and complain."""
    for stream in (sys.stdout, sys.stderr):
        try:
            print(end="", file=stream, flush=True)
        except OSError:
            os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def where(problem: BaseException) -> list[str]:
    """The traceback without the texts of the exceptions: they may hold an item, an answer or a key."""
    before = problem.__cause__ or problem.__context__
    lines = where(before) if before is not None else []
    for inner in getattr(problem, "exceptions", ()):
        lines += where(inner)
    for frame in extract_tb(problem.__traceback__):
        lines.append(f"{frame.filename}:{frame.lineno} in {frame.name}: {frame.line}")
    return [*lines, type(problem).__name__]


def complain(message: str) -> int:
    """Print one line of what is wrong; returns the exit code of a wrong input."""
    print("error: " + printable(" ".join(message.split())), file=sys.stderr)
    return 2
