"""Which test runs which line, recorded once, and pytest in processes forked from one that never loads our package.

What a fixture shared by several tests runs belongs to all of them; caches are emptied before every test.
"""

import ast
import hashlib
import json
import os
import signal
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import redirect_stderr, redirect_stdout, suppress
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from shutil import copytree, ignore_patterns
from typing import Any

import coverage
import pytest
from mutants import GATE, SCORERS, Mutant, files

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "generator" / "src" / "benchpress"
TESTS = {
    SCORERS: ("tests/parts",),
    GATE: (
        "tests/generator/causal/test_gate.py",
        "tests/generator/choice/test_causal_choice.py",
        "tests/generator/replay",
        "tests/generator/test_wording.py",
        "tests/generator/test_lint_words.py",
    ),
}
"""The tests that a side meets. Others meet it too, but take too long to run once more for every mutant."""


@dataclass(slots=True)
class Map:
    """What one run of the tests without any mutant showed."""

    seconds: dict[str, float] = field(default_factory=dict)
    """Test -> processor seconds."""
    lines: dict[str, dict[int, list[str]]] = field(default_factory=dict)
    """File -> line -> tests that run it."""
    libraries: list[str] = field(default_factory=list)
    """Modules of other packages that the tests loaded."""
    unfit: list[str] = field(default_factory=list)
    """Tests that fail or are skipped without a mutant."""


class Recorder:
    """A pytest plugin that notes which test runs which lines; what a shared fixture runs belongs to all its tests."""

    def __init__(self, watch: coverage.Coverage) -> None:
        self.watch, self.map = watch, Map()
        self.fixtures: dict[str, set[str]] = {}
        self.caches: dict[str, list[Any]] = {}
        self.now = ""

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        self._forget()
        for known in getattr(item, "_fixtureinfo").name2fixturedefs.values():  # noqa: B009 - not public
            if known[-1].scope != "function":
                self.fixtures.setdefault(f"@{known[-1].baseid}::{known[-1].argname}", set()).add(item.nodeid)
        self._turn_to(item.nodeid)
        start = time.process_time()
        result = yield
        self.map.seconds[item.nodeid] = round(time.process_time() - start, 4)
        self._turn_to("")
        return result

    @pytest.hookimpl(wrapper=True)
    def pytest_fixture_setup(self, fixturedef: Any) -> Iterator[Any]:
        before = self.now
        if fixturedef.scope != "function":
            self._turn_to(f"@{fixturedef.baseid}::{fixturedef.argname}")
        try:
            return (yield)
        finally:
            self._turn_to(before)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if not report.passed:
            self.map.unfit.append(report.nodeid)

    def _turn_to(self, context: str) -> None:
        self.now = context
        self.watch.switch_context(context)

    def _forget(self) -> None:
        """Empty every cache of tests and package, so that each test runs what it needs."""
        for name, module in list(sys.modules.items()):
            if name not in self.caches:
                ours = str(getattr(module, "__file__", None) or "").startswith((str(ROOT / "tests"), str(Path.cwd())))
                values = list(vars(module).values()) if ours else []
                self.caches[name] = [one for one in values if hasattr(one, "cache_clear")]
            for one in self.caches[name]:
                one.cache_clear()


class Chosen:
    """A pytest plugin that keeps the tests named, in their order."""

    def __init__(self, tests: Sequence[str]) -> None:
        self.place = {name: at for at, name in enumerate(tests)}

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        items[:] = sorted((one for one in items if one.nodeid in self.place), key=lambda one: self.place[one.nodeid])


def forked(work: Callable[[], int], folder: Path) -> int:
    """The process id of a child that does `work` with the package in `folder`, silently, in a group of its own."""
    sys.stdout.flush()
    child = os.fork()
    if child:
        return child
    code = 70
    try:
        os.setsid()
        os.chdir(folder)
        sys.path[:0] = [str(folder), str(ROOT / "tests")]
        os.environ["PYTHONPATH"] = os.pathsep.join(sys.path[:2])
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        from hypothesis import Phase, settings

        phases = (Phase.explicit, Phase.reuse, Phase.generate)
        settings.register_profile("mutation", derandomize=True, database=None, deadline=None, phases=phases)
        settings.load_profile("mutation")
        with Path("output").open("w", encoding="utf-8") as file, redirect_stdout(file), redirect_stderr(file):
            code = work()
    finally:
        os._exit(code)


def run_pytest(places: Sequence[str], *plugins: object) -> int:
    """Pytest on files or folders of the checkout, in this process, with no plug-in but those given."""
    words = ["-p", "no:cacheprovider", "-o", "addopts=", "-q", "--tb=no", "--rootdir", str(ROOT)]
    return int(pytest.main([*words, "-c", str(ROOT / "pyproject.toml"), *places], plugins=list(plugins)))


