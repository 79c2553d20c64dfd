"""A hand followed over the wire and replayed by our rules, so that our bots can be asked."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from poker_actors.cards import STANDARD_DECK, Card, Deck, parse_cards
from poker_actors.errors import PokerError
from poker_actors.rules import GAMES, Call, Check, Fold, Hand, Positions, PublicState, RaiseTo, Stakes
from poker_actors.wire.opp.protocol.codec import Message
from poker_actors.wire.opp.protocol.opcodes import Op

__all__ = ["Replica"]

GAME: Final = GAMES["limit-holdem"]
_CREDIT_BETS: Final = 1_000
"""Small bets in the stack that stands for unlimited credit; a hand costs at most 24."""
_ACTIONS: Final = frozenset({Op.FOLD, Op.CALL, Op.RAISE})


class Replica:
    """The hand so far, as one client heard it. Other players' cards are stand-ins that are never shown.

    The rules are ours and the facts the server's: when the two disagree, `public` returns None
    and the caller falls back. A server on credit is recognised when players bet more than their
    bankrolls.
    """

    def __init__(self, start: Message) -> None:
        self._bet_size, _, self._button, self.position, self.game_id, rows = start.values
        self.names = tuple(name for name, _, _ in rows)
        self._bankrolls = [bankroll for _, bankroll, _ in rows]
        self._blinds: list[tuple[int, int]] = []
        self._acted: list[tuple[Op, int, int]] = []
        self._board: tuple[Card, ...] = ()
        self.hole: tuple[Card, ...] = ()

    def hear(self, message: Message) -> None:
        """Record a message of the hand."""
        op, values = message.op, message.values
        if op in _ACTIONS:
            self._acted.append((op, values[0], values[1]))
        elif op is Op.BLIND:
            self._blinds.append((values[0], values[1]))
        elif op is Op.NEW_STAGE:
            self._board = parse_cards(values[1])
        elif op is Op.HOLE_CARDS and values[0] == self.position:
            self.hole = parse_cards(values[1])

    @property
    def begun(self) -> bool:
        """Whether hole cards and a blind are known, so that the hand can be replayed."""
        return bool(self._blinds) and len(self.hole) == 2

    def public(self, who: int, to_call: int) -> PublicState | None:
        """Return the public state, or None unless our rules agree that `who` is to act with `to_call` chips to call."""
        credit = [self._bet_size * _CREDIT_BETS] * len(self._bankrolls)
        for stacks in (self._bankrolls, credit):
            try:
                public = self._play(stacks)
            except PokerError:  # these stacks cannot have played this hand: try the others
                continue
            if public.active == who and public.to_call(who) == to_call and public.board == self._board:
                return public
        return None

    def _play(self, stacks: Sequence[int]) -> PublicState:
        positions, stakes = self._opening()
        hand = Hand(
            stacks,
            stakes,
            deck=Deck.stacked(self._holes(), self._board),
            button=self._button,
            game=GAME,
            positions=positions,
        )
        for op, who, amount in self._acted:
            if not hand.to_act or hand.to_act[0] != who:
                break
            if op is Op.FOLD:
                hand.act(Fold())
            elif op is Op.RAISE:
                hand.act(RaiseTo(hand.bets[who] + amount))
            else:
                hand.act(Call() if hand.legal.to_call else Check())
        return hand.public()

    def _opening(self) -> tuple[Positions, Stakes]:
        """Return positions and stakes; the big blind is the later one, or a larger one unless stacks were short."""
        size = len(self.names)
        big, most = self._blinds[-1]
        for who, amount in self._blinds:
            if amount > most and most < self._bankrolls[big]:
                big, most = who, amount
        # A dead small blind belongs to a seat that is not there.
        small, paid = next((blind for blind in self._blinds if blind[0] != big), (size, 0))
        if small == size or paid >= self._bankrolls[small]:
            paid = self._bet_size // 2  # nobody paid, or paid only their last chips: take the usual half
        positions = Positions(self._button, small, big, tuple(range(size)))
        return positions, Stakes(paid, self._bet_size)

    def _holes(self) -> list[tuple[Card, ...]]:
        known = {*self.hole, *self._board}
        rest = iter([card for card in STANDARD_DECK if card not in known])
        return [
            self.hole if seat == self.position else (next(rest), next(rest))
            for seat in range(len(self.names))
        ]
