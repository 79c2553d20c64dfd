"""Read a request: its user, proven by password or cookie, and its body, within limits."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import Final, Protocol, TypeVar
from urllib.parse import urlsplit

from starlette.requests import HTTPConnection, Request
from starlette.responses import Response

from poker_actors.errors import BadSpec, TableRefusal
from poker_actors.server.http.credentials import Credentials, Door
from poker_actors.server.live import ALL, MOST_LISTED, Page, Sessions
from poker_actors.server.users import User

R = TypeVar("R")
Route = Callable[[Request], Awaitable[Response]]

BODY_BYTES: Final = 4096
"""The longest body read, in bytes; an act takes fifty."""
COOKIE: Final = "session"
MOST_SOUGHT: Final = 64
"""The most characters of a name to search for; a game's name has half as many."""
SHARED_FORMATS: Final = ("html", "json")
HAND_FORMATS: Final = (*SHARED_FORMATS, "phh")
"""The formats of a hand's history, by the name in a query."""
_SAFE: Final = frozenset({"GET", "HEAD", "OPTIONS"})


class Settle(Protocol):
    """Call a command in the room's thread, then let the room handle its effects."""

    def __call__(self, command: Callable[[], R]) -> R:
        """Return the result of `command`."""


class Entry:
    """Find the user of a request, by HTTP basic authentication or else by the session cookie."""

    def __init__(self, door: Door, sessions: Sessions) -> None:
        self.door: Final = door
        self.sessions: Final = sessions

    async def user(self, request: HTTPConnection) -> User:
        """Return the user; raises `TableRefusal`: `no_credentials`, `bad_credentials`, `cross_origin`."""
        known: User | None = getattr(request.state, "user", None)
        if known is None:
            header = request.headers.get("authorization")
            known = self.by_cookie(request) if header is None else None
            if known is None:
                known = await self.door.enter(header, address_of(request))
            request.state.user = known
        return known

    async def user_if_any(self, request: HTTPConnection) -> User | None:
        """Return the user, or None without credentials; the cookie of an ended session counts as none."""
        if "authorization" in request.headers:
            return await self.user(request)
        return self.by_cookie(request)

    def by_cookie(self, request: HTTPConnection) -> User | None:
        """Return the user of the cookie's session, or None.

        Raises `TableRefusal` (`cross_origin`) for a request that changes something and comes from another
        site's page: the browser would send the cookie along.
        """
        if "authorization" in request.headers:
            return None
        token = request.cookies.get(COOKIE)
        user = self.sessions.user(token) if token else None
        if user is not None and request.scope.get("method", "POST") not in _SAFE:
            same_origin(request)
        return user

    async def prove(self, request: Request, name: str, password: str) -> User:
        """Return the user whose name and password were sent in a body."""
        return await self.door.prove(Credentials(name, password), address_of(request))


def same_origin(request: HTTPConnection) -> None:
    """Raise `TableRefusal` (`cross_origin`) if the request's Origin is another site's page."""
    origin = request.headers.get("origin")
    if origin is not None and urlsplit(origin).netloc != request.headers.get("host"):
        raise TableRefusal("this request comes from another site's page", code="cross_origin")


def is_page(request: HTTPConnection) -> bool:
    """Return whether our own page sent the request; the browser must not open a password dialog for it."""
    return COOKIE in request.cookies or request.headers.get("x-requested-with") == "page"


def is_person(request: HTTPConnection) -> bool:
    """Return whether a person sent it, known by a session: HSPE programs send name and password each time."""
    return "authorization" not in request.headers


def is_current(request: Request, tag: str) -> bool:
    """Return whether the client already has this view, by its If-None-Match."""
    return tag in request.headers.get("if-none-match", "")


def page_of(request: Request) -> Page:
    """Read ``?limit=50&after=ID&name=...&free=1``, the requested games of a list. Raises `BadSpec`."""
    query = request.query_params
    if not query.keys() & {"limit", "after", "name", "free"}:
        return ALL
    limit = query.get("limit", str(MOST_LISTED))
    if not limit.isascii() or not limit.isdigit() or not 1 <= int(limit[:9]) <= MOST_LISTED:
        raise BadSpec(f"limit {limit!r:.40} is not 1 to {MOST_LISTED}")
    free = query.get("free", "0")
    if free not in ("0", "1"):
        raise BadSpec(f"free {free!r:.40} is neither 0 nor 1")
    return Page(int(limit), query.get("after", ""), name_sought(request), free == "1")


def name_sought(request: Request) -> str:
    """Read ``?name=...``, the text to search for; raises `BadSpec`."""
    name = request.query_params.get("name", "")
    if len(name) > MOST_SOUGHT:
        raise BadSpec(f"name {name!r:.40} has {len(name)} characters: at most {MOST_SOUGHT}")
    return name


def format_of(request: Request, formats: Sequence[str]) -> str:
    """Read ``?format=...``, one of `formats`, `json` by default; raises `BadSpec`."""
    name = request.query_params.get("format", "json")
    if name not in formats:
        raise BadSpec(f"format {name!r:.40} is none of {', '.join(formats)}")
    return name


async def body_of(request: Request, most: int = BODY_BYTES) -> bytes:
    """Read the body once, up to `most` bytes; raises `TableRefusal` (`too_large`)."""
    if "content-length" not in request.headers and "transfer-encoding" not in request.headers:
        return b""  # no body announced: a GET must not wait for one
    kept: bytes | None = getattr(request.state, "read", None)
    if kept is not None:
        return kept
    body = bytearray()
    async for chunk in request.stream():
        body += chunk
        if len(body) > most:
            raise TableRefusal(f"a body has at most {most} bytes", code="too_large")
    request.state.read = bytes(body)
    return bytes(body)


def address_of(request: HTTPConnection) -> str:
    """Return the client's address, as told by a trusted proxy if there is one; "" if unknown."""
    client = request.client
    return "" if client is None else client.host
