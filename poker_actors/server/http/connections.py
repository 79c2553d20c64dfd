"""The limits of a server; connections, counted by address and held to their deadlines, without a socket."""

from __future__ import annotations

import ipaddress
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Final, Protocol

import attrs

from poker_actors.errors import BadSpec
from poker_actors.guard import Allowance, DoorLimits, Full, Guard, address_key, in_range, limits_from

_AT_ONCE: Final = 4
"""Connections closed in one sweep."""
UPLOAD: Final = re.compile(rb"/arena/entrants/[^/?]+/?(\?.*)?")
"""The path for handing in an entrant."""
_BODY_BYTES: Final = 64 * 1024
"""The most bytes of a body let through; the routes read far less and discard the rest."""


class Line(Protocol):
    """The socket's side of a connection."""

    def unread(self) -> int:
        """Return the number of sent bytes that the client has not read yet."""

    def refuse(self, status: int) -> None:
        """Answer with an error and hang up."""

    def cut(self) -> None:
        """Drop the connection at once."""


@attrs.define(eq=False)
class Connection:
    """One connection. `since` is when the head or body being read began; None while none is."""

    line: Line
    key: str | None
    """the address it is counted for; None for a trusted proxy"""
    messages: Allowance | None
    """its allowance of messages; None for a trusted proxy, which sends for many"""
    since: float | None
    in_head: bool = True
    size: int = 0
    """bytes of an unfinished head or body that came in separate pieces"""
    upload: bool = False
    """whether the request is an entrant for the arena, which may be larger and take longer than others"""
    requests: int = 0
    unread_since: float | None = None
    upgraded: bool = False


class Connections:
    """All connections of a server. `proxies` are trusted networks that forward the connections of others."""

    def __init__(
        self,
        limits: Limits,
        guard: Guard,
        proxies: Sequence[ipaddress.IPv4Network | ipaddress.IPv6Network] = (),
    ) -> None:
        self.limits: Final = limits
        self.now: Final = guard.now
        self._guard: Final = guard
        self._proxies = proxies
        self._open: set[Connection] = set()
        self.takes_uploads = False
        """whether there is an arena"""
        # some beyond what the route reads, so that it answers in its words; in chunks a body is longer than its content
        self._most_uploaded = limits.upload_bytes + _BODY_BYTES
        self.over = 0
        """connections that have ended so far, without those refused"""
        self.refused: Counter[int] = Counter()
        """connections and requests refused so far, by status; 0 counts those cut without an answer"""

    def admit(self, line: Line, host: str) -> Connection | int:
        """Admit and return a connection, or return the status it is refused with."""
        key = None if self._is_proxy(host) else address_key(host)
        full = self._guard.crowd.enter(key, most=self.limits.connections)
        if full is not None:
            return self._refusing(503 if full is Full.ALL else 429)
        connection = Connection(line, key, None if key is None else self._guard.allowance(), self.now())
        self._open.add(connection)
        return connection

    def _refusing(self, status: int) -> int:
        self.refused[status] += 1
        return status

    def _is_proxy(self, host: str) -> bool:
        if not self._proxies:
            return False
        try:
            address = ipaddress.ip_address(host)
        except ValueError:
            return False
        return any(address in network for network in self._proxies)

    def lost(self, connection: Connection) -> None:
        """Stop counting a connection; do nothing for one already forgotten."""
        if connection not in self._open:
            return
        self._open.remove(connection)
        self.over += 1
        self._guard.crowd.leave(connection.key)

    def came(self, connection: Connection, size: int) -> None:
        """Count bytes of an unfinished head or body; refuse the connection if there are too many."""
        if connection.since is None:
            return  # refused already
        connection.size += size
        if connection.in_head and connection.size > self.limits.header_bytes:
            self.refuse(connection, 431)
        elif connection.size > (self._most_uploaded if connection.upload else _BODY_BYTES):
            self.refuse(connection, 413)

    @staticmethod
    def is_upload(method: bytes, url: bytes) -> bool:
        """Return whether a request is an entrant for the arena."""
        return method == b"POST" and UPLOAD.fullmatch(url) is not None

    def head_fits(self, url: bytes, headers: Sequence[tuple[bytes, bytes]]) -> bool:
        """Return whether a whole head is within the limits."""
        if len(headers) > self.limits.header_count:
            return False
        size = len(url) + sum([len(name) + len(value) for name, value in headers])
        return size <= self.limits.header_bytes

    def refuse(self, connection: Connection, status: int) -> None:
        """Answer an error and hang up."""
        self.refused[status] += 1
        connection.since = None
        connection.line.refuse(status)

    def sweep(self) -> bool:
        """Hang up on some connections past a deadline; return whether there are more: then call it again soon.

        It drops a few at a time: clients reconnect, and a crowd of them would block everybody.
        """
        now = self.now()
        cut = 0
        for connection in list(self._open):
            if cut >= _AT_ONCE:
                return True
            cut += self._look_at(connection, now)
        return False

    def _look_at(self, connection: Connection, now: float) -> bool:
        """Hang up on one connection if it is past a deadline; return whether it was."""
        limits = self.limits
        if not connection.line.unread():
            connection.unread_since = None
        elif connection.unread_since is None:
            connection.unread_since = now
        elif now - connection.unread_since > limits.unread_seconds:
            self.refused[0] += 1
            connection.line.cut()
            return True
        if connection.since is None:
            return False
        body_seconds = limits.upload_seconds if connection.upload else limits.body_seconds
        allowed = limits.header_seconds if connection.in_head else body_seconds
        if now - connection.since <= allowed:
            return False
        self.refuse(connection, 408)
        return True

    def cut_all(self) -> None:
        """Hang up on all connections."""
        for connection in list(self._open):
            connection.line.cut()

    def __len__(self) -> int:
        return len(self._open)

    def __repr__(self) -> str:
        return f"<Connections: {len(self._open)}>"


