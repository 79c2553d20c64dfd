"""The past of a table with a delay, as users who do not sit see it some seconds later."""

from __future__ import annotations

import zlib
from collections.abc import Callable
from functools import partial
from typing import Final

import attrs

from poker_actors.server.contract import answers, tables
from poker_actors.server.hspe import Game, Lobby

_LEAST_SECONDS: Final = 0.5
_MOST_MOMENTS: Final = 240
"""Moments of a table that wait to be seen: with bots that play without a pause, its past would fill the memory."""


@attrs.frozen(kw_only=True)
class Moment:
    """A table at one moment, as a spectator sees it; views as JSON, compressed."""

    version: int
    table: bytes
    game: bytes
    """empty for a game that HSPE cannot describe"""
    players: list[tables.Player]
    listing: answers.Listing
    free: int
    """seats"""

    @staticmethod
    def packed(view: bytes) -> bytes:
        """Return a view compressed for a moment."""
        return zlib.compress(view, 1)


@attrs.define(eq=False)
class _Past:
    """One table: the moment on show, and when the newest one was taken."""

    seen: Moment
    taken: float
    waits: bool = False
    """whether the next moment will be taken"""


class Pasts:
    """The pasts of a lobby's tables with a delay.

    A moment is taken soon after a change and seen once the delay is over: a spectator's request can find nothing later.
    Moments are in memory only: after a restart a table first appears empty.
    """

    def __init__(self, lobby: Lobby, make: Callable[[Game], Moment]) -> None:
        self._lobby = lobby
        self._make = make
        self._tables: dict[str, _Past] = {}
        lobby.on_behind = self._changed
        lobby.on_dropped.append(self._forget)
        for game in lobby.games.values():  # after a restart: what is there already is seen late, too
            if game.setting.watch_delay:
                self._of(game)

    def _forget(self, game: Game) -> None:
        self._tables.pop(game.id, None)

    def seen(self, game: Game, user_id: str | None) -> Moment | None:
        """Return the moment that a user sees, or a stranger for None; None if that is the present."""
        if not game.setting.watch_delay or game.sees_now(user_id):  # most tables have none: each view asks
            return None
        return self._of(game).seen

    def _of(self, game: Game) -> _Past:
        past = self._tables.get(game.id)
        if past is None:
            past = _Past(self._make(self._lobby.blank(game)), float("-inf"))
            if self._is_open(game):  # that of a closed one, still watched, nobody would forget again
                self._tables[game.id] = past
                self._changed(game)
        return past

    def _is_open(self, game: Game) -> bool:
        return self._lobby.games.get(game.id) is game

    def _changed(self, game: Game) -> None:
        past = self._of(game)
        if past.waits or not self._is_open(game):
            return
        past.waits = True
        rest = max(_LEAST_SECONDS, game.setting.watch_delay / _MOST_MOMENTS)
        # never at once: the game is in the middle of the change
        self._lobby.clock.later(
            max(0.0, past.taken + rest - self._lobby.now()), partial(self._take, game, past)
        )

    def _take(self, game: Game, past: _Past) -> None:
        past.waits, past.taken = False, self._lobby.now()
        moment = self._make(game)
        self._lobby.clock.later(game.setting.watch_delay, partial(self._show, game, past, moment))

    def _show(self, game: Game, past: _Past, moment: Moment) -> None:
        past.seen = moment
        if self._tables.get(game.id) is past:
            self._lobby.seen(game)

    def __repr__(self) -> str:
        return f"<Pasts: of {len(self._tables)} tables>"
