"""A run on a terminal: a bar for every entrant with time left and spend. Nothing where there is no terminal."""

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, TaskID, TextColumn, TimeElapsedColumn, TimeRemainingColumn
from rich.progress import Progress as Bars

from benchpress_evaluator.calling import Tally


class TerminalProgress:
    """Watches a run and draws it; notes are printed even where bars are not."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._bars = Bars(
            TextColumn("{task.description}"),
            BarColumn(),
            MofNCompleteColumn(),
            TimeElapsedColumn(),
            TimeRemainingColumn(),
            TextColumn("{task.fields[spend]}"),
            console=console,
            disable=not console.is_terminal,
        )
        self._tasks: dict[str, TaskID] = {}

    def begin(self, tallies: list[Tally]) -> None:
        for tally in tallies:
            self._tasks[tally.entrant] = self._bars.add_task(
                tally.entrant, total=tally.planned, completed=tally.planned - tally.left, spend=""
            )
        self._bars.start()

    def update(self, tally: Tally) -> None:
        if self._console.is_terminal:
            self._bars.update(
                self._tasks[tally.entrant], completed=tally.planned - tally.left + tally.done, spend=spend(tally)
            )

    def note(self, text: str) -> None:
        self._console.print(f"note: {text}", markup=False, highlight=False, soft_wrap=True)

    def end(self) -> None:
        self._bars.stop()


def spend(tally: Tally) -> str:
    """Known cost, failed calls, and why it stopped, in a few words."""
    words = []
    if tally.cost_usd or not tally.unknown_costs:
        words.append(f"${tally.cost_usd:.4f}")
    if tally.unknown_costs:
        words.append("cost unknown" if not tally.cost_usd else f"+ {tally.unknown_costs} of unknown cost")
    if tally.api_errors:
        words.append(f"{tally.api_errors} failed")
    if tally.stopped is not None:
        words.append("stopped")
    return ", ".join(words)
