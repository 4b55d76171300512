"""Throughput of the runner against a server that answers after 50 ms, beside the bare SDK and inspect-ai.

    python benchmarks/runner.py [--calls 1000] [--inspect /path/to/python-with-inspect-ai]

Server and clients are processes of their own. Each line gives calls a second; "own CPU" is what the runner's process
spends per call beyond what the bare SDK's process spends.
"""

import argparse
import asyncio
import json
import resource
import subprocess
import sys
import tempfile
import time
from typing import Any

from figures import MOST, figure

DELAY_S = 0.05
PROMPT = "What is {} + 1? " + "Consider the causal graph with its directed edges. " * 30


class Server(asyncio.Protocol):
    """As little HTTP as a client needs, so that the server is never what is measured."""

    body = json.dumps(
        {
            "id": "chatcmpl-1",
            "object": "chat.completion",
            "created": 1,
            "model": "model-1",
            "choices": [
                {
                    "index": 0,
                    "finish_reason": "stop",
                    "message": {"role": "assistant", "content": "It follows that this holds. " * 40 + "\nN: 1"},
                }
            ],
            "usage": {"prompt_tokens": 400, "completion_tokens": 300, "total_tokens": 700},
        }
    ).encode()
    reply = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n" % len(body) + body

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport: Any = transport
        self.buffer = b""

    def data_received(self, data: bytes) -> None:
        self.buffer += data
        while True:
            head, found, rest = self.buffer.partition(b"\r\n\r\n")
            if not found:
                return
            at = head.lower().find(b"content-length:")
            length = int(head[at + 15 :].split(b"\r\n", 1)[0]) if at >= 0 else 0
            if len(rest) < length:
                return
            self.buffer = rest[length:]
            asyncio.get_running_loop().call_later(DELAY_S, self.answer)

    def answer(self) -> None:
        if not self.transport.is_closing():
            self.transport.write(self.reply)


