"""The limits of a server: in total, per address, per user, and in time."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import attrs

from poker_actors.errors import BadSpec

__all__ = ["Limits", "read_limits"]

_LEAST_SECONDS: Final = 0.01
"""The least time limit: a smaller one would refuse every request as late."""
_MOST: Final = 10**9
"""The greatest limit: practically none, but safe in clock arithmetic."""


def _in_range(limits: object, attribute: attrs.Attribute[Any], value: float) -> None:
    """Raise `BadSpec` for a limit that would shut everybody out, or limit nothing."""
    least = 1 if isinstance(attribute.default, int) else _LEAST_SECONDS
    if not least <= value <= _MOST:
        raise BadSpec(f"limit {attribute.name} {value:g} is not in {least:g} to {_MOST:,}")


@attrs.frozen
class Limits:
    """All limits of a server. Numbers are counts or bytes; `..._seconds` and `..._hours` are times.

    An address is an IPv4 address or the first 64 bits of an IPv6 one: what one customer gets.
    Raises `BadSpec` for one below 1 (times: 0.01) or above a thousand million.
    """

    connections: int = attrs.field(default=2_000, validator=_in_range)
    """open at a time; more are answered 503"""
    connections_per_address: int = attrs.field(default=256, validator=_in_range)
    """open at a time; more are answered 429. A trusted proxy's are not counted: the proxy must limit them"""
    header_bytes: int = attrs.field(default=16_384, validator=_in_range)
    """of request line and headers; more are answered 431"""
    header_count: int = attrs.field(default=64, validator=_in_range)
    """headers of a request; more are answered 431"""
    pipelined: int = attrs.field(default=64, validator=_in_range)
    """requests of a connection that wait for the answer to an earlier one; with more it is cut"""
    message_bytes: int = attrs.field(default=4_096, validator=_in_range)
    """of a WebSocket message; a longer one ends the connection with close code 1009"""
    header_seconds: float = attrs.field(default=10.0, validator=_in_range)
    """from connecting, or from a request's first byte, to the end of its headers; then 408"""
    body_seconds: float = attrs.field(default=10.0, validator=_in_range)
    """from there to the end of the body; then 408"""
    idle_seconds: float = attrs.field(default=60.0, validator=_in_range)
    """between two requests of a connection; then it is closed"""
    unread_seconds: float = attrs.field(default=20.0, validator=_in_range)
    """for which a client may leave an answer unread; then the connection is cut"""
    guesses: int = attrs.field(default=5, validator=_in_range)
    """wrong passwords for a name without a wait; each further one doubles the wait, from one second on"""
    guesses_per_address: int = attrs.field(default=20, validator=_in_range)
    """the same for an address, whatever the names"""
    wait_seconds: float = attrs.field(default=60.0, validator=_in_range)
    """the longest such wait"""
    forget_seconds: float = attrs.field(default=900.0, validator=_in_range)
    """without a wrong password, after which earlier ones are forgotten"""
    users: int = attrs.field(default=100_000, validator=_in_range)
    """registered; more are answered 503"""
    users_per_hour: int = attrs.field(default=300, validator=_in_range)
    """registered from one address; more are answered 429"""
    unused_hours: float = attrs.field(default=24.0, validator=_in_range)
    """after which a user who has never joined a game is forgotten"""
    games: int = attrs.field(default=5_000, validator=_in_range)
    """there at a time; more are answered 503"""
    games_per_hour: int = attrs.field(default=120, validator=_in_range)
    """made by one user; more are answered 429"""
    empty_seconds: float = attrs.field(default=600.0, validator=_in_range)
    """after which a game with nobody in it is closed"""
    away_seconds: float = attrs.field(default=900.0, validator=_in_range)
    """after which somebody who sits out loses the seat"""
    close_seconds: float = attrs.field(default=3.0, validator=_in_range)
    """for requests under way when the server closes; what is still open then is cut"""


_KINDS: Final[dict[str, type[int] | type[float]]] = {
    field.name: int if isinstance(field.default, int) else float for field in attrs.fields(Limits)
}


def read_limits(texts: Sequence[str]) -> Limits:
    """Read ``NAME=VALUE`` texts; limits not named keep their defaults. Raises `BadSpec`."""
    given: dict[str, Any] = {}
    for text in texts:
        name, equals, value = text.partition("=")
        name = name.strip().replace("-", "_")
        if name not in _KINDS or not equals:
            known = ", ".join(_KINDS)
            raise BadSpec(f"limit {text[:60]!r} is not NAME=VALUE with a name out of {known}")
        try:
            given[name] = _KINDS[name](value)
        except ValueError:
            raise BadSpec(f"limit {name}: {value[:40]!r} is not a number of its kind") from None
    return Limits(**given)
