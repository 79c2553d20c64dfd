"""A room's player actor, with any bot, as a guest at an HSPE server."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from typing import Any, Final

import attrs

from poker_actors.actors import Player
from poker_actors.cards import Card
from poker_actors.errors import BadSpec
from poker_actors.history import parse
from poker_actors.rules import Bet, Call, Fold, PublicState, RaiseTo, Stakes
from poker_actors.wire.guest import PlayerGuest
from poker_actors.wire.hspe.client import Client
from poker_actors.wire.hspe.picture import (
    STAKES,
    arranged,
    board_of,
    checked,
    end_of,
    end_told,
    hole_of,
    is_next,
    is_over,
    public_of,
    start_of,
)
from poker_actors.wire.hspe.routes import ServerRefusal

_POLL_SECONDS: Final = 0.05
"""The original's README asks clients for at most one request per 50 ms."""
_LOST_SECONDS: Final = 60.0
"""How long a server may be away, as during a restart."""
_END_POLLS: Final = 20
"""Polls after a hand for which its end is asked for: a server of ours has it when the chips are paid."""
_AWAY: Final = 503
_NOT_NOW: Final = (403, 409, 429)
"""Refusals that later turns need not meet: another's turn, a hand that is over, too many requests."""


@attrs.define
class _Heard:
    """A hand that a hearing player was told the start of."""

    players: tuple[str, ...]
    """ids, by seat"""
    names: tuple[str, ...]
    first: PublicState
    """when it was first seen"""
    seat: int
    hole: tuple[Card, ...]
    table: list[dict[str, Any]]
    """as it was first seen"""
    board: tuple[Card, ...] = ()
    """as far as it was seen"""
    stacks: tuple[int, ...] | None = None
    """at the start; None if it was first seen too late to know"""
    hand_id: str = ""
    """its id at a server of ours, which has told who plays, and will tell how it ended; empty at others"""
    waited: int = 0
    """polls since it was over"""
    over: bool = False
    """whether its end was told, or nobody will say how it was"""


