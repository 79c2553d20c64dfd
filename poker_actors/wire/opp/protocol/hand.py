"""The bookkeeper of a heard hand: adds up its messages, and knows which cannot come next."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Final

from poker_actors.cards import parse_cards
from poker_actors.errors import BadInput
from poker_actors.wire.opp.holdem_state import SHOWDOWN, HeardStep, HoldemState
from poker_actors.wire.opp.protocol.codec import Message
from poker_actors.wire.opp.protocol.opcodes import Op

MOST_PLAYERS: Final = 23
"""The most that one deck allows: two cards each and five on the board are 51 cards."""

# Until Python 3.12 a member of an Enum costs as much to look up as a call: messages are told apart by these.
_FOLD, _CALL, _RAISE, _BLIND = Op.FOLD, Op.CALL, Op.RAISE, Op.BLIND
_HOLE_CARDS, _NEXT_TO_ACT = Op.HOLE_CARDS, Op.NEXT_TO_ACT
_START_NEW_GAME, _NEW_STAGE, _WINNERS = Op.START_NEW_GAME, Op.NEW_STAGE, Op.WINNERS

_WITH_WHO: Final = frozenset({_FOLD, _CALL, _RAISE, _BLIND, _HOLE_CARDS, _NEXT_TO_ACT})  # their first field
_LONGEST: Final = 20
"""Characters of a text of cards: five take 14, so a sixth still shows, and a long text costs no time or cache."""
BOARD_CARDS: Final = (0, 3, 4, 5)
"""How many cards lie on the board in each stage."""


class Bookkeeper:
    """Books the hands of one session, one after the other, and refuses what cannot belong to them.

    `hear` is its only entry: a strict caller raises what it returns, a tolerant one counts it. A refused message books
    nothing, so no bytes can corrupt the books.
    """

    def __init__(self) -> None:
        self.hand: HoldemState | None = None
        """the hand announced last"""
        self.hands = 0
        """hands announced; one that is announced again before its end, as after a reconnection, counts once"""
        self._opened = -1
        """the number of the last NEW_STAGE"""

    def hear(self, message: Message) -> str | None:
        """Book a message and return None, or return why it cannot come now; messages outside a hand change nothing."""
        op, values, hand, refusal = message.op, message.values, self.hand, None
        if op in _WITH_WHO:
            if hand is None or not 0 <= values[0] < len(hand.players):
                return self._seat(values[0])
            if op is _HOLE_CARDS:
                refusal = _cards("hole cards", values[1], 2)
            elif values[1] < 0:
                return f"{values[1]} chips: the least is 0"
        elif op is _NEW_STAGE:
            refusal = self._stage(*values)
        elif op is _WINNERS:
            refusal = next((text for who, share in values[1] if (text := self._share(who, share))), None)
        elif op is _START_NEW_GAME:
            refusal = _start(values)
            if refusal is None:
                self._begin(values)
            return refusal
        if refusal is None and hand is not None:
            _book(hand, message)
        return refusal

    def _begin(self, values: tuple[Any, ...]) -> None:
        bet_size, _, button, position, game_id, rows = values
        last, self._opened = self.hand, -1
        players = [(name, bankroll) for name, bankroll, _ in rows]
        self.hand = HoldemState(players, rows[button][0], bet_size)
        self.hand.position, self.hand.game_id = position, game_id
        again = last is not None and last.street < SHOWDOWN and last.game_id == game_id
        self.hands += not again

    @property
    def position(self) -> int:
        """The listener's seat in the hand announced last; -1 when not dealt in."""
        return -1 if self.hand is None else self.hand.position

    @property
    def game_id(self) -> int:
        """The number of the hand announced last; 0 before the first."""
        return 0 if self.hand is None else self.hand.game_id

    # -- what cannot come next ---------------------------------------------------------------

    def _seat(self, who: int) -> str | None:
        players = 0 if self.hand is None else len(self.hand.players)
        return None if 0 <= who < players else f"who is {who}: the players are 0 to {players - 1}"

    def _share(self, who: int, share: int) -> str | None:
        return f"share is {share}: the least is 0" if share < 0 else self._seat(who)

    def _stage(self, number: int, board: str) -> str | None:
        if not 0 <= number < len(BOARD_CARDS):
            return f"round is {number}: rounds are 0 to 3"
        if number <= self._opened:
            return f"round is {number} after round {self._opened}"
        refusal = _cards("board", board, BOARD_CARDS[number])
        if refusal is None:
            self._opened = number
        return refusal


def _start(values: tuple[Any, ...]) -> str | None:
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
    return None


_parsed: Final = lru_cache(4096)(parse_cards)
"""Clients of one table hear the same boards, and there are only 1,326 hole cards."""


def _cards(what: str, text: str, count: int) -> str | None:
    if len(text) > _LONGEST:
        return f"{what} of {len(text)} characters: the most is {_LONGEST}"
    try:
        found = len(_parsed(text))
    except BadInput as error:
        return f"{what}: {error}"
    return None if found == count else f"{what} {text!r}: {found} cards, not {count}"


def _book(hand: HoldemState, message: Message) -> None:
    op, values = message.op, message.values
    if op is _NEXT_TO_ACT:
        hand.next_seat = values[0]
    elif op is _CALL or op is _RAISE:
        seat, amount = values
        hand.paid[seat] += amount
        hand.front[seat] = total = hand.front[seat] + amount
        hand.steps.append(HeardStep(op, seat, amount, int(total)))
    elif op is _FOLD:
        hand.gone[values[0]] = True
        hand.steps.append(HeardStep(op, values[0]))
    elif op is _NEW_STAGE:
        if values[0] > 0:
            hand.open_stage(values[0], _parsed(values[1]))
            hand.steps.append(HeardStep(op, board=hand.board))
    elif op is _HOLE_CARDS:
        own = values[0] == hand.position and not hand.steps
        (hand.dealt if own else hand.shown)[values[0]] = _parsed(values[1])
    elif op is _BLIND:
        hand.posted.append((values[0], values[1]))
        hand.pay(values[0], values[1])
    elif op is _WINNERS:
        hand.open_stage(SHOWDOWN, hand.board)
        for seat, chips in values[1]:
            hand.won[seat] += chips
