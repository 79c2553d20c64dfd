"""Limits of servers, waits after wrong passwords that never lock out the owner, quotas per hour, and host names."""

from __future__ import annotations

import math
import socket
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Final, TypeVar
from urllib.parse import SplitResult, urlsplit
from urllib.request import getproxies, proxy_bypass

import attrs

from poker_actors.errors import BadSpec, TableRefusal

L = TypeVar("L", bound="DoorLimits")

_LEAST_SECONDS: Final = 0.01
"""The least time limit: a smaller one would refuse every request as late."""
_MOST: Final = 10**9
"""The greatest limit: practically none, but safe in clock arithmetic."""


def in_range(limits: object, attribute: attrs.Attribute[Any], value: float) -> None:
    """Raise `BadSpec` for a limit that would shut everybody out or limit nothing."""
    least = 1 if isinstance(attribute.default, int) else _LEAST_SECONDS
    if not least <= value <= _MOST:
        raise BadSpec(f"limit {attribute.name} {value:g} is not within {least:g} to {_MOST:,}")


@attrs.frozen(kw_only=True)
class DoorLimits:
    """Limits shared by all servers. Numbers are counts; `..._seconds` are times.

    An address is an IPv4 address or the first 64 bits of an IPv6 one, which is what one customer gets. Raises `BadSpec`
    for a limit below 1 (times: 0.01) or above a billion.
    """

    connections: int = attrs.field(default=2_000, validator=in_range)
    """connections open at a time, at all servers together; more are refused"""
    connections_per_address: int = attrs.field(default=256, validator=in_range)
    """connections of one address open at a time; more are refused. A trusted proxy must limit its own"""
    messages_per_second: int = attrs.field(default=1_000, validator=in_range)
    """messages a second from one connection; the rest wait, which slows the sender down.

    A trusted proxy's are not counted
    """
    guesses: int = attrs.field(default=5, validator=in_range)
    """wrong passwords for a name before a wait; each further one doubles the wait, which starts at one second"""
    guesses_per_address: int = attrs.field(default=20, validator=in_range)
    """the same for an address, whatever the names"""
    wait_seconds: float = attrs.field(default=60.0, validator=in_range)
    """the longest such wait"""
    forget_seconds: float = attrs.field(default=900.0, validator=in_range)
    """time without a wrong password after which earlier ones are forgotten"""
    users_per_hour: int = attrs.field(default=300, validator=in_range)
    """users registered from one address; more are refused"""

    lines_per_minute: int = attrs.field(default=20, validator=in_range)
    """chat lines of one user at all tables and servers; more are refused"""

    def shared_with(self, kind: type[L]) -> L:
        """Return limits of another kind, with these values for the fields they share."""
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
            raise BadSpec(f"limit {text[:60]!r} is not NAME=VALUE, where NAME is one of {known}")
        try:
            given[name] = kinds[name](value)
        except ValueError:
            raise BadSpec(f"limit {name}: {value[:40]!r} is not a valid number") from None
    return kind(**given)


_HOUR: Final = 3600.0
_MINUTE: Final = 60.0

_KEPT: Final = 10_000
"""The most names, addresses and pairs remembered, each; the least recently used is forgotten first.

Without a bound, guesses at made-up names would fill the memory.
"""


_USUAL: Final = DoorLimits()

K = TypeVar("K")


class TooOften(TableRefusal):
    """Raised for too many attempts or uses; the refusal ends in `seconds`."""

    def __init__(self, message: str, *, seconds: float) -> None:
        super().__init__(message, code="too_often")
        self.seconds = seconds

    def __reduce__(self) -> tuple[object, ...]:
        return (_too_often, (self.args[0], self.seconds))


def _too_often(message: str, seconds: float) -> TooOften:
    return TooOften(message, seconds=seconds)


@attrs.define
class _Record:
    """Wrong passwords for a name, for an address, or for a pair of them."""

    wrong: int = 0
    last: float = 0.0
    until: float = 0.0
    trying: int = 0
    """log-ins being checked now"""


@attrs.frozen
class _Judged:
    """A record by which a log-in is judged, and how many wrong passwords it allows before a wait."""

    record: _Record
    free: int
    of_name: bool = True


