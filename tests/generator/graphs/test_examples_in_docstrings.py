"""The worked examples of the docstrings are true."""

import doctest
from importlib import import_module
from pkgutil import iter_modules

import benchpress.graphs
import benchpress.models
import pytest

MODULES = [
    f"{package.__name__}.{module.name}"
    for package in (benchpress.graphs, benchpress.models)
    for module in iter_modules(package.__path__)
    if not module.name.startswith("boolean")
]


@pytest.mark.parametrize("name", MODULES)
def test_examples_run(name: str) -> None:
    module = import_module(name)
    failed, _ = doctest.testmod(module)
    assert failed == 0
    assert module.__doc__


def test_most_rooms_show_an_example() -> None:
    with_examples = [name for name in MODULES if doctest.testmod(import_module(name)).attempted]
    assert len(with_examples) >= 18
