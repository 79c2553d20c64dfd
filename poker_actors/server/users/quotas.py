"""Limit how often something is done per hour, by address or user."""

from __future__ import annotations

import math
import time
from collections import OrderedDict
from collections.abc import Callable
from typing import Final

from poker_actors.server.users.backoff import TooOften

__all__ = ["Quota", "address_key"]

_HOUR: Final = 3600.0
_KEPT: Final = 10_000
"""The most keys remembered; the least recently used is forgotten first."""


def address_key(host: str) -> str:
    """Return the key of an address: an IPv4 address whole, an IPv6 address by its /64 network.

    One IPv6 customer usually has a whole /64, and could take a new address for every request.
    """
    if ":" not in host or "." in host:
        return host.rpartition(":")[2] if host.startswith("::ffff:") else host
    head, double, tail = host.partition("%")[0].partition("::")
    groups = head.split(":") if head else []
    if double:
        rest = tail.split(":") if tail else []
        groups += ["0"] * (8 - len(groups) - len(rest)) + rest
    return ":".join(group.lstrip("0") or "0" for group in groups[:4]) + "::/64"


class Quota:
    """A leaky bucket per key: `per_hour` uses, in a burst or spread, refilled evenly over an hour.

    Not thread-safe: all calls must come from one thread.
    """

    def __init__(self, what: str, per_hour: int, *, now: Callable[[], float] = time.monotonic) -> None:
        self._what = what
        self._per_hour = per_hour
        self._now = now
        self._used: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def take(self, key: str) -> None:
        """Use one; raise `TooOften`, with the seconds until the next, if none is left."""
        now = self._now()
        used, at = self._used.get(key, (0.0, now))
        used = max(0.0, used - (now - at) * self._per_hour / _HOUR)
        if used > self._per_hour - 1:
            wait = (used - self._per_hour + 1) * _HOUR / self._per_hour
            raise TooOften(
                f"{self._per_hour} {self._what} an hour: try again in {math.ceil(wait)} s", seconds=wait
            )
        self._used[key] = (used + 1, now)
        self._used.move_to_end(key)
        while len(self._used) > _KEPT:
            self._used.popitem(last=False)

    def __repr__(self) -> str:
        return f"<Quota: {self._per_hour} {self._what} an hour>"
