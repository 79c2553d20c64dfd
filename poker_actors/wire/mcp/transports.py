"""How agents connect: over stdio to a server anywhere, or over HTTP to the server itself."""

from __future__ import annotations

import asyncio
import base64
from collections.abc import Mapping
from contextlib import nullcontext, suppress
from functools import partial
from typing import Final

import httpx2
from mcp.server.transport_security import TransportSecuritySettings
from starlette.types import ASGIApp, Receive, Scope, Send

from poker_actors.wire.mcp.tools import agent_server

PATH: Final = "/mcp"
_SECONDS: Final = 60.0
"""Timeout of one answer; a request for news alone may wait 20 s."""
_BODY_BYTES: Final = 16_384
"""A tool call takes a few hundred bytes; a client's description of itself a few thousand."""


async def serve_stdio(url: str, name: str, password: str) -> None:
    """Serve one agent on standard input and output, which plays at `url` with this account, until it hangs up."""
    credentials = base64.b64encode(f"{name}:{password}".encode()).decode()
    headers = {"authorization": f"Basic {credentials}"}
    async with httpx2.AsyncClient(base_url=url, headers=headers, timeout=_SECONDS) as kept:
        await agent_server(lambda _: nullcontext(kept)).run_stdio_async()


_ADDRESS: Final = "x-agent-address"
"""Where a request comes from, for the limits by address; a client's own value is dropped, or it could evade them."""


def _here(app: ASGIApp, headers: Mapping[str, str] | None) -> httpx2.AsyncClient:
    """Return a client of an application in this process, with the credentials of the agent's own request."""
    given = headers or {}
    passed = {name: given[name] for name in ("authorization",) if name in given}
    transport = httpx2.ASGITransport(app=app, client=(given.get(_ADDRESS, ""), 0))
    return httpx2.AsyncClient(transport=transport, base_url="http://here", headers=passed, timeout=_SECONDS)


class AgentDoor:
    """An ASGI layer before `app`: `/mcp` speaks the protocol, and plays by requests to `app`; the rest is `app`'s.

    `start` before the first request, `close` after the last one.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app
        self._server = agent_server(partial(_here, app))
        self._agents = self._server.streamable_http_app(
            streamable_http_path=PATH,
            json_response=True,
            stateless_http=True,  # keeps no state for clients that may never come back
            max_request_body_size=_BODY_BYTES,
            # credentials are a header that no other site's page can send; cookies are not looked at
            transport_security=TransportSecuritySettings(enable_dns_rebinding_protection=False),
        )
        self._running: asyncio.Task[None] | None = None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or pass it on."""
        if scope["type"] != "http" or scope["path"].rstrip("/") != PATH:
            await self._app(scope, receive, send)
            return
        host = scope["client"][0] if scope.get("client") else ""
        headers = [one for one in scope["headers"] if one[0] != _ADDRESS.encode()]
        headers.append((_ADDRESS.encode(), host.encode()))
        await self._agents({**scope, "path": PATH, "headers": headers}, receive, send)

    async def start(self) -> None:
        """Start to take calls."""
        ready = asyncio.Event()
        self._running = asyncio.create_task(self._run(ready))
        await ready.wait()

    async def _run(self, ready: asyncio.Event) -> None:
        async with self._server.session_manager.run():
            ready.set()
            await asyncio.Event().wait()

    async def close(self) -> None:
        """Take no more calls."""
        if self._running is not None:
            self._running.cancel()
            with suppress(asyncio.CancelledError):
                await self._running
