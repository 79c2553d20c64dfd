"""The arena's entrants at tables: each runs in its cage and is called on its own thread, so that nobody waits for it."""

from __future__ import annotations

import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from typing import Any, Final, Protocol

import attrs

from poker_actors.actors import HandState
from poker_actors.arena import Arena
from poker_actors.bots import BotSpec, Faults, HandStream, OutsideBot, decide
from poker_actors.errors import PokerError, TableRefusal, UnknownBot
from poker_actors.rules import Action, View
from poker_actors.server.hspe.house import HouseSeat

_DECISION_SECONDS: Final = 5.0
"""The longest that people wait for an entrant, whatever the arena allows it."""
_START_SECONDS: Final = 20.0
_TABLE_SECONDS: Final = 1e6
"""Seconds for all decisions of a process: an arena's clock is for a match, and a table has no end."""
_IDLE_SECONDS: Final = 120.0
"""Seconds without a turn after which an entrant's process is ended; the next turn starts another."""


@attrs.define(eq=False)
class _Running:
    """The process of one seat; everything except `used` is touched only by its thread."""

    version: str
    spec: BotSpec
    used: float
    thread: ThreadPoolExecutor = attrs.field(
        factory=lambda: ThreadPoolExecutor(1, thread_name_prefix="entrant")
    )
    asked: tuple[str, int] | None = None
    answer: Future[Action] | None = None
    _bot: OutsideBot | None = None

    def decide(self, view: View, faults: Faults, hand: int) -> Action:
        """Ask the entrant, and start it if it does not run."""
        if self._bot is None:
            made = self.spec.make()
            assert isinstance(made, OutsideBot)  # as every entrant of an arena is
            made.charge(faults)
            self._bot = made
        return decide(self._bot, view, faults, hand)

    def end(self) -> Future[None]:
        """End the entrant's process and the thread that started it: the processes of a cage end with that thread."""
        ended = self.thread.submit(self._end)
        self.thread.shutdown(wait=False)
        return ended

    def _end(self) -> None:
        if self._bot is not None:
            self._bot.close()


class Seating(Protocol):
    """The limits of entrants at tables."""

    @property
    def entrants_seated(self) -> int:
        """How many entrants may be seated at a time."""

    @property
    def entrants_seated_per_user(self) -> int:
        """How many entrants one user may seat."""


class SeatedEntrants:
    """Play for entrants at tables. All calls come from the room's thread; `close` waits for the processes to end."""

    def __init__(
        self,
        arena: Arena,
        board: Callable[[], dict[str, Any]],
        limits: Seating,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        self._arena, self._board = arena, board
        self._limits = limits
        self._now = now
        self._running: dict[str, _Running] = {}
        self._ending: list[tuple[ThreadPoolExecutor, Future[None]]] = []

    def check(self, name: str, game: str, seated: int, theirs: int) -> None:
        """Raise `UnknownBot`, and `TableRefusal`: `other_game`, `too_many_seated`, `too_many`."""
        plays = self._arena.settings.game
        if ":" in plays:
            text = "entrants play the organiser's own game, which no table here has"
            raise TableRefusal(text, code="other_game")
        if game != plays:
            raise TableRefusal(f"entrants play {plays}, but this table plays {game}", code="other_game")
        self.spec_of(name)
        if theirs >= self._limits.entrants_seated_per_user:
            text = f"you have seated {theirs} entrants at tables, the most for one user"
            raise TableRefusal(text, code="too_many_seated")
        if seated >= self._limits.entrants_seated:
            raise TableRefusal(f"{seated} entrants sit at tables, the most allowed", code="too_many")

    def version_of(self, name: str) -> str:
        """Return an entrant's version on the board; empty if there is none, or if it was withdrawn."""
        house = self._arena.settings.house
        rows = self._board().get("standings", ())
        row = next((one for one in rows if one["name"] == name and name not in house), None)
        if row is None or not (self._arena.folder / name).is_dir():  # withdrawn, but still on the board
            return ""
        return str(row["version"])

    def spec_of(self, name: str) -> BotSpec:
        """Return the bot of an entrant's version on the board, with a table's times; raises `UnknownBot`."""
        version = self.version_of(name)
        if not version:
            raise UnknownBot(f"no entrant on the board is called {name[:40]!r}")
        spec = self._arena.player(name, version)
        if "seconds" not in spec.values:
            raise UnknownBot(f"{name} is written for matches between two and cannot play at other tables")
        limits = self._arena.settings.limits
        times = {
            "seconds": min(limits.decision_seconds, _DECISION_SECONDS),
            "start_seconds": min(limits.start_seconds, _START_SECONDS),
            "match_seconds": _TABLE_SECONDS,
        }
        return attrs.evolve(spec, values={**spec.values, **times})

    def decide(self, seat: HouseSeat, state: HandState, stream: HandStream) -> Action | None:
        """Return an entrant's action for a turn, None while it thinks; a missing one checks or folds."""
        turn = (state.hand_id, state.seq)
        running = self._running.get(seat.user.id)
        if running is not None and running.asked is not None and running.asked[0] != state.hand_id:
            newest = self.version_of(seat.entrant)
            # it plays from this hand on: the old one's files are gone
            if newest not in ("", running.version):
                self._end(seat.user.id)
                running, seat.faults = None, Faults()
        if running is None:
            try:
                running = self._started(seat.entrant)
            except (PokerError, OSError):
                return state.legal.passive
            self._running[seat.user.id] = running
        running.used = self._now()
        if running.asked != turn:
            running.asked = turn
            view, hand = state.view(stream), state.change.number
            running.answer = running.thread.submit(running.decide, view, seat.faults, hand)
        answer = running.answer
        if answer is None or not answer.done():
            return None
        with suppress(Exception):  # its code ran elsewhere: what comes here is a machine that lacks something
            return answer.result(0)
        return state.legal.passive

    def _started(self, name: str) -> _Running:
        return _Running(self.version_of(name), self.spec_of(name), self._now())

    def clear_up(self) -> None:
        """End processes that have long been idle, including those of vacated seats."""
        now = self._now()
        for seat in [one for one, running in self._running.items() if now - running.used >= _IDLE_SECONDS]:
            self._end(seat)
        self._ending = [one for one in self._ending if not one[1].done()]

    def _end(self, seat: str) -> None:
        running = self._running.pop(seat)
        self._ending.append((running.thread, running.end()))

    def close(self) -> None:
        """End all processes and wait for them."""
        for seat in list(self._running):
            self._end(seat)
        for thread, _ in self._ending:
            thread.shutdown(wait=True)
        self._ending.clear()
