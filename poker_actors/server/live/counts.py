"""The server's counts at one moment."""

from __future__ import annotations

from collections import Counter

import attrs


@attrs.frozen
class Counts:
    """All counts at one moment. `buckets` pairs upper bounds, in seconds, with cumulative counts of answers."""

    requests: Counter[tuple[str, str, int]]
    buckets: list[tuple[str, float]]
    seconds: float
    actions: Counter[str]
    pictures: Counter[str]
    listening: Counter[str]
    dropped: Counter[str]
    hands: int
    games: int
    seated: Counter[str]
    waiting: int
    sessions: int
    users: int
    set_aside: int
