"""The child process that serves a local model: llama.cpp's own HTTP server on a free loopback port.

Started by :mod:`benchpress_evaluator.providers.local` as `python -m`. It tells its address when it is ready and
ends when its standard input closes, which happens however the parent ends.
"""

import os
import sys
from importlib import import_module


def main(told: int, weights: str, context: int, slots: int, threads: int) -> None:
    """Serve `weights` with `slots` parallel slots of `context` tokens each until standard input closes.

    The address goes to the file descriptor `told`.
    """
    xllamacpp = import_module("xllamacpp")
    params = xllamacpp.CommonParams()
    params.model.path = weights
    params.model_alias = {"local"}
    params.hostnames = ["127.0.0.1"]
    params.port = 0
    params.n_parallel = slots
    params.n_ctx = context * slots
    params.cpuparams.n_threads = threads
    params.cpuparams_batch.n_threads = threads
    # Requests would otherwise depend on what the server was asked before.
    params.cache_prompt = False
    params.cache_ram_mib = 0
    params.offline = True
    params.ui = False
    server = xllamacpp.Server(params)
    try:
        os.write(told, f"{server.listening_address}\n".encode())
        os.close(told)
        while sys.stdin.buffer.read(1):
            pass
    finally:
        # Nobody waits for an answer any more, or the parent ended before it was told the address; the server's threads
        # would keep the process alive either way.
        os._exit(0)


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2], *(int(argument) for argument in sys.argv[3:6]))
