"""One guard for all servers: addresses, waits, registrations, connections and messages a second, on any protocol."""

from poker_actors.guard.guard import Allowance, Crowd, Digests, Full, Guard
from poker_actors.guard.passwords import Passwords
from poker_actors.guard.waits import (
    Attempt,
    Backoff,
    DoorLimits,
    Quota,
    TooOften,
    address_key,
    find_host,
    in_range,
    limits_from,
    naming,
    read_url,
)

__all__ = [
    "Allowance",
    "Attempt",
    "Backoff",
    "Crowd",
    "Digests",
    "DoorLimits",
    "Full",
    "Guard",
    "Passwords",
    "Quota",
    "TooOften",
    "address_key",
    "find_host",
    "in_range",
    "limits_from",
    "naming",
    "read_url",
]
