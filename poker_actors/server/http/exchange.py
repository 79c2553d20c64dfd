"""What requests have in common: their user, proven by password or cookie, their body, and when they are answered."""

from __future__ import annotations

import asyncio
import base64
import binascii
import hashlib
from collections import OrderedDict, deque
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from typing import Final, Generic, Protocol, TypeVar
from urllib.parse import urlsplit

import attrs
from starlette.requests import HTTPConnection, Request
from starlette.responses import Response

from poker_actors.errors import BadSpec, PokerError, StorageFailed, TableRefusal
from poker_actors.guard import Attempt, Guard, address_key
from poker_actors.server.live import ALL, MOST_LISTED, Page, Sessions
from poker_actors.server.users import User, Users
from poker_actors.store import Journal

R = TypeVar("R")
T = TypeVar("T")
Route = Callable[[Request], Awaitable[Response]]

BODY_BYTES: Final = 4096
"""The longest body read, in bytes; an act takes fifty."""
COOKIE: Final = "session"
MOST_SOUGHT: Final = 64
"""The most characters of a name to search for; a game's name has half as many."""
SHARED_FORMATS: Final = ("html", "json")
HAND_FORMATS: Final = (*SHARED_FORMATS, "phh")
"""The formats of a hand's history, by the name in a query."""
_USER: Final = "poker_actors.user"
_BODY: Final = "poker_actors.body"
"""Where a request keeps its user, once proven, and its body, once read."""
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
        known: User | None = request.scope.get(_USER)
        if known is None:
            header = request.headers.get("authorization")
            known = self.by_cookie(request) if header is None else None
            if known is None:
                known = await self.door.enter(header, address_of(request))
            request.scope[_USER] = known
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
    """Return whether a person sent it: people have sessions, HSPE programs send name and password each time."""
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
        raise BadSpec(f"format {name!r:.40} must be one of {', '.join(formats)}")
    return name


async def body_of(request: Request, most: int = BODY_BYTES) -> bytes:
    """Read the body once, up to `most` bytes; raises `TableRefusal` (`too_large`)."""
    if "content-length" not in request.headers and "transfer-encoding" not in request.headers:
        return b""  # no body announced: a GET must not wait for one
    kept: bytes | None = request.scope.get(_BODY)
    if kept is not None:
        return kept
    body = bytearray()
    async for chunk in request.stream():
        body += chunk
        if len(body) > most:
            raise TableRefusal(f"a body has at most {most} bytes", code="too_large")
    request.scope[_BODY] = whole = bytes(body)
    return whole


def address_of(request: HTTPConnection) -> str:
    """Return the client's address, as told by a trusted proxy if there is one; "" if unknown."""
    client = request.client
    return "" if client is None else client.host


# -- HTTP basic authentication: the header is read strictly, passwords are checked off the loop

_BEGINNING: Final = "You must provide properly-formatted credentials."


@attrs.frozen
class Credentials:
    """A name and password as sent by a client."""

    name: str
    password: str = attrs.field(repr=False)


def read_credentials(header: str | None) -> Credentials:
    """Parse an Authorization header; raises `TableRefusal` (`no_credentials`), naming the mistake."""
    scheme, _, encoded = (header or "").strip().partition(" ")
    encoded = encoded.strip()
    if not scheme or not encoded or " " in encoded:
        raise _malformed("An Authorization header must have a scheme and a text.")
    if scheme.lower() != "basic":
        raise _malformed("The scheme must be Basic.")
    try:
        text = base64.b64decode(encoded, validate=True).decode("utf-8")
    except (binascii.Error, ValueError):
        raise _malformed("The text must be base64 of UTF-8.") from None
    name, colon, password = text.partition(":")
    if not colon:
        raise _malformed("The text must be NAME:PASSWORD.")
    return Credentials(name, password)


def _malformed(what: str) -> TableRefusal:
    return TableRefusal(f"{_BEGINNING} {what}", code="no_credentials")


