"""Waits after wrong passwords, for a name and for an address, that never shut the right owner out."""

from __future__ import annotations

import math
import time
from collections import OrderedDict
from collections.abc import Callable
from typing import Final, TypeVar

import attrs

from poker_actors.errors import TableRefusal

__all__ = ["Attempt", "Backoff", "TooOften"]

_KEPT: Final = 10_000
"""Names, addresses and pairs remembered, each; the longest unheard of is forgotten first."""


K = TypeVar("K")


class TooOften(TableRefusal):
    """Refused for now; worth trying again in `seconds`."""

    def __init__(self, message: str, *, seconds: float) -> None:
        super().__init__(message, code="too_often")
        self.seconds = seconds

    def __reduce__(self) -> tuple[object, ...]:
        return (_too_often, (self.args[0], self.seconds))


def _too_often(message: str, seconds: float) -> TooOften:
    return TooOften(message, seconds=seconds)


@attrs.define
class _Record:
    """Wrong passwords of one name, address, or pair of both."""

    wrong: int = 0
    last: float = 0.0
    until: float = 0.0
    trying: int = 0
    """log-ins being checked now"""


def _at(records: OrderedDict[K, _Record], key: K) -> _Record:
    record = records.get(key)
    if record is None:
        record = records[key] = _Record()
        while len(records) > _KEPT:
            records.popitem(last=False)
    records.move_to_end(key)
    return record


class Backoff:
    """Counts wrong passwords by name, by address, and by both together.

    After `free` of them (`free_address` for an address) each costs a wait of 1, 2, 4, ... up to
    `longest` seconds, in which nothing is checked; what is refused in a wait does not lengthen it.
    `forget` seconds without a wrong one wipe the slate. Where a name has proven its password before, it
    has a slate of its own: strangers who guess at the name from elsewhere do not keep it out.
    All calls come from one thread.
    """

    def __init__(
        self,
        *,
        free: int = 5,
        free_address: int = 20,
        longest: float = 60.0,
        forget: float = 900.0,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        self._free, self._free_address = free, free_address
        self._longest, self._forget = longest, forget
        self._now = now
        self._names: OrderedDict[str, _Record] = OrderedDict()
        self._addresses: OrderedDict[str, _Record] = OrderedDict()
        self._pairs: OrderedDict[tuple[str, str], _Record] = OrderedDict()
        self._proven: OrderedDict[tuple[str, str], None] = OrderedDict()

    def attempt(self, name: str, address: str) -> Attempt:
        """Begin checking a password, until its `end`; raises `TooOften` while that has to wait."""
        pair = (name, address)
        judged = [(_at(self._pairs, pair), self._free)]
        if pair not in self._proven:
            judged.append((_at(self._names, name), self._free))
            judged.append((_at(self._addresses, address), self._free_address))
        now = self._now()
        wait = max(self._wait(record, free, now) for record, free in judged)
        if wait > 0:
            raise TooOften(f"too many wrong passwords: try again in {math.ceil(wait)} s", seconds=wait)
        return Attempt(self, pair, judged)

    def _wait(self, record: _Record, free: int, now: float) -> float:
        if now - record.last >= self._forget:
            record.wrong, record.until = 0, 0.0
        # past the free ones, one at a time: a burst is no way around the wait
        busy = 1.0 if record.wrong >= free and record.trying else 0.0
        return max(record.until - now, busy)

    def failed(self, judged: list[tuple[_Record, int]]) -> None:
        """Count a wrong password."""
        now = self._now()
        for record, free in judged:
            record.wrong += 1
            record.last = now
            over = record.wrong - free
            if over > 0:
                record.until = now + min(self._longest, 2.0 ** min(over - 1, 60))

    def succeeded(self, pair: tuple[str, str]) -> None:
        """Remember where a password was proven, and forget what was wrong there before."""
        self._pairs.pop(pair, None)
        self._proven[pair] = None
        self._proven.move_to_end(pair)
        while len(self._proven) > _KEPT:
            self._proven.popitem(last=False)

    def __repr__(self) -> str:
        return f"<Backoff: {len(self._names)} names, {len(self._addresses)} addresses>"


class Attempt:
    """One password being checked; `end` says what came of it, once."""

    def __init__(self, backoff: Backoff, pair: tuple[str, str], judged: list[tuple[_Record, int]]) -> None:
        self._backoff = backoff
        self._pair = pair
        self._judged = judged
        for record, _ in judged:
            record.trying += 1

    def end(self, *, right: bool | None) -> None:
        """The password is right, or wrong, or, for None, could not be checked."""
        for record, _ in self._judged:
            record.trying -= 1
        if right:
            self._backoff.succeeded(self._pair)
        elif right is False:
            self._backoff.failed(self._judged)
