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

BUG = 70
"""Exit code of an error that is ours (sysexits EX_SOFTWARE); a wrong input exits with 2, a disagreement with 1."""


@dataclass(frozen=True, slots=True)
class Command:
    """Where a command's code is, as `package.module:attribute`, and its line in the help."""

    target: str
    help: str


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
            print(f"warning: commands of plug-in {point.name!r} are missing: {problem}", file=sys.stderr)
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
    return program.main(args=list(arguments), prog_name=f"benchpress {name}", standalone_mode=False)


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
    return call(arguments[0], known[arguments[0]], arguments[1:])


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the program and leave by its exit code. No traceback reaches a user."""
    try:
        code = dispatch(sys.argv[1:] if arguments is None else arguments)
    except UserError as problem:
        code = complain(str(problem))
    except KeyboardInterrupt:
        code = interrupted()
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        code = 141
    except Exception as problem:  # noqa: BLE001 - no traceback reaches a user
        # typer carries its own copy of click, so the errors of the command line are known by their shape.
        if hasattr(problem, "format_message"):
            code = complain(f"{problem.format_message()} (--help tells more)")
        elif type(problem).__name__ == "Abort":
            code = interrupted()
        elif isinstance(problem, GateError):
            print(f"error in the generator: {problem}; nothing was written, please report it", file=sys.stderr)
            code = BUG
        else:
            if os.environ.get("BENCHPRESS_DEBUG"):
                print("\n".join(where(problem)), file=sys.stderr)
            print(
                f"internal error: {type(problem).__name__} (BENCHPRESS_DEBUG=1 shows where; please report it)",
                file=sys.stderr,
            )
            code = BUG
    sys.exit(code if isinstance(code, int) else 0)


def where(problem: BaseException) -> list[str]:
    """The traceback without the texts of the exceptions: they may hold an item, an answer or a key."""
    before = problem.__cause__ or problem.__context__
    lines = where(before) if before is not None else []
    for inner in getattr(problem, "exceptions", ()):
        lines += where(inner)
    for frame in extract_tb(problem.__traceback__):
        lines.append(f"{frame.filename}:{frame.lineno} in {frame.name}: {frame.line}")
    return [*lines, type(problem).__name__]


def interrupted() -> int:
    """Tell that nothing is lost; returns the exit code of an interrupt."""
    print("interrupted; what is done is kept, the same command goes on from here", file=sys.stderr)
    return 130


def complain(message: str) -> int:
    """Print one line of what is wrong; returns the exit code of a wrong input."""
    print("error: " + " ".join(message.split()), file=sys.stderr)
    return 2
