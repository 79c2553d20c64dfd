"""The limits of a server: in total, per address, per user, and in time."""

from __future__ import annotations

from collections.abc import Sequence

import attrs

from poker_actors.guard import DoorLimits, in_range, limits_from


@attrs.frozen(kw_only=True)
class Limits(DoorLimits):
    """All limits of a server. Numbers are counts or bytes; `..._seconds` and `..._hours` are times.

    An address is an IPv4 address or the first 64 bits of an IPv6 one: what one customer gets.
    Raises `BadSpec` for one below 1 (times: 0.01) or above a thousand million.
    """

    header_bytes: int = attrs.field(default=16_384, validator=in_range)
    """bytes of request line and headers; more are answered 431"""
    header_count: int = attrs.field(default=64, validator=in_range)
    """headers of a request; more are answered 431"""
    pipelined: int = attrs.field(default=64, validator=in_range)
    """requests of a connection that wait for the answer to an earlier one; with more it is cut"""
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
    """games made with ten minutes or more for a turn by one user; more are answered 409"""
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
