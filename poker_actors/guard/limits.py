"""Limits that every door has, whatever protocol it speaks, and how limits are read from the command line."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, TypeVar

import attrs

from poker_actors.errors import BadSpec

__all__ = ["DoorLimits", "in_range", "limits_from"]

L = TypeVar("L", bound="DoorLimits")

_LEAST_SECONDS: Final = 0.01
"""The least time limit: a smaller one would refuse every request as late."""
_MOST: Final = 10**9
"""The greatest limit: practically none, but safe in clock arithmetic."""


def in_range(limits: object, attribute: attrs.Attribute[Any], value: float) -> None:
    """Raise `BadSpec` for a limit that would shut everybody out, or limit nothing."""
    least = 1 if isinstance(attribute.default, int) else _LEAST_SECONDS
    if not least <= value <= _MOST:
        raise BadSpec(f"limit {attribute.name} {value:g} is not in {least:g} to {_MOST:,}")


@attrs.frozen(kw_only=True)
class DoorLimits:
    """Limits of every door. Numbers are counts; `..._seconds` are times.

    An address is an IPv4 address or the first 64 bits of an IPv6 one: what one customer gets.
    Raises `BadSpec` for one below 1 (times: 0.01) or above a thousand million.
    """

    connections: int = attrs.field(default=2_000, validator=in_range)
    """open at a time, at all doors together; more are refused"""
    connections_per_address: int = attrs.field(default=256, validator=in_range)
    """open at a time; more are refused. A trusted proxy's are not counted: the proxy must limit them"""
    messages_per_second: int = attrs.field(default=1_000, validator=in_range)
    """of a connection; the rest waits, which slows the sender down. A trusted proxy's are not counted"""
    guesses: int = attrs.field(default=5, validator=in_range)
    """wrong passwords for a name without a wait; each further one doubles the wait, from one second on"""
    guesses_per_address: int = attrs.field(default=20, validator=in_range)
    """the same for an address, whatever the names"""
    wait_seconds: float = attrs.field(default=60.0, validator=in_range)
    """the longest such wait"""
    forget_seconds: float = attrs.field(default=900.0, validator=in_range)
    """without a wrong password, after which earlier ones are forgotten"""
    users_per_hour: int = attrs.field(default=300, validator=in_range)
    """registered from one address; more are refused"""

    lines_per_minute: int = attrs.field(default=20, validator=in_range)
    """that one user says at tables, whatever the door; more are refused"""

    def shared_with(self, kind: type[L]) -> L:
        """Return limits of another kind with these values where both have them."""
        return kind(**{field.name: getattr(self, field.name) for field in attrs.fields(DoorLimits)})


def limits_from(kind: type[L], texts: Sequence[str]) -> L:
    """Read ``NAME=VALUE`` texts; limits not named keep their defaults. Raises `BadSpec`."""
    kinds = {field.name: type(field.default) for field in attrs.fields(kind)}
    given: dict[str, Any] = {}
    for text in texts:
        name, equals, value = text.partition("=")
        name = name.strip().replace("-", "_")
        if name not in kinds or not equals:
            known = ", ".join(kinds)
            raise BadSpec(f"limit {text[:60]!r} is not NAME=VALUE with a name out of {known}")
        try:
            given[name] = kinds[name](value)
        except ValueError:
            raise BadSpec(f"limit {name}: {value[:40]!r} is not a number of its kind") from None
    return kind(**given)
