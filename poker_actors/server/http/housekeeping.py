"""Housekeeping: remove empty games and users who never played, and limit the games a user makes per hour."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from typing import Any, Final

from poker_actors.errors import StorageFailed, TableRefusal
from poker_actors.guard import Quota
from poker_actors.server.hspe import SLOW_SECONDS, Game, Lobby, Setting
from poker_actors.server.http.limits import Limits
from poker_actors.server.users import User

_log: Final = logging.getLogger("poker_actors.server")

_AT_ONCE: Final = 20
"""Games closed and players removed at a time: some milliseconds of work, in which the loop does nothing else."""


class GuardedLobby(Lobby):
    """A lobby that limits the games each user makes, and cleans up after users who have gone."""

    def __init__(self, limits: Limits, *given: Any, **named: Any) -> None:
        self._limits: Final = limits
        self._made: Final = Quota("games made by one user", limits.games_per_hour)
        self._empty: Mapping[str, float] = {}
        """id of an empty game -> since when it has been empty"""
        super().__init__(*given, most_games=limits.games, **named)

    def make(
        self, user: User, setting: Setting | None = None, *, keeps_seat: bool = False
    ) -> tuple[Game, bool]:
        """Make a game that its maker joins; raises `TooOften`."""
        self._check_long(user, setting)
        self._made.take(user.id)
        self.users.use(user)
        return super().make(user, setting, keeps_seat=keeps_seat)

    def _check_long(self, user: User, setting: Setting | None) -> None:
        """Raise `TableRefusal`: `too_many_ledgers`, `too_many_slow`: such games stay long, and would take others' places."""
        made = [game for game in self.games.values() if game.setting.maker == user.id]
        ledgers = sum(game.setting.ledger for game in made)
        if setting is not None and setting.ledger and ledgers >= self._limits.ledgers:
            text = f"you have {ledgers} tables with a ledger, the most at a time"
            raise TableRefusal(text, code="too_many_ledgers")
        slow = sum(_asked_slow(game.setting) for game in made)
        if setting is not None and _asked_slow(setting) and slow >= self._limits.slow_games:
            text = (
                f"you have {slow} tables with turns of {SLOW_SECONDS:.0f} seconds or more, the most at a time"
            )
            raise TableRefusal(text, code="too_many_slow")

    def join(
        self, user: User, game_id: str, *, seat: int | None = None, keeps_seat: bool = False
    ) -> tuple[Game, bool]:
        """Join a game; return it, and whether there was a seat."""
        self.game(game_id)
        self.users.use(user)
        return super().join(user, game_id, seat=seat, keeps_seat=keeps_seat)

    def clear_up(self) -> bool:
        """Close games empty for long, forget users who never played, and remove players in no game.

        Return whether there is more to do soon: it does little at a time, since everybody waits meanwhile.
        """
        now = self.now()
        left = [game for game in self.games.values() if _empty(game)]
        self._empty = {game.id: self._empty.get(game.id, now) for game in left}
        try:
            old = [game for game in left if now - self._empty[game.id] >= self._seconds_kept(game)]
            for game in list(self.games.values()):
                self._send_away(game, now)
            for game in old[:_AT_ONCE]:
                self._close(game)
            self.users.forget_unused(now - self._limits.unused_hours * 3600)
            for forget in self.on_clear_up:
                forget()
            return self.dismiss_idle(_AT_ONCE) or len(old) > _AT_ONCE
        except StorageFailed as error:
            _log.warning("nothing is cleared up: %s", error)
            return False

    def _seconds_kept(self, game: Game) -> float:
        """Return for how long a game may be empty; bots of the house stay at none for as long as a ledger does."""
        if game.setting.ledger and not game.roster.house:
            return self._limits.ledger_hours * 3600
        return self._limits.empty_seconds

    def _send_away(self, game: Game, now: float) -> None:
        """Free the seats of players who have sat out too long: at a slow table, for longer than a turn takes."""
        most = max(self._limits.away_seconds, game.turn_seconds)
        for user_id, member in game.roster.playing.items():
            if member.away is not None and now - member.away >= most:
                game.leave(user_id)

    def _close(self, game: Game) -> None:
        for user_id in list(game.roster.house):
            game.leave(user_id)
        if game.setting.ledger and self.now() - self._empty[game.id] < self._limits.ledger_hours * 3600:
            return  # only its bots were to go
        if game.roster.members or game.table.state().hand_id is not None:
            return  # the house leaves after the hand; a later call closes the game
        self.drop(game)


def _empty(game: Game) -> bool:
    """Return whether a game has only house players, and nobody waiting."""
    return not game.roster.queue and all(one.house is not None for one in game.roster.members.values())


def _asked_slow(setting: Setting) -> bool:
    """Return whether a game's maker asked for slow turns; those of a server that is slow itself are its operator's."""
    return (setting.turn_seconds or 0.0) >= SLOW_SECONDS
