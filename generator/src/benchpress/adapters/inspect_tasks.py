"""Tasks of Inspect AI: ``inspect eval benchpress/causal``, with our prompts and our scorer.

An item is a sample, its prompt the only message; accuracy is conjunctive (every part right), and every part and
status is counted beside it. Needs the package `inspect-ai`, the extra `inspect`.
"""

from pathlib import Path

from inspect_ai import Task, task
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.event import ModelEvent
from inspect_ai.log import transcript
from inspect_ai.scorer import (
    CORRECT,
    INCORRECT,
    Metric,
    SampleScore,
    Score,
    Scorer,
    Target,
    accuracy,
    metric,
    scorer,
    stderr,
)
from inspect_ai.scorer import Value as ScoreValue
from inspect_ai.solver import TaskState, generate

from benchpress.adapters.practice import PracticeItems
from benchpress.grading import grade_item, load_items
from benchpress.items import Item, Response


def _task(items: list[Item]) -> Task:
    samples = [Sample(input=item.prompt, id=item.id, metadata={"item": item.to_json()}) for item in items]
    return Task(dataset=MemoryDataset(samples), solver=[generate()], scorer=benchpress_scorer())


def _practice(module: str, items: str | None, n: int, level: int, seed: int, bundle: str | None) -> Task:
    if items is not None:
        return _task(list(load_items(Path(items)).values()))
    drawn = PracticeItems(module, (bundle,) if bundle else (), (), (level,), seed, n)
    return _task([drawn.item(index) for index in range(n)])


@task
def causal(items: str | None = None, n: int = 110, level: int = 5, seed: int = 0, bundle: str | None = None) -> Task:
    """Causal items: those of the file `items`, or `n` practice items of a level, drawn under a public seed."""
    return _practice("causal", items, n, level, seed, bundle)


@task
def replay(items: str | None = None, n: int = 60, level: int = 3, seed: int = 0, bundle: str | None = None) -> Task:
    """Mechanism induction from interventions: a file `items`, or `n` practice items of a level."""
    return _practice("replay", items, n, level, seed, bundle)


@metric
def marginals() -> Metric:
    """The share right of every part id, among the items that have the part, and the share of every status."""

    def measure(scores: list[SampleScore]) -> ScoreValue:
        parts: dict[str, list[bool]] = {}
        statuses: dict[str, int] = {}
        for sample in scores:
            told = sample.score.metadata or {}
            for name, right in told.get("parts", {}).items():
                parts.setdefault(name, []).append(right)
            if "status" in told:
                statuses[told["status"]] = statuses.get(told["status"], 0) + 1
        shares = {f"part {name}": sum(found) / len(found) for name, found in sorted(parts.items())}
        return shares | {f"status {name}": count / len(scores) for name, count in sorted(statuses.items())}

    return measure


@scorer(metrics=[accuracy(), stderr(), marginals()])
def benchpress_scorer() -> Scorer:
    """Reads and scores an answer as ``benchpress grade`` does; correct only where every part is."""

    async def score(state: TaskState, target: Target) -> Score:  # noqa: ARG001 - the key is in the item
        item = Item.from_json(state.metadata["item"])
        text = state.output.completion if state.output.choices else None
        stop = state.output.stop_reason if state.output.choices else None
        used = state.output.usage.output_tokens if state.output.usage else None
        # Some servers say "stop" of an answer that ended at the cap.
        caps = [event.config.max_tokens for event in transcript().events if isinstance(event, ModelEvent)]
        response = Response(item.id, text, stop, state.output.error, used, caps[-1] if caps else None)
        result = grade_item(item, response)
        return Score(
            value=CORRECT if result.correct else INCORRECT,
            answer=text,
            explanation="\n".join(f"{part.id}: read {part.parsed!r}; {part.note}" for part in result.parts),
            metadata={"status": str(result.status), "parts": {part.id: part.correct for part in result.parts}},
        )

    return score
