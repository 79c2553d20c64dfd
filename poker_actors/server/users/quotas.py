"""Quotas: so many times an hour, for each address or user."""

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
"""Keys remembered; the longest unheard of is forgotten first."""


def address_key(host: str) -> str:
    """Return what counts as one address: all of an IPv4 one, the network of 64 bits of an IPv6 one."""
    if ":" not in host or "." in host:
        return host.rpartition(":")[2] if host.startswith("::ffff:") else host
    head, double, tail = host.partition("%")[0].partition("::")
    groups = head.split(":") if head else []
    if double:
        rest = tail.split(":") if tail else []
        groups += ["0"] * (8 - len(groups) - len(rest)) + rest
    return ":".join(group.lstrip("0") or "0" for group in groups[:4]) + "::/64"


class Quota:
    """`per_hour` of something for each key, all at once or spread; what is used comes back evenly in an hour.

    All calls come from one thread.
    """

    def __init__(self, what: str, per_hour: int, *, now: Callable[[], float] = time.monotonic) -> None:
        self._what = what
        self._per_hour = per_hour
        self._now = now
        self._used: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def take(self, key: str) -> None:
        """Use one; raises `TooOften`, which says when the next is available."""
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
