"""The page's two routes, `/` and `/static/...`: files by their exact name, 304 for clients that have them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from poker_actors.server.page.assets import HEADERS, assets

if TYPE_CHECKING:
    from starlette.applications import Starlette
    from starlette.requests import Request
    from starlette.responses import Response

__all__ = ["add_page"]


def add_page(app: Starlette) -> None:
    """Add `GET /`, the page, and `GET /static/...`, its files, to an application."""
    app.add_route("/", _page, methods=["GET"], include_in_schema=False)
    app.add_route("/static/{path:path}", _page, methods=["GET"], include_in_schema=False)


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
