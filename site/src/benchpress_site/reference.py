"""The program describes itself: every command with its options, every file format with its schema.

`python -m benchpress_site.reference` prints it as JSON. The site runs that as a process of its own: installed plug-ins
add commands, the private evaluator's among them, and none of their code may enter the process that builds the site.
"""

import json
import subprocess
import sys
from functools import cache
from importlib import import_module
from typing import Any

from benchpress.errors import UserError


def describe() -> dict[str, Any]:
    """Commands in the order of the program's help, schemas by name, and which commands failed."""
    from benchpress.cli import all_commands
    from benchpress.commands.schema import json_schema
    from benchpress.registry import SCHEMAS

    commands, missing = [], []
    for name, command in all_commands().items():
        module, _, attribute = command.target.partition(":")
        try:
            found = getattr(import_module(module), attribute)
        except Exception as problem:  # noqa: BLE001 - a broken plug-in must not take the site down
            missing.append(f"{name}: {problem}")
        else:
            commands += _commands(name, found)
    return {
        "commands": commands,
        "schemas": {name: json_schema(name) for name in SCHEMAS},
        "missing": missing,
    }


def _commands(name: str, found: Any) -> list[dict[str, Any]]:
    import typer

    if not isinstance(found, typer.Typer):
        app = typer.Typer(add_completion=False, rich_markup_mode=None)
        app.command(name)(found)
        found = app
    top = typer.main.get_command(found)
    inner = getattr(top, "commands", None)
    if inner is None:
        return [_command(f"benchpress {name}", top)]
    return [_command(f"benchpress {name} {sub}", one) for sub, one in inner.items()]


def _command(name: str, command: Any) -> dict[str, Any]:
    context = command.context_class(command, info_name=name)
    arguments = [
        {"name": str(param.name).upper(), "help": getattr(param, "help", None) or ""}
        for param in command.params
        if param.param_type_name == "argument"
    ]
    options = [
        {"name": record[0], "help": record[1]}
        for param in command.params
        if param.param_type_name == "option" and (record := param.get_help_record(context))
    ]
    usage = " ".join(command.collect_usage_pieces(context))
    return {
        "name": name,
        "help": command.help or "",
        "usage": f"{name} {usage}",
        "arguments": arguments,
        "options": options,
    }


@cache
def read() -> dict[str, Any]:
    """What the installed program says about itself, asked once. Raises UserError where it cannot be asked."""
    done = subprocess.run(
        [sys.executable, "-m", "benchpress_site.reference"], capture_output=True, text=True, timeout=120, check=False
    )
    if done.returncode:
        last = (done.stderr.strip().splitlines() or ["no message"])[-1]
        raise UserError(f"the program could not describe itself for the reference: {last}")
    described: dict[str, Any] = json.loads(done.stdout)
    return described


if __name__ == "__main__":
    json.dump(describe(), sys.stdout)
