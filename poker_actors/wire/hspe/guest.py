"""A room's player actor, with any bot, as a guest at an HSPE server."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any, Final

from poker_actors.actors import Player
from poker_actors.errors import BadSpec
from poker_actors.rules import Action, Bet, Call, Fold, RaiseTo, Stakes
from poker_actors.wire.guest import PlayerGuest
from poker_actors.wire.hspe.calls import ServerRefusal
from poker_actors.wire.hspe.client import Client
from poker_actors.wire.hspe.picture import STAKES, board_of, hole_of, public_of

__all__ = ["Guest"]

_POLL_SECONDS: Final = 0.05
"""The original's README asks clients for at most one request per 50 ms."""
_LOST_SECONDS: Final = 60.0
"""How long a server may be away, as during a restart."""
_AWAY: Final = 503
_NOT_NOW: Final = (403, 409, 429)
"""Refusals that later turns need not meet: another's turn, a hand that is over, too many requests."""


class Guest(PlayerGuest):
    """Plays for `player` at a game of `client`'s server, polling it every `poll` seconds.

    The room of `player` must be on a `StepRuntime`; the guest steps it until the player has decided. A request
    without an answer is not repeated: the next poll shows whether it is still this player's turn.
    """

    def __init__(
        self,
        player: Player,
        client: Client,
        game_id: str,
        *,
        poll: float = _POLL_SECONDS,
        sleep: Callable[[float], None] = time.sleep,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        super().__init__(player)
        self.client: Final = client
        self.game_id: Final = game_id
        self.wealth = 0
        """chips at the last poll"""
        self._poll = poll
        self._sleep = sleep
        self._clock = clock
        self._shown: tuple[object, int] = ((), 0)
        self._seated = False
        self._stakes: Stakes | None = None
        self._decided: list[Action] = []

    def play(self, hands: int | None = None) -> None:
        """Play until removed, or for `hands` hands in which it had a turn; then leave.

        Raises `OSError` once the server has not answered for a minute, and `ServerRefusal` once it has
        answered 503 for as long, or at once for a status that waiting does not change.
        """
        heard = self._clock()
        while True:
            try:
                if not self._follow(self.client.game(self.game_id), hands):
                    return
                heard = self._clock()
            except (ServerRefusal, OSError) as error:
                status = error.status if isinstance(error, ServerRefusal) else _AWAY
                if status in _NOT_NOW:
                    heard = self._clock()
                elif status != _AWAY or self._clock() - heard > _LOST_SECONDS:
                    raise
            self._sleep(self._poll)

    def _follow(self, game: dict[str, Any], hands: int | None) -> bool:
        """Act if it is the player's turn; return whether to stay in the game."""
        me = next((one for one in game["table"] if one["playerID"] == self.client.player_id), None)
        if me is None:
            return not self._seated  # not seated yet, it waits in the queue; afterwards it was removed
        self._seated = True
        self.wealth = me["wealth"]
        hole = hole_of(game)
        new = hole != self._shown[0] or len(board_of(game)) < self._shown[1]
        if hands is not None and self.hands >= hands and (new or not game["pots"]):
            self.client.leave(self.game_id)
            return False
        if game["turn"]["playerID"] == self.client.player_id and hole:
            if new:
                self.begin(self.game_id, self.hands)
                self.hands += 1
            self._shown = (hole, len(board_of(game)))
            self._act(game)
        return True

    def _stakes_here(self) -> Stakes:
        """Ask a server of ours for the stakes; others have no such route, and HSPE's own stakes."""
        try:
            told = self.client.table(self.game_id)["stakes"]
            return Stakes(told["small_blind"], told["big_blind"])
        except (ServerRefusal, BadSpec, KeyError, TypeError):
            return STAKES

    def acted(self, action: Action) -> None:
        """Keep the action for the request."""
        self._decided.append(action)

    def _act(self, game: dict[str, Any]) -> None:
        if self._stakes is None:
            self._stakes = self._stakes_here()
        public = public_of(game, self._stakes)
        seat = public.seats_to_act[0]
        self._decided.clear()
        self.ask(public, seat, hole_of(game))
        match self._decided[-1] if self._decided else Fold():
            case Fold():
                self.client.fold(self.game_id)
            case Call():
                self.client.bet(self.game_id, public.to_call(seat))
            case Bet(total) | RaiseTo(total):
                self.client.bet(self.game_id, total - public.chips_in_front[seat])
            case _:
                self.client.bet(self.game_id, 0)