def read_proxies(texts: Iterable[str]) -> list[ipaddress.IPv4Network | ipaddress.IPv6Network]:
    """Read addresses and networks such as 10.0.0.0/8; raises `BadSpec`."""
    networks = []
    for text in texts:
        try:
            networks.append(ipaddress.ip_network(text.strip()))
        except ValueError:
            raise BadSpec(
                f"proxy {text[:60]!r} is neither an address nor a network such as 10.0.0.0/8"
            ) from None
    return networks


@attrs.frozen(kw_only=True)
class Limits(DoorLimits):
    """All limits of a server. Numbers are counts or bytes; `..._seconds` and `..._hours` are times.

    An address is an IPv4 address or the first 64 bits of an IPv6 one: what one customer gets. Raises `BadSpec` for one
    below 1 (times: 0.01) or above a billion.
    """

    header_bytes: int = attrs.field(default=16_384, validator=in_range)
    """bytes of request line and headers; more are answered 431"""
    header_count: int = attrs.field(default=64, validator=in_range)
    """headers of a request; more are answered 431"""
    pipelined: int = attrs.field(default=64, validator=in_range)
    """requests of a connection that wait for an earlier answer; a connection with more is cut"""
    message_bytes: int = attrs.field(default=4_096, validator=in_range)
    """bytes of a WebSocket message; a longer one ends the connection with close code 1009"""
    header_seconds: float = attrs.field(default=10.0, validator=in_range)
    """from connecting, or from a request's first byte, to the end of its headers; then 408"""
    body_seconds: float = attrs.field(default=10.0, validator=in_range)
    """from there to the end of the body; then 408"""
    idle_seconds: float = attrs.field(default=60.0, validator=in_range)
    """between two requests of a connection; then it is closed"""
    unread_seconds: float = attrs.field(default=20.0, validator=in_range)
    """during which a client may leave an answer unread; then the connection is cut"""
    users: int = attrs.field(default=100_000, validator=in_range)
    """registered users; more are answered 503"""
    unused_hours: float = attrs.field(default=24.0, validator=in_range)
    """after which a user who has never joined a game is forgotten"""
    games: int = attrs.field(default=5_000, validator=in_range)
    """games at a time; more are answered 503"""
    games_per_hour: int = attrs.field(default=120, validator=in_range)
    """games made by one user; more are answered 429"""
    empty_seconds: float = attrs.field(default=600.0, validator=in_range)
    """after which a game with nobody in it is closed"""
    ledger_hours: float = attrs.field(default=168.0, validator=in_range)
    """the same for a game with a ledger: people settle when all have left"""
    ledgers: int = attrs.field(default=20, validator=in_range)
    """games with a ledger that one user has made; more are answered 409"""
    slow_games: int = attrs.field(default=20, validator=in_range)
    """games of one user with ten minutes or more for a turn; more are answered 409"""
    away_seconds: float = attrs.field(default=900.0, validator=in_range)
    """after which a player who sits out loses the seat"""
    upload_bytes: int = attrs.field(default=8 << 20, validator=in_range)
    """bytes of an upload to the arena; more are answered 413"""
    upload_seconds: float = attrs.field(default=60.0, validator=in_range)
    """for an upload to arrive, instead of `body_seconds`; then 408"""
    uploads: int = attrs.field(default=4, validator=in_range)
    """uploads checked at a time; more are answered 503"""
    uploads_per_hour: int = attrs.field(default=30, validator=in_range)
    """uploads of one user; more are answered 429"""
    entrants_per_user: int = attrs.field(default=3, validator=in_range)
    """entrants of one user in the arena; more are answered 503"""
    entrants_seated: int = attrs.field(default=16, validator=in_range)
    """the arena's entrants at tables at a time; more are answered 503"""
    entrants_seated_per_user: int = attrs.field(default=4, validator=in_range)
    """entrants seated by one user; more are answered 409"""
    close_seconds: float = attrs.field(default=3.0, validator=in_range)
    """for requests under way when the server closes; then they are cut"""


def read_limits(texts: Sequence[str]) -> Limits:
    """Read ``NAME=VALUE`` texts; limits not named keep their defaults. Raises `BadSpec`."""
    return limits_from(Limits, texts)
