"""YAML that a person writes: read strictly, and every complaint names the line."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import yaml
from benchpress.errors import UserError


class _StrictLoader(yaml.SafeLoader):
    """SafeLoader that refuses a key which occurs twice in one mapping."""

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Any, Any]:
        seen: set[str] = set()
        for key, _ in node.value:
            if isinstance(key, yaml.ScalarNode) and key.value != "<<":
                if key.value in seen:
                    raise yaml.MarkedYAMLError(problem=f"key {key.value!r} occurs twice", problem_mark=key.start_mark)
                seen.add(key.value)
        return super().construct_mapping(node, deep)


LARGEST = 100_000
"""Values that a document may have when each alias is written out; nobody writes so many by hand."""


def parse_yaml(text: str, source: str) -> tuple[Any, Any]:
    """The node tree, for :func:`line_of`, and the value of `text`. Raises UserError with the line.

    A value that holds itself through an alias is refused, and so are aliases that multiply beyond reason.
    """
    try:
        node = yaml.compose(text, Loader=_StrictLoader)
        _written_out(node, {})
        return node, yaml.load(text, Loader=_StrictLoader)  # noqa: S506 - a SafeLoader that also refuses repeated keys
    except yaml.MarkedYAMLError as problem:
        mark = problem.problem_mark
        place = f", line {mark.line + 1}" if mark else ""
        raise UserError(f"{source}{place}: not valid YAML ({problem.problem})") from None
    except yaml.YAMLError as problem:
        raise UserError(f"{source}: not valid YAML ({str(problem).splitlines()[0]})") from None
    except RecursionError:
        raise UserError(f"{source}: not valid YAML (nested too deeply)") from None
    except (ValueError, LookupError, AttributeError, TypeError, ArithmeticError):
        # A tag that does not fit its value ends in whatever the library runs into.
        raise UserError(f"{source}: not valid YAML (a date, number or tag that cannot be read)") from None


def _written_out(node: Any, sizes: dict[int, int]) -> int:
    """How many values `node` has with its aliases written out. Raises MarkedYAMLError for one without an end."""
    known = sizes.get(id(node))
    if known is not None:
        if known == 0:
            raise yaml.MarkedYAMLError(problem="a value that holds itself", problem_mark=node.start_mark)
        return known
    sizes[id(node)] = 0
    inside = []
    if isinstance(node, yaml.MappingNode):
        inside = [one for pair in node.value for one in pair]
    elif isinstance(node, yaml.SequenceNode):
        inside = node.value
    size = 1 + sum(_written_out(one, sizes) for one in inside)
    if size > LARGEST:
        raise yaml.MarkedYAMLError(problem=f"more than {LARGEST:,} values", problem_mark=node.start_mark)
    sizes[id(node)] = size
    return size


def read_yaml(path: Path, missing: str) -> tuple[Any, Any]:
    """As :func:`parse_yaml`, from a file; `missing` is the advice where there is none."""
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise UserError(f"{path} does not exist: {missing}") from None
    except (OSError, UnicodeDecodeError) as problem:
        raise UserError(f"cannot read {path}: {problem}") from None
    return parse_yaml(text, str(path))


def line_of(node: Any, place: Sequence[int | str]) -> int:
    """The line of the deepest node that exists on the way to `place`; the first one where the document is empty."""
    if node is None:
        return 1
    line = int(node.start_mark.line) + 1
    for step in place:
        if isinstance(node, yaml.MappingNode):
            found = [(key, inner) for key, inner in node.value if getattr(key, "value", None) == str(step)]
            if not found:
                break
            line, node = found[0][0].start_mark.line + 1, found[0][1]
        elif isinstance(node, yaml.SequenceNode) and isinstance(step, int) and step < len(node.value):
            node = node.value[step]
            line = node.start_mark.line + 1
        else:
            break
    return int(line)