def recorded(side: str, folder: Path, package: Path) -> int:
    """Run the tests of a side under coverage.py and write what they showed to `map.json`."""
    paths = [str(package / path) for path in files(package, side)]
    watch = coverage.Coverage(data_file=None, config_file=False, include=paths, messages=False)
    watch.start()
    for path in files(package):
        import_module(f"benchpress.{path.removesuffix('.py').removesuffix('/__init__').replace('/', '.')}")
    recorder = Recorder(watch)
    run_pytest([str(ROOT / one) for one in TESTS[side]], recorder)
    watch.stop()
    found, data = recorder.map, watch.get_data()
    bad = set(found.unfit)
    for path in files(package, side):
        lines = data.contexts_by_lineno(str(package / path))
        found.lines[path] = {
            line: sorted({test for one in names for test in recorder.fixtures.get(one, {one})} - bad - {""})
            for line, names in lines.items()
        }
    outside = [name for name, one in sys.modules.items() if "site-packages" in str(getattr(one, "__file__", ""))]
    found.libraries = [name for name in outside if not name.startswith("benchpress")]
    content = {"seconds": found.seconds, "lines": found.lines, "libraries": found.libraries, "unfit": found.unfit}
    (folder / "map.json").write_text(json.dumps(content), encoding="utf-8")
    return 0


def importers(package: Path) -> dict[str, set[str]]:
    """File -> files of ours that import from it."""
    found: dict[str, set[str]] = {}
    for path in files(package):
        for node in ast.walk(ast.parse((package / path).read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("benchpress"):
                base = (node.module or "").replace(".", "/").removeprefix("benchpress").lstrip("/")
                for name in (base, *(f"{base}/{alias.name}" for alias in node.names)):
                    for file in (f"{name}.py", f"{name}/__init__.py"):
                        found.setdefault(file, set()).add(path)
    return found


class Choice:
    """Which tests a mutant meets."""

    def __init__(self, seen: Map, users: Mapping[str, set[str]], budget: float) -> None:
        self.seen, self.users, self.budget = seen, users, budget

    def of(self, mutant: Mutant) -> list[str]:
        """Tests in the order in which they run: the fast ones first."""
        if mutant.at_import:
            places = [mutant.path, *self.users.get(mutant.path, ())]
            found = {test for one in places for tests in self.seen.lines.get(one, {}).values() for test in tests}
        else:
            lines = self.seen.lines[mutant.path]
            found = {test for line in mutant.lines for test in lines.get(line, ())}
        chosen: list[str] = []
        total = 0.0
        for test in sorted(found, key=lambda test: (self.seen.seconds[test], test)):
            total += self.seen.seconds[test]
            if total > self.budget and chosen:
                break
            chosen.append(test)
        return chosen

    def seconds(self, tests: Sequence[str]) -> float:
        return sum(self.seen.seconds[test] for test in tests)


def fingerprint(side: str) -> str:
    """A digest of everything that the results of a side rest on."""
    digest = hashlib.sha256(repr((sys.version_info[:2], coverage.__version__, TESTS[side])).encode())
    tests = [ROOT / one for one in TESTS[side]]
    for path in sorted(
        [*PACKAGE.rglob("*.py"), *(p for one in tests for p in (one.rglob("*.py") if one.is_dir() else [one]))]
    ):
        digest.update(str(path.relative_to(ROOT)).encode() + path.read_bytes())
    return digest.hexdigest()[:12]


def prepared(side: str, workers: int) -> tuple[Path, int]:
    """A folder with copies of the package, and the process that records the tests of a side there, 0 where that was
    done before."""
    base = Path(tempfile.gettempdir()) / f"benchpress-mutation-{fingerprint(side)}"
    for name in ("original", *(f"worker{slot}" for slot in range(workers))):
        copytree(PACKAGE, base / name / "benchpress", ignore=ignore_patterns("__pycache__"), dirs_exist_ok=True)
    folder = base / "original"
    if (folder / "map.json").is_file():
        return base, 0
    print(f"{side}: running the tests once under coverage.py", flush=True)
    return base, forked(lambda: recorded(side, folder, folder / "benchpress"), folder)


def mapped(base: Path) -> Map:
    """The record of the tests, and the libraries in memory."""
    place = base / "original" / "map.json"
    if not place.is_file():
        raise SystemExit(f"the tests could not be recorded; see {place.with_name('output')}")
    seen = json.loads(place.read_text(encoding="utf-8"))
    seen["lines"] = {path: {int(line): tests for line, tests in lines.items()} for path, lines in seen["lines"].items()}
    for name in seen["libraries"]:
        with suppress(Exception):
            import_module(name)
    return Map(**seen)
