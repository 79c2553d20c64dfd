"""The REST API over HTTP: routes, credentials, and the server's life; needs the extra [server]."""

from poker_actors.errors import MissingExtra

try:
    from poker_actors.server.http.app import build_app
    from poker_actors.server.http.connections import Limits, read_limits, read_proxies
    from poker_actors.server.http.running import HspeServer
except ModuleNotFoundError as error:
    if (error.name or "").partition(".")[0] not in (
        "httptools",
        "starlette",
        "uvicorn",
        "websockets",
    ):
        raise
    raise MissingExtra("server", error.name or "starlette") from None

__all__ = ["HspeServer", "Limits", "build_app", "read_limits", "read_proxies"]
