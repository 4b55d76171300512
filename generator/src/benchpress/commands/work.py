"""What commands share: workers, secrets, progress, output."""

import json
import re
import signal
import sys
from collections.abc import Iterator
from concurrent.futures import Executor, ProcessPoolExecutor
from contextlib import contextmanager
from multiprocessing import get_context
from pathlib import Path
from typing import Annotated, Any

import typer

from benchpress.errors import UserError
from benchpress.terminal import printable

Workers = Annotated[int, typer.Option("--workers", min=1, help="Processes that work side by side.")]
_CONTROL = re.compile("[\x7f-\x9f\ud800-\udfff]")
"""What JSON may hold as it is and a terminal must not be sent."""

Cluster = Annotated[str | None, typer.Option("--cluster", help="Address of a running Dask scheduler, tcp://host:port.")]
_ADDRESS = re.compile(r"(?:(?:tcp|tls|wss?|ucx)://)?(?:[^\s/:\[\]]+|\[[0-9A-Fa-f:.%\w]+\]):([0-9]{1,5})")

AsJson = Annotated[bool, typer.Option("--json", help="Print JSON instead of a table.")]


@contextmanager
def executor(workers: int, cluster: str | None) -> Iterator[Executor | None]:
    """Where work is done: here, in processes, or on a Dask cluster. Results never depend on it."""
    if cluster is not None:
        # Before Dask sees it: its client, once begun, waits half a minute and prints a traceback about such an address.
        port = _ADDRESS.fullmatch(cluster)
        if port is None or not 0 < int(port[1]) < 65536:
            raise UserError(f"--cluster {cluster} is no address: write it as tcp://host:port")
        try:
            from distributed import Client
        except ImportError:
            raise UserError("--cluster needs Dask: pip install 'benchpress-generator[cluster]'") from None
        try:
            client: Any = Client(cluster, timeout="10s", set_as_default=False)
        except (OSError, ValueError) as problem:
            raise UserError(f"no Dask scheduler answers at {cluster}: {problem}") from None
        with client:
            yield client.get_executor()
    elif workers > 1:
        # Ctrl-C reaches every process of the terminal; this one alone answers it, and lets go what has not begun.
        alone = (signal.SIGINT, signal.SIG_IGN)
        with ProcessPoolExecutor(workers, get_context("spawn"), initializer=signal.signal, initargs=alone) as pool:
            try:
                yield pool
            except BaseException:
                pool.shutdown(wait=False, cancel_futures=True)
                raise
    else:
        yield None


def read_secret(secret_file: Path | None, seed: int | None, *, quiet: bool = False) -> bytes:
    """The secret of a practice set: 32 bytes in hex from a file, or a public seed."""
    from benchpress.streams import secret_from_seed

    if (secret_file is None) == (seed is None):
        raise UserError("give either --secret-file F or --seed INT")
    if seed is not None:
        if not quiet:
            print("note: a seed is public practice; anybody can make the same items", file=sys.stderr)
        return secret_from_seed(seed)
    assert secret_file is not None  # noqa: S101 - for the type checker; the exclusive-or above holds
    try:
        secret = bytes.fromhex(secret_file.read_text("ascii").strip())
    except OSError as problem:
        raise UserError(f"cannot read {secret_file}: {problem.strerror or problem}") from None
    except ValueError:
        raise UserError(f"{secret_file} does not hold a secret in hex") from None
    if len(secret) != 32:
        raise UserError(f"{secret_file} holds {len(secret)} bytes; a secret has 32, written as 64 hex digits")
    return secret


@contextmanager
def progress(what: str, total: int | None = None) -> Iterator[Any]:
    """A callable to be called once per finished piece; shows a bar on a terminal, nothing elsewhere.

    `total` is left out where it is not known: a file may be a stream, which can be read once only.
    """
    if not sys.stderr.isatty():
        yield lambda: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn(what), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(what, total=total)
        yield lambda: bar.advance(task)


def print_json(value: Any) -> None:
    """Readable JSON on standard output; refuses NaN."""
    text = json.dumps(value, indent=2, ensure_ascii=False, allow_nan=False)
    print(_CONTROL.sub(lambda found: f"\\u{ord(found.group()):04x}", text))


def print_table(title: str, columns: list[str], rows: list[list[str]], right: frozenset[int] = frozenset()) -> None:
    """A rich table; columns in `right` are aligned to the right."""
    from rich import box
    from rich.console import Console
    from rich.markup import escape
    from rich.table import Table

    table = Table(title=title or None, box=box.SIMPLE_HEAD, title_justify="left", header_style="bold")
    for at, column in enumerate(columns):
        table.add_column(column, justify="right" if at in right else "left", overflow="fold")
    for row in rows:
        table.add_row(*(escape(printable(cell)) for cell in row))
    console = Console()
    if not console.is_terminal:
        console = Console(width=160)
    console.print(table)
