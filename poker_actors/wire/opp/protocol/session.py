"""The order of messages: the phases of a session as a table, and the checks of a hand's messages."""

from __future__ import annotations

import enum
from functools import lru_cache
from typing import Any, Final

from poker_actors.cards import parse_cards
from poker_actors.errors import BadInput
from poker_actors.wire.opp.protocol.codec import Message
from poker_actors.wire.opp.protocol.opcodes import MESSAGES, Op, Side

__all__ = ["MOST_PLAYERS", "SESSION", "HandOrder", "Phase"]

MOST_PLAYERS: Final = 23
"""The most that one deck allows: two cards each and five on the board are 51 cards."""


class Phase(enum.Enum):
    """How far a session has come: one state for both sides, moved on by either side's messages."""

    OPEN = "open"
    """connected, not logged in"""
    JOINING = "joining"
    """JOIN_GAME is waiting for its answer"""
    JOINED = "joined"
    """logged in; messages of a hand begun earlier are not for this client"""
    PLAYING = "playing"
    """a game has been announced"""
    LEAVING = "leaving"
    """the client has quit and still receives what was on its way"""
    OVER = "over"


def _staying(phase: Phase) -> dict[Op, Phase]:
    """Return the moves while logged in: anything but the log-in's own messages."""
    before = {Op.JOIN_GAME, Op.GOODPASS, Op.BADPASS, Op.ILLNICK, Op.BADNICK}
    moves = {op: phase for op in MESSAGES if op not in before}
    return moves | {Op.START_NEW_GAME: Phase.PLAYING, Op.QUIT_GAME: Phase.LEAVING, Op.GOODBYE: Phase.OVER}


SESSION: Final[dict[Phase, dict[Op, Phase]]] = {
    Phase.OPEN: {Op.JOIN_GAME: Phase.JOINING},
    Phase.JOINING: {
        Op.GOODPASS: Phase.JOINED,
        Op.BADPASS: Phase.OVER,
        Op.ILLNICK: Phase.OVER,
        Op.BADNICK: Phase.OVER,
    },
    Phase.JOINED: _staying(Phase.JOINED),
    Phase.PLAYING: _staying(Phase.PLAYING),
    Phase.LEAVING: {
        op: Phase.OVER if op is Op.GOODBYE else Phase.LEAVING
        for op, layout in MESSAGES.items()
        if layout.side is not Side.CLIENT
    },
    Phase.OVER: {},
}
"""Phase -> message -> the phase after it; a message that is not listed is out of order."""

_WITH_WHO: Final = frozenset(
    {Op.FOLD, Op.CALL, Op.RAISE, Op.BLIND, Op.HOLE_CARDS, Op.NEXT_TO_ACT}  # `who` is their first field
)
_CHECKED: Final = _WITH_WHO | {Op.START_NEW_GAME, Op.NEW_STAGE, Op.WINNERS}
_LONGEST: Final = 20
"""Characters of a text of cards that are parsed: five cards take 14, so a sixth still shows, and the rest of a
long text costs no time or cache."""
_BOARD_CARDS: Final = (0, 3, 4, 5)


class HandOrder:
    """Follows a hand's messages and refuses those that cannot come next."""

    __slots__ = ("_players", "_round")

    def __init__(self) -> None:
        self._players = 0
        self._round = -1

    def refusal(self, message: Message) -> str | None:
        """Return why a message of a hand is not valid here; None when it is."""
        op = message.op
        if op not in _CHECKED:
            return None
        values = message.values
        if op in _WITH_WHO:
            if not 0 <= values[0] < self._players:
                return self._seat(values[0])
            if op is not Op.HOLE_CARDS and values[1] < 0:
                return f"{values[1]} chips: the least is 0"
            return _cards("hole cards", values[1][:_LONGEST], 2) if op is Op.HOLE_CARDS else None
        if op is Op.START_NEW_GAME:
            return self._start(values)
        if op is Op.NEW_STAGE:
            return self._stage(*values)
        return next((text for who, share in values[1] if (text := self._share(who, share))), None)

    def _seat(self, who: int) -> str | None:
        if 0 <= who < self._players:
            return None
        return f"who is {who}: the players are 0 to {self._players - 1}"

    def _share(self, who: int, share: int) -> str | None:
        return f"share is {share}: the least is 0" if share < 0 else self._seat(who)

    def _start(self, values: tuple[Any, ...]) -> str | None:
        bet_size, players, button, position, _, rows = values
        if bet_size < 1:
            return f"bet_size is {bet_size}: a bet is 1 or more"
        if len({name for name, _, _ in rows}) < players:
            return "two players have one name"
        if not 2 <= players <= MOST_PLAYERS:
            return f"num_players is {players}: a hand has 2 to {MOST_PLAYERS}"
        if not 0 <= button < players:
            return f"button is {button}: the players are 0 to {players - 1}"
        if not -1 <= position < players:
            return f"position is {position}: the players are 0 to {players - 1}, -1 is none of them"
        self._players = players
        self._round = -1
        return None

    def _stage(self, number: int, board: str) -> str | None:
        if not 0 <= number < len(_BOARD_CARDS):
            return f"round is {number}: rounds are 0 to 3"
        if number <= self._round:
            return f"round is {number} after round {self._round}"
        text = _cards("board", board[:_LONGEST], _BOARD_CARDS[number])
        if text is None:
            self._round = number
        return text


@lru_cache(4096)  # clients of one table hear the same boards, and there are only 1,326 hole cards
def _cards(what: str, text: str, count: int) -> str | None:
    try:
        found = len(parse_cards(text))
    except BadInput as error:
        return f"{what}: {error}"
    return None if found == count else f"{what} {text!r}: {found} cards, not {count}"
