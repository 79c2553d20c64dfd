"""A dealer on TCP: one port per seat, one thread, and no wait beyond the limits."""

from __future__ import annotations

import selectors
import socket
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Final

import attrs

from poker_actors.closing import Closing
from poker_actors.errors import BadSpec
from poker_actors.guard import Allowance, Guard, address_key, naming
from poker_actors.wire.acpc.dealer import Dealer
from poker_actors.wire.acpc.match import Outcome
from poker_actors.wire.framing import CHUNK

MOST_UNSENT: Final = 1024 * 1024
"""Bytes that wait for a seat that does not read. A hand sends a seat some kilobytes, and then waits for its answer."""


@attrs.define
class _Link:
    socket: socket.socket
    address: str
    allowance: Allowance
    """of lines that answer nothing; an answer is paced by the dealer"""
    unsent: bytearray = attrs.field(factory=bytearray)
    resume: float = 0.0
    """when to read from it again"""

    def takes(self) -> bool:
        """Send as many unsent bytes as the client takes; return False if the connection is to be given up."""
        try:
            del self.unsent[: self.socket.send(self.unsent) if self.unsent else 0]
        except BlockingIOError:
            pass
        except OSError:
            return False
        return len(self.unsent) <= MOST_UNSENT


class DealerServer(Closing):
    """Plays the match of `dealer` with the clients that connect.

    It listens at once, on `ports`, one for each seat in order; 0 picks a free one. Connections and messages beyond the
    limits of `guard` are refused, or wait; other servers of the process may share it; by default the server makes its
    own. Nobody waits for a player that does not read. A context manager. Raises `OSError` for a port that is not
    available.
    """

    def __init__(
        self,
        dealer: Dealer,
        host: str = "127.0.0.1",
        ports: Sequence[int] = (),
        clock: Callable[[], float] = time.monotonic,
        guard: Guard | None = None,
    ) -> None:
        size = len(dealer.seats)
        chosen = tuple(ports) or (0,) * size
        if len(chosen) != size:
            raise BadSpec(f"{len(chosen)} ports for {size} seats: give one for each, 0 for a free one")
        self.dealer: Final = dealer
        self._clock = clock
        self._guard = guard or Guard()
        self._doors: dict[int, socket.socket] = {}
        """by seat, until somebody has come"""
        self._links: dict[int, _Link] = {}
        with naming(host):
            socket.getaddrinfo(host or None, 0)  # what the next call says of it is no such error
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        try:
            for seat, port in enumerate(chosen):
                self._doors[seat] = socket.create_server((host, port), family=family, backlog=8)
                self._doors[seat].setblocking(False)
        except BaseException:
            self.close()
            raise
        self.addresses: Final[list[tuple[str, int]]] = [
            door.getsockname()[:2] for door in self._doors.values()
        ]
        """Host and port of each seat."""

    def play(self) -> Outcome:
        """Wait for all players, play all hands, and close."""
        dealer = self.dealer
        dealer.start(self._clock())
        try:
            while not dealer.over:
                if not self._send():
                    self._wait()
            self._part()
        finally:
            self.close()
        return dealer.outcome

    def _wait(self) -> None:
        """Wait for a connection, for bytes of the seat that is waited for, or until its deadline."""
        seat, deadline, now = self.dealer.waiting, self.dealer.deadline, self._clock()
        assert seat is not None
        link = self._links.get(seat)
        if deadline is not None and now >= deadline:
            if seat in self._doors:
                self._doors.pop(seat).close()
                limit = self.dealer.plan.limits.start
                self.dealer.lose(seat, f"nobody has connected in {limit:g} seconds", now)
            else:
                self.dealer.expire(now)
            return
        times = [] if deadline is None else [deadline]
        resume = 0.0 if link is None else link.resume
        reading = now >= resume
        if not reading:
            times.append(resume)
        for ready in self._ready(seat if reading else None, min(times) - now if times else None):
            if ready in self._doors:
                self._admit(ready)
            else:
                self._read(ready)

    def _ready(self, reading: int | None, seconds: float | None) -> list[int]:
        """Wait until a client can connect, be read from (only the seat `reading`), or take unsent bytes.

        Return the seats that can be read from.
        """
        with selectors.DefaultSelector() as selector:
            for seat, door in self._doors.items():
                selector.register(door, selectors.EVENT_READ, seat)
            for seat, link in self._links.items():
                if seat == reading or link.unsent:
                    events = selectors.EVENT_READ * (seat == reading) | selectors.EVENT_WRITE * bool(
                        link.unsent
                    )
                    selector.register(link.socket, events, seat)
            return [key.data for key, events in selector.select(seconds) if events & selectors.EVENT_READ]

    def _admit(self, seat: int) -> None:
        """Give a seat to the first client that connects and that the guard admits."""
        try:
            opened, (host, *_) = self._doors[seat].accept()
        except OSError:  # who knocked has gone
            return
        address = address_key(host)
        if self._guard.crowd.enter(address) is not None:
            opened.close()
            return
        opened.setblocking(False)
        # with Nagle's algorithm each small message would wait for an acknowledgement
        opened.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._links[seat] = _Link(opened, address, self._guard.allowance(self._clock))
        self._doors.pop(seat).close()

    def _send(self) -> bool:
        """Send as many pending bytes as clients take; return whether a seat was lost, which changes what is pending."""
        for seat, data in self.dealer.outgoing():
            if seat in self._links:
                self._links[seat].unsent += data
        for seat, link in self._links.items():
            if not link.takes():
                self._drop(seat)
                self.dealer.lose(seat, "it no longer takes messages", self._clock())
                return True
        return False

    def _read(self, seat: int) -> None:
        link = self._links[seat]
        try:
            data = link.socket.recv(CHUNK)
        except BlockingIOError:
            return
        except OSError:
            data = b""
        if not data:
            self._drop(seat)
        record, now = self.dealer.seats[seat], self._clock()
        before = record.ignored
        self.dealer.receive(seat, data, now)
        for _ in range(record.ignored - before):
            link.resume = now + link.allowance.take()

    def _part(self) -> None:
        """Give slow readers as much time to take the last messages as they have for an answer."""
        until = self._clock() + self.dealer.plan.limits.response
        while True:
            self._send()
            left = until - self._clock()
            if left <= 0 or not any(link.unsent for link in self._links.values()):
                return
            self._ready(None, left)

    def _drop(self, seat: int) -> None:
        link = self._links.pop(seat)
        link.socket.close()
        self._guard.crowd.leave(link.address)

    def close(self) -> None:
        """Hang up and stop listening; does nothing when already closed."""
        for seat, link in list(self._links.items()):
            with suppress(OSError):
                link.socket.shutdown(socket.SHUT_WR)
            self._drop(seat)
        for door in self._doors.values():
            door.close()
