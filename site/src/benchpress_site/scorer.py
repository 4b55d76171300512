"""The scorer as an archive that a browser can run: the generator's own files, nothing else and nothing changed."""

import ast
import io
from importlib import resources
from importlib.resources.abc import Traversable
from zipfile import ZIP_STORED, ZipFile, ZipInfo

ROOT = "benchpress"
START = "benchpress.grading"
EPOCH = (1980, 1, 1, 0, 0, 0)


def source(module: str) -> tuple[str, str] | None:
    """Path in the archive and text of a module of the generator; None for a name that is no module."""
    place: Traversable = resources.files(ROOT)
    for step in module.split(".")[1:]:
        place = place / step
    if place.is_dir():
        path, file = f"{module.replace('.', '/')}/__init__.py", place / "__init__.py"
    else:
        path = f"{module.replace('.', '/')}.py"
        file = resources.files(ROOT).joinpath(*path.split("/")[1:])
    return (path, file.read_text(encoding="utf-8")) if file.is_file() else None


def imported(text: str) -> set[str]:
    """Modules of the generator that a file may import; names imported from a package may be modules of it."""
    found = set()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.ImportFrom) and node.module and node.module.split(".")[0] == ROOT:
            found |= {node.module, *(f"{node.module}.{name.name}" for name in node.names)}
        elif isinstance(node, ast.Import):
            found |= {name.name for name in node.names if name.name.split(".")[0] == ROOT}
    return found


def modules() -> dict[str, str]:
    """Path and text of every file that grading may load: the scorer, every part type, and what they import."""
    parts = resources.files(ROOT) / "parts"
    waiting = {START, *(f"{ROOT}.parts.{file.name.removesuffix('.py')}" for file in parts.iterdir() if file.is_file())}
    done: set[str] = set()
    found: dict[str, str] = {}
    while waiting:
        name = waiting.pop()
        done.add(name)
        if (entry := source(name)) is None:
            continue
        found[entry[0]] = entry[1]
        parents = {name.rsplit(".", depth)[0] for depth in range(1, name.count(".") + 1)}
        waiting |= (imported(entry[1]) | parents) - done
    return found


def archive() -> bytes:
    """The same bytes for the same files: names in order, no times, no compression that could differ."""
    buffer = io.BytesIO()
    with ZipFile(buffer, "w", ZIP_STORED) as file:
        for path, text in sorted(modules().items()):
            file.writestr(ZipInfo(path, EPOCH), text)
    return buffer.getvalue()