class Door:
    """Check credentials against the register.

    A password proven before costs no digest. `address` is the sender's. Wrong passwords make the address and
    the name wait (`TooOften`); during the wait no password is checked in any way. From an address where the
    name has proven its password, only wrong passwords sent from there count.
    """

    def __init__(self, users: Users, guard: Guard) -> None:
        self.users: Final = users
        self.guard: Final = guard
        self._checks: dict[tuple[Credentials, str], asyncio.Task[User | None]] = {}
        self._registering: dict[str, asyncio.Future[None]] = {}
        """names whose first digest is being made"""

    def known(self, header: str, address: str = "") -> User | None:
        """Return the user of these credentials if neither a digest nor a wait is needed, else None."""
        try:
            given, place = read_credentials(header), address_key(address)
            self.guard.waits.check(given.name, place)
        except PokerError:
            return None
        user = None if (given, place) in self._checks else self.users.recall(given.name, given.password)
        if user is not None:
            self.guard.waits.proven(given.name, place)
        return user

    async def enter(self, header: str | None, address: str = "") -> User:
        """Return the user of these credentials; raises `TableRefusal`: `no_credentials`, `bad_credentials`."""
        return await self.prove(read_credentials(header), address)

    async def prove(self, given: Credentials, address: str = "") -> User:
        """Return the user of these credentials; raises `TableRefusal`: `bad_credentials`, `too_often`."""
        place = address_key(address)
        user = None
        if (given, place) not in self._checks:  # else this very guess is being checked: join it
            # before `recall`, which would reveal the right password during a wait
            self.guard.waits.check(given.name, place)
            user = self.users.recall(given.name, given.password)
        if user is not None:
            self.guard.waits.proven(given.name, place)
        else:
            user = await self._check(given, place)
            if user is not None and self.users.get(user.id) is not user:
                user = None  # the password was changed meanwhile and its log-ins ended: begin none by the old one
        if user is None:
            raise TableRefusal("Invalid credentials.", code="bad_credentials")
        return user

    def forget(self, name: str) -> None:
        """Forget the addresses from which a name has proven its password, after the password has changed."""
        self.guard.waits.forget(name)

    async def register(self, header: str | None, address: str = "", *, known_welcome: bool) -> User:
        """Register a user with these credentials; refuse known ones (`name_taken`) unless `known_welcome`."""
        given, place = read_credentials(header), address_key(address)
        while (first := self._registering.get(given.name)) is not None:
            # a client that sends a new name several times at once is answered as if one by one
            await asyncio.shield(first)
        if self.users.has(given.name):
            user = await self._check(given, place) if known_welcome else None
            if user is not None:
                return user
            raise TableRefusal("Username already exists; choose another username.", code="name_taken")
        self.users.check_name(given.name, given.password)
        self.guard.registrations.take(place)
        done = self._registering[given.name] = asyncio.get_running_loop().create_future()
        try:
            return await self._enter_first(given, place)
        finally:
            del self._registering[given.name]
            done.set_result(None)

    async def _enter_first(self, given: Credentials, place: str) -> User:
        digest = await self.guard.digests.submit(self.users.first_digest, given.name, given.password)
        # written in the loop: no other record can come between a command and its answer and fail alone
        user = self.users.enter(given.name, given.password, digest)
        self.guard.waits.proven(given.name, place)
        return user

    async def _check(self, given: Credentials, place: str) -> User | None:
        """Check a password; simultaneous requests with the same credentials and address share one check."""
        running = self._checks.get((given, place))
        if running is None:
            attempt = self.guard.waits.attempt(given.name, place)
            running = asyncio.ensure_future(self._judge(attempt, given))
            self._checks[given, place] = running
            running.add_done_callback(lambda _: self._checks.pop((given, place)))
        # shielded: a client could hang up to have its wrong guess not counted
        return await asyncio.shield(running)

    async def _judge(self, attempt: Attempt, given: Credentials) -> User | None:
        right: bool | None = None
        try:
            user = await self.guard.digests.submit(self.users.check, given.name, given.password)
            right = user is not None
            return user
        finally:
            attempt.end(right=right)


# -- output commit: no answer leaves before the state it reports is durable -------------------


class Held(Protocol):
    """Wait until everything that has happened so far may be reported; raise `StorageFailed` if it is lost."""

    async def __call__(self) -> None:
        """Wait."""


async def at_once() -> None:
    """Return at once: without write-behind, everything that has happened is durable."""


