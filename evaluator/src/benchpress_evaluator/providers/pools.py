"""Connections for many calls at a time.

One pool looks at every idle connection for every request, which with a hundred of them costs more than the call
itself. Several small pools side by side do not.
"""

from typing import Any
from urllib.request import getproxies

CONNECTIONS_PER_POOL = 4


def http_client(httpx: Any, timeout_s: float, concurrency: int) -> Any | None:
    """An asynchronous client of the `httpx` package given (httpx or httpx2), or None to use the SDK's own.

    Behind a proxy the SDK's own is used, which finds the proxy in the environment.
    """
    if getproxies():
        return None
    count = -(-concurrency // CONNECTIONS_PER_POOL)
    limits = httpx.Limits(max_connections=None, max_keepalive_connections=None, keepalive_expiry=30)
    context = httpx.create_ssl_context()
    pools = [httpx.AsyncHTTPTransport(verify=context, limits=limits) for _ in range(count)]

    class Spread(httpx.AsyncBaseTransport):  # type: ignore[misc]
        """Sends every request through the pool that has the fewest under way."""

        def __init__(self) -> None:
            self.busy = [0] * count

        async def handle_async_request(self, request: Any) -> Any:
            at = self.busy.index(min(self.busy))
            self.busy[at] += 1
            try:
                return await pools[at].handle_async_request(request)
            finally:
                self.busy[at] -= 1

        async def aclose(self) -> None:
            for pool in pools:
                await pool.aclose()

    return httpx.AsyncClient(transport=Spread(), timeout=timeout_s, follow_redirects=True)