class Guest(PlayerGuest):
    """Plays for `player` at a game of `client`'s server, polling it every `poll` seconds.

    The room of `player` must be on a `StepRuntime`; the guest steps it until the player has decided. A request without
    an answer is not repeated: the next poll shows whether it is still this player's turn. A player whose bot hears is
    told of starts and ends: in full by a server of ours, from pictures by others; see docs/bots.md.
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
        self._hand: _Heard | None = None
        self._begun = 0
        """hands that a hearing player was told the start of"""
        self._ours = True
        """whether the server has routes beyond HSPE's, as far as known"""

    def play(self, hands: int | None = None) -> None:
        """Play until removed, or for `hands` hands in which it had a turn; then leave.

        Raises `OSError` once the server has not answered for a minute, and `ServerRefusal` once it has
        answered 503 for as long, or at once for a status that waiting does not change.
        """
        heard = self._clock()
        while True:
            try:
                if not self._follow(checked(self.client.game(self.game_id)), hands):
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
        enough = hands is not None and self.hands >= hands
        if self.player.hears:
            self._hear(game, goes_on=not enough)
        hole = hole_of(game)
        new = hole != self._shown[0] or len(board_of(game)) < self._shown[1]
        if enough and (new or not game["pots"]) and (self._hand is None or self._hand.over):
            self.client.leave(self.game_id)
            return False
        if game["turn"]["playerID"] == self.client.player_id and hole:
            if new:
                if not self.player.hears:
                    self.begin(self.game_id, self.hands)
                self.hands += 1
            self._shown = (hole, len(board_of(game)))
            self._act(game)
        return True

    def _stakes_here(self) -> Stakes:
        """Ask a server of ours for the stakes, once; others lack that route and play HSPE's own stakes."""
        if self._stakes is None:
            try:
                told = self.client.table(self.game_id)["stakes"]
                self._stakes = Stakes(told["small_blind"], told["big_blind"])
            except (ServerRefusal, BadSpec, KeyError, TypeError):
                self._stakes = STAKES
        return self._stakes

    # -- hearing -----------------------------------------------------------------------------------

    def _hear(self, game: dict[str, Any], *, goes_on: bool) -> None:
        """Tell the player that a hand is over, or that one has begun, when a picture shows it."""
        heard, hole, board = self._hand, hole_of(game), board_of(game)
        playing, new = bool(game["turn"]["playerID"]), True
        if heard is not None and not heard.over:
            new = bool(hole and hole != heard.hole) or (playing and len(board) < len(heard.board))
            if not new and hole:
                heard.board = board
            if new or is_over(game):
                self._ends(heard, game, new=new)
        if goes_on and new and hole and playing:
            self._hand = self._began(game, hole)
            self.begin(self.game_id, self._begun)
            self._begun += 1
            self.tell(self._hand.first, self._hand.seat, hole, self._hand.names)

    def _ends(self, heard: _Heard, game: dict[str, Any], *, new: bool) -> None:
        """Tell the player how a hand has ended; with a `new` hand in the picture, or after some polls, it is told now or never."""
        heard.waited += 1
        last = new or heard.waited > _END_POLLS
        public = self._end_told(heard)
        known = heard.stacks is not None and (not new or is_next(heard.table, game))
        if public is None and known and (last or not heard.hand_id):
            public = end_of(heard.first, heard.board, arranged(game, heard.players))
        heard.over = last or public is not None
        if public is not None:
            self.tell(public, heard.seat, heard.hole, heard.names)

    def _began(self, game: dict[str, Any], hole: tuple[Card, ...]) -> _Heard:
        """Return a hand as it is first seen; seats are from the left of the button if the server says who was dealt in."""
        stakes = self._stakes_here()
        players = [player["playerID"] for player in game["table"]]
        names = {player["playerID"]: player.get("handle") or player["playerID"] for player in game["table"]}
        hand_id, stacks, start = "", None, self._start_told()
        if not board_of(game):
            stacks = tuple([player["wealth"] + player["bet_so_far"] for player in game["table"]])
        if start is not None and set(start["hole"]) == set(map(str, hole)):
            ids = {name: player for player, name in names.items()}
            size = len(start["names"])
            around = [(start["button"] + 1 + step) % size for step in range(size)]
            dealt = [seat for seat in around if start["starting_stacks"][seat]]
            if all(start["names"][seat] in ids for seat in dealt):
                hand_id, players = start["hand_id"], [ids[start["names"][seat]] for seat in dealt]
                stacks = tuple([start["starting_stacks"][seat] for seat in dealt])
        return _Heard(
            players=tuple(players),
            names=tuple([names[one] for one in players]),
            first=public_of(arranged(game, players), stakes, stacks),
            seat=players.index(self.client.player_id),
            hole=hole,
            table=game["table"],
            board=board_of(game),
            stacks=stacks,
            hand_id=hand_id,
        )

    def _start_told(self) -> dict[str, Any] | None:
        """Ask a server of ours how the hand began."""
        if not self._ours:
            return None
        try:
            return start_of(self.client.heard(self.game_id))
        except ServerRefusal:
            self._ours = False
            return None

    def _end_told(self, heard: _Heard) -> PublicState | None:
        """Ask a server of ours for the history of a hand; None if it has none, or not yet."""
        if not heard.hand_id:
            return None
        try:
            line = json.dumps(self.client.hand(self.game_id, heard.hand_id))
        except ServerRefusal:
            return None
        return end_told(parse(line, "jsonl")[0], heard.hole, heard.seat)

    def _act(self, game: dict[str, Any]) -> None:
        heard = self._hand
        if heard is None:
            public = public_of(game, self._stakes_here())
        else:
            public = public_of(arranged(game, heard.players), self._stakes_here(), heard.stacks)
        seat = public.seats_to_act[0]
        match self.answer_of(public, seat, hole_of(game), () if heard is None else heard.names):
            case Fold() | None:
                self.client.fold(self.game_id)
            case Call():
                self.client.bet(self.game_id, public.to_call(seat))
            case Bet(total) | RaiseTo(total):
                self.client.bet(self.game_id, total - public.chips_in_front[seat])
            case _:
                self.client.bet(self.game_id, 0)