class OutputCommit:
    """Let answers in `loop` wait for `journal`, each until its own record is durable.

    `failed` is called once, in the loop, after a write has failed.
    """

    def __init__(self, journal: Journal, loop: asyncio.AbstractEventLoop, failed: Callable[[], None]) -> None:
        self._journal: Final = journal
        self._loop: Final = loop
        self._failed = failed
        self._waiting: deque[tuple[int, asyncio.Future[None]]] = deque()
        self._awake = False
        """whether `_release` is scheduled in the loop"""
        journal.on_progress = self._progressed

    async def held(self) -> None:
        """Wait until everything that has happened so far is durable; see `Held`."""
        journal = self._journal
        record = journal.appended
        failure = journal.failed
        if failure is not None:
            raise StorageFailed(str(failure))
        if journal.durable < record:
            turn: asyncio.Future[None] = self._loop.create_future()
            # No progress is missed between the comparison and here: `_release` runs in this loop, so only later.
            # Record numbers only grow, so the queue is sorted, and `_release` need only look at its head.
            self._waiting.append((record, turn))
            await turn

    def _progressed(self) -> None:
        """Schedule `_release`; called in the journal's thread after progress or failure."""
        if not self._awake:
            self._awake = True
            with suppress(RuntimeError):  # the loop is closed: nobody waits any more
                self._loop.call_soon_threadsafe(self._release)

    def _release(self) -> None:
        """Release waiters whose record is durable; fail the rest once writing has failed."""
        # Clear the flag before reading the journal, so that progress in between schedules another call. In the
        # other order it would be missed, and the waiter for the last record would wait for ever.
        self._awake = False
        failure = self._journal.failed
        durable = self._journal.durable
        waiting = self._waiting
        while waiting and (waiting[0][0] <= durable or failure is not None):
            record, turn = waiting.popleft()
            if turn.done():
                continue  # cancelled: its client has gone
            if record <= durable:
                turn.set_result(None)
            else:
                turn.set_exception(StorageFailed(str(failure)))
        if failure is not None:
            failed, self._failed = self._failed, _nobody
            failed()


def _nobody() -> None:
    """Do nothing, in place of `failed` once it has been called."""


# -- a request repeated under its Idempotency-Key gets the first answer -----------------------

_KEY_LENGTH: Final = 128
"""The longest Idempotency-Key; a UUID has 36 characters."""
_EACH: Final = 64
"""Keys remembered for one user: more than a client can have in flight."""


@attrs.frozen
class _Kept(Generic[T]):
    request: bytes
    answer: T


class AnswersKept(Generic[T]):
    """Each user's last answers by key, for the `users` most recent users; lost on a restart."""

    def __init__(self, *, users: int = 10_000) -> None:
        self._most = users
        self._kept: OrderedDict[str, OrderedDict[str, _Kept[T]]] = OrderedDict()

    def find(self, user_id: str, key: str, request: bytes) -> T | None:
        """Return the earlier answer, or None for a new key.

        Raises `BadSpec` for an invalid key, `TableRefusal` (`key_reused`) if the key was for another request.
        """
        if not 0 < len(key) <= _KEY_LENGTH or not (key.isascii() and key.isprintable()):
            raise BadSpec(f"an Idempotency-Key must be 1 to {_KEY_LENGTH} printable ASCII characters")
        own = self._kept.get(user_id)
        kept = None if own is None else own.get(key)
        if kept is None:
            return None
        if kept.request != _digest(request):
            raise TableRefusal("this Idempotency-Key was used for another request", code="key_reused")
        return kept.answer

    def keep(self, user_id: str, key: str, request: bytes, answer: T) -> None:
        """Remember an answer."""
        own = self._kept.setdefault(user_id, OrderedDict())
        self._kept.move_to_end(user_id)
        own[key] = _Kept(_digest(request), answer)
        if len(own) > _EACH:
            own.popitem(last=False)
        if len(self._kept) > self._most:
            self._kept.popitem(last=False)

    def __repr__(self) -> str:
        return f"<AnswersKept: of {len(self._kept)} users>"


def _digest(request: bytes) -> bytes:
    return hashlib.sha256(request).digest()
