"""The page of licences: current, from metadata of every age, and closed to a licence that nobody has allowed."""

import importlib.util
import subprocess
import sys
from importlib.metadata import version
from types import ModuleType

import pytest
from installed import ROOT


@pytest.fixture(scope="module")
def tool() -> ModuleType:
    spec = importlib.util.spec_from_file_location("licences", ROOT / "tools" / "licences.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_page_lists_what_is_pinned_with_allowed_licences_alone() -> None:
    check = [sys.executable, ROOT / "tools" / "licences.py", "--check"]
    done = subprocess.run(check, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize(
    ("expression", "licence", "classifiers", "wanted"),
    [
        ("mit or apache-2.0", None, [], "MIT OR Apache-2.0"),
        (None, "Apache-2.0", ["License :: OSI Approved :: Apache Software License"], "Apache-2.0"),
        (
            None,
            "Copyright (c) A. Body\n\nRedistribution ...",
            ["License :: OSI Approved :: BSD License"],
            "LicenseRef-BSD",
        ),
        (None, None, ["License :: OSI Approved", "License :: OSI Approved :: MIT License"], "MIT"),
        (
            None,
            "Dual License",
            ["License :: OSI Approved :: BSD License", "License :: OSI Approved :: Apache Software License"],
            "Apache-2.0 AND LicenseRef-BSD",
        ),
        (None, "GPL-3.0-or-later", ["License :: OSI Approved :: MIT License"], "GPL-3.0-or-later"),
    ],
)
def test_a_licence_is_read_from_new_and_old_metadata(
    expression: str | None, licence: str | None, classifiers: list[str], wanted: str, tool: ModuleType
) -> None:
    assert tool.stated("some", expression, licence, classifiers) == wanted


@pytest.mark.parametrize(
    ("licence", "classifiers"),
    [
        (None, []),
        ("as you like", []),
        (None, ["License :: OSI Approved :: GNU General Public License v3 (GPLv3)"]),
        (None, ["License :: OSI Approved :: MIT License", "License :: OSI Approved :: Unheard of"]),
    ],
)
def test_what_is_not_known_is_an_error_and_no_guess(
    licence: str | None, classifiers: list[str], tool: ModuleType
) -> None:
    with pytest.raises(tool.LicenceError, match="some: no licence is known"):
        tool.stated("some", None, licence, classifiers)


@pytest.mark.parametrize(
    ("expression", "refused"),
    [
        ("MIT", []),
        ("MIT AND Zlib", []),
        ("MIT OR GPL-3.0-only", []),
        ("GPL-3.0-only", ["GPL-3.0-only"]),
        ("MIT AND AGPL-3.0-only", ["AGPL-3.0-only"]),
        ("AGPL-3.0-only OR GPL-3.0-only", ["AGPL-3.0-only", "GPL-3.0-only"]),
        ("MIT AND (MIT OR GPL-3.0-only)", ["GPL-3.0-only"]),
        ("Apache-2.0 WITH LLVM-exception", ["WITH", "LLVM-exception"]),
    ],
)
def test_a_licence_that_is_not_allowed_is_refused(expression: str, refused: list[str], tool: ModuleType) -> None:
    assert tool.refused(expression) == refused


def test_a_page_that_differs_from_the_pins_is_found_out(tool: ModuleType) -> None:
    text, name = tool.PAGE.read_text(), f"rich {version('rich')}"
    row = f"| {name.replace(' ', ' | ')} | MIT |\n"
    assert row in text
    assert tool.faults(text) == []
    assert tool.faults(text.replace(row, "")) == [f"{name} is pinned and not listed"]
    assert tool.faults(text.replace(row, row.replace("MIT", "ISC"))) == [f"{name} says MIT, the page ISC"]
    assert f"{name}: GPL-3.0-only is not allowed" in tool.faults(text.replace(row, row.replace("MIT", "GPL-3.0-only")))
    assert tool.faults(text + "| other | 1.0 | MIT |\n")[0] == "other 1.0 is listed and not pinned"
    assert tool.faults(text + "more\n") == ["the page is not as it is written by this program"]
