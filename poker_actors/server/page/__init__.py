"""The page at `/`: a lobby and a table in the browser, served from package data; needs the extra [server].

Its files are read once; its two routes are `/` and `/static/...`, and a browser can request exactly these.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

import attrs

from poker_actors.browser import drawing_files

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response
    from starlette.routing import Router

__all__ = ["HEADERS", "Asset", "add_page", "assets"]

HEADERS: Final[Mapping[str, str]] = MappingProxyType(
    {
        # no other site may frame the page, and the page may load from this server only
        "content-security-policy": "default-src 'self'; base-uri 'none'; form-action 'self'; "
        "frame-ancestors 'self'; object-src 'none'",
        "referrer-policy": "no-referrer",
        "x-content-type-options": "nosniff",
        "cross-origin-opener-policy": "same-origin",
        # revalidated each time, and answered 304 while unchanged
        "cache-control": "no-cache",
    }
)
"""Headers sent with every file of the page."""

_TYPES: Final = {
    ".css": "text/css; charset=utf-8",
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".png": "image/png",
    ".svg": "image/svg+xml",
    ".webmanifest": "application/manifest+json",
}


@attrs.frozen
class Asset:
    """A file of the page: its bytes, media type, and a quoted ETag that changes with the bytes."""

    body: bytes = attrs.field(repr=False)
    type: str
    etag: str


@cache
def assets() -> Mapping[str, Asset]:
    """Return every file of the page, those that draw a table included, by its path below `static/`."""
    roots = files("poker_actors.server.page") / "static", drawing_files()
    return MappingProxyType(
        {path: _asset(path, one.read_bytes()) for root in roots for path, one in _walk(root, "")}
    )


def _walk(folder: Traversable, prefix: str) -> Iterator[tuple[str, Traversable]]:
    for one in folder.iterdir():
        if one.is_dir():
            yield from _walk(one, f"{prefix}{one.name}/")
        elif one.name.endswith(tuple(_TYPES)):
            yield f"{prefix}{one.name}", one


def _asset(path: str, body: bytes) -> Asset:
    kind = _TYPES[path[path.rindex(".") :]]
    return Asset(body, kind, f'"{hashlib.sha256(body).hexdigest()[:32]}"')


def add_page(router: Router) -> None:
    """Add `GET /`, the page, and `GET /static/...`, its files, to a router."""
    router.add_route("/", _page, methods=["GET"], include_in_schema=False)
    router.add_route("/static/{path:path}", _page, methods=["GET"], include_in_schema=False)


async def _page(request: Request) -> Response:
    """Answer with one file; paths are dictionary keys and never reach a disk, so none can leave the package."""
    from starlette.responses import PlainTextResponse, Response

    asset = assets().get(request.path_params.get("path", "index.html"))
    if asset is None:
        return PlainTextResponse("404 page not found\n", 404, dict(HEADERS))
    headers = {**HEADERS, "etag": asset.etag, "content-type": asset.type}
    if asset.etag in request.headers.get("if-none-match", ""):
        return Response(None, 304, headers)
    return Response(asset.body, 200, headers)
