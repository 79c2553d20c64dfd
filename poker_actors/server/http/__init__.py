"""The REST API over HTTP: routes, credentials, and the server's life; needs the extra [server]."""

from poker_actors.errors import from_extra

with from_extra("server", "httptools", "starlette", "uvicorn", "websockets"):
    from poker_actors.server.http.app import build_app
    from poker_actors.server.http.connections import Limits, read_limits, read_proxies
    from poker_actors.server.http.running import HspeServer

__all__ = ["HspeServer", "Limits", "build_app", "read_limits", "read_proxies"]