async def serve() -> None:
    server = await asyncio.get_running_loop().create_server(Server, "127.0.0.1", 0)
    print(server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()


def cpu() -> float:
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


def tell(calls: int, seconds: float, cpu_s: float) -> None:
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(json.dumps({"calls": calls, "seconds": seconds, "cpu_s": cpu_s, "peak_mb": peak}))


async def bare(url: str, calls: int, concurrency: int) -> None:
    """The SDK in a plain loop."""
    import openai

    async with openai.AsyncOpenAI(base_url=f"{url}/v1", api_key="x", max_retries=0) as client:

        async def one(number: int) -> None:
            messages: Any = [{"role": "user", "content": PROMPT.format(number)}]
            await client.chat.completions.create(model="model-1", messages=messages)

        await asyncio.gather(*(one(number) for number in range(concurrency)))  # connections are open
        left = iter(range(calls))

        async def worker() -> None:
            for number in left:
                await one(number)

        began, used = time.perf_counter(), cpu()
        await asyncio.gather(*(worker() for _ in range(concurrency)))
        tell(calls, time.perf_counter() - began, cpu() - used)


def ours(url: str, calls: int, concurrency: int) -> None:
    """The runner with a durable, encrypted journal."""
    from benchpress.items import Item, Part
    from benchpress_evaluator.entrants import Entrant
    from benchpress_evaluator.journal import Journal
    from benchpress_evaluator.plan import Plan, open_session
    from benchpress_evaluator.runner import execute
    from benchpress_evaluator.storage import open_storage

    part = (Part("N", "number", "1", {"tolerance": "0"}),)
    items = [Item(f"i{number}", "m", "b", "base", 1, {}, PROMPT.format(number), part) for number in range(calls)]
    fields = {"provider": "openai_compatible", "model": "model-1", "base_url": f"{url}/v1", "concurrency": concurrency}
    with tempfile.TemporaryDirectory() as folder:
        journal = Journal.open(open_storage(folder), "journal", bytes(32))
        warm = Plan("w", items[:concurrency], [Entrant.model_validate({"id": "warm", **fields})])
        execute(open_session(warm, [], {}), Journal.open(open_storage(folder), "warm", bytes(32)))
        plan = Plan("v", items, [Entrant.model_validate({"id": "e", **fields})])
        session = open_session(plan, journal.records(), {})
        began, used = time.perf_counter(), cpu()
        report = execute(session, journal)
        seconds, used = time.perf_counter() - began, cpu() - used
        if not report.complete:
            raise SystemExit(f"the run did not complete: {report}")
        tell(calls, seconds, used)


INSPECT = """
import json, os, sys, time
url, calls, concurrency = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
os.environ.update(LOCAL_BASE_URL=url + "/v1", LOCAL_API_KEY="x")
from inspect_ai import Task, eval
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.scorer import includes
from inspect_ai.solver import generate
prompt = sys.argv[4]
def task(n):
    samples = [Sample(input=prompt.format(k), target="N: 1") for k in range(n)]
    return Task(MemoryDataset(samples), solver=generate(), scorer=includes())
def run(n):
    began = time.perf_counter()
    (log,) = eval(task(n), model="openai-api/local/model-1", max_connections=concurrency, max_samples=concurrency,
                  display="none", log_dir=sys.argv[5], max_retries=0)
    assert log.status == "success", log.error
    return time.perf_counter() - began
run(concurrency)
print(json.dumps({"calls": calls, "seconds": run(calls)}))
"""


def child(*words: str, python: str = sys.executable) -> dict[str, Any]:
    done = subprocess.run([python, *words], capture_output=True, text=True, check=False, timeout=900)
    if done.returncode:
        raise SystemExit(done.stderr[-2000:])
    found: dict[str, Any] = json.loads(done.stdout.strip().splitlines()[-1])
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--calls", type=int, default=1000)
    parser.add_argument("--flat", type=int, nargs="*", default=[100, 1000, 5000], help="sizes at concurrency 64")
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--inspect", help="a Python that has inspect-ai and openai")
    options = parser.parse_args()
    server = subprocess.Popen([sys.executable, __file__, "serve"], stdout=subprocess.PIPE, text=True)
    try:
        assert server.stdout is not None
        url = f"http://127.0.0.1:{int(server.stdout.readline())}"
        for concurrency in (16, 64):
            plain, own = best(options.repeats, ("bare", "ours"), url, options.calls, concurrency)
            line(f"bare SDK at {concurrency}", plain)
            line(f"runner at {concurrency}", own)
            share = plain["seconds"] / own["seconds"]
            extra = (own["cpu_s"] - plain["cpu_s"]) / options.calls * 1000
            print(f"  {share:.0%} of the bare SDK; own CPU {extra:.2f} ms a call beyond the SDK's")
            figure("runner", f"throughput at {concurrency}, of the bare SDK's", share, 0.85)
            figure("runner", f"own CPU at {concurrency}, of half a millisecond a call", extra / 0.5, 1, MOST)
            if options.inspect:
                with tempfile.TemporaryDirectory() as logs:
                    words = ["-c", INSPECT, url, str(options.calls), str(concurrency), PROMPT, logs]
                    other = child(*words, python=options.inspect)
                line(f"inspect-ai at {concurrency}", other)
                print(f"  the runner is {other['seconds'] / own['seconds']:.1f} times as fast")
                figure(
                    "runner", f"throughput at {concurrency}, beside inspect-ai's", other["seconds"] / own["seconds"], 2
                )
        for calls in options.flat:
            plain, own = best(options.repeats, ("bare", "ours"), url, calls, 64)
            line("runner at 64", own)
            share = plain["seconds"] / own["seconds"]
            print(f"  {share:.0%} of the bare SDK")
            figure("runner", f"throughput of {calls:,} calls at 64, of the bare SDK's", share, 0.85)
    finally:
        server.terminate()


def best(repeats: int, kinds: tuple[str, ...], url: str, calls: int, concurrency: int) -> list[dict[str, Any]]:
    """The fastest of several for each kind, by turns, since other processes only ever slow things down."""
    found = [[child(__file__, kind, url, str(calls), str(concurrency)) for kind in kinds] for _ in range(repeats)]
    return [
        {**min(of_kind, key=lambda one: float(one["seconds"])), "cpu_s": min(one["cpu_s"] for one in of_kind)}
        for of_kind in zip(*found, strict=True)
    ]


def line(name: str, found: dict[str, Any]) -> None:
    memory = f", peak {found['peak_mb']:.0f} MB" if "peak_mb" in found else ""
    print(f"{name}: {found['calls']} calls, {found['calls'] / found['seconds']:.0f} calls a second{memory}")


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["serve"]:
            asyncio.run(serve())
        case ["bare", url, calls, concurrency]:
            asyncio.run(bare(url, int(calls), int(concurrency)))
        case ["ours", url, calls, concurrency]:
            ours(url, int(calls), int(concurrency))
        case _:
            main()