def _at(records: OrderedDict[K, _Record], key: K) -> _Record:
    record = records.get(key)
    if record is None:
        record = records[key] = _Record()
        while len(records) > _KEPT:
            records.popitem(last=False)
    records.move_to_end(key)
    return record


class Backoff:
    """Count wrong passwords by name, by address, and by both together.

    After `free` of them (`free_address` for an address), each further one costs a wait of 1, 2, 4, ...
    seconds, at most `longest`. During a wait no password is checked, not even the right one: an attacker
    who could tell the answers apart could go on guessing. Attempts refused in a wait do not lengthen it.
    After `forget` seconds without a wrong password the count starts again. A name that has proven its
    password from an address is counted separately there, so that strangers who guess from elsewhere
    cannot lock out the owner. Calls may come from any thread.
    """

    def __init__(
        self,
        *,
        free: int = _USUAL.guesses,
        free_address: int = _USUAL.guesses_per_address,
        longest: float = _USUAL.wait_seconds,
        forget: float = _USUAL.forget_seconds,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        self._free, self._free_address = free, free_address
        self._longest, self._forget = longest, forget
        self._now = now
        self._lock = threading.Lock()
        self._names: OrderedDict[str, _Record] = OrderedDict()
        self._addresses: OrderedDict[str, _Record] = OrderedDict()
        self._pairs: OrderedDict[tuple[str, str], _Record] = OrderedDict()
        self._proven: OrderedDict[tuple[str, str], None] = OrderedDict()

    def attempt(self, name: str, address: str) -> Attempt:
        """Begin checking a password; the caller must `end` the attempt. Raises `TooOften` during a wait.

        `address` is empty for a protocol that does not know it; nothing is ever proven for it.
        """
        pair = (name, address)
        with self._lock:
            judged = [_Judged(_at(self._pairs, pair), self._free)]
            if pair not in self._proven:
                judged.append(_Judged(_at(self._names, name), self._free))
                if address:
                    shared = _Judged(_at(self._addresses, address), self._free_address, of_name=False)
                    judged.append(shared)
            self._refuse_early(judged)
            for one in judged:
                one.record.trying += 1
        return Attempt(self, pair, judged)

    def check(self, name: str, address: str) -> None:
        """Raise `TooOften` during a wait, whatever the password; begin and count nothing.

        Call it before looking up proven passwords: else these would tell a right password from a wrong one during the
        wait.
        """
        pair = (name, address)
        with self._lock:
            judged = []
            if (own := self._pairs.get(pair)) is not None:
                judged.append(_Judged(own, self._free))
            if pair not in self._proven:
                if (named := self._names.get(name)) is not None:
                    judged.append(_Judged(named, self._free))
                if (placed := self._addresses.get(address)) is not None:
                    judged.append(_Judged(placed, self._free_address, of_name=False))
            if judged:
                self._refuse_early(judged)

    def _refuse_early(self, judged: list[_Judged]) -> None:
        now = self._now()
        wait = max([self._wait(one, now) for one in judged])
        if wait > 0:
            raise TooOften(f"too many wrong passwords: try again in {math.ceil(wait)} s", seconds=wait)

    def _wait(self, one: _Judged, now: float) -> float:
        record = one.record
        if now - record.last >= self._forget:
            record.wrong, record.until = 0, 0.0
        # past the free ones, check one at a time: otherwise a whole burst would be let through before its first
        # failure is counted. Not by address, from which many users may rightly log in at once
        tried = record.wrong + (record.trying if one.of_name else 0)
        busy = 1.0 if tried >= one.free and record.trying else 0.0
        return max(record.until - now, busy)

    def ended(self, attempt: Attempt, *, right: bool | None) -> None:
        """Count the outcome of a checked password; None for `right` counts neither way."""
        with self._lock:
            for one in attempt.judged:
                one.record.trying -= 1
            if right:
                self._pairs.pop(attempt.pair, None)
                self._prove(attempt.pair)
            elif right is False:
                self._failed(attempt.judged)

    def _failed(self, judged: list[_Judged]) -> None:
        now = self._now()
        for one in judged:
            record = one.record
            record.wrong += 1
            record.last = now
            over = record.wrong - one.free
            if over > 0:
                record.until = now + min(self._longest, 2.0 ** min(over - 1, 60))

    def proven(self, name: str, address: str) -> None:
        """Remember that a name has proven its password from an address; earlier wrong ones still count.

        A polling client proves it all the time: clearing the count would free an attacker at the same
        address from every wait.
        """
        with self._lock:
            self._prove((name, address))

    def _prove(self, pair: tuple[str, str]) -> None:
        if not pair[1]:
            return  # unknown address: everybody else without one would count as proven too
        self._proven[pair] = None
        self._proven.move_to_end(pair)
        while len(self._proven) > _KEPT:
            self._proven.popitem(last=False)

    def forget(self, name: str) -> None:
        """Forget where a name has proven its password, after the password has changed."""
        with self._lock:
            for pair in [pair for pair in self._proven if pair[0] == name]:
                del self._proven[pair]

    def __repr__(self) -> str:
        return f"<Backoff: {len(self._names)} names, {len(self._addresses)} addresses>"


class Attempt:
    """A password being checked; call `end` exactly once, or the name stays busy."""

    def __init__(self, backoff: Backoff, pair: tuple[str, str], judged: list[_Judged]) -> None:
        self._backoff = backoff
        self.pair: Final = pair
        self.judged: Final = judged

    def end(self, *, right: bool | None) -> None:
        """Report whether the password was right; None if it could not be checked."""
        self._backoff.ended(self, right=right)


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


@contextmanager
def naming(host: str) -> Iterator[None]:
    """Add the host's name to the `socket.gaierror` raised if it cannot be found."""
    try:
        yield
    except UnicodeError:  # a label of more than 63 characters
        raise socket.gaierror(socket.EAI_NONAME, "is not a host name", host) from None
    except socket.gaierror as error:
        error.filename = host
        raise


def read_url(url: str, shown: str = "") -> SplitResult:
    """Return the parts of a server's URL; raises `BadSpec`, with `shown` in place of a URL that may hold a secret."""
    shown = shown or f"{url[:80]!r}"
    try:
        parts = urlsplit(url)
    except ValueError as error:  # an unclosed bracket, say
        raise BadSpec(f"{shown} is not a URL: {error}") from None
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise BadSpec(f"{shown} is not an http or https URL, such as http://127.0.0.1:8080")
    try:
        port = parts.port
    except ValueError:
        port = 0
    if port == 0:  # nobody can be reached there
        raise BadSpec(f"{shown}: the port must be 1 to 65535")
    return parts


def find_host(url: str) -> None:
    """Look up the host of a URL, unless the environment's proxy will; raises `socket.gaierror`, naming the host."""
    parts = urlsplit(url)
    host, proxies = parts.hostname, getproxies()
    if host is None or ((parts.scheme in proxies or "all" in proxies) and not proxy_bypass(host)):
        return
    with naming(host):
        socket.getaddrinfo(host, None)


class Quota:
    """A leaky bucket per key: `most` uses, in a burst or spread out, refilled evenly over an hour, or a `minute`.

    Not thread-safe: all calls must come from one thread.
    """

    def __init__(
        self, what: str, most: int, *, now: Callable[[], float] = time.monotonic, minute: bool = False
    ) -> None:
        self._what = what
        self._most = most
        self._seconds, self._each = (_MINUTE, "a minute") if minute else (_HOUR, "an hour")
        self._now = now
        self._used: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def take(self, key: str) -> None:
        """Use one; raise `TooOften`, with the seconds until the next, if none is left."""
        now = self._now()
        used, at = self._used.get(key, (0.0, now))
        used = max(0.0, used - (now - at) * self._most / self._seconds)
        if used > self._most - 1:
            wait = (used - self._most + 1) * self._seconds / self._most
            raise TooOften(
                f"{self._most} {self._what} {self._each}: try again in {math.ceil(wait)} s", seconds=wait
            )
        self._used[key] = (used + 1, now)
        self._used.move_to_end(key)
        while len(self._used) > _KEPT:
            self._used.popitem(last=False)

    def __repr__(self) -> str:
        return f"<Quota: {self._most} {self._what} {self._each}>"
