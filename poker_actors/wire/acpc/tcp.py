"""A dealer on TCP: one port per seat, one thread, and no wait beyond the limits."""

from __future__ import annotations

import socket
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Final

from poker_actors.closing import Closing
from poker_actors.errors import BadSpec
from poker_actors.wire.acpc.dealer import Dealer
from poker_actors.wire.acpc.match import Outcome
from poker_actors.wire.framing import CHUNK

__all__ = ["DealerServer"]


class DealerServer(Closing):
    """Plays the match of `dealer` with the clients that connect.

    It listens at once, on `ports`, one for each seat in order; 0 picks a free one. A
    context manager. Raises `OSError` for a port that is not available.
    """

    def __init__(
        self,
        dealer: Dealer,
        host: str = "127.0.0.1",
        ports: Sequence[int] = (),
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        size = len(dealer.seats)
        chosen = tuple(ports) or (0,) * size
        if len(chosen) != size:
            raise BadSpec(f"{len(chosen)} ports for {size} seats: give one for each, 0 for a free one")
        self.dealer: Final = dealer
        self._clock = clock
        self._listening: list[socket.socket] = []
        self._seats: list[socket.socket | None] = [None] * size
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        try:
            for port in chosen:
                self._listening.append(socket.create_server((host, port), family=family, backlog=8))
        except BaseException:
            self.close()
            raise

    @property
    def addresses(self) -> list[tuple[str, int]]:
        """Host and port of each seat."""
        return [opened.getsockname()[:2] for opened in self._listening]

    def play(self) -> Outcome:
        """Wait for all players, play all hands, and close."""
        dealer = self.dealer
        began = self._clock()
        dealer.start(began)
        try:
            self._accept(began)
            while not dealer.over:
                self._flush()
                self._wait()
            self._flush()
        finally:
            self.close()
        return dealer.outcome

    def _accept(self, began: float) -> None:
        limit = self.dealer.plan.limits.start
        for seat, listening in enumerate(self._listening):
            if self.dealer.over:
                return
            left = None if limit is None else max(began + limit - self._clock(), 0.001)  # 0 is non-blocking
            listening.settimeout(left)
            try:
                opened, _ = listening.accept()
            except TimeoutError:
                self.dealer.lose(seat, f"nobody has connected in {limit:g} seconds", self._clock())
                continue
            # with Nagle's algorithm each small message would wait for an acknowledgement
            opened.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            self._seats[seat] = opened
            listening.close()

    def _flush(self) -> None:
        """Send what is pending; a seat that does not read in time is lost."""
        while out := self.dealer.outgoing():
            for seat, data in out:
                opened = self._seats[seat]
                if opened is None:
                    continue
                try:
                    opened.settimeout(self.dealer.plan.limits.response)
                    opened.sendall(data)
                except OSError:
                    self._drop(seat)
                    self.dealer.lose(seat, "it takes no messages any more", self._clock())

    def _wait(self) -> None:
        """Read from the seat that is waited for, until its deadline."""
        seat = self.dealer.waiting
        if seat is None:
            return
        opened = self._seats[seat]
        deadline = self.dealer.deadline
        left = None if deadline is None else deadline - self._clock()
        if left is not None and left <= 0:
            self.dealer.expire(self._clock())
            return
        data = b""
        if opened is not None:
            try:
                opened.settimeout(left)
                data = opened.recv(CHUNK)
            except TimeoutError:
                self.dealer.expire(self._clock())
                return
            except OSError:
                data = b""
        if not data:
            self._drop(seat)
        self.dealer.receive(seat, data, self._clock())

    def _drop(self, seat: int) -> None:
        opened, self._seats[seat] = self._seats[seat], None
        if opened is not None:
            opened.close()

    def close(self) -> None:
        """Hang up and stop listening; does nothing when already closed."""
        for seat in range(len(self._seats)):
            opened = self._seats[seat]
            if opened is not None:
                with suppress(OSError):
                    opened.shutdown(socket.SHUT_WR)
            self._drop(seat)
        for listening in self._listening:
            listening.close()
